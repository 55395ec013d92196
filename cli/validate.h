// SPDX-License-Identifier: Apache-2.0
/* The rows that `convoy validate` prints: every row of every measurement file concerned. Private to cmd_validate.c. */
#ifndef CONVOY_CLI_VALIDATE_H
#define CONVOY_CLI_VALIDATE_H

#include "cli/cli.h"
#include "study/run/baseline.h"
#include "study/run/compare.h"

struct validate_row {
	struct results_measured measured;
	bool has_prediction, has_baseline;
	double predicted, error_pct, baseline, baseline_pct;
	const char *note;               /* "" or what to know: two states, unexplained */
	bool unexplained;
};

struct validate_rows {
	struct arena arena;
	struct validate_row *rows;
	size_t count, size;
};

/* Adds the rows of a results file; rows that are there already get their prediction if they have none yet. */
cv_result validate_add_results(struct validate_rows *rows, const char *path);

/* Adds the rows of a measurement file that no study answers. */
cv_result validate_add_measurement(struct validate_rows *rows, const char *name);

/* Fills in the baselines of all rows. */
void validate_add_baselines(struct validate_rows *rows);

void validate_print(const struct validate_rows *rows, struct cli *cli, enum format format);
void validate_free(struct validate_rows *rows);

#endif
