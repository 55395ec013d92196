// SPDX-License-Identifier: Apache-2.0
/*
 * Calibration: moves the study's free parameters within their bounds until the model agrees best with the `fit` rows of the
 * measurement file.
 *
 * Objective: the mean over the fit rows of (error / measured)². Held rows are dropped when the rows are read, before
 * anything is simulated; nothing of them reaches the objective. Every evaluation simulates the same points with the same
 * seeds, so the objective is a function, without noise between calls, and two runs of a calibration give the same values.
 * Method: BOBYQA (Powell) and Subplex (Rowan) by turns, as NLopt has them; both need no derivatives and cope with bounds.
 *
 * What the fit rows cannot tell is said: how the objective changes for ±10 % of each parameter, which parameters ended on
 * a bound, and which pairs change the rows in the same proportion, so that only a combination of them is determined.
 */
#ifndef CONVOY_STUDY_RUN_CALIBRATE_H
#define CONVOY_STUDY_RUN_CALIBRATE_H

#include "study/run/runner.h"
#include "study/store/arena.h"
#include "study/study.h"

struct calibrate_row {                  /* one fit row */
	const char *point_text, *metric;
	double measured, start, end;    /* start, end: predicted */
};

struct calibrate_param {
	enum param_id id;
	struct param_value start, end;  /* `where` and `source` are not set in `end` */
	bool on_low, on_high;           /* ended on a bound */
	double minus, plus;             /* objective with 10 % less and 10 % more, clamped to the bounds */
};

struct calibrate_pair { size_t a, b; double likeness; };   /* |cosine| of their effects on the rows, 0 … 1 */

struct calibrate_step { unsigned evaluation; double objective; bool best; };

struct calibrate_options {
	unsigned budget;                /* evaluations of the search; the sensitivity takes two for each parameter more */
	uint32_t replications;          /* of each point */
	struct run_options run;
	void (*step)(void *context, const struct calibrate_step *step);   /* may be NULL */
	void *context;
};

struct calibrate_outcome {
	struct arena arena;
	struct calibrate_row *rows;
	struct calibrate_param *params;
	struct calibrate_pair *pairs;   /* those that the rows cannot separate, most alike first */
	size_t row_count, param_count, pair_count;
	size_t held_dropped;            /* rows that were not looked at */
	size_t unanswered;              /* fit rows that no point of the study answers */
	unsigned evaluations;
	double objective_start, objective_end;
};

/* Errors: no free parameters or no fit row that a point answers (CV_BAD_INPUT), and those of run_jobs. */
cv_result calibrate(const struct study *study, const struct calibrate_options *options,
		    struct calibrate_outcome *outcome);

/* Root of the mean squared relative error, in percent, that belongs to an objective. */
double calibrate_rms_pct(double objective);

void calibrate_free(struct calibrate_outcome *outcome);

#endif
