// SPDX-License-Identifier: Apache-2.0
/*
 * For the tests of runner, store and calibration: a study of tests/cli/data and simulations that cost nothing. They are
 * handed to the runner in the place of simulate_point(); nothing outside the tests uses them.
 */
#ifndef CONVOY_TESTS_CLI_SAMPLE_H
#define CONVOY_TESTS_CLI_SAMPLE_H

#include "study/run/runner.h"
#include "study/study.h"

/* Loads tests/cli/data/small.yaml; fails the test when that fails. */
void sample_study(struct study *study, const struct study_override *sets, size_t set_count);

/* A result with rows of each kind; all numbers follow from the parameters and the replication. */
cv_result sample_simulate(const struct param_set *params, uint32_t replication, struct sim_result *out);

/* Exits/s/vCPU = 1 / (2 us + vmm_work + 2 × line.base × max(0, vCPUs - 4)), exact: for calibration. */
cv_result sample_simulate_smooth(const struct param_set *params, uint32_t replication, struct sim_result *out);

/* A file of its own in a folder of its own; sample_remove removes both and what SQLite left beside it. */
const char *sample_file(const char *name);
void sample_remove(const char *path);

#endif
