// SPDX-License-Identifier: Apache-2.0
/* One evaluation: simulate the fit rows' points with given parameter values, compare. Private to calibrate.c. */
#ifndef CONVOY_STUDY_RUN_CALIBRATE_RESIDUALS_H
#define CONVOY_STUDY_RUN_CALIBRATE_RESIDUALS_H

#include "study/run/calibrate.h"
#include "study/store/results.h"

struct fit_rows {
	struct arena arena;
	const struct study *study;
	struct results_measured *rows;  /* role is "fit" in every one; point is answered */
	size_t count;
	size_t held_dropped, unanswered;
};

/* Reads the measurement file and keeps the fit rows that a point of the study answers. */
cv_result fit_rows_load(const struct study *study, struct fit_rows *out);
void fit_rows_free(struct fit_rows *rows);

/* Simulates with `values` (one for each free parameter of the study). predicted[] gets one number for each row. */
cv_result fit_rows_predict(const struct fit_rows *rows, const int64_t *values,
			   const struct calibrate_options *options, double *predicted);

#endif
