// SPDX-License-Identifier: Apache-2.0
/*
 * The MCS queue lock: Mellor-Crummey and Scott, "Algorithms for Scalable Synchronization on Shared-Memory
 * Multiprocessors", ACM TOCS 9(1), 1991; steps and orders as in kernel/locking/mcs_spinlock.h.
 *
 *   lock      set the own node up; swap the tail (full order: SWPAL). Nobody before us: the lock is ours. Else link
 *             behind the predecessor by a plain store and wait on the own node.
 *   unlock    a successor: store-release to its node. None: compare-and-swap of the tail to empty, release; if that
 *             fails, somebody is about to link behind us: wait for the link.
 *
 * The holder's node stays in the queue while it holds the lock, so a CPU needs a node for each lock that it holds; the
 * kernel puts them on the caller's stack, here a CPU has MCS_NESTING of them.
 *
 * The compare-and-swap counts as visible when its answer is back: with far atomics (host.cpu.far_atomics) that is half
 * a way late, for the statistics of an uncontended lock only.
 */
#include "model/kernel/spinlock_queue.h"

#include "model/kernel/kernel.h"
#include "model/kernel/unmodelled.h"

/* A node of this CPU that is in no queue; its number + 1 in *name. */
static struct mcs_node *free_node(struct kernel *kernel, struct cpu *cpu, uint32_t *name)
{
	for (uint32_t n = cpu_number(cpu).n; n < kernel->cpus * MCS_NESTING; n += kernel->cpus) {
		if (!kernel->mcs_nodes[n].busy) {
			*name = n + 1;
			return &kernel->mcs_nodes[n];
		}
	}
	unmodelled("a CPU that holds more MCS locks than it has nodes");
}

static enum acquisition mcs_lock(struct kernel *kernel, struct cpu *cpu, struct raw_spinlock *lock)
{
	struct mcs_node *node, *other;
	uint32_t self, previous;
	FUNCTION_NAMED(cpu, "mcs_spin_lock");

	node = free_node(kernel, cpu, &self);
	node->busy = true;
	line_own(cpu, node->line);
	node->locked = false;
	node->next = 0;

	line_atomic(cpu, lock->line, ORDER_ACQUIRE_RELEASE);
	previous = lock->tail;
	lock->tail = self;
	if (!previous) {
		lock->holder = node;
		return ACQUIRED_FREE;
	}
	other = &kernel->mcs_nodes[previous - 1];
	line_own(cpu, other->line);
	other->next = self;
	mcs_wait_for_head(cpu, node);
	lock->holder = node;
	return ACQUIRED_QUEUED;
}

static void inherit(void *object, ps_t when)
{
	struct raw_spinlock *lock = object;

	spin_lock_given_back(lock, when);
	lock->heir->locked = true;
}

static void mcs_unlock(struct kernel *kernel, struct cpu *cpu, struct raw_spinlock *lock)
{
	struct mcs_node *node = lock->holder;
	const uint32_t self = (uint32_t)(node - kernel->mcs_nodes) + 1;
	FUNCTION_NAMED(cpu, "mcs_spin_unlock");

	line_read(cpu, node->line);
	if (!node->next) {
		line_atomic(cpu, lock->line, ORDER_RELEASE);
		if (lock->tail == self) {
			spin_lock_given_back(lock, cpu_now(cpu));
			lock->tail = 0;
			node->busy = false;
			return;
		}
		mcs_wait_for_successor(cpu, node);
	}
	lock->heir = &kernel->mcs_nodes[node->next - 1];
	node->busy = false;
	line_release(cpu, lock->heir->line, inherit, lock);
}

const struct spinlock_ops spinlock_mcs = { "mcs", mcs_lock, mcs_unlock };
