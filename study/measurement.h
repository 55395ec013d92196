// SPDX-License-Identifier: Apache-2.0
/*
 * Measured values, as published: configs/measurements/NAME.csv.
 *
 * The header names the columns. Those before `metric` say what was measured (the axes: host, kernel, vcpus, …); then come
 * metric, unit, value and role, in this order. A row's role is `fit` (may steer calibration) or `held` (may only be
 * compared with afterwards). Fields may be quoted as in RFC 4180, but hold no line ends.
 */
#ifndef CONVOY_STUDY_MEASUREMENT_H
#define CONVOY_STUDY_MEASUREMENT_H

#include <stdbool.h>

#include "study/study.h"

enum measurement_role { MEASUREMENT_FIT, MEASUREMENT_HELD };

struct measurement_row {
	unsigned line;             /* in the file, from 1 */
	const char *point;         /* "host=ampere-altra-32 kernel=before …": the axes in column order, empty ones left out */
	const char *const *axes;   /* one text for each column of the measurement, "" where the row says nothing */
	const char *metric, *unit;
	const char *value_text;    /* as written */
	double value;
	enum measurement_role role;
};

struct measurement {
	const char *name, *path;
	const char *const *columns;  /* the axes' names */
	size_t column_count;
	const struct measurement_row *rows;
	size_t row_count;
};

/* `name_or_path`: a catalogue name, or a path ending in .csv. Everything lives until the process ends. */
cv_result measurement_load(const char *name_or_path, struct measurement *out);

/* The same from memory. */
cv_result measurement_parse(const char *path, const char *text, size_t size, struct measurement *out);

/* The index of an axis column, or -1. */
int measurement_column(const struct measurement *measurement, const char *name);

const char *measurement_role_name(enum measurement_role role);

/* Whether a metric is the name of a micro-benchmark's operation (workload.exit): a row of it gives a time per operation. */
bool measurement_is_operation(const char *metric);

/* Whether a variant answers a row at some place of the axis: its matches hold, and the metric is one of its metrics:, or
 * without these, if either is about an operation, the name of the one that the variant repeats. */
bool measurement_row_matches(const struct measurement *measurement, const struct measurement_row *row,
			     const struct study_variant *variant);

/* The point of the study that answers a row: the variant that matches and the axis value in the axis column, or the axis'
 * only value when the file has no such column. False when there is none. study_load has checked that there is never more
 * than one. */
struct measurement_answer {
	size_t variant, axis_index;
	bool difference;
	size_t minus;                  /* another variant, at the same place of the axis */
	enum study_quantity quantity;
};
bool measurement_point(const struct measurement *measurement, const struct measurement_row *row,
		       const struct study *study, struct measurement_answer *out);

#endif
