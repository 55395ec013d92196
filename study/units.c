// SPDX-License-Identifier: Apache-2.0
/* Exact decimals; see units.h. */
#include "study/units.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const struct unit cost[] = {
	{ "cycles", 3, UNITS_CYCLES },
	{ "ps", 0, UNITS_TIME }, { "ns", 3, UNITS_TIME }, { "us", 6, UNITS_TIME },
	{ "ms", 9, UNITS_TIME }, { "s", 12, UNITS_TIME },
};
static const struct unit frequency[] = {
	{ "Hz", 0, UNITS_FREQUENCY }, { "kHz", 3, UNITS_FREQUENCY },
	{ "MHz", 6, UNITS_FREQUENCY }, { "GHz", 9, UNITS_FREQUENCY },
};
static const struct unit count[] = { { "", 0, UNITS_NONE } };
static const struct unit fraction[] = { { "", 6, UNITS_NONE } };

const struct unit_list units_time = { cost + 1, 5 };
const struct unit_list units_cost = { cost, 6 };
const struct unit_list units_frequency = { frequency, 4 };
const struct unit_list units_count = { count, 1 };
const struct unit_list units_fraction = { fraction, 1 };

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* number = number * 10 + digit; false when that does not fit. */
static bool push_digit(int64_t *number, int digit)
{
	return !__builtin_mul_overflow(*number, 10, number) && !__builtin_add_overflow(*number, digit, number);
}

static const struct unit *find_unit(struct unit_list list, const char *suffix)
{
	for (size_t i = 0; i < list.count; i++)
		if (strcmp(list.unit[i].suffix, suffix) == 0)
			return &list.unit[i];
	return NULL;
}

enum units_problem units_parse(const char *text, struct unit_list list, int64_t *number, const struct unit **which)
{
	const char *whole = text, *decimals, *suffix;
	size_t whole_length = 0, decimal_count = 0;
	const struct unit *unit;
	int64_t value = 0;

	if (text[0] == '-' && (is_digit(text[1]) || text[1] == '.'))
		return UNITS_NEGATIVE;
	while (is_digit(whole[whole_length]))
		whole_length++;
	if (whole_length == 0)
		return UNITS_NO_NUMBER;
	if (whole[0] == '0' && whole_length > 1)
		return UNITS_LEADING_ZERO;
	suffix = decimals = whole + whole_length;
	if (*suffix == '.') {
		decimals++;
		while (is_digit(decimals[decimal_count]))
			decimal_count++;
		if (decimal_count == 0)
			return UNITS_NO_NUMBER;
		suffix = decimals + decimal_count;
	}
	unit = find_unit(list, suffix);
	if (unit == NULL)
		return *suffix == '\0' ? UNITS_MISSING : UNITS_UNKNOWN;

	while (decimal_count > 0 && decimals[decimal_count - 1] == '0')
		decimal_count--;
	for (size_t i = 0; i < whole_length; i++)
		if (!push_digit(&value, whole[i] - '0'))
			return UNITS_TOO_LARGE;
	if (decimal_count > unit->power)
		return UNITS_TOO_PRECISE;
	for (size_t i = 0; i < unit->power; i++)
		if (!push_digit(&value, i < decimal_count ? decimals[i] - '0' : 0))
			return UNITS_TOO_LARGE;
	*number = value;
	*which = unit;
	return UNITS_FINE;
}

void units_format(int64_t number, const struct unit *unit, char *out, size_t size)
{
	int64_t step = 1, rest;
	char decimals[24] = "";

	for (unsigned i = 0; i < unit->power; i++)
		step *= 10;
	rest = number % step;
	if (rest != 0) {
		int length = snprintf(decimals, sizeof(decimals), ".%0*" PRId64, (int)unit->power, rest);

		while (decimals[length - 1] == '0')
			decimals[--length] = '\0';
	}
	snprintf(out, size, "%" PRId64 "%s%s", number / step, decimals, unit->suffix);
}

const struct unit *units_best(struct unit_list list, int family, int64_t number)
{
	const struct unit *best = NULL;

	for (size_t i = 0; i < list.count; i++) {
		const struct unit *unit = &list.unit[i];
		int64_t step = 1;

		if (unit->family != family)
			continue;
		for (unsigned p = 0; p < unit->power; p++)
			step *= 10;
		if (best == NULL || number >= step)
			best = unit;
	}
	return best;
}
