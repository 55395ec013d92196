// SPDX-License-Identifier: Apache-2.0
/*
 * What qspinlock and cna share: kernel/locking/qspinlock.c with the places at which the CNA series puts code of its
 * own; and the two waits of every MCS queue, which spinlock_mcs.c uses too.
 */
#ifndef CONVOY_MODEL_KERNEL_SPINLOCK_QUEUE_H
#define CONVOY_MODEL_KERNEL_SPINLOCK_QUEUE_H

#include "model/kernel/spinlock.h"

struct queue_policy {
	/* The CPU fills its node in, before others can find it. NULL: nothing more to fill in. */
	void (*init_node)(struct kernel *kernel, struct cpu *cpu, struct mcs_node *node);
	/*
	 * The head saw itself as the queue's last. Takes the lock by an atomic on its line; true: the queue has been dealt
	 * with; false: somebody has come behind us meanwhile.
	 */
	bool (*take_as_last)(struct kernel *kernel, struct cpu *cpu, struct raw_spinlock *lock, struct mcs_node *node);
	/* Makes the next one head. `next`: number + 1 of our successor. */
	void (*hand_on)(struct kernel *kernel, struct cpu *cpu, struct mcs_node *node, uint32_t next);
};

enum acquisition queued_spin_lock(struct kernel *kernel, struct cpu *cpu, struct raw_spinlock *lock,
				  const struct queue_policy *policy);
void queued_spin_unlock(struct kernel *kernel, struct cpu *cpu, struct raw_spinlock *lock);

/*
 * Any MCS queue: waits on the own node until it is the head's; until a successor has linked itself, and returns its
 * number + 1.
 */
void mcs_wait_for_head(struct cpu *cpu, struct mcs_node *node);
uint32_t mcs_wait_for_successor(struct cpu *cpu, struct mcs_node *node);

/* The pieces of plain qspinlock. */
extern const struct queue_policy plain_queue;

#endif
