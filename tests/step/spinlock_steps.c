// SPDX-License-Identifier: Apache-2.0
/*
 * The spinlocks' operations, one by one: arm64's ticket lock (up to v4.18, LSE) and qspinlock (kernel/locking/qspinlock.c, v4.19 and later) in
 * each state in which an arrival can find the lock. What other CPUs do meanwhile is scripted in while_waiting.
 */
#include "tests/step/lock_bench.h"

static void uncontended(void **state)
{
	static const struct spinlock_ops *const both[] = { &spinlock_queued, &spinlock_ticket };

	(void)state;
	for (size_t n = 0; n < 2; n++) {
		struct lock_bench b;

		lock_bench_start(&b, both[n], 0);
		for (int round = 0; round < 3; round++) {
			recording_clear(b.machine);
			raw_spin_lock(b.kernel, b.cpu, &b.lock, "test");
			EXPECT(1, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = LOCK, .order = ORDER(ACQUIRE));
			raw_spin_unlock(b.cpu, &b.lock);
			expect_steps(&b, "Al Ll");
		}
		assert_false(b.lock.locked);
		lock_bench_stop(&b);
	}
}

static void irqsave_masks_around(void **state)
{
	struct lock_bench b;

	(void)state;
	lock_bench_start(&b, &spinlock_queued, 0);
	for (int on = 1; on >= 0; on--) {
		bool flags;

		recording_clear(b.machine);
		flags = raw_spin_lock_irqsave(b.kernel, b.cpu, &b.lock, "test");
		assert_int_equal(flags, on);
		raw_spin_unlock_irqrestore(b.cpu, &b.lock, flags);
		EXPECT(1, b.machine, .kind = REQUEST_LINE_ATOMIC, .irqs = IRQS_OFF);
		EXPECT(1, b.machine, .kind = REQUEST_LINE_RELEASE, .irqs = IRQS_OFF);
		EXPECT_BEFORE(b.machine, FILTER(.kind = REQUEST_IRQ_SAVE), FILTER(.kind = REQUEST_LINE_ATOMIC));
		EXPECT_BEFORE(b.machine, FILTER(.kind = REQUEST_LINE_RELEASE), FILTER(.kind = REQUEST_IRQ_RESTORE));
		irq_restore(b.cpu, false);  /* the second time interrupts are off already */
	}
	lock_bench_stop(&b);
}

static bool ticket_holder_unlocks(void *context, line_id line)
{
	struct lock_bench *b = context;

	(void)line;
	b->waits++;
	b->lock.owner++;
	return true;
}

/* LDADDA of `next`, then a look and a WFE for every change of the line until `owner` is ours: here two holders are ahead. */
static void ticket_waits_for_its_turn(void **state)
{
	struct lock_bench b;

	(void)state;
	lock_bench_start(&b, &spinlock_ticket, 0);
	b.lock.next = 2;
	recording_while_waiting(b.machine, ticket_holder_unlocks, &b);
	raw_spin_lock(b.kernel, b.cpu, &b.lock, "test");
	expect_steps(&b, "Al Rl Wl Rl Wl Rl");
	assert_int_equal(b.lock.next, 3);
	raw_spin_unlock(b.cpu, &b.lock);
	assert_int_equal(b.lock.owner, 3);
	lock_bench_stop(&b);
}

/* The 16-bit halves wrap around. */
static void ticket_wraps(void **state)
{
	struct lock_bench b;

	(void)state;
	lock_bench_start(&b, &spinlock_ticket, 0);
	b.lock.next = b.lock.owner = UINT16_MAX;
	raw_spin_lock(b.kernel, b.cpu, &b.lock, "test");
	raw_spin_unlock(b.cpu, &b.lock);
	assert_int_equal(b.lock.next, 0);
	assert_int_equal(b.lock.owner, 0);
	raw_spin_lock(b.kernel, b.cpu, &b.lock, "test");
	expect_steps(&b, "Al Ll Al");
	lock_bench_stop(&b);
}

static bool holder_unlocks(void *context, line_id line)
{
	struct lock_bench *b = context;

	assert_int_equal(line.n, b->lock.line.n);
	assert_true(b->lock.pending);
	b->waits++;
	b->lock.locked = false;
	return true;
}

/* Locked, nobody waiting: failed compare-and-swap, fetch-or of pending, wait on the lock word, plain store of locked. No node is touched. */
static void queued_pending(void **state)
{
	struct lock_bench b;

	(void)state;
	lock_bench_start(&b, &spinlock_queued, 0);
	b.lock.locked = true;
	recording_while_waiting(b.machine, holder_unlocks, &b);
	raw_spin_lock(b.kernel, b.cpu, &b.lock, "test");
	expect_steps(&b, "Al Al Rl Wl Rl Ol");
	EXPECT(2, b.machine, .kind = REQUEST_LINE_ATOMIC, .order = ORDER(ACQUIRE));
	assert_true(b.lock.locked);
	assert_false(b.lock.pending);
	assert_int_equal(b.lock.tail, 0);
	lock_bench_stop(&b);
}

static bool pending_and_holder_leave(void *context, line_id line)
{
	struct lock_bench *b = context;

	assert_int_equal(line.n, b->lock.line.n);
	assert_int_equal(b->lock.tail, ME + 1);
	if (b->waits++ == 0)
		b->lock.pending = false;  /* the pending CPU has become the holder */
	else
		b->lock.locked = false;
	return true;
}

/*
 * A waiter is pending already, the queue is empty: own node, one more try, store barrier, exchange of the tail; head at once: wait until locked and pending
 * are clear; alone in the queue: compare-and-swap of the whole word.
 */
static void queued_alone_in_the_queue(void **state)
{
	struct lock_bench b;

	(void)state;
	lock_bench_start(&b, &spinlock_queued, 0);
	b.lock.locked = b.lock.pending = true;
	recording_while_waiting(b.machine, pending_and_holder_leave, &b);
	raw_spin_lock(b.kernel, b.cpu, &b.lock, "test");
	expect_steps(&b, "Al On Rl Al Rl Wl Rl Wl Rl Al");
	assert_true(b.lock.locked);
	assert_false(b.lock.pending);
	assert_int_equal(b.lock.tail, 0);
	lock_bench_stop(&b);
}

/* The node must be complete before the tail makes it visible: a store barrier in between. */
static void queued_store_barrier(void **state)
{
	struct lock_bench b;

	(void)state;
	lock_bench_start(&b, &spinlock_queued, 0);
	b.lock.locked = b.lock.pending = true;
	recording_while_waiting(b.machine, pending_and_holder_leave, &b);
	raw_spin_lock(b.kernel, b.cpu, &b.lock, "test");
	EXPECT(1, b.machine, .kind = REQUEST_BARRIER, .barrier = BARRIER(DMB), .from = FIRST(b.machine, .kind = REQUEST_LINE_OWN),
	       .until = FIRST(b.machine, .kind = REQUEST_LINE_ATOMIC, .order = ORDER(RELAXED)));
	lock_bench_stop(&b);
}

static bool predecessor_hands_on(void *context, line_id line)
{
	struct lock_bench *b = context;
	struct mcs_node *mine = &b->kernel->mcs_nodes[ME];

	if (b->waits++ == 0) {
		/* in the queue: we watch our own node, and stand behind OTHER */
		assert_int_equal(line.n, mine->line.n);
		assert_int_equal(b->kernel->mcs_nodes[OTHER].next, ME + 1);
		mine->locked = true;
	} else {
		/* head of the queue: we watch the lock; somebody has come behind us */
		assert_int_equal(line.n, b->lock.line.n);
		b->lock.tail = 3 + 1;
		mine->next = 3 + 1;
		b->lock.locked = false;
	}
	return true;
}

/* In the middle of a queue: link behind the predecessor, wait on the own node, then on the lock; take it by a store, hand the head on. */
static void queued_in_the_middle(void **state)
{
	struct lock_bench b;

	(void)state;
	lock_bench_start(&b, &spinlock_queued, 0);
	b.lock.locked = true;
	b.lock.tail = OTHER + 1;
	recording_while_waiting(b.machine, predecessor_hands_on, &b);
	raw_spin_lock(b.kernel, b.cpu, &b.lock, "test");
	/* cas; own node; try; xchg; prev->next; node; lock; locked byte; node->next; next->locked */
	expect_steps(&b, "Al On Rl Al Oo Rn Wn Rn Rl Wl Rl Ol Rn Lo");
	assert_true(b.lock.locked);
	assert_int_equal(b.lock.tail, 3 + 1);
	assert_true(b.kernel->mcs_nodes[3].locked);
	lock_bench_stop(&b);
}

static bool handover_ends(void *context, line_id line)
{
	struct lock_bench *b = context;

	(void)line;
	if (b->waits++ == 0) {
		b->lock.pending = false;  /* pending becomes locked */
		b->lock.locked = true;
	} else {
		b->lock.locked = false;
	}
	return true;
}

/* Pending without locked is a handover under way: wait for one change, then go on as a waiter: here the pending slot is free again. */
static void queued_waits_for_a_handover(void **state)
{
	struct lock_bench b;

	(void)state;
	lock_bench_start(&b, &spinlock_queued, 0);
	b.lock.pending = true;
	recording_while_waiting(b.machine, handover_ends, &b);
	raw_spin_lock(b.kernel, b.cpu, &b.lock, "test");
	expect_steps(&b, "Al Rl Wl Rl Al Rl Wl Rl Ol");
	assert_int_equal(b.lock.tail, 0);
	lock_bench_stop(&b);
}

/* At the second atomic, the fetch-or, somebody has entered the queue; then that one takes the lock, hands the head on, and unlocks. */
static void somebody_queues_first(void *context, const struct request *request)
{
	struct lock_bench *b = context;

	if (request->kind == REQUEST_LINE_ATOMIC && recorded(b->machine, &FILTER(.kind = REQUEST_LINE_ATOMIC)) == 2)
		b->lock.tail = OTHER + 1;
}

static bool predecessor_leaves(void *context, line_id line)
{
	struct lock_bench *b = context;

	if (b->waits++ == 0) {
		assert_int_equal(line.n, b->kernel->mcs_nodes[ME].line.n);
		assert_false(b->lock.pending);
		b->kernel->mcs_nodes[ME].locked = true;
	} else {
		b->lock.locked = false;
	}
	return true;
}

/* The fetch-or set pending beside a queue: a plain store takes it back (clear_pending), then queue as anybody else. */
static void queued_undoes_pending(void **state)
{
	struct lock_bench b;

	(void)state;
	lock_bench_start(&b, &spinlock_queued, 0);
	b.lock.locked = true;
	recording_when_a_line_comes(b.machine, somebody_queues_first, &b);
	recording_while_waiting(b.machine, predecessor_leaves, &b);
	raw_spin_lock(b.kernel, b.cpu, &b.lock, "test");
	expect_steps(&b, "Al Al Ol On Rl Al Oo Rn Wn Rn Rl Wl Rl Al");
	assert_true(b.lock.locked);
	lock_bench_stop(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(uncontended),
		cmocka_unit_test(irqsave_masks_around),
		cmocka_unit_test(ticket_waits_for_its_turn),
		cmocka_unit_test(ticket_wraps),
		cmocka_unit_test(queued_pending),
		cmocka_unit_test(queued_alone_in_the_queue),
		cmocka_unit_test(queued_store_barrier),
		cmocka_unit_test(queued_in_the_middle),
		cmocka_unit_test(queued_waits_for_a_handover),
		cmocka_unit_test(queued_undoes_pending),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
