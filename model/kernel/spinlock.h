// SPDX-License-Identifier: Apache-2.0
/*
 * raw_spinlock_t over cache lines: the real algorithms, step by step, so that their scaling follows from the lines.
 *
 *   ticket      arm64 up to v4.18: one word, owner and next; every waiter polls that word's line.
 *   qspinlock   v4.19 and later: lock word with locked byte, pending bit and tail; from the second waiter on an MCS
 *               queue in which each waiter polls a line of its own CPU.
 *   mcs         nothing but the queue: every CPU, also the holder, has a node in it.
 *   cna         qspinlock whose queue serves waiters of one NUMA node in a row.
 *
 * Unlocking ends in a store-release, or in mcs without a successor in a compare-and-swap. The store leaves through the
 * store buffer, so the holder goes on while the lock stays held until its device writes are acknowledged and the line
 * is back.
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
	struct kernel *kernel;
	uint16_t owner, next;      /* ticket */
	bool locked, pending;      /* qspinlock, cna: locked byte, pending bit */
	uint32_t tail;             /* all but ticket: number + 1 of the queue's last node, 0 = empty */
	struct mcs_node *holder;   /* mcs: the holder's node, private to it */
	struct mcs_node *heir;     /* mcs: to whom the unlock that is under way gives the lock */
	struct lock_class *stat;
	ps_t taken_at;             /* when the present holder took it; for the statistics only */
	struct lock_site *taken_by;
};

/* Contended locks that one CPU may hold or wait for at a time, as MAX_NODES of kernel/locking/qspinlock.c. */
#define MCS_NESTING 4

/*
 * Queue node, MCS_NESTING a CPU, each in a line of its own. Node n belongs to CPU n modulo the number of CPUs. qspinlock
 * and cna use only the first of a CPU (no nesting of contended locks on these paths: interrupts are off); with mcs a CPU
 * has a node in each lock that it holds.
 */
struct mcs_node {
	line_id line;
	bool locked;
	uint32_t next;             /* number + 1 of the successor, 0 = none yet */
	bool busy;                 /* mcs: in a queue; private to its CPU */
	/* cna; secondary and handovers are handed from head to head together with `locked` */
	uint32_t secondary;        /* number + 1 of the last node of the secondary queue, 0 = empty */
	uint32_t numa_node;        /* of its CPU */
	uint32_t handovers;        /* since somebody has been waiting in the secondary queue */
	struct mcs_node *heir;     /* to whom the hand-over that is under way goes; private to its CPU */
};

/* How an acquisition went, for the statistics. */
enum acquisition { ACQUIRED_FREE, ACQUIRED_WAITED, ACQUIRED_QUEUED };

struct spinlock_ops {
	const char *name;          /* as kernel.spinlock names it */
	enum acquisition (*lock)(struct kernel *kernel, struct cpu *cpu, struct raw_spinlock *lock);
	/* Gives the lock back; calls spin_lock_given_back at the moment at which that becomes visible to others. */
	void (*unlock)(struct kernel *kernel, struct cpu *cpu, struct raw_spinlock *lock);
};

extern const struct spinlock_ops spinlock_ticket, spinlock_queued, spinlock_mcs, spinlock_cna;

/* For the algorithms: the hold ends at `when`. Before the words of the lock change, and with them the next holder's. */
void spin_lock_given_back(struct raw_spinlock *lock, ps_t when);

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
