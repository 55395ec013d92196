// SPDX-License-Identifier: Apache-2.0
/*
 * Decimal numbers with a unit, read and written exactly: "0.45ns" is 450 ps, "12.5cycles" is 12500 thousandths.
 *
 * All arithmetic is on integers. A unit is a power of ten of the stored integer's step, so a number is representable
 * or it is refused; nothing is ever rounded. Accepted: digits, optionally a point and digits, then the unit at once.
 * Not accepted: signs, exponents, blanks, digit separators, leading zeros ("012" would be octal in YAML 1.1).
 */
#ifndef CONVOY_STUDY_UNITS_H
#define CONVOY_STUDY_UNITS_H

#include <stddef.h>
#include <stdint.h>

struct unit {
	const char *suffix;  /* "" for plain numbers */
	unsigned power;      /* one of this unit is 10^power steps of the stored integer */
	int family;          /* equal for units of the same quantity */
};

enum { UNITS_TIME, UNITS_CYCLES, UNITS_FREQUENCY, UNITS_NONE };

/* Longest unit last within a family. units_cost is units_cycles and units_time together. */
struct unit_list {
	const struct unit *unit;
	size_t count;
};

extern const struct unit_list units_time;       /* ps, ns, us, ms, s; steps of 1 ps */
extern const struct unit_list units_cost;       /* cycles in thousandths, and the times */
extern const struct unit_list units_frequency;  /* Hz … GHz; steps of 1 Hz */
extern const struct unit_list units_count;      /* no unit, whole */
extern const struct unit_list units_fraction;   /* no unit, steps of a millionth */

enum units_problem {
	UNITS_FINE,
	UNITS_NO_NUMBER,     /* does not start with a number */
	UNITS_NEGATIVE,
	UNITS_LEADING_ZERO,
	UNITS_MISSING,       /* a number, but no unit where one is needed */
	UNITS_UNKNOWN,       /* a number, and something that is not one of the units */
	UNITS_TOO_PRECISE,   /* not a whole number of steps */
	UNITS_TOO_LARGE      /* more than 2^63-1 steps */
};

/* On UNITS_FINE, *number is the count of steps and *which the unit that was written. */
enum units_problem units_parse(const char *text, struct unit_list list, int64_t *number, const struct unit **which);

/* Writes number >= 0 with the given unit, without needless zeros: 450 in ns is "0.45ns". */
void units_format(int64_t number, const struct unit *unit, char *out, size_t size);

/* The largest unit of the family in which the number is at least 1; for less, the smallest. */
const struct unit *units_best(struct unit_list list, int family, int64_t number);

#endif
