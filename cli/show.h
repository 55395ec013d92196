// SPDX-License-Identifier: Apache-2.0
/*
 * Showing a results file, in the order of a reader's questions: how does it scale, why, how far can I trust it.
 * Used by `show` and at the end of `run`.
 */
#ifndef CONVOY_CLI_SHOW_H
#define CONVOY_CLI_SHOW_H

#include "cli/cli.h"
#include "cli/table.h"
#include "study/run/compare.h"
#include "study/store/results.h"

struct show_options {
	enum format format;
	const char *point;              /* "variant=NAME AXIS=VALUE", either part may be left out; NULL: all */
	bool locks, time, limits, kinds;       /* these tables in full; none: everything in a compact form */
};

/* What the parts work on. */
struct show {
	struct cli *cli;
	struct results *results;
	const struct show_options *options;
	struct summary *summaries;      /* one for each point */
	struct compare_row *rows;       /* one for each measured row */
	bool *selected;                 /* one for each point */
};

cv_result show_file(struct cli *cli, const char *path, const struct show_options *options);

/* The parts. Tables are filled for the selected points; the caller prints and frees them. */
void show_curve_table(const struct show *show, struct table *table);
/* One row for each variant: first and last rate, knee, what is waited for; and the heading above it. */
void show_limits_table(const struct show *show, struct table *table);
void show_limits_heading(const struct show *show);
/* Whether a variant has two points: with one there is no curve to speak of. */
bool show_has_limits(const struct show *show);
/* Exits of each kind and what they cost, for workloads that count kinds; else no rows. few: as below. */
void show_kinds_table(const struct show *show, struct table *table, bool few);
/* For an overview: the ends of a variant's curve and two points between. */
bool show_one_of_few(const struct show *show, size_t point);
/* Empty unless runs have the scheduler. */
void show_sleep_table(const struct show *show, struct table *table);
/* Shares by reason; few: four points of each variant. */
void show_time_table(const struct show *show, struct table *table, bool few);
void show_stack_table(const struct show *show, struct table *table);          /* shares by function and reason */
void show_lock_table(const struct show *show, struct table *table, bool only_point, size_t point);
void show_measured_table(const struct show *show, struct table *table);
/* How many bytes the points of the measured rows share at their start. */
size_t show_shared_words(const struct show *show);
void show_trust(const struct show *show);                                     /* the lines below the measured table */

/* The error of a row in percent, "" without a prediction and beside a what-if. */
const char *show_error(struct arena *arena, enum format format, const struct compare_row *row);

/* 12345678 ps as "12.35 us", in the manner of perf. */
const char *show_duration(struct arena *arena, double ps);

#endif
