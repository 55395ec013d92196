// SPDX-License-Identifier: Apache-2.0
/*
 * struct mutex (kernel/locking/mutex.c). Free: one compare-and-swap to take it, one release compare-and-swap to give it back.
 *
 * Contended, with the scheduler: the task queues under wait_lock, sets the waiters flag, sleeps until it is woken and tries
 * again; who unlocks then finds the flag and wakes the first waiter. A woken waiter may find that somebody else was quicker,
 * and queues no new: it stays the first. The lock word, wait_lock and list stand in one line.
 *
 * Left out: optimistic spinning (the kernel spins while the owner runs on another CPU, so a short hold costs less there) and
 * the hand-off to a waiter that was passed over. Without the scheduler a second owner stops the simulation.
 */
#ifndef CONVOY_MODEL_KERNEL_MUTEX_H
#define CONVOY_MODEL_KERNEL_MUTEX_H

#include "model/kernel/spinlock.h"
#include "model/machine.h"

struct kernel;
struct task_struct;

struct mutex {
	struct kernel *kernel;
	line_id line;
	bool locked;
	bool has_waiters;               /* MUTEX_FLAG_WAITERS of the lock word */
	struct raw_spinlock wait_lock;
	struct task_struct *waiters;    /* first come, first woken */
};

/* `wait_lock_name`: as the lock statistics show it; static. */
void mutex_init(struct kernel *kernel, struct mutex *mutex, line_id line, const char *wait_lock_name);
void mutex_lock(struct cpu *cpu, struct mutex *mutex);
void mutex_unlock(struct cpu *cpu, struct mutex *mutex);

#endif
