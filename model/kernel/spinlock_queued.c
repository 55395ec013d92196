// SPDX-License-Identifier: Apache-2.0
/*
 * qspinlock, arm64 from v4.19 (kernel/locking/qspinlock.c): locked byte, pending bit, tail; MCS queue with one node a
 * CPU.
 *
 *   free                 compare-and-swap 0 -> locked
 *   pending, not locked  a hand-over is under way: wait for one change of the word (_Q_PENDING_LOOPS is 1, and on
 *   arm64 each turn is a WFE)
 *   locked, no waiter    fetch-or of pending; wait on the lock word; turn pending into locked by a store
 *   anything more        queue: exchange the tail, link behind the predecessor, wait on the own node; the head of the
 *                        queue waits on the lock word until locked and pending are clear, takes the lock and hands
 *                        the head on
 *   unlock               store-release of the locked byte
 *
 * A failed compare-and-swap takes the line exclusive all the same (LSE CASA), as arrivals do on hardware; waiters
 * look with line_read and sleep with line_wait (LDAXR + WFE). The node of a CPU is touched by its owner, its
 * predecessor (locked) and its successor (next).
 *
 * Not modelled: nesting beyond one contended lock a CPU; prefetchw of the successor's node, whose owner takes the
 * line back at once.
 */
#include "model/kernel/spinlock.h"

#include "model/kernel/kernel.h"

/* The lock word as one look at it saw it. */
struct word {
	bool locked, pending;
	uint32_t tail;
};

static struct word word_of(const struct raw_spinlock *lock)
{
	return (struct word){ lock->locked, lock->pending, lock->tail };
}

/* `locked`: what the fetch-or saw. */
static enum acquisition wait_as_pending(struct cpu *cpu, struct raw_spinlock *lock, bool locked)
{
	while (locked) {
		line_read(cpu, lock->line);
		locked = lock->locked;
		if (locked)
			line_wait(cpu, lock->line);
	}
	/* clear_pending_set_locked: a plain store, we are the only one who may take it */
	line_own(cpu, lock->line);
	lock->pending = false;
	lock->locked = true;
	return ACQUIRED_WAITED;
}

static void wait_for_head(struct cpu *cpu, struct mcs_node *node)
{
	for (;;) {
		line_read(cpu, node->line);
		if (node->locked)
			return;
		line_wait(cpu, node->line);
	}
}

static uint32_t wait_for_successor(struct cpu *cpu, struct mcs_node *node)
{
	for (;;) {
		line_read(cpu, node->line);
		if (node->next)
			return node->next;
		line_wait(cpu, node->line);
	}
}

/* arch_mcs_spin_unlock_contended: the next in the queue becomes its head. */
static void hand_on(void *object, ps_t when)
{
	struct mcs_node *node = object;

	(void)when;
	node->locked = true;
}

static enum acquisition queue(struct kernel *kernel, struct cpu *cpu, struct raw_spinlock *lock)
{
	const uint32_t self = cpu_number(cpu).n + 1;
	struct mcs_node *node = &kernel->mcs_nodes[self - 1];
	struct mcs_node *other;
	uint32_t previous, next;

	line_own(cpu, node->line);
	node->locked = false;
	node->next = 0;

	/* The lock may have come free while we set the node up. */
	line_read(cpu, lock->line);
	if (!lock->locked && !lock->pending && !lock->tail) {
		line_atomic(cpu, lock->line, ORDER_ACQUIRE);
		if (!lock->locked && !lock->pending && !lock->tail) {
			lock->locked = true;
			return ACQUIRED_QUEUED;
		}
	}

	cpu_barrier(cpu, BARRIER_DMB);  /* smp_wmb: the node is set up before others can find it */
	line_atomic(cpu, lock->line, ORDER_RELAXED);  /* xchg_tail */
	previous = lock->tail;
	lock->tail = self;
	if (previous) {
		other = &kernel->mcs_nodes[previous - 1];
		line_own(cpu, other->line);
		other->next = self;
		wait_for_head(cpu, node);
	}

	for (;;) {  /* head of the queue */
		line_read(cpu, lock->line);
		if (!lock->locked && !lock->pending)
			break;
		line_wait(cpu, lock->line);
	}
	if (lock->tail == self) {
		line_atomic(cpu, lock->line, ORDER_RELAXED);
		if (lock->tail == self) {  /* nobody behind: word becomes just `locked` */
			lock->tail = 0;
			lock->locked = true;
			return ACQUIRED_QUEUED;
		}
		lock->locked = true;
	} else {
		line_own(cpu, lock->line);
		lock->locked = true;
	}
	next = wait_for_successor(cpu, node);
	other = &kernel->mcs_nodes[next - 1];
	line_release(cpu, other->line, hand_on, other);
	return ACQUIRED_QUEUED;
}

static enum acquisition queued_spin_lock_slowpath(struct kernel *kernel, struct cpu *cpu, struct raw_spinlock *lock)
{
	struct word seen = word_of(lock);  /* what the failed compare-and-swap saw */
	FUNCTION(cpu);

	if (seen.pending && !seen.locked && !seen.tail) {
		line_read(cpu, lock->line);
		seen = word_of(lock);
		if (seen.pending && !seen.locked && !seen.tail) {
			line_wait(cpu, lock->line);
			line_read(cpu, lock->line);
			seen = word_of(lock);
		}
	}
	if (!seen.pending && !seen.tail) {
		line_atomic(cpu, lock->line, ORDER_ACQUIRE);  /* fetch-or of pending */
		seen = word_of(lock);
		lock->pending = true;
		if (!seen.pending && !seen.tail)
			return wait_as_pending(cpu, lock, seen.locked);
		if (!seen.pending) {  /* somebody queued meanwhile: not ours to take */
			line_own(cpu, lock->line);
			lock->pending = false;
		}
	}
	return queue(kernel, cpu, lock);
}

static enum acquisition queued_lock(struct kernel *kernel, struct cpu *cpu, struct raw_spinlock *lock)
{
	line_atomic(cpu, lock->line, ORDER_ACQUIRE);
	if (!lock->locked && !lock->pending && !lock->tail) {
		lock->locked = true;
		return ACQUIRED_FREE;
	}
	return queued_spin_lock_slowpath(kernel, cpu, lock);
}

static void queued_unlock_store(struct raw_spinlock *lock)
{
	lock->locked = false;
}

const struct spinlock_ops spinlock_queued = { "qspinlock", queued_lock, queued_unlock_store };
