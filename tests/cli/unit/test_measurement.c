// SPDX-License-Identifier: Apache-2.0
/* Measurement files: rows, roles, quoting, and refusals. */
#include "tests/cli/unit/test_files.h"

#include <stdio.h>
#include <string.h>

#include "study/measurement.h"

static struct measurement measured;

static cv_result parse(const char *text)
{
	return measurement_parse("m.csv", text, strlen(text), &measured);
}

static void the_shipped_file(void **state)
{
	const struct measurement_row *row;

	(void)state;
	assert_ok(measurement_load("altra-exits", &measured));
	assert_string_equal(measured.name, "altra-exits");
	assert_int_equal(measured.row_count, 17);
	assert_int_equal(measured.column_count, 5);
	assert_string_equal(measured.columns[4], "vcpus");
	row = &measured.rows[1];
	assert_int_equal(row->line, 3);
	assert_string_equal(row->point, "host=ampere-altra-32 kernel=before irqchip=in-kernel irq_state=descriptor-lock vcpus=8");
	assert_string_equal(row->metric, "exits");
	assert_string_equal(row->unit, "1/s/vcpu");
	assert_string_equal(row->value_text, "278579");
	assert_true(row->value == 278579.0);
	assert_int_equal(row->role, MEASUREMENT_FIT);
	assert_string_equal(measured.rows[16].metric, "lock-queue-entries");
	assert_int_equal(measured.rows[16].role, MEASUREMENT_HELD);
}

static void quoted_and_empty_fields(void **state)
{
	(void)state;
	assert_ok(parse("a,b,metric,unit,value,role\r\n\"x, \"\"y\"\"\",,m,1/s,1.5e3,held\r\n,2,m,1/s,-0.25,fit"));
	assert_int_equal(measured.row_count, 2);
	assert_string_equal(measured.rows[0].axes[0], "x, \"y\"");
	assert_string_equal(measured.rows[0].point, "a=x, \"y\"");
	assert_true(measured.rows[0].value == 1500.0);
	assert_string_equal(measured.rows[1].point, "b=2");
	assert_true(measured.rows[1].value == -0.25);
}

static void refusals(void **state)
{
#define HEADER "a,metric,unit,value,role\n"
	(void)state;
	assert_error(parse("metric,unit,value,role\n"), CV_BAD_INPUT,
		     "m.csv:1:1: 4 columns; a measurement file starts with the names of its axes, then metric,unit,value,role");
	assert_error(parse("a,metric,units,value,role\n"), CV_BAD_INPUT,
		     "m.csv:1:10: column \"units\" where \"unit\" is expected; the last four columns are metric,unit,value,role");
	assert_error(parse("a,a,metric,unit,value,role\n"), CV_BAD_INPUT, "m.csv:1:3: column \"a\" is here twice");
	assert_error(parse(",metric,unit,value,role\n"), CV_BAD_INPUT, "m.csv:1:1: a column without a name");
	assert_error(parse(HEADER), CV_BAD_INPUT, "m.csv: no measured values below the header");
	assert_error(parse(HEADER "x,m,u,1\n"), CV_BAD_INPUT, "m.csv:2: 4 fields, but the header has 5 columns");
	assert_error(parse(HEADER "x,m,u,1,fit\n\n"), CV_BAD_INPUT, "m.csv:3: an empty line; remove it");
	assert_error(parse(HEADER "x,m,u,1,fitted\n"), CV_BAD_INPUT,
		     "m.csv:2:9: role: \"fitted\" is not a role; allowed: fit, held");
	assert_error(parse(HEADER "x,m,u,fast,fit\n"), CV_BAD_INPUT,
		     "m.csv:2:7: value: \"fast\" is not a number; allowed: a decimal number");
	assert_error(parse(HEADER "x,m,u,,fit\n"), CV_BAD_INPUT,
		     "m.csv:2:7: value: \"\" is not a number; allowed: a decimal number");
	assert_error(parse(HEADER "x,m,u,0x10,fit\n"), CV_BAD_INPUT,
		     "m.csv:2:7: value: \"0x10\" is not a number; allowed: a decimal number");
	assert_error(parse(HEADER "x,m,u,1e999,fit\n"), CV_BAD_INPUT,
		     "m.csv:2:7: value: \"1e999\" is not a number; allowed: a decimal number");
	assert_error(parse(HEADER "x,,u,1,fit\n"), CV_BAD_INPUT,
		     "m.csv:2:3: metric: empty; allowed: the name of what was measured");
	assert_error(parse(HEADER "x,m,,1,fit\n"), CV_BAD_INPUT, "m.csv:2:5: unit: empty; allowed: a unit, such as 1/s");
	assert_error(parse(HEADER "x,m,u,1,fit\nx,m,u,2,held\n"), CV_BAD_INPUT, "m.csv:3: the same point and metric as line 2");
	assert_error(parse(HEADER "\"x,m,u,1,fit\n"), CV_BAD_INPUT,
		     "m.csv:2:1: the quoted field does not end in \" before the line's end");
	assert_error(parse(HEADER "\"x\"y,m,u,1,fit\n"), CV_BAD_INPUT,
		     "m.csv:2:1: the quoted field does not end in \" before the next comma");
}

/* A row whose metric is an operation is answered by the variant that repeats it, and by no other kind of workload. */
static void operations(void **state)
{
	static const struct param_value axis_values[] = { { .present = true, .number = 1 }, { .present = true, .number = 2 } };
	static const struct study_match match[] = { { "host", "h" } };
	struct study_variant variants[3] = { { .match = match, .match_count = 1 }, { .match = match, .match_count = 1 },
					     { .match = match, .match_count = 1 } };
	struct study study = { .axis = P_WORKLOAD_VCPUS, .axis_name = "vcpus", .axis_values = axis_values, .axis_count = 1,
			       .variants = variants, .variant_count = 3 };
	struct measurement_answer answer;

	(void)state;
	assert_true(measurement_is_operation("hyp_call"));
	assert_true(measurement_is_operation("eoi"));
	assert_true(measurement_is_operation("ipi"));
	assert_false(measurement_is_operation("hyp"));
	assert_false(measurement_is_operation("all"));
	assert_false(measurement_is_operation(""));
	assert_false(measurement_is_operation("hyp_call|mmio_read_vgic"));
	for (size_t i = 0; i < 3; i++) {
		assert_ok(param_parse(P_WORKLOAD_KIND, i == 0 ? "exit-to-userspace" : "microbench",
				      &variants[i].params.value[P_WORKLOAD_KIND]));
		assert_ok(param_parse(P_WORKLOAD_EXIT, i == 2 ? "eoi" : "hyp_call", &variants[i].params.value[P_WORKLOAD_EXIT]));
	}
	assert_ok(parse("host,metric,unit,value,role\nh,eoi,ns,1,fit\nh,exits,1/s/vcpu,1,fit\nh,lpi,ns,1,held\ng,eoi,ns,1,held\n"));
	assert_true(measurement_point(&measured, &measured.rows[0], &study, &answer));
	assert_int_equal(answer.variant, 2);
	assert_int_equal(answer.axis_index, 0);
	assert_true(measurement_point(&measured, &measured.rows[1], &study, &answer));
	assert_int_equal(answer.variant, 0);
	assert_true(measurement_row_matches(&measured, &measured.rows[2], &variants[0]));
	assert_false(measurement_row_matches(&measured, &measured.rows[2], &variants[1]));
	assert_false(measurement_point(&measured, &measured.rows[3], &study, &answer));
	/* The file does not say at which of two places of the axis it was measured. */
	study.axis_count = 2;
	assert_false(measurement_point(&measured, &measured.rows[0], &study, &answer));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		UNIT_TEST(the_shipped_file),
		UNIT_TEST(quoted_and_empty_fields),
		UNIT_TEST(refusals),
		UNIT_TEST(operations),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
