// SPDX-License-Identifier: Apache-2.0
/*
 * What a handful of replications says: a mean with its confidence interval, one state or two, settled or not.
 *
 * Near the knee of a lock two states sustain themselves (nobody queues, everybody queues), and a replication may fall
 * into either or switch between them. A mean over both describes neither. The rules:
 *
 * Two states. The rates of the replications (three or more) are sorted and cut into two groups where the sum of squares
 * within the groups is smallest. They are two states when the groups' means differ by more than 5 % of the median and
 * by more than four times the pooled standard deviation within the groups. Then each group is shown with its size.
 *
 * Change of state. The measured windows of one replication are cut in two where the difference of the means explains
 * most, with at least three windows on each side. The replication changed state when the means differ by more than 5 %
 * of the window mean and by more than five standard errors. It needs six windows. Such a replication counts, in the mean
 * and in the rule above, with the state it ended in. A slow drift is caught by the same rule.
 */
#ifndef CONVOY_STUDY_RUN_STATS_H
#define CONVOY_STUDY_RUN_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The 97.5 % quantile of Student's t: the factor of a two-sided 95 % interval. Up to 30 degrees of freedom exact to the
 * three decimals of printed tables, beyond that within 0.001. */
double stats_student_975(size_t degrees_of_freedom);

struct stats_estimate {
	size_t count;
	double mean;
	double half_width;              /* of the 95 % interval; 0 with fewer than two values: `count` tells */
};

struct stats_estimate stats_estimate(const double *values, size_t count);

struct stats_states {
	bool two;
	struct stats_estimate low, high;   /* only when `two` */
};

/* Do the values fall into two groups? The order of `values` does not matter. */
struct stats_states stats_states(const double *values, size_t count);

struct stats_change {
	bool checked;                   /* there were enough windows to tell */
	bool changed;
	size_t at;                      /* first window of the new state */
	double before, after;           /* mean per window */
};

/* Does the level change inside a run of windows? */
struct stats_change stats_change(const uint64_t *windows, size_t count);

#endif
