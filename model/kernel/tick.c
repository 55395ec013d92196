// SPDX-License-Identifier: Apache-2.0
/*
 * The scheduler's tick (kernel/time/tick-sched.c, scheduler_tick()): an hrtimer a CPU that ends time slices. It runs while
 * more than one task is runnable there; the interrupt that tells a CPU so is also that of a reschedule request.
 * Not modelled: everything else that a tick does (time keeping, RCU, timers of the wheel), and the ticks of CPUs with one task.
 */
#include "model/kernel/kernel.h"
#include "model/kernel/sched.h"

static uint64_t ticks_of(ps_t time)
{
	return time / PS_PER_NS;
}

static uint64_t scheduler_tick(struct cpu *cpu, void *context)
{
	struct rq *rq = context;
	struct kernel *kernel = rq->idle->kernel;
	uint64_t again = HRTIMER_NORESTART;
	FUNCTION(cpu);

	kernel->sched->counts.ticks++;
	raw_spin_lock(kernel, cpu, &rq->lock, __func__);
	update_curr(cpu, rq);
	if (rq->nr_running > 1) {
		again = rq->tick.expires + ticks_of(kernel->config.tick);
		if (cpu_now(cpu) - rq->slice_start >= kernel->config.time_slice && !rq->curr->need_resched)
			set_need_resched(cpu, rq->curr);
	}
	rq->ticking = again != HRTIMER_NORESTART;
	raw_spin_unlock(cpu, &rq->lock);
	return again;
}

void tick_init(struct kernel *kernel, struct rq *rq)
{
	hrtimer_init(kernel, &rq->tick, line_create(kernel->machine, "tick_sched", rq->cpu), scheduler_tick, rq);
	rq->tick.cpu = rq->cpu;
}

/*
 * When this CPU's tick comes next: all CPUs tick at the same instants, unless the kernel was started with skew_tick=1, which
 * spreads them over half a period.
 */
static uint64_t next_tick(struct cpu *cpu, const struct rq *rq)
{
	const struct kernel *kernel = rq->idle->kernel;
	const uint64_t period = ticks_of(kernel->config.tick);
	const uint64_t skew = kernel->config.skew_tick ? period / 2 / kernel->cpus * rq->cpu : 0;
	const uint64_t now = ktime_get(cpu);

	return now < skew ? skew : (now - skew) / period * period + period + skew;
}

static void start_tick(struct cpu *cpu, struct rq *rq)
{
	FUNCTION_NAMED(cpu, "tick_nohz_restart");

	rq->ticking = true;
	hrtimer_start(cpu, &rq->tick, next_tick(cpu, rq));
}

void tick_needed(struct cpu *cpu, struct rq *rq)
{
	if (rq->ticking || rq->nr_running < 2)
		return;
	if (rq->cpu == cpu_number(cpu).n)
		start_tick(cpu, rq);
	else
		send_reschedule(rq->idle->kernel, cpu, rq->cpu);
}

bool sched_ipi(struct cpu *cpu, void *context, intid interrupt)
{
	struct kernel *kernel = context;
	struct rq *rq = this_rq(kernel, cpu);
	FUNCTION_NAMED(cpu, "scheduler_ipi");

	(void)interrupt;
	line_read(cpu, rq->lock.line);
	if (rq->ticking || rq->nr_running < 2)
		return false;
	raw_spin_lock(kernel, cpu, &rq->lock, __func__);
	tick_needed(cpu, rq);
	raw_spin_unlock(cpu, &rq->lock);
	return false;
}
