// SPDX-License-Identifier: Apache-2.0
/*
 * schedule() and the switch from one task to the next; see sched.h.
 *
 * The run queue's lock is taken by the task that leaves and given back by the one that comes, in finish_task_switch. Under
 * it and with interrupts masked run the pick (lump kernel.work.schedule) and the leaving task's preempt notifier; the
 * coming task's notifier runs after both are off.
 */
#include "model/kernel/sched.h"

#include <stdlib.h>

#include "model/kernel/kernel.h"

struct rq *this_rq(const struct kernel *kernel, const struct cpu *cpu)
{
	return &kernel->sched->rqs[cpu_number(cpu).n];
}

struct task_struct *current_task(const struct kernel *kernel, const struct cpu *cpu)
{
	return kernel->sched ? this_rq(kernel, cpu)->curr : NULL;
}

void set_current_state(struct kernel *kernel, struct cpu *cpu, enum task_state state)
{
	struct task_struct *task = current_task(kernel, cpu);

	line_own(cpu, task->line);
	task->state = state;
	if (state != TASK_RUNNING)
		cpu_barrier(cpu, BARRIER_DMB);  /* smp_store_mb() */
}

static void count_runnable(struct sched *sched, struct rq *rq, int by)
{
	const uint64_t bit = 1ull << rq->cpu % 64;

	rq->nr_running += (uint32_t)by;
	if (rq->nr_running)
		sched->idle_cpus[rq->cpu / 64] &= ~bit;
	else
		sched->idle_cpus[rq->cpu / 64] |= bit;
}

static void insert_ready(struct rq *rq, struct task_struct *task)
{
	struct task_struct **place = &rq->ready;

	while (*place && (*place)->virtual_runtime <= task->virtual_runtime)
		place = &(*place)->next;
	task->next = *place;
	*place = task;
}

void update_curr(struct cpu *cpu, struct rq *rq)
{
	const ps_t now = cpu_now(cpu);

	if (now > rq->charged_until && rq->curr != rq->idle)
		rq->curr->virtual_runtime += now - rq->charged_until;
	if (now > rq->charged_until)
		rq->charged_until = now;
	if (rq->curr != rq->idle && rq->curr->virtual_runtime > rq->min_runtime &&
	    (!rq->ready || rq->ready->virtual_runtime > rq->min_runtime))
		rq->min_runtime = rq->ready && rq->ready->virtual_runtime < rq->curr->virtual_runtime ?
					  rq->ready->virtual_runtime : rq->curr->virtual_runtime;
}

/* A sleeper does not save up more than one slice. */
void activate_task(struct cpu *cpu, struct rq *rq, struct task_struct *task)
{
	const uint64_t slice = task->kernel->config.time_slice;
	const uint64_t least = rq->min_runtime > slice ? rq->min_runtime - slice : 0;

	line_own(cpu, task->line);
	if (task->virtual_runtime < least)
		task->virtual_runtime = least;
	task->state = TASK_RUNNING;
	task->on_rq = true;
	task->cpu = rq->cpu;
	insert_ready(rq, task);
	count_runnable(task->kernel->sched, rq, 1);
}

static void deactivate_task(struct cpu *cpu, struct rq *rq, struct task_struct *task)
{
	line_own(cpu, task->line);
	task->on_rq = false;
	count_runnable(task->kernel->sched, rq, -1);
}

static struct task_struct *pick_next_task(struct rq *rq)
{
	struct task_struct *next = rq->ready;

	if (!next)
		return rq->idle;
	rq->ready = next->next;
	next->next = NULL;
	return next;
}

static void clear_on_cpu(void *task, ps_t when)
{
	(void)when;
	((struct task_struct *)task)->on_cpu = false;
}

/* On the coming task's thread. */
static void finish_task_switch(struct kernel *kernel, struct cpu *cpu)
{
	struct rq *rq = this_rq(kernel, cpu);
	struct task_struct *current = rq->curr;
	FUNCTION(cpu);

	line_release(cpu, rq->prev->line, clear_on_cpu, rq->prev);
	raw_spin_unlock(cpu, &rq->lock);
	irq_restore(cpu, true);
	if (current->notifier)
		current->notifier->sched_in(cpu, current->notifier->context);
}

static void prepare_task_switch(struct cpu *cpu, struct rq *rq, struct task_struct *prev, struct task_struct *next)
{
	FUNCTION(cpu);

	if (prev->notifier)
		prev->notifier->sched_out(cpu, prev->notifier->context, prev->on_rq);
	line_own(cpu, next->line);
	next->on_cpu = true;
	rq->prev = prev;
	rq->curr = next;
	rq->slice_start = cpu_now(cpu);
	rq->charged_until = cpu_now(cpu);
}

static void context_switch(struct kernel *kernel, struct cpu *cpu, struct rq *rq, struct task_struct *next)
{
	struct task_struct *prev = rq->curr;

	kernel->sched->counts.switches++;
	prepare_task_switch(cpu, rq, prev, next);
	thread_switch(prev->thread, next->thread);
	finish_task_switch(kernel, cpu);
}

static void take_from_cpu(struct cpu *cpu, struct rq *rq, struct task_struct *prev, bool preempted)
{
	line_read(cpu, prev->line);
	if (prev == rq->idle)
		return;
	if (!preempted && prev->state != TASK_RUNNING)
		deactivate_task(cpu, rq, prev);
	else
		insert_ready(rq, prev);
}

static void do_schedule(struct kernel *kernel, struct cpu *cpu, bool preempted)
{
	struct task_struct *prev, *next;
	struct rq *rq = this_rq(kernel, cpu);
	FUNCTION_NAMED(cpu, "__schedule");

	irq_save(cpu);
	raw_spin_lock(kernel, cpu, &rq->lock, "__schedule");
	prev = rq->curr;
	update_curr(cpu, rq);
	cpu_spend(cpu, kernel->config.work_schedule);
	take_from_cpu(cpu, rq, prev, preempted);
	if (prev->need_resched) {
		line_own(cpu, prev->flags_line);
		prev->need_resched = false;
	}
	next = pick_next_task(rq);
	if (next != prev) {
		kernel->sched->counts.preemptions += preempted && prev != rq->idle;
		context_switch(kernel, cpu, rq, next);
		return;
	}
	rq->slice_start = cpu_now(cpu);
	raw_spin_unlock(cpu, &rq->lock);
	irq_restore(cpu, true);
}

void schedule(struct kernel *kernel, struct cpu *cpu)
{
	FUNCTION(cpu);

	do_schedule(kernel, cpu, false);
}

bool need_resched(struct kernel *kernel, struct cpu *cpu)
{
	struct task_struct *task = current_task(kernel, cpu);

	line_read(cpu, task->flags_line);
	return task->need_resched;
}

void preempt_enable(struct kernel *kernel, struct cpu *cpu)
{
	while (kernel->sched && need_resched(kernel, cpu)) {
		FUNCTION_NAMED(cpu, "preempt_schedule");

		do_schedule(kernel, cpu, true);
	}
}

/* In pieces, because what is spent at once cannot be interrupted. */
#define USER_PIECE (5 * PS_PER_US)

void user_work(struct kernel *kernel, struct cpu *cpu, ps_t work)
{
	for (ps_t piece; work > 0; work -= piece) {
		piece = work < USER_PIECE ? work : USER_PIECE;
		cpu_spend(cpu, piece);
		if (!kernel->sched)
			continue;
		line_read(cpu, current_task(kernel, cpu)->flags_line);
		irq_restore(cpu, true);
		preempt_enable(kernel, cpu);
	}
}

bool single_task_running(struct kernel *kernel, struct cpu *cpu)
{
	struct rq *rq;

	if (!kernel->sched)
		return true;
	rq = this_rq(kernel, cpu);
	line_read(cpu, rq->lock.line);
	return rq->nr_running == 1;
}

static void task_main(struct cpu *cpu, void *argument)
{
	struct task_struct *task = argument;

	finish_task_switch(task->kernel, cpu);  /* schedule_tail() */
	task->body(cpu, task->argument);
	abort();  /* tasks do not end */
}

static void task_lines(struct kernel *kernel, struct task_struct *task, const char *name, uint32_t instance)
{
	task->kernel = kernel;
	task->name = name;
	task->line = line_create(kernel->machine, "task_struct", instance);
	task->flags_line = line_create(kernel->machine, "thread_info flags", instance);
	spin_lock_init(kernel, &task->pi_lock, line_create(kernel->machine, "task_struct pi_lock", instance), "task_struct.pi_lock");
}

/* Idle tasks come first, one a CPU. */
void task_init(struct kernel *kernel, struct task_struct *task, const char *name, uint32_t instance,
	       void (*body)(struct cpu *cpu, void *argument), void *argument)
{
	*task = (struct task_struct){ .state = TASK_SLEEPING, .body = body, .argument = argument };
	task_lines(kernel, task, name, kernel->cpus + instance);
	task_allow(task, 0, kernel->sched->cpus);
	task->thread = thread_create(kernel->machine, task_main, task);
}

void task_allow(struct task_struct *task, uint32_t first_cpu, uint32_t cpus)
{
	task->first_cpu = first_cpu;
	task->cpus = cpus;
}

void task_start(struct task_struct *task, uint32_t cpu)
{
	struct rq *rq = &task->kernel->sched->rqs[cpu];

	task->state = TASK_RUNNING;
	task->on_rq = true;
	task->cpu = cpu;
	insert_ready(rq, task);
	count_runnable(task->kernel->sched, rq, 1);
	rq->idle->need_resched = true;
}

static void rq_init(struct kernel *kernel, struct rq *rq, uint32_t cpu)
{
	spin_lock_init(kernel, &rq->lock, line_create(kernel->machine, "rq", cpu), "rq.lock");
	spin_lock_init(kernel, &rq->pool_lock, line_create(kernel->machine, "worker_pool", cpu), "worker_pool.lock");
	rq->cpu = cpu;
	rq->idle = rq->curr = &rq->idle_task;
	task_lines(kernel, rq->idle, "idle", cpu);
	rq->idle->on_cpu = rq->idle->on_rq = true;
	rq->idle->cpu = rq->idle->first_cpu = cpu;
	rq->idle->cpus = 1;
	rq->idle->need_resched = false;
	kernel->sched->idle_cpus[cpu / 64] |= 1ull << cpu % 64;
	tick_init(kernel, rq);
	task_create(kernel->machine, (cpu_id){ cpu }, cpu_startup_entry, rq);
}

void sched_init(struct kernel *kernel, uint32_t cpus)
{
	struct sched *sched = calloc(1, sizeof(*sched));

	if (!sched)
		abort();
	sched->cpus = cpus;
	sched->rqs = calloc(cpus, sizeof(*sched->rqs));
	sched->idle_cpus = calloc((cpus + 63) / 64, sizeof(*sched->idle_cpus));
	if (!sched->rqs || !sched->idle_cpus)
		abort();
	kernel->sched = sched;
	hrtimers_init(kernel);
	for (uint32_t cpu = 0; cpu < cpus; cpu++)
		rq_init(kernel, &sched->rqs[cpu], cpu);
	request_percpu_irq(kernel, (intid){ IPI_RESCHEDULE }, sched_ipi, kernel);
}
