// SPDX-License-Identifier: Apache-2.0
/*
 * Is the curve right? On a host without costs a spinlock is a FIFO station whose service is the time inside it, and the
 * simulator must give what queueing theory gives. argv[1] chooses one group, so that ctest can run them side by side.
 * Every run is also checked against the laws of simulate_helper.h.
 *
 * Sampling: a cell of 1e6 rounds has a standard error of about 0.1 % or less, a tenth of the band.
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
#define ROUNDS 1e6

static void compare(struct curve_case run, double expected, double band)
{
	struct curve_result result;
	double error;

	run.warmup = PS_PER_MS;
	run.measure = curve_window(ROUNDS, expected);
	curve_simulate(&run, &result);
	curve_check_laws(&run, &result);
	error = curve_rate(&result) / expected - 1;
	print_message("%s: %.0f/s, theory %.0f/s, %+.3f %%\n", curve_describe(&run), curve_rate(&result), expected, 100 * error);
	if (!(fabs(error) <= band))
		fail_msg("%s: %+.3f %% from the theory, allowed %.1f %%", curve_describe(&run), 100 * error, 100 * band);
}

static const unsigned int population[] = { 8, 16, 31 };
static const unsigned int hold_ns[] = { 100, 250, 500 };

static void constant_service(void **state)
{
	(void)state;
	for (size_t i = 0; i < 3; i++) {
		for (size_t j = 0; j < 3; j++) {
			struct curve_case run = {
				.vcpus = population[i], .stations = 1, .think = THINK_NS * PS_PER_NS,
				.hold = hold_ns[j] * PS_PER_NS, .think_exponential = true,
			};

			compare(run, 1e9 * theory_exponential_constant(population[i], THINK_NS, hold_ns[j]).throughput, 0.01);
		}
	}
}

static void exponential_service(void **state)
{
	(void)state;
	for (size_t i = 0; i < 3; i++) {
		for (size_t j = 0; j < 3; j++) {
			struct curve_case run = {
				.vcpus = population[i], .stations = 1, .think = THINK_NS * PS_PER_NS,
				.hold = hold_ns[j] * PS_PER_NS, .think_exponential = true, .hold_exponential = true,
			};

			compare(run, 1e9 * theory_exponential_exponential(population[i], THINK_NS, hold_ns[j]).throughput,
				0.01);
		}
	}
}

/* The station is FIFO whichever algorithm makes it: the ticket lock without costs is the same queue. */
static void ticket_is_the_same_station(void **state)
{
	struct curve_case run = {
		.vcpus = 16, .stations = 1, .think = THINK_NS * PS_PER_NS, .hold = 250 * PS_PER_NS, .think_exponential = true,
		.spinlock = "ticket",
	};

	(void)state;
	compare(run, 1e9 * theory_exponential_constant(16, THINK_NS, 250).throughput, 0.01);
}

static void two_stations(void **state)
{
	const double demand[] = { 250, 250 };

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct curve_case run = {
			.vcpus = population[i], .stations = 2, .think = THINK_NS * PS_PER_NS, .hold = 250 * PS_PER_NS,
			.think_exponential = true, .hold_exponential = true,
		};

		compare(run, 1e9 * theory_mva(population[i], THINK_NS, demand, 2, NULL), 0.02);
	}
}

/*
 * Everything constant. After the transient the system repeats itself with the period max(N S, Z + V S), V stations of service
 * S, and each vCPU makes one round in each period. The window [warm-up, warm-up + PERIODS periods) therefore holds exactly
 * PERIODS rounds of each vCPU, wherever it begins, and the accounts hold exactly their private work, holds and waits: integers, no
 * tolerance. Where N S is the longer, everybody waits exactly the rest of the period; where it is not, nobody waits.
 * Lock rows count an acquisition when it is asked for and finishes inside the window, so each vCPU may miss one at the edges: their
 * counts may fall short by N, never exceed, and what they count is exact.
 */
#define PERIODS 2000

static void expect_exact(struct curve_case run)
{
	const uint64_t saturated = run.vcpus * run.hold, alone = run.think + run.stations * run.hold;
	const uint64_t period = saturated > alone ? saturated : alone;
	const uint64_t rounds = (uint64_t)PERIODS * run.vcpus;
	struct curve_result result;
	uint64_t waited = 0;

	run.warmup = PS_PER_MS + 7 * PS_PER_NS;   /* an odd place: no edge at a multiple of the times above */
	run.measure = PERIODS * period;
	curve_simulate(&run, &result);
	curve_check_laws(&run, &result);
	for (size_t i = 0; i < run.vcpus; i++) {
		if (result.cpu_exits[i] != PERIODS)
			fail_msg("%s: vCPU %zu made %llu rounds in %d periods", curve_describe(&run), i,
				 (unsigned long long)result.cpu_exits[i], PERIODS);
	}
	assert_int_equal(result.exits, rounds);
	assert_int_equal(result.account_private, rounds * run.think);
	assert_int_equal(result.account_hold, rounds * run.stations * run.hold);
	assert_int_equal(result.account_total - result.account_private - result.account_hold, rounds * (period - alone));
	for (size_t i = 0; i < run.stations; i++) {
		const struct curve_lock *lock = &result.lock[i];

		assert_in_range(lock->acquisitions, rounds - run.vcpus, rounds);
		assert_in_range(lock->hold_total, (rounds - 1) * run.hold, rounds * run.hold);
		assert_int_equal(lock->hold_total % run.hold, 0);
		assert_true(lock->wait_max <= period - alone);
		waited += lock->wait_total;
	}
	assert_in_range(waited, (rounds - run.vcpus) * (period - alone), rounds * (period - alone));
}

static void everything_constant(void **state)
{
	static const struct { unsigned int n, s; } cell[] = {
		{ 1, 500 }, { 4, 500 }, { 7, 500 }, { 8, 500 }, { 16, 500 }, { 31, 500 },
		{ 8, 250 }, { 12, 250 }, { 13, 250 }, { 14, 250 }, { 16, 250 }, { 8, 100 }, { 31, 100 }, { 32, 100 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cell) / sizeof(*cell); i++) {
		for (unsigned int stations = 1; stations <= 2; stations++) {
			for (int together = 0; together <= 1; together++) {
				expect_exact((struct curve_case){
					.vcpus = cell[i].n, .stations = stations, .think = THINK_NS * PS_PER_NS,
					.hold = cell[i].s * PS_PER_NS, .start_together = together,
				});
			}
		}
	}
}

int main(int argc, char **argv)
{
	const struct { const char *name; struct CMUnitTest test[2]; size_t count; } group[] = {
		{ "constant_service", { cmocka_unit_test(constant_service) }, 1 },
		{ "exponential_service", { cmocka_unit_test(exponential_service) }, 1 },
		{ "two_stations", { cmocka_unit_test(two_stations), cmocka_unit_test(ticket_is_the_same_station) }, 2 },
		{ "everything_constant", { cmocka_unit_test(everything_constant) }, 1 },
	};

	for (size_t i = 0; argc == 2 && i < sizeof(group) / sizeof(*group); i++) {
		if (!strcmp(argv[1], group[i].name))
			return _cmocka_run_group_tests(group[i].name, group[i].test, group[i].count, NULL, NULL);
	}
	fprintf(stderr, "usage: %s constant_service|exponential_service|two_stations|everything_constant\n", argv[0]);
	return 2;
}
