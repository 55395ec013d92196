// SPDX-License-Identifier: Apache-2.0
/*
 * atomic-loop: N threads, each on its own CPU, repeat the kernel's xchg() (SWPAL) on a line of their own, or all on one
 * shared line, with an optional pause and optional no-ops after it, as the kernel's alternatives leave them behind when
 * they patch a short sequence over a longer one.
 *
 * A round: the exchange, the no-ops, the loop around them, the pause. No-ops depend on nothing, so an out-of-order core
 * takes them in while the exchange is under way: only what they take beyond its time shows.
 * Not modelled: LL/SC, failing store-exclusives.
 */
#include <stdlib.h>

#include "workloads/workload.h"

#define LOOP 5  /* address, value, counter, comparison, branch */

struct atomic_thread {
	struct workload *workload;
	line_id line;
	uint32_t n;
};

static void xchg(struct cpu *cpu, const struct workload_config *config, line_id line)
{
	const ps_t before = cpu_now(cpu);
	const ps_t no_ops = config->nops * config->nop;
	ps_t exchange;

	line_atomic(cpu, line, ORDER_ACQUIRE_RELEASE);
	exchange = cpu_now(cpu) - before;
	if (no_ops > exchange)
		cpu_spend(cpu, no_ops - exchange);
}

static void udelay(struct cpu *cpu, ps_t time)
{
	FUNCTION(cpu);

	cpu_spend(cpu, time);
}

static void atomic_thread_run(struct cpu *cpu, void *argument)
{
	struct atomic_thread *thread = argument;
	struct workload *workload = thread->workload;
	const struct workload_config *config = &workload->config;
	FUNCTION_NAMED(cpu, "atomic thread");

	cpu_spend(cpu, workload_start_delay(workload, thread->n, config->pause));
	if (!config->shared_line)
		line_own(cpu, thread->line);
	for (;;) {
		xchg(cpu, config, thread->line);
		cpu_load_store(cpu, LOOP);
		if (config->pause)
			udelay(cpu, config->pause);
		workload_count(workload, thread->n, cpu_now(cpu));
	}
}

void atomic_loop_start(struct workload *workload)
{
	const uint32_t vcpus = workload->config.vcpus;
	struct machine *machine = workload->kernel->machine;
	struct atomic_thread *threads = calloc(vcpus, sizeof(*threads));

	if (!threads)
		abort();
	for (uint32_t n = 0; n < vcpus; n++) {
		const bool first = n == 0 || !workload->config.shared_line;

		threads[n] = (struct atomic_thread){ workload, first ? line_create(machine, "atomic_loop", n) : threads[0].line, n };
		task_create(machine, (cpu_id){ n }, atomic_thread_run, &threads[n]);
	}
}
