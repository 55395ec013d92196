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
 * A failed compare-and-swap takes everybody's copy of the line all the same (LSE CASA), as arrivals do on hardware;
 * waiters look with line_read and sleep with line_wait (LDAXR + WFE). The node of a CPU is touched by its owner, its
 * predecessor (locked) and its successor (next).
 *
 * Not modelled: nesting beyond one contended lock a CPU; prefetchw of the successor's node, whose owner takes the
 * line back at once.
 */
#include "model/kernel/spinlock_queue.h"

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

void mcs_wait_for_head(struct cpu *cpu, struct mcs_node *node)
{
	for (;;) {
		line_read(cpu, node->line);
		if (node->locked)
			return;
		line_wait(cpu, node->line);
	}
}

uint32_t mcs_wait_for_successor(struct cpu *cpu, struct mcs_node *node)
{
	for (;;) {
		line_read(cpu, node->line);
		if (node->next)
			return node->next;
		line_wait(cpu, node->line);
	}
}

static bool plain_take_as_last(struct kernel *kernel, struct cpu *cpu, struct raw_spinlock *lock, struct mcs_node *node)
{
	(void)kernel;
	(void)node;
	line_atomic(cpu, lock->line, ORDER_RELAXED);
	lock->locked = true;
	if (lock->tail != cpu_number(cpu).n + 1)
		return false;
	lock->tail = 0;  /* nobody behind: word becomes just `locked` */
	return true;
}

static void becomes_head(void *object, ps_t when)
{
	struct mcs_node *node = object;

	(void)when;
	node->locked = true;
}

/* arch_mcs_spin_unlock_contended: the next in the queue becomes its head. */
static void plain_hand_on(struct kernel *kernel, struct cpu *cpu, struct mcs_node *node, uint32_t next)
{
	struct mcs_node *other = &kernel->mcs_nodes[next - 1];

	(void)node;
	line_release(cpu, other->line, becomes_head, other);
}

const struct queue_policy plain_queue = { .take_as_last = plain_take_as_last, .hand_on = plain_hand_on };

static enum acquisition queue(struct kernel *kernel, struct cpu *cpu, struct raw_spinlock *lock,
			      const struct queue_policy *policy)
{
	const uint32_t self = cpu_number(cpu).n + 1;
	struct mcs_node *node = &kernel->mcs_nodes[self - 1];
	struct mcs_node *other;
	uint32_t previous;

	line_own(cpu, node->line);
	node->locked = false;
	node->next = 0;
	if (policy->init_node)
		policy->init_node(kernel, cpu, node);

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
		mcs_wait_for_head(cpu, node);
	}

	for (;;) {  /* head of the queue */
		line_read(cpu, lock->line);
		if (!lock->locked && !lock->pending)
			break;
		line_wait(cpu, lock->line);
	}
	if (lock->tail == self) {
		if (policy->take_as_last(kernel, cpu, lock, node))
			return ACQUIRED_QUEUED;
	} else {
		line_own(cpu, lock->line);
		lock->locked = true;
	}
	policy->hand_on(kernel, cpu, node, mcs_wait_for_successor(cpu, node));
	return ACQUIRED_QUEUED;
}

static enum acquisition queued_spin_lock_slowpath(struct kernel *kernel, struct cpu *cpu, struct raw_spinlock *lock,
						  const struct queue_policy *policy)
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
	return queue(kernel, cpu, lock, policy);
}

enum acquisition queued_spin_lock(struct kernel *kernel, struct cpu *cpu, struct raw_spinlock *lock,
				  const struct queue_policy *policy)
{
	line_atomic(cpu, lock->line, ORDER_ACQUIRE);
	if (!lock->locked && !lock->pending && !lock->tail) {
		lock->locked = true;
		return ACQUIRED_FREE;
	}
	return queued_spin_lock_slowpath(kernel, cpu, lock, policy);
}

static void clear_locked(void *object, ps_t when)
{
	struct raw_spinlock *lock = object;

	spin_lock_given_back(lock, when);
	lock->locked = false;
}

void queued_spin_unlock(struct kernel *kernel, struct cpu *cpu, struct raw_spinlock *lock)
{
	(void)kernel;
	line_release(cpu, lock->line, clear_locked, lock);
}

static enum acquisition plain_lock(struct kernel *kernel, struct cpu *cpu, struct raw_spinlock *lock)
{
	return queued_spin_lock(kernel, cpu, lock, &plain_queue);
}

const struct spinlock_ops spinlock_queued = { "qspinlock", plain_lock, queued_spin_unlock };
