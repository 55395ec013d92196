// SPDX-License-Identifier: Apache-2.0
/* See compare.h. */
#include "study/run/compare.h"

#include <math.h>
#include <string.h>

#include "study/measurement.h"
#include "study/run/baseline.h"
#include "study/study.h"

/* Time of one operation in the unit of the row. */
static bool operation_time(const struct summary *summary, const struct results_measured *measured, double *out)
{
	double ns = measured->quantity == QUANTITY_MINIMUM ? summary->shortest_ns :
		    summary->predicted > 0 ? 1e9 / summary->predicted : 0;

	if (!summary->has_rate || ns <= 0)
		return false;
	if (strcmp(measured->unit, "cycles") == 0 && measured->clock_hz)
		*out = ns * (double)measured->clock_hz / 1e9;
	else if (strcmp(measured->unit, "ns") == 0)
		*out = ns;
	else
		return false;
	return true;
}

static bool predict(const struct summary *summary, const struct results_measured *measured, double *out)
{
	const char *metric = measured->metric;

	if (strcmp(metric, "timer_10ms") == 0 && strcmp(measured->unit, "ns") == 0) {
		*out = summary->late_ns;
		return summary->late_ns > 0;
	}
	if (measured->quantity != QUANTITY_BY_METRIC || measurement_is_operation(metric))
		return operation_time(summary, measured, out);
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

static const struct summary *summary_of(const struct results *results, const struct summary *summaries, int64_t point)
{
	for (size_t p = 0; p < results->point_count; p++)
		if (results->points[p].id == point && summaries[p].runs)
			return &summaries[p];
	return NULL;
}

/* The point's value, less that of the other one where the row is a difference. */
static bool predict_row(const struct results *results, const struct summary *summaries, struct compare_row *row)
{
	const struct results_measured *measured = row->measured;
	const struct summary *minus = summary_of(results, summaries, measured->minus);
	double taken_off = 0;

	if (!row->summary || !predict(row->summary, measured, &row->predicted))
		return false;
	if (measured->minus >= 0 && (!minus || !predict(minus, measured, &taken_off)))
		return false;
	row->predicted -= taken_off;
	return true;
}

bool compare_is_what_if(const struct results *results, uint32_t point)
{
	for (size_t i = 0; i < results->param_count; i++) {
		const struct results_param *param = &results->params[i];

		if ((param->point == -1 || param->point == (int64_t)point) && strstr(param->source, STUDY_WHAT_IF))
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
		row->summary = summary_of(results, summaries, row->measured->point);
		row->what_if = row->summary && (compare_is_what_if(results, row->summary->point->id) ||
						(row->measured->minus >= 0 &&
						 compare_is_what_if(results, (uint32_t)row->measured->minus)));
		row->has_prediction = predict_row(results, summaries, row);
		if (row->has_prediction)
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

		if (!rows[i].has_prediction || rows[i].what_if || strcmp(measured->metric, "exits") != 0 || measured->value == 0 ||
		    strcmp(measured->role, role) != 0 || (!unexplained_too && baseline_unexplained(measured)))
			continue;
		mean.mean += fabs(rows[i].error_pct);
		mean.count++;
	}
	mean.mean = mean.count ? mean.mean / (double)mean.count : 0;
	return mean;
}
