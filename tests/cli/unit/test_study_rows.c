// SPDX-License-Identifier: Apache-2.0
/* Measured rows that need more than a variant's columns: metrics:, differences: and a variant's own host. */
#include "tests/cli/unit/test_files.h"

#include <stdio.h>
#include <string.h>

#include "study/measurement.h"
#include "study/study.h"

#define HOST(clock, line)                                                                                                      \
	"title: H\nhost:\n  cpus: { value: 8, class: chosen, source: s }\n  clock: { value: " clock ", class: chosen, source: s }\n" \
	"  line: { base: { value: " line ", class: estimated, source: s } }\n"

static const char csv_text[] =
	"host,policy,metric,unit,value,role\n"
	"h,old,call average,cycles,1000,fit\n"
	"h,old,call minimum,cycles,900,held\n"
	"h,new,call average,cycles,800,held\n"
	"h,difference,saved,cycles,200,held\n"
	"h,difference,other,cycles,1,held\n";

static const char head[] =
	"study: little\n"
	"question: Does it load?\n"
	"host: h.yaml\n"
	"workload: microbench\n"
	"axis: { workload.vcpus: [1] }\n"
	"measurement: m.csv\n"
	"set: { host.line.read_occupancy: 1ns }\n"
	"variants:\n"
	"  - name: old\n"
	"    meaning: m\n"
	"    kernel: v7.1\n"
	"    measurement: { policy: old }\n"
	"    metrics: { call average: average, call minimum: minimum }\n"
	"  - { name: new, meaning: m, kernel: v7.1, host: g.yaml, measurement: { policy: new }, metrics: { call average: average } }\n";

static cv_result load(const char *rest, struct study *study)
{
	char whole[4000];

	write_text("h.yaml", HOST("1GHz", "40ns"));
	write_text("g.yaml", HOST("2GHz", "60ns"));
	write_text("m.csv", csv_text);
	snprintf(whole, sizeof(whole), "%s%s", head, rest);
	write_text("s.yaml", whole);
	return study_load("s.yaml", NULL, 0, study);
}

static const char difference[] =
	"differences:\n  - { of: old, minus: new, measurement: { policy: difference }, metrics: { saved: average } }\n";

static void rows_find_their_answers(void **state)
{
	struct measurement measurement;
	struct measurement_answer answer;
	struct study study;

	(void)state;
	assert_ok(load(difference, &study));
	assert_int_equal(study.difference_count, 1);
	assert_ok(measurement_load(study.measurement_path, &measurement));
	assert_true(measurement_point(&measurement, &measurement.rows[0], &study, &answer));
	assert_int_equal(answer.variant, 0);
	assert_int_equal(answer.quantity, QUANTITY_AVERAGE);
	assert_false(answer.difference);
	assert_true(measurement_point(&measurement, &measurement.rows[1], &study, &answer));
	assert_int_equal(answer.quantity, QUANTITY_MINIMUM);
	assert_true(measurement_point(&measurement, &measurement.rows[3], &study, &answer));
	assert_true(answer.difference);
	assert_int_equal(answer.variant, 0);
	assert_int_equal(answer.minus, 1);
	assert_false(measurement_point(&measurement, &measurement.rows[4], &study, &answer));  /* no metric of the difference */
}

static void a_host_of_its_own(void **state)
{
	struct study study;

	(void)state;
	assert_ok(load("calibrate: { free: { host.line.base: [10ns, 200ns] } }\n", &study));
	assert_null(study.variants[0].host);
	assert_string_equal(study.variants[1].host, "g");
	assert_true(study.variants[0].params.value[P_HOST_CLOCK].number == 1000000000);
	assert_true(study.variants[1].params.value[P_HOST_CLOCK].number == 2000000000);
	assert_int_equal(param_ps(&study.variants[1].params, P_HOST_LINE_BASE), 60000);
	assert_int_equal(param_ps(&study.variants[1].params, P_HOST_LINE_READ_OCCUPANCY), 1000);  /* the study's set: over it */
	assert_true(param_choice_is(&study.variants[1].params, P_WORKLOAD_KIND, "microbench"));
}

#define REFUSES(rest, message) assert_error(load(rest, &study), CV_BAD_INPUT, message)

static void refusals(void **state)
{
	struct study study;

	(void)state;
	REFUSES("differences: {}\n", "s.yaml:15:14: differences: is a mapping; allowed: a list of {of: …, minus: …, measurement: …, metrics: …}");
	REFUSES("differences:\n  - { of: old, measurement: { policy: difference }, metrics: { saved: average } }\n",
		"s.yaml:16:5: minus: missing; a difference has of, minus, measurement and metrics");
	REFUSES("differences:\n  - { of: old, minus: newer, measurement: { policy: difference }, metrics: { saved: average } }\n",
		"s.yaml:16:23: minus: \"newer\" is no variant of the study");
	REFUSES("differences:\n  - { of: old, minus: new, measurement: { policy: difference } }\n",
		"s.yaml:16:5: differences: needs measurement: and metrics:");
	REFUSES("differences:\n  - { of: old, minus: new, measurement: { policy: difference }, metrics: { saved: median } }\n",
		"s.yaml:16:83: metrics: \"median\" is not a quantity; allowed: average, minimum");
	REFUSES("differences:\n  - { of: old, minus: new, measurement: { policy: old }, metrics: { call average: average } }\n",
		"s.yaml:16:41: measurement: line 2 of m.csv is matched by variant \"old\" too; a row has one answer");
	REFUSES("  - { name: c, meaning: m, kernel: v7.1, metrics: { saved: average } }\n",
		"s.yaml:15:42: metrics: needs measurement: beside it, which says the rows");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		UNIT_TEST(rows_find_their_answers),
		UNIT_TEST(a_host_of_its_own),
		UNIT_TEST(refusals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
