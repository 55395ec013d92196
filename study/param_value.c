// SPDX-License-Identifier: Apache-2.0
/*
 * One value: from text to integer with unit and range checked, and back.
 *
 * A COST may be a time or a count of cycles, and its bounds may be in the other one. Which time a count of cycles is
 * depends on host.clock, unknown here: this file refuses what is out of range at every clock the table allows (up to
 * 10 GHz); param_set_check refuses the rest.
 */
#include "study/param.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "study/keep.h"
#include "study/nearest.h"
#include "study/units.h"

/* At the fastest allowed clock, 10 GHz, one ps is a hundredth of a cycle: ten thousandths. */
#define MOST_THOUSANDTHS_PER_PS 10

static struct unit_list units_of(enum param_type type)
{
	switch (type) {
	case PARAM_TIME:
		return units_time;
	case PARAM_COST:
		return units_cost;
	case PARAM_FREQUENCY:
		return units_frequency;
	case PARAM_FRACTION:
		return units_fraction;
	case PARAM_COUNT:
	case PARAM_CHOICE:
	case PARAM_SWITCH:
		break;
	}
	return units_count;
}

/* The n-th of "a|b|c"; its length, 0 when there are fewer. */
static size_t nth_choice(const char *choices, size_t n, const char **start)
{
	for (; n > 0; n--) {
		choices = strchr(choices, '|');
		if (choices == NULL)
			return 0;
		choices++;
	}
	*start = choices;
	return strcspn(choices, "|");
}

void param_allowed(enum param_id id, char *out, size_t size)
{
	const struct param_row *row = &param_table[id];
	const char *choice;
	size_t used = 0, length;

	switch (row->type) {
	case PARAM_TIME:
		snprintf(out, size, "a time from %s to %s, with its unit: ps, ns, us, ms or s", row->minimum,
			 row->maximum);
		break;
	case PARAM_COST:
		snprintf(out, size, "cycles or a time, from %s to %s, with its unit: cycles, ps, ns, us, ms or s",
			 row->minimum, row->maximum);
		break;
	case PARAM_FREQUENCY:
		snprintf(out, size, "a frequency from %s to %s, with its unit: Hz, kHz, MHz or GHz", row->minimum,
			 row->maximum);
		break;
	case PARAM_COUNT:
		snprintf(out, size, "a whole number from %s to %s, without a unit", row->minimum, row->maximum);
		break;
	case PARAM_FRACTION:
		snprintf(out, size, "a number from %s to %s with at most 6 decimals, without a unit", row->minimum,
			 row->maximum);
		break;
	case PARAM_SWITCH:
		snprintf(out, size, "yes or no");
		break;
	case PARAM_CHOICE:
		for (size_t n = 0; (length = nth_choice(row->choices, n, &choice)) > 0 && used < size; n++)
			used += (size_t)snprintf(out + used, size - used, "%s%.*s", n ? ", " : "", (int)length,
						 choice);
		break;
	}
}

static cv_result refuse(enum param_id id, const char *text, const char *problem)
{
	char allowed[300];

	param_allowed(id, allowed, sizeof(allowed));
	RETURN_ERROR(CV_BAD_INPUT, "%s: \"%s\" %s; allowed: %s", param_table[id].name, shown(text).text, problem, allowed);
}

static cv_result parse_choice(enum param_id id, const char *text, int64_t *number)
{
	const struct param_row *row = &param_table[id];
	struct nearest near = nearest_to(text);
	const char *choice;
	char allowed[300];
	size_t length;

	for (size_t n = 0; (length = nth_choice(row->choices, n, &choice)) > 0; n++) {
		const char *name = keep_text_n(choice, length);

		if (strcmp(text, name) == 0) {
			*number = (int64_t)n;
			return CV_OK;
		}
		nearest_offer(&near, name);
	}
	param_allowed(id, allowed, sizeof(allowed));
	RETURN_ERROR(CV_BAD_INPUT, "%s: \"%s\" is not one of the choices; allowed: %s; nearest: %s", row->name,
		     shown(text).text, allowed, near.name);
}

static const char *problem_text(enum units_problem problem, enum param_type type)
{
	switch (problem) {
	case UNITS_NO_NUMBER:
		return "is not a number";
	case UNITS_NEGATIVE:
		return "is negative";
	case UNITS_LEADING_ZERO:
		return "starts with a needless zero";
	case UNITS_MISSING:
		return "has no unit";
	case UNITS_UNKNOWN:
		return type == PARAM_COUNT || type == PARAM_FRACTION ? "has something after the number" :
								       "has a unit that does not fit";
	case UNITS_TOO_LARGE:
		return "is out of range";
	case UNITS_TOO_PRECISE:
		switch (type) {
		case PARAM_TIME:
			return "is more precise than 1ps";
		case PARAM_COST:
			return "is more precise than 1ps or 0.001cycles";
		case PARAM_FREQUENCY:
			return "is more precise than 1Hz";
		case PARAM_FRACTION:
			return "is more precise than 0.000001";
		default:
			return "is not a whole number";
		}
	case UNITS_FINE:
		break;
	}
	return "is fine";
}

/* -1, 0 or 1 as the value lies below, within or above the row's bounds, as far as can be said without the clock. */
static int compare_with_bounds(const struct param_row *row, int64_t number, bool in_cycles)
{
	const char *const bounds[2] = { row->minimum, row->maximum };

	for (int i = 0; i < 2; i++) {
		const struct unit *unit;
		int64_t bound;
		enum units_problem problem = units_parse(bounds[i], units_of(row->type), &bound, &unit);

		assert(problem == UNITS_FINE && "param_table.def: a bound does not parse");
		(void)problem;
		if (in_cycles && unit->family == UNITS_TIME)
			bound *= MOST_THOUSANDTHS_PER_PS;
		else if (!in_cycles && unit->family == UNITS_CYCLES && bound != 0)
			continue;
		if (i == 0 && number < bound)
			return -1;
		if (i == 1 && number > bound)
			return 1;
	}
	return 0;
}

cv_result param_parse(enum param_id id, const char *text, struct param_value *out)
{
	const struct param_row *row = &param_table[id];
	const struct unit *unit = NULL;
	enum units_problem problem;
	int64_t number = 0;

	if (row->type == PARAM_SWITCH) {
		number = strcmp(text, "yes") == 0;
		if (!number && strcmp(text, "no") != 0)
			return refuse(id, text, "is neither yes nor no");
	} else if (row->type == PARAM_CHOICE) {
		FORWARD_IF_ERROR(parse_choice(id, text, &number));
	} else {
		problem = units_parse(text, units_of(row->type), &number, &unit);
		if (problem != UNITS_FINE)
			return refuse(id, text, problem_text(problem, row->type));
		if (compare_with_bounds(row, number, unit->family == UNITS_CYCLES) != 0)
			return refuse(id, text, "is out of range");
	}
	*out = (struct param_value){
		.number = number,
		.in_cycles = unit != NULL && unit->family == UNITS_CYCLES,
		.present = true,
		.source_class = SOURCE_CHOSEN,
		.source = "given directly",
		.where = "given directly",
	};
	return CV_OK;
}

void param_format(enum param_id id, const struct param_value *value, char *out, size_t size)
{
	const struct param_row *row = &param_table[id];
	const struct unit *unit;
	const char *choice;
	size_t length;

	if (!value->present) {
		snprintf(out, size, "%s", "");
		return;
	}
	switch (row->type) {
	case PARAM_SWITCH:
		snprintf(out, size, "%s", value->number ? "yes" : "no");
		return;
	case PARAM_CHOICE:
		length = nth_choice(row->choices, (size_t)value->number, &choice);
		assert(length > 0 && "choice index out of the table");
		snprintf(out, size, "%.*s", (int)length, length > 0 ? choice : "");
		return;
	case PARAM_TIME:
	case PARAM_COST:
		/* Zero has no best unit: nanoseconds, as people write it. */
		unit = value->in_cycles ? units_best(units_cost, UNITS_CYCLES, value->number) :
					  units_best(units_time, UNITS_TIME, value->number ? value->number : 1000);
		break;
	case PARAM_FREQUENCY:
		unit = units_best(units_frequency, UNITS_FREQUENCY, value->number);
		break;
	case PARAM_COUNT:
	case PARAM_FRACTION:
	default:
		unit = units_of(row->type).unit;
		break;
	}
	units_format(value->number, unit, out, size);
}
