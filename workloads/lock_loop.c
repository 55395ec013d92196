// SPDX-License-Identifier: Apache-2.0
/*
 * lock-loop: N threads, each on its own CPU, do private work, then take one or two locks one after the other and hold
 * each for a while.
 *
 * The textbook machine repairman, with a real lock algorithm over real lines: on a host whose lines cost nothing it
 * is a closed queue of exactly this service time, which is how the simulator is checked against closed forms; on a
 * real host it shows what an algorithm costs.
 */
#include <stdlib.h>

#include "base/random.h"
#include "workloads/workload.h"

struct lock_thread {
	struct workload *workload;
	struct raw_spinlock *locks;
	uint32_t n;
};

static const char *const lock_names[] = { "lock_loop[0]", "lock_loop[1]" };

static void hold_lock(struct lock_thread *thread, struct cpu *cpu, uint32_t station, uint64_t round)
{
	static const char *const streams[] = { "hold 0", "hold 1" };
	struct workload *workload = thread->workload;
	const struct workload_config *config = &workload->config;
	FUNCTION_NAMED(cpu, "critical section");

	raw_spin_lock(workload->kernel, cpu, &thread->locks[station], "lock_loop");
	cpu_spend(cpu, variation_draw(&config->hold_variation, config->hold, config->seed,
				      random_stream(streams[station]) + thread->n, round));
	raw_spin_unlock(cpu, &thread->locks[station]);
}

static void private_work(struct cpu *cpu, ps_t work)
{
	FUNCTION_NAMED(cpu, "private work");

	cpu_spend(cpu, work);
}

static void lock_thread_run(struct cpu *cpu, void *argument)
{
	struct lock_thread *thread = argument;
	struct workload *workload = thread->workload;
	const struct workload_config *config = &workload->config;
	const uint64_t stream = random_stream("vmm work") + thread->n;
	FUNCTION_NAMED(cpu, "lock thread");

	cpu_spend(cpu, workload_start_delay(workload, thread->n, config->vmm_work));
	for (uint64_t round = 0;; round++) {
		private_work(cpu, variation_draw(&config->variation, config->vmm_work, config->seed, stream, round));
		for (uint32_t station = 0; station < config->stations; station++)
			hold_lock(thread, cpu, station, round);
		workload_count(workload, thread->n, cpu_now(cpu));
	}
}

void lock_loop_start(struct workload *workload)
{
	const struct workload_config *config = &workload->config;
	struct raw_spinlock *locks = calloc(config->stations, sizeof(*locks));
	struct lock_thread *threads = calloc(config->vcpus, sizeof(*threads));
	struct kernel *kernel = workload->kernel;

	if (!locks || !threads)
		abort();
	for (uint32_t station = 0; station < config->stations; station++)
		spin_lock_init(kernel, &locks[station], line_create(kernel->machine, "lock_loop", station), lock_names[station]);
	for (uint32_t n = 0; n < config->vcpus; n++) {
		threads[n] = (struct lock_thread){ workload, locks, n };
		task_create(kernel->machine, (cpu_id){ n }, lock_thread_run, &threads[n]);
	}
}
