// SPDX-License-Identifier: Apache-2.0
/*
 * CNA, the compact NUMA-aware lock: Dice and Kogan, EuroSys 2019, in qspinlock as in Alex Kogan's series "Add
 * NUMA-awareness to qspinlock" for the Linux kernel (not merged).
 *
 * qspinlock, but for the hand-over of the queue's head. The head, which has just taken the lock, looks along the queue
 * for a waiter of its own NUMA node, which becomes head; whom it passed over goes to the end of a secondary queue, which
 * heads hand on. The secondary queue comes back
 *   - to the front, when nobody of the head's node is in the queue,
 *   - to the front, after kernel.cna_handovers hand-overs since it got its first waiter: nobody is passed over more often
 *     than that before the turn of his node comes,
 *   - as the queue, when the queue has no more waiters: a compare-and-swap makes its tail the lock's.
 * It is a ring named by its last node, so one word holds it; that word travels with `locked`.
 *
 * On one NUMA node this is plain qspinlock: the series does not switch CNA on there.
 *
 * Different from the series: its bound is a time or a probability, here a number of hand-overs, so that it can be tested.
 * Its later versions look along the queue while the head waits for the lock and not at the hand-over as here and in the
 * paper; where locks are held for less time than a hand-over takes, they find no time for it. Not modelled: priority for
 * waiters with interrupts off, which on these paths all have or none.
 */
#include "model/kernel/spinlock_queue.h"

#include "model/kernel/kernel.h"

static uint32_t numa_node(const struct kernel *kernel, uint32_t cpu)
{
	return kernel->config.cpus_per_node ? cpu / kernel->config.cpus_per_node : 0;
}

static struct mcs_node *named(struct kernel *kernel, uint32_t name)
{
	return &kernel->mcs_nodes[name - 1];
}

static void cna_init_node(struct kernel *kernel, struct cpu *cpu, struct mcs_node *node)
{
	node->secondary = 0;
	node->handovers = 0;
	node->numa_node = numa_node(kernel, cpu_number(cpu).n);
}

/*
 * The first waiter of our NUMA node from `next` on, 0 = none; *before is the one in front of it if that is not us. Each
 * look is a copy of that waiter's line.
 */
static uint32_t find_successor(struct kernel *kernel, struct cpu *cpu, const struct mcs_node *node, uint32_t next,
			       uint32_t *before)
{
	FUNCTION_NAMED(cpu, "find_successor");

	*before = 0;
	while (next) {
		const struct mcs_node *other = named(kernel, next);

		line_read(cpu, other->line);
		if (other->numa_node == node->numa_node)
			break;
		*before = next;
		next = other->next;
	}
	return next;
}

/* Waiters `first` to `last` of the queue go to the end of the secondary queue. */
static void put_aside(struct kernel *kernel, struct cpu *cpu, struct mcs_node *node, uint32_t first, uint32_t last)
{
	uint32_t front = first;

	if (node->secondary) {
		struct mcs_node *end = named(kernel, node->secondary);

		line_own(cpu, end->line);
		front = end->next;
		end->next = first;
	}
	line_own(cpu, named(kernel, last)->line);
	named(kernel, last)->next = front;
	node->secondary = last;  /* a register until the hand-over: nobody else looks */
}

/* The secondary queue goes in front of `next`; returns the first of it. */
static uint32_t bring_back(struct kernel *kernel, struct cpu *cpu, struct mcs_node *node, uint32_t next)
{
	struct mcs_node *end = named(kernel, node->secondary);
	uint32_t first;

	line_own(cpu, end->line);
	first = end->next;
	end->next = next;
	node->secondary = 0;
	return first;
}

/* What the head knows travels with `locked`. */
static void becomes_head(void *object, ps_t when)
{
	struct mcs_node *node = object;

	(void)when;
	node->heir->secondary = node->secondary;
	node->heir->handovers = node->secondary ? node->handovers + 1 : 0;
	node->heir->locked = true;
}

static void pass_to(struct kernel *kernel, struct cpu *cpu, struct mcs_node *node, uint32_t heir)
{
	node->heir = named(kernel, heir);
	line_release(cpu, node->heir->line, becomes_head, node);
}

static void cna_hand_on(struct kernel *kernel, struct cpu *cpu, struct mcs_node *node, uint32_t next)
{
	uint32_t heir = 0, before = 0;

	if (!node->secondary || node->handovers < kernel->config.cna_handovers)
		heir = find_successor(kernel, cpu, node, next, &before);
	if (heir && before)
		put_aside(kernel, cpu, node, next, before);
	if (!heir)
		heir = node->secondary ? bring_back(kernel, cpu, node, next) : next;
	pass_to(kernel, cpu, node, heir);
}

static bool cna_take_as_last(struct kernel *kernel, struct cpu *cpu, struct raw_spinlock *lock, struct mcs_node *node)
{
	struct mcs_node *end;
	uint32_t first;

	if (!node->secondary)
		return plain_queue.take_as_last(kernel, cpu, lock, node);
	end = named(kernel, node->secondary);
	line_read(cpu, end->line);
	first = end->next;

	line_atomic(cpu, lock->line, ORDER_RELAXED);
	lock->locked = true;
	if (lock->tail != cpu_number(cpu).n + 1)
		return false;
	lock->tail = node->secondary;
	node->secondary = 0;
	/* Opens the ring, unless an arrival has linked itself behind its end already. */
	line_atomic(cpu, end->line, ORDER_RELAXED);
	if (end->next == first)
		end->next = 0;
	pass_to(kernel, cpu, node, first);
	return true;
}

static const struct queue_policy cna_queue = {
	.init_node = cna_init_node, .take_as_last = cna_take_as_last, .hand_on = cna_hand_on,
};

static enum acquisition cna_lock(struct kernel *kernel, struct cpu *cpu, struct raw_spinlock *lock)
{
	const bool one_node = numa_node(kernel, kernel->cpus - 1) == 0;

	return queued_spin_lock(kernel, cpu, lock, one_node ? &plain_queue : &cna_queue);
}

const struct spinlock_ops spinlock_cna = { "cna", cna_lock, queued_spin_unlock };
