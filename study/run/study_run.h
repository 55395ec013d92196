// SPDX-License-Identifier: Apache-2.0
/* Simulates a study into a results file: what is there already is skipped, every finished run is kept. */
#ifndef CONVOY_STUDY_RUN_STUDY_RUN_H
#define CONVOY_STUDY_RUN_STUDY_RUN_H

#include "study/run/plan.h"
#include "study/run/runner.h"

struct study_run_options {
	const char *path;               /* results file */
	const char *command;            /* kept with the results */
	bool fresh;                     /* replace the results of another study */
	struct run_options run;
};

struct study_run_outcome {
	struct run_totals totals;
	size_t points, runs;            /* planned now */
	size_t skipped;                 /* wanted, but there already */
	size_t kept;                    /* runs in the file afterwards */
};

/* Errors as of run_jobs and store_open. After CV_INTERRUPTED and CV_CHILD_FAILED `outcome` says what is kept. */
cv_result study_run(const struct study *study, const struct selection *selection,
		    const struct study_run_options *options, struct study_run_outcome *outcome);

#endif
