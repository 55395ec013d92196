// SPDX-License-Identifier: Apache-2.0
/*
 * Do the lock algorithms scale as they must once cache lines cost time? The ticket lock against the chain of Boyd-Wickizer and
 * others (2012) in shape and rank; the queued locks on the same lines must show a plateau. On two NUMA nodes CNA must win, as its hand-overs are
 * p S_local + (1 - p) S_remote with p close to 1 (Dice and Kogan 2019), and starve nobody.
 *
 * The chain and the model differ in one known way. The chain charges a handover with one round of refetches, half of it before the
 * winner's: c/2 for each core at the lock. In the model a newcomer's atomic add takes the waiters' copies away as well, so each
 * handover pays for two rounds: c for each core. The chain is therefore evaluated with 2 c, and with the service time that
 * the simulator itself shows where reads cost the home node nothing (hold time and the fixed line latencies). Nothing else is fitted.
 *
 * Bands: beyond the knee, 20 % of the chain. At the knee itself the chain, whose whole handover is exponential, collapses at
 * fewer cores than the model's lock, and only the rank is compared. A home node must have a latency of its own (line_base > 0)
 * where reads occupy it.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/curve/simulate_helper.h"
#include "tests/curve/theory.h"

#define THINK_NS 3000
#define HOLD_NS 200
#define BASE_NS 20

/* Refetch cost at the home node. The first, 0, is the same lock without collapse. */
static const unsigned int refetch_ns[] = { 0, 20, 60, 120 };
#define COSTS 4

enum { N4, N16, N31, N62, SIZES };
static const unsigned int cores[SIZES] = { 4, 16, 31, 62 };

/* The service time that comes with BASE_NS, roughly: only the length of the window depends on it. */
#define SERVICE_GUESS_NS (HOLD_NS + 2.5 * BASE_NS)

static double simulate_rate(const char *spinlock, unsigned int n, unsigned int c)
{
	const double chain = 1e9 * theory_ticket_lock(n, THINK_NS, SERVICE_GUESS_NS, 2.0 * c).throughput;
	struct curve_case run = {
		.vcpus = n, .stations = 1, .think = THINK_NS * PS_PER_NS, .hold = HOLD_NS * PS_PER_NS,
		.think_exponential = true, .hold_exponential = true, .spinlock = spinlock,
		.line_base = BASE_NS * PS_PER_NS, .line_read_occupancy = c * PS_PER_NS,
		.warmup = PS_PER_MS, .measure = curve_window(n == 4 ? 40000 : 20000, chain),
	};
	struct curve_result result;

	curve_simulate(&run, &result);
	curve_check_laws(&run, &result);
	print_message("%s: %.0f/s\n", curve_describe(&run), curve_rate(&result));
	return curve_rate(&result);
}

static void expect_between(double value, double low, double high, const char *what, unsigned int n, unsigned int c)
{
	if (!(value >= low && value <= high))
		fail_msg("%s at N=%u, c=%u ns: %.4g is not in %.4g..%.4g", what, n, c, value, low, high);
}

static double ticket_rate[COSTS][SIZES];

static void ticket_lock_collapses_as_the_chain(void **state)
{
	double (*x)[SIZES] = ticket_rate, service_ns;

	(void)state;
	for (size_t c = 0; c < COSTS; c++)
		for (size_t n = 0; n < SIZES; n++)
			x[c][n] = simulate_rate("ticket", cores[n], refetch_ns[c]);
	service_ns = 1e9 / x[0][N31];
	expect_between(service_ns, HOLD_NS + BASE_NS, HOLD_NS + 4 * BASE_NS, "service without refetch cost", 31, 0);
	expect_between(x[0][N62] / x[0][N31], 0.96, 1.04, "plateau without refetch cost", 62, 0);

	for (size_t c = 1; c < COSTS; c++) {
		const double twice = 2.0 * refetch_ns[c];
		double chain[SIZES];

		for (size_t n = 0; n < SIZES; n++)
			chain[n] = 1e9 * theory_ticket_lock(cores[n], THINK_NS, service_ns, twice).throughput;
		/* below the knee the refetches are invisible; beyond it each costs */
		expect_between(x[c][N4] / x[0][N4], 0.98, 1.01, "cost of refetches below the knee", 4, refetch_ns[c]);
		for (size_t n = N16; n < SIZES; n++)
			expect_between(x[c][n] / x[c - 1][n], 0, 0.95, "rank in c", cores[n], refetch_ns[c]);
		/* shape */
		for (size_t n = N31; n < SIZES; n++)
			expect_between(x[c][n] / chain[n], 0.8, 1.2, "throughput over the chain's", cores[n], refetch_ns[c]);
		expect_between(x[c][N31] / x[c][N16] / (chain[N31] / chain[N16]), 0.75, 1.25,
			       "fall from 16 to 31 over the chain's", 31, refetch_ns[c]);
		expect_between(x[c][N31] / x[c][N16], 0, 0.62, "fall from 16 to 31", 31, refetch_ns[c]);
		/* in the end like 1/N */
		expect_between(x[c][N62] / x[c][N31], 0.45, 0.56, "fall from 31 to 62", 62, refetch_ns[c]);
	}
}

static void queued_lock_has_a_plateau(void **state)
{
	double last = INFINITY;

	(void)state;
	assert_true(ticket_rate[0][N31] > 0);   /* needs the test above */
	for (size_t c = 0; c < COSTS; c++) {
		double x[SIZES];

		for (size_t n = N16; n < SIZES; n++)
			x[n] = simulate_rate("qspinlock", cores[n], refetch_ns[c]);
		expect_between(x[N31] / x[N16], 0.95, 1.05, "plateau from 16 to 31", 31, refetch_ns[c]);
		expect_between(x[N62] / x[N31], 0.95, 1.05, "plateau from 31 to 62", 62, refetch_ns[c]);
		/* one waiter's refetch is part of each handover: it costs, but once, not once a waiter */
		expect_between(x[N31] / last, 0, 1.03, "rank in c", 31, refetch_ns[c]);
		expect_between(1e9 / x[N31], HOLD_NS + BASE_NS, HOLD_NS + 8 * BASE_NS + 4 * refetch_ns[c],
			       "time of one handover", 31, refetch_ns[c]);
		if (c > 0)
			expect_between(x[N31] / ticket_rate[c][N31], 1.5, 1e3, "queued over ticket", 31, refetch_ns[c]);
		last = x[N31];
	}
}

/* With so little work of their own eight CPUs keep the lock busy: N S is three times Z + S. */
#define SHORT_THINK_NS 400

static double mcs_handover_ns(unsigned int n, unsigned int c)
{
	struct curve_case run = {
		.vcpus = n, .stations = 1, .think = SHORT_THINK_NS * PS_PER_NS, .hold = HOLD_NS * PS_PER_NS,
		.think_exponential = true, .hold_exponential = true, .spinlock = "mcs",
		.line_base = BASE_NS * PS_PER_NS, .line_read_occupancy = c * PS_PER_NS,
		.warmup = PS_PER_MS, .measure = 8 * PS_PER_MS,
	};
	struct curve_result result;

	curve_simulate(&run, &result);
	curve_check_laws(&run, &result);
	print_message("%s: %.0f/s\n", curve_describe(&run), curve_rate(&result));
	return 1e9 / curve_rate(&result);
}

static void mcs_lock_has_a_plateau(void **state)
{
	(void)state;
	for (size_t c = 0; c < COSTS; c++) {
		const double at_8 = mcs_handover_ns(8, refetch_ns[c]), at_31 = mcs_handover_ns(31, refetch_ns[c]);

		expect_between(at_31 / at_8, 0.9, 1.1, "plateau from 8 to 31", 31, refetch_ns[c]);
		expect_between(mcs_handover_ns(62, refetch_ns[c]) / at_31, 0.95, 1.05, "plateau from 31 to 62", 62,
			       refetch_ns[c]);
		/* a store to the successor's node and that one's look; 2 % for the random holds */
		expect_between(at_31, 0.98 * (HOLD_NS + 2 * BASE_NS), HOLD_NS + 3 * BASE_NS + 2 * refetch_ns[c],
			       "time of one handover", 31, refetch_ns[c]);
	}
}

#define TWO_NODES_CPUS 62
#define NODE_HOP_NS 200

static double two_nodes(const char *spinlock, unsigned int node_hop)
{
	struct curve_case run = {
		.vcpus = TWO_NODES_CPUS, .stations = 1, .think = THINK_NS * PS_PER_NS, .hold = HOLD_NS * PS_PER_NS,
		.think_exponential = true, .hold_exponential = true, .spinlock = spinlock,
		.line_base = BASE_NS * PS_PER_NS, .line_read_occupancy = 8 * PS_PER_NS,
		/* a crosspoint has four CPUs: nodes of 32 and 30; 30 ms are some 50 turns of cna's 1000 hand-overs each */
		.cpus_per_node = 32, .node_hop = node_hop * PS_PER_NS,
		.warmup = PS_PER_MS, .measure = 30 * PS_PER_MS,
	};
	struct curve_result result;
	uint64_t least = UINT64_MAX, most = 0;

	curve_simulate(&run, &result);
	curve_check_laws(&run, &result);
	for (size_t n = 0; n < TWO_NODES_CPUS; n++) {
		least = result.cpu_exits[n] < least ? result.cpu_exits[n] : least;
		most = result.cpu_exits[n] > most ? result.cpu_exits[n] : most;
	}
	print_message("%s: %.0f/s, rounds of a CPU %llu to %llu\n", curve_describe(&run), curve_rate(&result),
		      (unsigned long long)least, (unsigned long long)most);
	expect_between((double)least / (double)most, 0.8, 1, "the slowest CPU's share of the fastest's", TWO_NODES_CPUS, 8);
	return curve_rate(&result);
}

static void cna_wins_on_two_nodes(void **state)
{
	const double queued_near = two_nodes("qspinlock", 0), queued = two_nodes("qspinlock", NODE_HOP_NS);
	const double cna_near = two_nodes("cna", 0), cna = two_nodes("cna", NODE_HOP_NS);

	(void)state;
	expect_between(queued / queued_near, 0, 0.6, "what distance costs qspinlock", TWO_NODES_CPUS, 8);
	expect_between(cna / cna_near, 0.9, 1, "what distance costs cna", TWO_NODES_CPUS, 8);
	expect_between(cna / queued, 1.4, 10, "cna over qspinlock", TWO_NODES_CPUS, 8);
	/* what it pays without distance: a look at the successor's node, the base and an occupancy each way at most */
	expect_between(1e9 / cna_near - 1e9 / queued_near, 0, 2 * BASE_NS + 2 * 8, "cna's own cost", TWO_NODES_CPUS, 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ticket_lock_collapses_as_the_chain),
		cmocka_unit_test(queued_lock_has_a_plateau),
		cmocka_unit_test(mcs_lock_has_a_plateau),
		cmocka_unit_test(cna_wins_on_two_nodes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
