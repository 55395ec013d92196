// SPDX-License-Identifier: Apache-2.0
/* See lock_bench.h. */
#include "tests/step/lock_bench.h"

#include <stdlib.h>

void lock_bench_start(struct lock_bench *b, const struct spinlock_ops *ops, uint32_t cpus_per_node)
{
	struct kernel_config config = recent_kernel();

	config.spinlock = ops;
	config.cpus_per_node = cpus_per_node;
	config.cna_handovers = LOCK_CNA_HANDOVERS;
	b->machine = recording_machine_new(LOCK_CPUS);
	b->cpu = recording_cpu(b->machine, ME);
	b->kernel = kernel_boot(b->machine, LOCK_CPUS, &config);
	spin_lock_init(b->kernel, &b->lock, line_create(b->machine, LOCK, 0), "spinlock_steps");
	b->waits = 0;
}

void lock_bench_stop(struct lock_bench *b)
{
	free(b->kernel->mcs_nodes);
	free(b->kernel->running_vcpu);
	free(b->kernel->sgi_intid);
	free(b->kernel);
	recording_machine_free(b->machine);
}

void lock_bench_steps(const struct lock_bench *b, char *steps, size_t size)
{
	size_t length = 0;

	for (size_t n = 0; n < recording_length(b->machine); n++) {
		const struct request *request = recording_at(b->machine, n);
		char kind, line;

		switch (request->kind) {
		case REQUEST_LINE_ATOMIC: kind = 'A'; break;
		case REQUEST_LINE_OWN: kind = 'O'; break;
		case REQUEST_LINE_READ: kind = 'R'; break;
		case REQUEST_LINE_RELEASE: kind = 'L'; break;
		case REQUEST_LINE_WAIT: kind = 'W'; break;
		default: continue;
		}
		if (request->line[0] == LOCK[0])
			line = 'l';
		else
			line = request->instance == ME ? 'n' : 'o';
		assert_true(length + 4 < size);
		steps[length++] = kind;
		steps[length++] = line;
		steps[length++] = ' ';
	}
	steps[length ? length - 1 : 0] = '\0';
}

void expect_steps(const struct lock_bench *b, const char *expected)
{
	char steps[128];

	lock_bench_steps(b, steps, sizeof(steps));
	assert_string_equal(steps, expected);
}
