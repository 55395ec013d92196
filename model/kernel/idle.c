// SPDX-License-Identifier: Apache-2.0
/*
 * The idle task (kernel/sched/idle.c), the first thread of each CPU that the scheduler has: waits for an interrupt until a
 * task is to run. Interrupts are masked between the last look at need_resched and WFI, which a pending interrupt ends all the
 * same: no wake-up is lost. Not modelled: idle states deeper than WFI, polling idle, the stopping of the tick.
 */
#include "model/kernel/kernel.h"
#include "model/kernel/sched.h"

static void cpuidle_idle_call(struct cpu *cpu, struct kernel *kernel)
{
	FUNCTION(cpu);

	irq_save(cpu);
	if (!need_resched(kernel, cpu))
		cpu_wait_for_interrupt(cpu);
	irq_restore(cpu, true);
}

static void start_first_tick(struct cpu *cpu, struct kernel *kernel, struct rq *rq)
{
	irq_save(cpu);
	raw_spin_lock(kernel, cpu, &rq->lock, "start_first_tick");
	tick_needed(cpu, rq);
	raw_spin_unlock(cpu, &rq->lock);
	irq_restore(cpu, true);
}

void cpu_startup_entry(struct cpu *cpu, void *context)
{
	struct rq *rq = context;
	struct kernel *kernel = rq->idle->kernel;
	FUNCTION_NAMED(cpu, "do_idle");

	rq->idle->thread = cpu;
	if (rq->nr_running > 1)
		start_first_tick(cpu, kernel, rq);
	for (;;) {
		while (!need_resched(kernel, cpu))
			cpuidle_idle_call(cpu, kernel);
		schedule(kernel, cpu);
	}
}
