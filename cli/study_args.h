// SPDX-License-Identifier: Apache-2.0
/* Options that several commands share: which study with which changes, how to run it. */
#ifndef CONVOY_CLI_STUDY_ARGS_H
#define CONVOY_CLI_STUDY_ARGS_H

#include "cli/cli.h"
#include "study/run/runner.h"
#include "study/run/study_run.h"
#include "study/study.h"

#define STUDY_OPTIONS                                                                                      \
	{"set", 0, "NAME=VALUE", "change a parameter in every variant; may be given several times", true}, \
	{"replications", 0, "N", "repetitions of each point", false}

#define RUN_OPTIONS                                                                                        \
	{"jobs", 'j', "N", "simulations in parallel (default: the CPUs online)", false},                   \
	{"quiet", 'q', NULL, "no progress and no totals on stderr", false}

/* Loads the study with --set and --replications applied. */
cv_result study_from_arguments(const struct arguments *arguments, const char *name_or_path, struct study *out);

/* The same without the check of its points (study_load_unchecked). */
cv_result study_unchecked_from_arguments(const struct arguments *arguments, const char *name_or_path, struct study *out);

/* -j and --quiet. */
cv_result run_options_from_arguments(const struct arguments *arguments, struct run_options *out);

/* "convoy run x.yaml --set 'a=b'": the line as one would type it. Lives until the process ends. */
const char *command_line(const struct arguments *arguments);

/* The same without --fresh: the line that goes on with what is there. */
const char *command_line_to_go_on(const struct arguments *arguments);

/* stderr: "56 points, 280 runs in 24 s: …". Nothing when quiet or nothing was run. */
void print_totals(const struct study_run_outcome *outcome, const struct run_options *options);

#endif
