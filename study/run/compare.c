// SPDX-License-Identifier: Apache-2.0
/* See compare.h. */
#include "study/run/compare.h"

#include <math.h>
#include <string.h>

#include "study/measurement.h"
#include "study/run/baseline.h"

static bool predict(const struct summary *summary, const struct results_measured *measured, double *out)
{
	const char *metric = measured->metric;

	if (strcmp(metric, "timer_10ms") == 0 && strcmp(measured->unit, "ns") == 0) {
		*out = summary->late_ns;
		return summary->late_ns > 0;
	}
	if (measurement_is_operation(metric) && strcmp(measured->unit, "ns") == 0) {
		*out = summary->predicted > 0 ? 1e9 / summary->predicted : 0;
		return summary->has_rate && summary->predicted > 0;
	}
	if (strcmp(metric, "exits") == 0) {
		*out = summary->predicted;
		return summary->has_rate;
	}
	if (strcmp(metric, "lock-queue-entries") == 0) {
		*out = summary->queue_entries;
		return true;
	}
	return false;
}

struct compare_row *compare_rows(struct results *results, const struct summary *summaries)
{
	struct compare_row *rows = arena_alloc(&results->arena, results->measured_count + 1, sizeof(*rows));

	for (size_t i = 0; i < results->measured_count; i++) {
		struct compare_row *row = &rows[i];

		row->measured = &results->measured[i];
		for (size_t p = 0; p < results->point_count; p++)
			if (results->points[p].id == row->measured->point && summaries[p].runs)
				row->summary = &summaries[p];
		if (!row->summary || !predict(row->summary, row->measured, &row->predicted))
			continue;
		row->has_prediction = true;
		row->error_pct = (row->predicted - row->measured->value) / row->measured->value * 100;
	}
	return rows;
}

struct compare_mean compare_mean_error(const struct compare_row *rows, size_t count, const char *role,
				       bool unexplained_too)
{
	struct compare_mean mean = {0};

	for (size_t i = 0; i < count; i++) {
		const struct results_measured *measured = rows[i].measured;

		if (!rows[i].has_prediction || strcmp(measured->metric, "exits") != 0 || measured->value == 0 ||
		    strcmp(measured->role, role) != 0 || (!unexplained_too && baseline_unexplained(measured)))
			continue;
		mean.mean += fabs(rows[i].error_pct);
		mean.count++;
	}
	mean.mean = mean.count ? mean.mean / (double)mean.count : 0;
	return mean;
}
