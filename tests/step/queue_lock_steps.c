// SPDX-License-Identifier: Apache-2.0
/*
 * The operations of the plain MCS lock (Mellor-Crummey and Scott 1991, orders of kernel/locking/mcs_spinlock.h) and of CNA (Dice and Kogan 2019),
 * one by one, in each state in which a CPU can find the lock or give it back. On two NUMA nodes CPUs 0 to 3 are the first, 4 to 7 the second.
 */
#include "tests/step/lock_bench.h"

#define NODE "qnodes"
#define PER_NODE (LOCK_CPUS / 2)

static struct mcs_node *node_of(struct lock_bench *b, uint32_t cpu)
{
	return &b->kernel->mcs_nodes[cpu];
}

/* ---- MCS ------------------------------------------------------------------------------------------ */

/* One swap with full order, one compare-and-swap with release: nothing else leaves the CPU. */
static void mcs_uncontended(void **state)
{
	struct lock_bench b;

	(void)state;
	lock_bench_start(&b, &spinlock_mcs, 0);
	for (int round = 0; round < 3; round++) {
		recording_clear(b.machine);
		raw_spin_lock(b.kernel, b.cpu, &b.lock, "test");
		EXPECT(1, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = LOCK, .order = ORDER(ACQUIRE_RELEASE));
		assert_int_equal(b.lock.tail, ME + 1);
		raw_spin_unlock(b.cpu, &b.lock);
		expect_steps(&b, "On Al Rn Al");
		EXPECT(1, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = LOCK, .order = ORDER(RELEASE));
		EXPECT(0, b.machine, .kind = REQUEST_BARRIER);
		assert_int_equal(b.lock.tail, 0);
	}
	lock_bench_stop(&b);
}

static bool predecessor_unlocks(void *context, line_id line)
{
	struct lock_bench *b = context;

	b->waits++;
	assert_int_equal(line.n, node_of(b, ME)->line.n);
	assert_int_equal(node_of(b, OTHER)->next, ME + 1);
	node_of(b, ME)->locked = b->waits == 2;  /* the first time only our link's neighbour changed the line */
	return true;
}

/* Behind a holder: swap, link by a plain store, then nothing but the own node, until it says locked. */
static void mcs_waits_on_its_own_node(void **state)
{
	struct lock_bench b;

	(void)state;
	lock_bench_start(&b, &spinlock_mcs, 0);
	b.lock.tail = OTHER + 1;
	recording_while_waiting(b.machine, predecessor_unlocks, &b);
	raw_spin_lock(b.kernel, b.cpu, &b.lock, "test");
	expect_steps(&b, "On Al Oo Rn Wn Rn Wn Rn");
	assert_int_equal(b.lock.tail, ME + 1);
	lock_bench_stop(&b);
}

/* A successor is there: one store-release, to its node; the lock word is left alone. */
static void mcs_hands_over(void **state)
{
	struct lock_bench b;

	(void)state;
	lock_bench_start(&b, &spinlock_mcs, 0);
	raw_spin_lock(b.kernel, b.cpu, &b.lock, "test");
	recording_clear(b.machine);
	b.lock.tail = node_of(&b, ME)->next = 3 + 1;
	raw_spin_unlock(b.cpu, &b.lock);
	expect_steps(&b, "Rn Lo");
	EXPECT(1, b.machine, .kind = REQUEST_LINE_RELEASE, .line = NODE, .instance = INSTANCE(3));
	assert_true(node_of(&b, 3)->locked);
	assert_int_equal(b.lock.tail, 3 + 1);
	lock_bench_stop(&b);
}

static bool successor_links(void *context, line_id line)
{
	struct lock_bench *b = context;

	assert_int_equal(line.n, node_of(b, ME)->line.n);
	if (++b->waits == 2)
		node_of(b, ME)->next = 3 + 1;
	return true;
}

/* The tail has moved on, the link is not there yet: the compare-and-swap fails, wait for the link, then hand over. */
static void mcs_waits_for_the_link(void **state)
{
	struct lock_bench b;

	(void)state;
	lock_bench_start(&b, &spinlock_mcs, 0);
	raw_spin_lock(b.kernel, b.cpu, &b.lock, "test");
	recording_clear(b.machine);
	b.lock.tail = 3 + 1;
	recording_while_waiting(b.machine, successor_links, &b);
	raw_spin_unlock(b.cpu, &b.lock);
	expect_steps(&b, "Rn Al Rn Wn Rn Wn Rn Lo");
	assert_int_equal(b.lock.tail, 3 + 1);
	assert_true(node_of(&b, 3)->locked);
	lock_bench_stop(&b);
}

/* A CPU that holds two locks has a node in each, in lines of their own; given back in any order. */
static void mcs_nests(void **state)
{
	struct raw_spinlock second;
	struct lock_bench b;

	(void)state;
	lock_bench_start(&b, &spinlock_mcs, 0);
	spin_lock_init(b.kernel, &second, line_create(b.machine, LOCK, 1), "queue_lock_steps");
	raw_spin_lock(b.kernel, b.cpu, &b.lock, "test");
	raw_spin_lock(b.kernel, b.cpu, &second, "test");
	EXPECT(1, b.machine, .kind = REQUEST_LINE_OWN, .line = NODE, .instance = INSTANCE(ME));
	EXPECT(1, b.machine, .kind = REQUEST_LINE_OWN, .line = NODE, .instance = INSTANCE(ME + LOCK_CPUS));
	assert_int_not_equal(b.lock.tail, second.tail);
	raw_spin_unlock(b.cpu, &b.lock);
	assert_int_equal(b.lock.tail, 0);
	assert_int_not_equal(second.tail, 0);
	raw_spin_unlock(b.cpu, &second);
	assert_int_equal(second.tail, 0);
	recording_clear(b.machine);
	raw_spin_lock(b.kernel, b.cpu, &b.lock, "test");
	EXPECT(1, b.machine, .kind = REQUEST_LINE_OWN, .line = NODE, .instance = INSTANCE(ME));
	lock_bench_stop(&b);
}

/* ---- CNA ------------------------------------------------------------------------------------------- */

static uint32_t queue_behind_me[4];     /* CPUs, in order */
static uint32_t ring_handed_on[4];      /* the secondary queue that the predecessor hands on */
static uint32_t handovers_so_far;

static void link_up(struct lock_bench *b, const uint32_t *cpus, uint32_t first_next_of)
{
	uint32_t from = first_next_of;

	for (uint32_t n = 0; n < 4 && cpus[n]; n++) {
		node_of(b, from)->next = cpus[n] + 1;
		node_of(b, cpus[n])->numa_node = cpus[n] / PER_NODE;
		from = cpus[n];
	}
}

static uint32_t last_of(const uint32_t *cpus)
{
	uint32_t n = 0;

	while (n < 4 && cpus[n])
		n++;
	return n ? cpus[n - 1] : 0;
}

static bool becomes_head_then_free(void *context, line_id line)
{
	struct lock_bench *b = context;

	if (b->waits++ == 0) {
		assert_int_equal(line.n, node_of(b, ME)->line.n);
		if (ring_handed_on[0]) {
			const uint32_t last = last_of(ring_handed_on);

			link_up(b, ring_handed_on, last);  /* the last one's successor is the first */
			node_of(b, ME)->secondary = last + 1;
			node_of(b, ME)->handovers = handovers_so_far;
		}
		node_of(b, ME)->locked = true;
	} else {
		assert_int_equal(line.n, b->lock.line.n);
		link_up(b, queue_behind_me, ME);
		if (queue_behind_me[0])
			b->lock.tail = last_of(queue_behind_me) + 1;
		b->lock.locked = false;
	}
	return true;
}

/* Takes the lock from the middle of the queue and hands the head on. The steps up to the lock's store are qspinlock's. */
static void through_the_queue(struct lock_bench *b, const struct spinlock_ops *ops, uint32_t cpus_per_node)
{
	lock_bench_start(b, ops, cpus_per_node);
	b->lock.locked = true;
	b->lock.tail = OTHER + 1;
	recording_while_waiting(b->machine, becomes_head_then_free, b);
	raw_spin_lock(b->kernel, b->cpu, &b->lock, "test");
	assert_true(b->lock.locked);
}

static void script(const uint32_t *queue, const uint32_t *ring, uint32_t handovers)
{
	for (int n = 0; n < 4; n++) {
		queue_behind_me[n] = queue[n];
		ring_handed_on[n] = ring[n];
	}
	handovers_so_far = handovers;
}

#define CPUS(...) ((const uint32_t[4]){ __VA_ARGS__ })
#define NOBODY CPUS(0)
#define TO_THE_LOCK "Al On Rl Al Oo Rn Wn Rn Rl Wl Rl "

static void cna_on_one_node_is_qspinlock(void **state)
{
	static const uint32_t one_node[] = { 0, LOCK_CPUS, 1000 };
	char queued[128], cna[128];
	struct lock_bench b;

	(void)state;
	script(CPUS(5, 6, 3), NOBODY, 0);
	through_the_queue(&b, &spinlock_queued, PER_NODE);
	lock_bench_steps(&b, queued, sizeof(queued));
	lock_bench_stop(&b);
	for (size_t n = 0; n < 3; n++) {
		through_the_queue(&b, &spinlock_cna, one_node[n]);
		lock_bench_steps(&b, cna, sizeof(cna));
		assert_string_equal(cna, queued);
		assert_true(node_of(&b, 5)->locked);
		lock_bench_stop(&b);
	}
}

/* A neighbour is next: one look at its node more than qspinlock. */
static void cna_neighbour_is_next(void **state)
{
	struct lock_bench b;

	(void)state;
	script(CPUS(3, 5), NOBODY, 0);
	through_the_queue(&b, &spinlock_cna, PER_NODE);
	expect_steps(&b, TO_THE_LOCK "Ol Rn Ro Lo");
	assert_true(node_of(&b, 3)->locked);
	assert_int_equal(node_of(&b, 3)->secondary, 0);
	lock_bench_stop(&b);
}

/* Two of the other node are passed over: three looks, one store that makes them a ring, and the neighbour gets the ring. */
static void cna_passes_over_the_other_node(void **state)
{
	struct lock_bench b;

	(void)state;
	script(CPUS(5, 6, 3), NOBODY, 0);
	through_the_queue(&b, &spinlock_cna, PER_NODE);
	expect_steps(&b, TO_THE_LOCK "Ol Rn Ro Ro Ro Oo Lo");
	assert_true(node_of(&b, 3)->locked);
	assert_false(node_of(&b, 5)->locked || node_of(&b, 6)->locked);
	assert_int_equal(node_of(&b, 3)->secondary, 6 + 1);
	assert_int_equal(node_of(&b, 3)->handovers, 1);
	assert_int_equal(node_of(&b, 5)->next, 6 + 1);
	assert_int_equal(node_of(&b, 6)->next, 5 + 1);
	lock_bench_stop(&b);
}

/* One more joins the ring 5, 6 at its end. */
static void cna_adds_to_the_ring(void **state)
{
	struct lock_bench b;

	(void)state;
	script(CPUS(7, 3), CPUS(5, 6), 1);
	through_the_queue(&b, &spinlock_cna, PER_NODE);
	expect_steps(&b, TO_THE_LOCK "Ol Rn Ro Ro Oo Oo Lo");
	assert_int_equal(node_of(&b, 3)->secondary, 7 + 1);
	assert_int_equal(node_of(&b, 3)->handovers, 2);
	assert_int_equal(node_of(&b, 6)->next, 7 + 1);
	assert_int_equal(node_of(&b, 7)->next, 5 + 1);
	lock_bench_stop(&b);
}

/* The bound is reached: the ring comes back to the front, though a neighbour is next. */
static void cna_bound_brings_the_ring_back(void **state)
{
	struct lock_bench b;

	(void)state;
	script(CPUS(3), CPUS(5, 6), LOCK_CNA_HANDOVERS);
	through_the_queue(&b, &spinlock_cna, PER_NODE);
	expect_steps(&b, TO_THE_LOCK "Ol Rn Oo Lo");
	assert_true(node_of(&b, 5)->locked);
	assert_false(node_of(&b, 3)->locked);
	assert_int_equal(node_of(&b, 5)->secondary, 0);
	assert_int_equal(node_of(&b, 5)->handovers, 0);
	assert_int_equal(node_of(&b, 6)->next, 3 + 1);
	lock_bench_stop(&b);
}

/* Nobody of our node in the queue: those who were passed over come before those who came later. */
static void cna_no_neighbour_brings_the_ring_back(void **state)
{
	struct lock_bench b;

	(void)state;
	script(CPUS(7), CPUS(5, 6), 1);
	through_the_queue(&b, &spinlock_cna, PER_NODE);
	expect_steps(&b, TO_THE_LOCK "Ol Rn Ro Oo Lo");
	assert_true(node_of(&b, 5)->locked);
	assert_int_equal(node_of(&b, 6)->next, 7 + 1);
	lock_bench_stop(&b);
}

/* Nobody behind: the ring becomes the queue, opened at its end. */
static void cna_ring_becomes_the_queue(void **state)
{
	struct lock_bench b;

	(void)state;
	script(NOBODY, CPUS(5, 6), 1);
	through_the_queue(&b, &spinlock_cna, PER_NODE);
	expect_steps(&b, TO_THE_LOCK "Ro Al Ao Lo");
	assert_int_equal(b.lock.tail, 6 + 1);
	assert_true(node_of(&b, 5)->locked);
	assert_int_equal(node_of(&b, 5)->secondary, 0);
	assert_int_equal(node_of(&b, 5)->next, 6 + 1);
	assert_int_equal(node_of(&b, 6)->next, 0);
	lock_bench_stop(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mcs_uncontended),
		cmocka_unit_test(mcs_waits_on_its_own_node),
		cmocka_unit_test(mcs_hands_over),
		cmocka_unit_test(mcs_waits_for_the_link),
		cmocka_unit_test(mcs_nests),
		cmocka_unit_test(cna_on_one_node_is_qspinlock),
		cmocka_unit_test(cna_neighbour_is_next),
		cmocka_unit_test(cna_passes_over_the_other_node),
		cmocka_unit_test(cna_adds_to_the_ring),
		cmocka_unit_test(cna_bound_brings_the_ring_back),
		cmocka_unit_test(cna_no_neighbour_brings_the_ring_back),
		cmocka_unit_test(cna_ring_becomes_the_queue),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
