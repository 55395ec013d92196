// SPDX-License-Identifier: Apache-2.0
/* Between calibrate.c, which knows the objective, and calibrate_search.c, which looks for its least value. */
#ifndef CONVOY_STUDY_RUN_CALIBRATE_SEARCH_H
#define CONVOY_STUDY_RUN_CALIBRATE_SEARCH_H

#include "study/run/calibrate_residuals.h"

struct search {
	const struct study *study;
	const struct calibrate_options *options;
	struct calibrate_outcome *outcome;
	struct arena *arena;
	struct fit_rows rows;
	int64_t *values;                /* of the next or latest evaluation, one for each free parameter */
	int64_t *best_values;           /* always within the bounds */
	double *predicted, *best_predicted;
	double best;
	unsigned evaluations;
};

/* Simulates with search->values; keeps the best. */
cv_result search_evaluate(struct search *search, double *objective);

/* Uses at most `budget` evaluations, give or take what a descent has begun. */
cv_result search_run(struct search *search, unsigned budget);

#endif
