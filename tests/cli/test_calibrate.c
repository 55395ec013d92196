// SPDX-License-Identifier: Apache-2.0
/*
 * Calibration on a model whose answer is known, and the baseline against a calculation by hand.
 * Fit rows that small.yaml answers: before N=1 319694 and N=8 278579, after N=1 324584.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "study/run/baseline.h"
#include "study/run/calibrate.h"
#include "study/run/calibrate_residuals.h"
#include "tests/cli/sample.h"

static struct calibrate_options options(void)
{
	return (struct calibrate_options){
		.budget = 120, .replications = 1,
		.run = {.workers = 2, .progress = PROGRESS_NONE, .simulate = sample_simulate_smooth}};
}

/*
 * The periods to reach: 3127.99, 3080.87 (both N=1) and 3589.65 ns (N=8). The model's are 2000 + w and 2000 + w + 8 b.
 * Least squares of relative errors: w about 1104.3 ns, b = (3589.65 - 3104.3) / 8 = 60.7 ns.
 */
static void finds_the_known_answer(void **state)
{
	struct calibrate_options how = options();
	struct calibrate_outcome outcome;
	struct study study;

	(void)state;
	sample_study(&study, NULL, 0);
	if (calibrate(&study, &how, &outcome) != CV_OK)
		fail_msg("%s", cv_error_text());
	assert_int_equal(outcome.row_count, 3);
	assert_int_equal(outcome.param_count, 2);
	assert_true(outcome.objective_end < outcome.objective_start);
	assert_true(fabs((double)outcome.params[0].end.number - 60700) < 400);
	assert_true(fabs((double)outcome.params[1].end.number - 1104300) < 2000);
	/* What remains is half the difference of the two N=1 rows: 0.76 % on two of three rows. */
	assert_true(fabs(calibrate_rms_pct(outcome.objective_end) - 0.76 * sqrt(2.0 / 3)) < 0.02);
	assert_false(outcome.params[0].on_low || outcome.params[0].on_high);
	assert_true(outcome.params[0].plus > outcome.objective_end);
	calibrate_free(&outcome);
}

static void same_twice(void **state)
{
	struct calibrate_options how = options();
	struct calibrate_outcome first, second;
	struct study study;

	(void)state;
	sample_study(&study, NULL, 0);
	assert_int_equal(calibrate(&study, &how, &first), CV_OK);
	how.run.workers = 1;
	assert_int_equal(calibrate(&study, &how, &second), CV_OK);
	for (size_t i = 0; i < first.param_count; i++)
		assert_int_equal(first.params[i].end.number, second.params[i].end.number);
	calibrate_free(&first);
	calibrate_free(&second);
}

static void held_rows_are_dropped(void **state)
{
	struct fit_rows rows;
	struct study study;

	(void)state;
	sample_study(&study, NULL, 0);
	assert_int_equal(fit_rows_load(&study, &rows), CV_OK);
	assert_int_equal(rows.count, 3);
	assert_int_equal(rows.held_dropped, 12);
	for (size_t i = 0; i < rows.count; i++)
		assert_string_equal(rows.rows[i].role, "fit");
	fit_rows_free(&rows);
}

static void nothing_to_move(void **state)
{
	struct calibrate_options how = options();
	struct calibrate_outcome outcome;
	struct study study;

	(void)state;
	sample_study(&study, NULL, 0);
	study.free_count = 0;
	assert_int_equal(calibrate(&study, &how, &outcome), CV_BAD_INPUT);
	assert_non_null(strstr(cv_error_text(), "no free parameters"));
}

static struct results_measured row(const char *point, double value, const char *role)
{
	return (struct results_measured){.measurement = "altra-exits", .point_text = point, .metric = "exits",
					 .unit = "1/s/vcpu", .role = role, .value = value, .point = -1};
}

/* By hand: S = 1 / (16 × 119943) = 521.08 ns; 1 / (8 S) = 239886; 1 / (31 S) = 61906; 1 / (2 × 31 S) = 30953;
 * Z(userspace, before) = 2897.81 + 3 × (3127.99 - 3080.87) / 2 = 2968.50 ns, 336871. */
static void baseline_by_hand(void **state)
{
	struct results_measured rows[] = {
		row("host=a kernel=before irqchip=in-kernel vcpus=1", 319694, "fit"),
		row("host=a kernel=before irqchip=in-kernel vcpus=16", 119943, "fit"),
		row("host=a kernel=after irqchip=in-kernel vcpus=1", 324584, "fit"),
		row("host=a kernel=after irqchip=userspace vcpus=1", 345088, "fit"),
		row("host=a kernel=before irqchip=in-kernel vcpus=8", 1, "held"),
		row("host=a kernel=before irqchip=in-kernel vcpus=31", 1, "held"),
		row("host=a kernel=before irqchip=userspace vcpus=1", 1, "held"),
		row("host=a kernel=before irqchip=userspace vcpus=31", 1, "held"),
		row("host=a kernel=after irqchip=userspace vcpus=31", 1, "held"),
	};
	const double expected[] = {319694, 119943, 324584, 345088, 239886, 61906, 336871, 30953, 345088};
	struct baseline baseline = baseline_make(rows, 9);

	(void)state;
	assert_true(baseline.known);
	for (size_t i = 0; i < 9; i++) {
		double value = 0;

		assert_true(baseline_predict(&baseline, &rows[i], &value));
		if (fabs(value - expected[i]) > 1)
			fail_msg("%s: %.1f, by hand %.0f", rows[i].point_text, value, expected[i]);
	}
	assert_true(baseline_unexplained(&rows[8]));
	assert_false(baseline_unexplained(&rows[7]));
	rows[1].role = "held";    /* without a saturated fit row there is no baseline */
	assert_false(baseline_make(rows, 9).known);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_the_known_answer), cmocka_unit_test(same_twice),
		cmocka_unit_test(held_rows_are_dropped), cmocka_unit_test(nothing_to_move),
		cmocka_unit_test(baseline_by_hand),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
