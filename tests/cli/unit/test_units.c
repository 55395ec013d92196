// SPDX-License-Identifier: Apache-2.0
/* Exact decimals with units: what is read, what is refused, and that nothing is rounded. */
#include "tests/cli/unit/test_files.h"

#include <stdio.h>

#include "study/nearest.h"
#include "study/units.h"

static int64_t parsed(struct unit_list list, const char *text)
{
	const struct unit *unit;
	int64_t number;

	if (units_parse(text, list, &number, &unit) != UNITS_FINE)
		fail_msg("%s: refused", text);
	return number;
}

static enum units_problem problem(struct unit_list list, const char *text)
{
	const struct unit *unit;
	int64_t number;

	return units_parse(text, list, &number, &unit);
}

static void exact_values(void **state)
{
	(void)state;
	assert_int_equal(parsed(units_time, "0.45ns"), 450);
	assert_int_equal(parsed(units_time, "97ns"), 97000);
	assert_int_equal(parsed(units_time, "1ps"), 1);
	assert_int_equal(parsed(units_time, "0.000000000001s"), 1);
	assert_int_equal(parsed(units_time, "1.5ms"), 1500000000);
	assert_int_equal(parsed(units_time, "0ns"), 0);
	assert_int_equal(parsed(units_time, "0.100000000000000000000ns"), 100);
	assert_int_equal(parsed(units_cost, "12.5cycles"), 12500);
	assert_int_equal(parsed(units_cost, "0.001cycles"), 1);
	assert_int_equal(parsed(units_cost, "3us"), 3000000);
	assert_int_equal(parsed(units_frequency, "1.7GHz"), 1700000000);
	assert_int_equal(parsed(units_frequency, "1Hz"), 1);
	assert_int_equal(parsed(units_frequency, "0.001kHz"), 1);
	assert_int_equal(parsed(units_count, "4294967295"), 4294967295);
	assert_int_equal(parsed(units_fraction, "0.04"), 40000);
	assert_int_equal(parsed(units_fraction, "0.000001"), 1);
	/* 0.1 + 0.2 in binary floating point is not 0.3; here it is. */
	assert_int_equal(parsed(units_time, "0.1ns") + parsed(units_time, "0.2ns"), parsed(units_time, "0.3ns"));
	/* Beyond the 53 bits of a double. */
	assert_int_equal(parsed(units_time, "9223372.036854775807s"), INT64_MAX);
	assert_int_equal(parsed(units_time, "9007199254740993ps"), 9007199254740993);
}

static void refusals(void **state)
{
	(void)state;
	assert_int_equal(problem(units_time, "97"), UNITS_MISSING);
	assert_int_equal(problem(units_time, "97Hz"), UNITS_UNKNOWN);
	assert_int_equal(problem(units_time, "97 ns"), UNITS_UNKNOWN);
	assert_int_equal(problem(units_time, "97NS"), UNITS_UNKNOWN);
	assert_int_equal(problem(units_time, "1e3ns"), UNITS_UNKNOWN);
	assert_int_equal(problem(units_time, "1_000ns"), UNITS_UNKNOWN);
	assert_int_equal(problem(units_time, "1:30"), UNITS_UNKNOWN);
	assert_int_equal(problem(units_time, "12cycles"), UNITS_UNKNOWN);
	assert_int_equal(problem(units_time, "-1ns"), UNITS_NEGATIVE);
	assert_int_equal(problem(units_time, "-.5ns"), UNITS_NEGATIVE);
	assert_int_equal(problem(units_time, "+1ns"), UNITS_NO_NUMBER);
	assert_int_equal(problem(units_time, ".5ns"), UNITS_NO_NUMBER);
	assert_int_equal(problem(units_time, "5.ns"), UNITS_NO_NUMBER);
	assert_int_equal(problem(units_time, "ns"), UNITS_NO_NUMBER);
	assert_int_equal(problem(units_time, ""), UNITS_NO_NUMBER);
	assert_int_equal(problem(units_time, "inf"), UNITS_NO_NUMBER);
	assert_int_equal(problem(units_time, "012ns"), UNITS_LEADING_ZERO);
	assert_int_equal(problem(units_count, "0x10"), UNITS_UNKNOWN);
	assert_int_equal(problem(units_count, "1.5"), UNITS_TOO_PRECISE);
	assert_int_equal(problem(units_time, "0.0001ns"), UNITS_TOO_PRECISE);
	assert_int_equal(problem(units_cost, "0.0001cycles"), UNITS_TOO_PRECISE);
	assert_int_equal(problem(units_time, "9223372.036854775808s"), UNITS_TOO_LARGE);
	assert_int_equal(problem(units_count, "99999999999999999999999999"), UNITS_TOO_LARGE);
}

static void written_in_the_best_unit(void **state)
{
	static const struct { int64_t ps; const char *text; } cases[] = {
		{ 1, "1ps" }, { 450, "450ps" }, { 1000, "1ns" }, { 97000, "97ns" }, { 97001, "97.001ns" },
		{ 1500000, "1.5us" }, { 2000000000, "2ms" }, { 1000000000000, "1s" }, { INT64_MAX, "9223372.036854775807s" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[64];

		units_format(cases[i].ps, units_best(units_time, UNITS_TIME, cases[i].ps), text, sizeof(text));
		assert_string_equal(text, cases[i].text);
		assert_int_equal(parsed(units_time, text), cases[i].ps);
	}
}

static void edit_distances(void **state)
{
	struct nearest near = nearest_to("qspinlok");

	(void)state;
	assert_int_equal(edit_distance("", ""), 0);
	assert_int_equal(edit_distance("abc", ""), 3);
	assert_int_equal(edit_distance("kitten", "sitting"), 3);
	assert_int_equal(edit_distance("host.line.base", "host.line.base"), 0);
	nearest_offer(&near, "ticket");
	nearest_offer(&near, "qspinlock");
	assert_string_equal(near.name, "qspinlock");
	assert_int_equal(near.distance, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(exact_values),
		cmocka_unit_test(refusals),
		cmocka_unit_test(written_in_the_best_unit),
		cmocka_unit_test(edit_distances),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
