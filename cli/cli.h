// SPDX-License-Identifier: Apache-2.0
/*
 * The command line: what all commands share.
 *
 * A command writes to cli->out, which is memory; main() writes it to the real standard output in one go when the command
 * has succeeded. So a full disk is noticed, a closed pipe is no accident, and a failed command prints no half table.
 * Progress, the totals line and errors go to stderr.
 */
#ifndef CONVOY_CLI_CLI_H
#define CONVOY_CLI_CLI_H

#include <stdbool.h>
#include <stdio.h>

#include "base/result.h"
#include "cli/options.h"

enum format { FORMAT_TABLE, FORMAT_CSV, FORMAT_JSON, FORMAT_MARKDOWN };

struct cli {
	FILE *out;
	bool colour;                    /* standard output is a terminal and NO_COLOR is not set */
};

struct command {
	const char *name;
	const char *usage;              /* "STUDY [options]" */
	const char *summary;            /* one line, for the list of commands */
	const char *text;               /* some lines more, for its own help */
	const char *example;            /* one or more lines */
	const struct option_spec *(*options)(void);
	cv_result (*run)(struct cli *cli, const struct arguments *arguments);
};

extern const struct command command_run, command_show, command_validate, command_calibrate, command_sensitivity, command_params,
	command_hosts, command_kernels, command_workloads, command_studies, command_report;

/* "table", "csv", "json", and "md" where `markdown`. NULL text: table. */
cv_result format_parse(const char *text, bool markdown, enum format *out);

/* A heading line; bold on a terminal. */
void print_heading(struct cli *cli, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
