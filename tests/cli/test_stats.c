// SPDX-License-Identifier: Apache-2.0
/* Statistics against printed tables and hand calculation; the rules for two states and for a change of state. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "study/run/knee.h"
#include "study/run/stats.h"

static void near(double value, double expected, double tolerance)
{
	if (fabs(value - expected) > tolerance)
		fail_msg("%.6f is not within %g of %.6f", value, tolerance, expected);
}

/* Quantiles as printed in every statistics book. */
static void student_table(void **state)
{
	(void)state;
	near(stats_student_975(1), 12.706, 0.0005);
	near(stats_student_975(2), 4.303, 0.0005);
	near(stats_student_975(4), 2.776, 0.0005);
	near(stats_student_975(10), 2.228, 0.0005);
	near(stats_student_975(30), 2.042, 0.0005);
	near(stats_student_975(40), 2.021, 0.001);
	near(stats_student_975(60), 2.000, 0.001);
	near(stats_student_975(120), 1.980, 0.001);
	near(stats_student_975(1000000), 1.960, 0.001);
}

/* Mean 10, squares 4+1+0+1+4 = 10, s² = 2.5, s/√5 = 0.70711, × 2.776 = 1.9630. */
static void interval(void **state)
{
	const double values[] = {8, 9, 10, 11, 12};
	struct stats_estimate estimate = stats_estimate(values, 5);

	(void)state;
	assert_int_equal(estimate.count, 5);
	near(estimate.mean, 10, 1e-12);
	near(estimate.half_width, 1.9630, 0.0005);
	near(stats_estimate(values, 1).mean, 8, 0);
	near(stats_estimate(values, 1).half_width, 0, 0);
	near(stats_estimate(values, 0).mean, 0, 0);
}

static void one_state(void **state)
{
	const double noise[] = {100, 101, 99.5, 100.7, 99.1};
	const double equal[] = {5, 5, 5, 5};
	const double spread[] = {80, 90, 100, 110, 120};    /* wide, but one group */
	const double zero[] = {0, 0, 0};

	(void)state;
	assert_false(stats_states(noise, 5).two);
	assert_false(stats_states(equal, 4).two);
	assert_false(stats_states(spread, 5).two);
	assert_false(stats_states(zero, 3).two);
}

static void two_states(void **state)
{
	const double mixed[] = {120, 231, 121, 230, 119};
	const double lonely[] = {100, 100.2, 130};
	struct stats_states states = stats_states(mixed, 5);

	(void)state;
	assert_true(states.two);
	assert_int_equal(states.low.count, 3);
	assert_int_equal(states.high.count, 2);
	near(states.low.mean, 120, 1e-9);
	near(states.high.mean, 230.5, 1e-9);
	assert_true(stats_states(lonely, 3).two);
	assert_int_equal(stats_states(lonely, 3).high.count, 1);
}

/* Two values may differ by chance; and a gap of 5 % of the median is not enough, however small the noise. */
static void limits_of_two_states(void **state)
{
	const double two[] = {100, 200};
	const double just_below[] = {100, 100, 104.9};
	const double just_above[] = {100, 100, 105.1};

	(void)state;
	assert_false(stats_states(two, 2).two);
	assert_false(stats_states(just_below, 3).two);
	assert_true(stats_states(just_above, 3).two);
}

static void change_of_state(void **state)
{
	const uint64_t switched[] = {50, 51, 49, 50, 50, 42, 41, 42, 43, 42, 42, 41};
	struct stats_change change = stats_change(switched, 12);

	(void)state;
	assert_true(change.checked);
	assert_true(change.changed);
	assert_int_equal(change.at, 5);
	near(change.before, 50, 1e-9);
	near(change.after, 293.0 / 7, 1e-9);
}

static void no_change(void **state)
{
	const uint64_t steady[] = {50, 51, 49, 50, 50, 51, 50, 49, 50, 50, 51, 49};
	const uint64_t noisy[] = {30, 70, 45, 60, 20, 80, 50, 40, 66, 34, 71, 28};
	const uint64_t constant[] = {7, 7, 7, 7, 7, 7};
	const uint64_t tiny[] = {0, 1, 0, 1, 1, 0, 1, 0, 0, 1};

	(void)state;
	assert_true(stats_change(steady, 12).checked);
	assert_false(stats_change(steady, 12).changed);
	assert_false(stats_change(noisy, 12).changed);
	assert_false(stats_change(constant, 6).changed);
	assert_false(stats_change(tiny, 10).changed);
}

static void too_few_windows(void **state)
{
	const uint64_t windows[] = {50, 50, 10, 10, 10};

	(void)state;
	assert_false(stats_change(windows, 5).checked);
	assert_false(stats_change(windows, 5).changed);
	assert_false(stats_change(NULL, 0).checked);
}

/* 100 at 4 and 62.5 at 8: 75 lie at 4 + 4 × 25 / 37.5. All together do 500 at most. */
static void a_knee(void **state)
{
	const struct knee_point points[] = { { 4, 100 }, { 1, 100 }, { 8, 62.5 }, { 16, 31 } };
	struct knee knee = knee_find(points, 4);

	(void)state;
	assert_true(knee.known && knee.saturated);
	near(knee.vcpus, 4 + 100 / 37.5, 1e-9);
	near(knee.most, 500, 1e-9);
	assert_int_equal(knee.first, 1);
	assert_int_equal(knee.last, 3);
	assert_int_equal(knee.from, 2);
}

/* Nothing shared, or only a little: no knee. Points that were not simulated do not count. */
static void no_knee(void **state)
{
	const struct knee_point straight[] = { { 1, 100 }, { 2, 100 }, { 64, 91 }, { 128, 0 } }, none[] = { { 1, 0 } };
	struct knee knee = knee_find(straight, 4);

	(void)state;
	assert_true(knee.known && !knee.saturated);
	near(knee.vcpus, 0, 0);
	assert_int_equal(knee.last, 2);
	assert_int_equal(knee.from, 2);
	assert_false(knee_find(none, 1).known);
	assert_false(knee_find(NULL, 0).known);
}

/* More vCPUs do less than fewer (ticket locks): 75 lie at 1 + 7 × 25 / 28. */
static void a_collapse(void **state)
{
	const struct knee_point points[] = { { 1, 100 }, { 8, 72 }, { 16, 20 } };
	struct knee knee = knee_find(points, 3);

	(void)state;
	assert_true(knee.saturated);
	near(knee.vcpus, 7.25, 1e-9);
	assert_int_equal(knee.from, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_knee), cmocka_unit_test(no_knee), cmocka_unit_test(a_collapse),
		cmocka_unit_test(student_table), cmocka_unit_test(interval), cmocka_unit_test(one_state),
		cmocka_unit_test(two_states), cmocka_unit_test(limits_of_two_states), cmocka_unit_test(change_of_state),
		cmocka_unit_test(no_change), cmocka_unit_test(too_few_windows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
