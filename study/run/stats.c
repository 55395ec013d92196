// SPDX-License-Identifier: Apache-2.0
/* The rules of stats.h. Sums run in a fixed order, so that the same numbers give the same bytes. */
#include "study/run/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Limits of the rules, explained in stats.h. */
static const double LEAST_DIFFERENCE = 0.05;
static const double LEAST_SPREADS = 4.0;
static const double LEAST_ERRORS = 5.0;
enum { LEAST_VALUES = 3, LEAST_SIDE = 3 };

double stats_student_975(size_t degrees_of_freedom)
{
	static const double table[] = {
		0,      12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145,
		2.131,  2.120,  2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045,
		2.042};
	double n = (double)degrees_of_freedom;

	if (degrees_of_freedom < sizeof(table) / sizeof(table[0]))
		return table[degrees_of_freedom];
	/* Expansion around the normal quantile z in powers of 1/n. */
	const double z = 1.959964;

	return z + (z * z * z + z) / (4 * n) + (5 * z * z * z * z * z + 16 * z * z * z + 3 * z) / (96 * n * n);
}

static double mean_of(const double *values, size_t count)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += values[i];
	return count ? sum / (double)count : 0;
}

static double squares_around_mean(const double *values, size_t count)
{
	double mean = mean_of(values, count), sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += (values[i] - mean) * (values[i] - mean);
	return sum;
}

struct stats_estimate stats_estimate(const double *values, size_t count)
{
	struct stats_estimate estimate = {.count = count, .mean = mean_of(values, count)};

	if (count >= 2) {
		double variance = squares_around_mean(values, count) / (double)(count - 1);

		estimate.half_width = stats_student_975(count - 1) * sqrt(variance / (double)count);
	}
	return estimate;
}

static int by_value(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;

	return (left > right) - (left < right);
}

/* The cut with the smallest sum of squares within both sides: the size of the lower side. */
static size_t best_cut(const double *values, size_t count, size_t least_side, double *squares)
{
	size_t best = 0;

	for (size_t cut = least_side; cut + least_side <= count; cut++) {
		double sum = squares_around_mean(values, cut) + squares_around_mean(values + cut, count - cut);

		if (best == 0 || sum < *squares) {
			best = cut;
			*squares = sum;
		}
	}
	return best;
}

static double median_of_sorted(const double *sorted, size_t count)
{
	return count % 2 ? sorted[count / 2] : (sorted[count / 2 - 1] + sorted[count / 2]) / 2;
}

struct stats_states stats_states(const double *values, size_t count)
{
	struct stats_states states = {0};
	double *sorted, squares = 0;

	if (count < LEAST_VALUES)
		return states;
	sorted = malloc(count * sizeof(*sorted));
	if (!sorted)
		abort();
	memcpy(sorted, values, count * sizeof(*sorted));
	qsort(sorted, count, sizeof(*sorted), by_value);
	size_t cut = best_cut(sorted, count, 1, &squares);
	double gap = mean_of(sorted + cut, count - cut) - mean_of(sorted, cut);
	double spread = sqrt(squares / (double)(count - 2));

	states.two = gap > LEAST_DIFFERENCE * median_of_sorted(sorted, count) && gap > LEAST_SPREADS * spread;
	if (states.two) {
		states.low = stats_estimate(sorted, cut);
		states.high = stats_estimate(sorted + cut, count - cut);
	}
	free(sorted);
	return states;
}

struct stats_change stats_change(const uint64_t *windows, size_t count)
{
	struct stats_change change = {0};
	double *values, squares = 0;

	if (count < 2 * LEAST_SIDE)
		return change;
	values = malloc(count * sizeof(*values));
	if (!values)
		abort();
	for (size_t i = 0; i < count; i++)
		values[i] = (double)windows[i];
	size_t cut = best_cut(values, count, LEAST_SIDE, &squares);
	double variance = squares / (double)(count - 2);
	double error = sqrt(variance * (1.0 / (double)cut + 1.0 / (double)(count - cut)));

	change.checked = true;
	change.at = cut;
	change.before = mean_of(values, cut);
	change.after = mean_of(values + cut, count - cut);
	double difference = fabs(change.after - change.before);

	change.changed = difference > LEAST_DIFFERENCE * mean_of(values, count) && difference > LEAST_ERRORS * error;
	free(values);
	return change;
}
