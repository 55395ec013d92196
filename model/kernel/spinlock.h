// SPDX-License-Identifier: Apache-2.0
/*
 * raw_spinlock_t over cache lines: the real algorithms, step by step, so that their scaling follows from the lines.
 *
 *   ticket      arm64 up to v4.18: one word, owner and next; every waiter polls that word's line.
 *   qspinlock   v4.19 and later: lock word with locked byte, pending bit and tail; from the second waiter on an MCS
 *               queue in which each waiter polls a line of its own CPU.
 *
 * Unlocking is a store-release: it leaves through the store buffer, so the holder goes on while the lock stays held
 * until its device writes are acknowledged and the line is back.
 *
 * Waiting is WFE on the exclusive monitor: line_read, look, line_wait. The words are C variables; each belongs to the
 * lock's line and is changed only while the CPU holds that line.
 *
 * A lock may share its line with other data of the same object (irq_desc): pass that line to spin_lock_init.
 */
#ifndef CONVOY_MODEL_KERNEL_SPINLOCK_H
#define CONVOY_MODEL_KERNEL_SPINLOCK_H

#include "model/kernel/lockstat.h"
#include "model/machine.h"

struct kernel;

struct raw_spinlock {
	line_id line;
	uint16_t owner, next;      /* ticket */
	bool locked, pending;      /* qspinlock: locked byte, pending bit */
	uint32_t tail;             /* qspinlock: CPU + 1 of the queue's last waiter, 0 = empty */
	struct lock_class *stat;
	ps_t taken_at;             /* when the present holder took it; for the statistics only */
	struct lock_site *taken_by;
	void (*unlock_store)(struct raw_spinlock *lock);
};

/* Queue node of qspinlock, one a CPU (no nesting of contended locks on these paths: interrupts are off). */
struct mcs_node {
	line_id line;
	bool locked;
	uint32_t next;             /* CPU + 1 of the successor, 0 = none yet */
};

/* How an acquisition went, for the statistics. */
enum acquisition { ACQUIRED_FREE, ACQUIRED_WAITED, ACQUIRED_QUEUED };

struct spinlock_ops {
	const char *name;
	enum acquisition (*lock)(struct kernel *kernel, struct cpu *cpu, struct raw_spinlock *lock);
	/* The store that gives the lock back; carried out by the machine when it becomes visible. */
	void (*unlock_store)(struct raw_spinlock *lock);
};

extern const struct spinlock_ops spinlock_ticket, spinlock_queued;

/*
 * `name`: as the statistics show it, e.g. "irq_desc(vtimer).lock"; `instance` tells equal locks of many objects
 * apart for their homes, while the statistics add them up.
 */
void spin_lock_init(struct kernel *kernel, struct raw_spinlock *lock, line_id line, const char *name);

void raw_spin_lock(struct kernel *kernel, struct cpu *cpu, struct raw_spinlock *lock, const char *caller);
void raw_spin_unlock(struct cpu *cpu, struct raw_spinlock *lock);

/* With interrupts masked; returns what irq_restore wants. `caller` is the function as the statistics show it. */
bool raw_spin_lock_irqsave(struct kernel *kernel, struct cpu *cpu, struct raw_spinlock *lock, const char *caller);
void raw_spin_unlock_irqrestore(struct cpu *cpu, struct raw_spinlock *lock, bool were_enabled);

#endif
