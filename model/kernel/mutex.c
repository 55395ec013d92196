// SPDX-License-Identifier: Apache-2.0
/* Mutexes; see mutex.h. */
#include "model/kernel/mutex.h"

#include "model/kernel/kernel.h"
#include "model/kernel/sched.h"
#include "model/kernel/unmodelled.h"

void mutex_init(struct kernel *kernel, struct mutex *mutex, line_id line, const char *wait_lock_name)
{
	*mutex = (struct mutex){ .kernel = kernel, .line = line };
	spin_lock_init(kernel, &mutex->wait_lock, line, wait_lock_name);
}

static bool trylock(struct cpu *cpu, struct mutex *mutex)
{
	line_atomic(cpu, mutex->line, ORDER_ACQUIRE);
	if (mutex->locked)
		return false;
	mutex->locked = true;
	return true;
}

/* With wait_lock. */
static void add_waiter(struct mutex *mutex, struct task_struct *task)
{
	struct task_struct **place = &mutex->waiters;

	while (*place)
		place = &(*place)->next_waiter;
	task->next_waiter = NULL;
	*place = task;
	mutex->has_waiters = true;
}

static void remove_waiter(struct mutex *mutex, struct task_struct *task)
{
	struct task_struct **place = &mutex->waiters;

	while (*place != task)
		place = &(*place)->next_waiter;
	*place = task->next_waiter;
	mutex->has_waiters = mutex->waiters != NULL;
}

static void mutex_lock_slowpath(struct cpu *cpu, struct mutex *mutex, struct task_struct *task)
{
	struct kernel *kernel = mutex->kernel;
	bool flags;
	FUNCTION_NAMED(cpu, "__mutex_lock_slowpath");

	flags = raw_spin_lock_irqsave(kernel, cpu, &mutex->wait_lock, "__mutex_lock_slowpath");
	line_own(cpu, mutex->line);
	add_waiter(mutex, task);
	set_current_state(kernel, cpu, TASK_SLEEPING);
	while (!trylock(cpu, mutex)) {
		raw_spin_unlock_irqrestore(cpu, &mutex->wait_lock, flags);
		schedule(kernel, cpu);
		flags = raw_spin_lock_irqsave(kernel, cpu, &mutex->wait_lock, "__mutex_lock_slowpath");
		set_current_state(kernel, cpu, TASK_SLEEPING);
	}
	set_current_state(kernel, cpu, TASK_RUNNING);
	line_own(cpu, mutex->line);
	remove_waiter(mutex, task);
	raw_spin_unlock_irqrestore(cpu, &mutex->wait_lock, flags);
}

void mutex_lock(struct cpu *cpu, struct mutex *mutex)
{
	FUNCTION(cpu);

	if (trylock(cpu, mutex))
		return;
	if (!mutex->kernel->sched)
		unmodelled("a contended mutex without a scheduler");
	mutex_lock_slowpath(cpu, mutex, current_task(mutex->kernel, cpu));
}

static void mutex_unlock_slowpath(struct cpu *cpu, struct mutex *mutex)
{
	struct kernel *kernel = mutex->kernel;
	struct task_struct *first;
	bool flags;
	FUNCTION_NAMED(cpu, "__mutex_unlock_slowpath");

	line_atomic(cpu, mutex->line, ORDER_RELEASE);
	mutex->locked = false;
	flags = raw_spin_lock_irqsave(kernel, cpu, &mutex->wait_lock, "__mutex_unlock_slowpath");
	first = mutex->waiters;
	raw_spin_unlock_irqrestore(cpu, &mutex->wait_lock, flags);
	if (first)
		wake_up_process(cpu, first);
}

void mutex_unlock(struct cpu *cpu, struct mutex *mutex)
{
	FUNCTION(cpu);

	line_atomic(cpu, mutex->line, ORDER_RELEASE);  /* CASL: fails if somebody waits */
	if (!mutex->has_waiters) {
		mutex->locked = false;
		return;
	}
	mutex_unlock_slowpath(cpu, mutex);
}
