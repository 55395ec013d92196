// SPDX-License-Identifier: Apache-2.0
/*
 * try_to_wake_up() (kernel/sched/core.c): pi_lock of the task; if it is still on a run queue that queue's lock, and it just
 * goes on; else wait until its last CPU has let go of it, choose a CPU, that run queue's lock, and tell the CPU.
 */
#include "model/kernel/kernel.h"
#include "model/kernel/sched.h"

void set_need_resched(struct cpu *cpu, struct task_struct *task)
{
	line_atomic(cpu, task->flags_line, ORDER_RELAXED);
	task->need_resched = true;
}

void send_reschedule(struct kernel *kernel, struct cpu *cpu, uint32_t target)
{
	FUNCTION_NAMED(cpu, "smp_send_reschedule");

	kernel->sched->counts.reschedule_interrupts++;
	kernel->chip->send_sgi(kernel, cpu, (cpu_id){ target }, IPI_RESCHEDULE);
}

/* With the lock of `rq`. */
static void resched_curr(struct cpu *cpu, struct rq *rq)
{
	FUNCTION(cpu);

	if (rq->curr->need_resched)
		return;
	set_need_resched(cpu, rq->curr);
	if (rq->cpu != cpu_number(cpu).n)
		send_reschedule(rq->curr->kernel, cpu, rq->cpu);
}

/* A CPU that was idle when this was looked up: its queue says whether it still is. */
static bool is_idle(struct cpu *cpu, struct rq *rq)
{
	line_read(cpu, rq->lock.line);
	return rq->nr_running == 0;
}

/* The first idle CPU that the task may use, from `from` on and around; `from` itself if there is none. */
static uint32_t find_idle_cpu(const struct sched *sched, const struct task_struct *task, uint32_t from)
{
	for (uint32_t n = 1; n < task->cpus; n++) {
		const uint32_t cpu = task->first_cpu + (from - task->first_cpu + n) % task->cpus;

		if (sched->idle_cpus[cpu / 64] >> cpu % 64 & 1)
			return cpu;
	}
	return from;
}

static struct rq *select_task_rq(struct cpu *cpu, struct task_struct *task)
{
	struct sched *sched = task->kernel->sched;
	struct rq *last = &sched->rqs[task->cpu];
	uint32_t other;
	FUNCTION(cpu);

	if (is_idle(cpu, last) || task->cpus == 1)
		return last;
	other = find_idle_cpu(sched, task, task->cpu);
	if (other == task->cpu || !is_idle(cpu, &sched->rqs[other]))
		return last;
	sched->counts.migrations++;
	return &sched->rqs[other];
}

/* Still on its run queue: it had not gone to sleep yet, or not quite. */
static bool ttwu_runnable(struct cpu *cpu, struct task_struct *task)
{
	struct rq *rq = &task->kernel->sched->rqs[task->cpu];
	bool runnable;
	FUNCTION(cpu);

	raw_spin_lock(task->kernel, cpu, &rq->lock, __func__);
	runnable = task->on_rq;
	if (runnable) {
		line_own(cpu, task->line);
		task->state = TASK_RUNNING;
	}
	raw_spin_unlock(cpu, &rq->lock);
	return runnable;
}

/* smp_cond_load_acquire(&p->on_cpu, !VAL) */
static void wait_until_off_cpu(struct cpu *cpu, struct task_struct *task)
{
	for (;;) {
		line_read(cpu, task->line);
		if (!task->on_cpu)
			return;
		line_wait(cpu, task->line);
	}
}

static void ttwu_queue(struct cpu *cpu, struct task_struct *task)
{
	struct rq *rq = select_task_rq(cpu, task);
	FUNCTION(cpu);

	raw_spin_lock(task->kernel, cpu, &rq->lock, __func__);
	update_curr(cpu, rq);
	activate_task(cpu, rq, task);
	if (rq->curr == rq->idle)
		resched_curr(cpu, rq);
	else
		tick_needed(cpu, rq);
	raw_spin_unlock(cpu, &rq->lock);
}

/* With pi_lock. True: it slept. */
static bool wake(struct cpu *cpu, struct task_struct *task)
{
	line_read(cpu, task->line);
	if (task->state == TASK_RUNNING)
		return false;
	if (task->on_rq && ttwu_runnable(cpu, task))
		return true;
	wait_until_off_cpu(cpu, task);
	cpu_spend(cpu, task->kernel->config.work_wake_up);
	ttwu_queue(cpu, task);
	task->kernel->sched->counts.wake_ups++;
	return true;
}

bool wake_up_process(struct cpu *cpu, struct task_struct *task)
{
	struct kernel *kernel = task->kernel;
	bool flags, woken;
	FUNCTION_NAMED(cpu, "try_to_wake_up");

	if (task == current_task(kernel, cpu)) {  /* no lock: it is here, and awake */
		line_own(cpu, task->line);
		woken = task->state != TASK_RUNNING;
		task->state = TASK_RUNNING;
		return woken;
	}
	flags = raw_spin_lock_irqsave(kernel, cpu, &task->pi_lock, "try_to_wake_up");
	woken = wake(cpu, task);
	raw_spin_unlock_irqrestore(cpu, &task->pi_lock, flags);
	return woken;
}
