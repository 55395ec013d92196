// SPDX-License-Identifier: Apache-2.0
/*
 * A small option parser: --name value, --name=value, -x value, flags, "--" ends the options. Unknown options are refused
 * with the nearest known one. getopt_long is not used because it prints its own messages and accepts abbreviations,
 * which would make a new option break old scripts.
 */
#ifndef CONVOY_CLI_OPTIONS_H
#define CONVOY_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/result.h"

struct command;

struct option_spec {
	const char *name;               /* without the dashes; NULL ends the table */
	char letter;                    /* 0: none */
	const char *argument;           /* NULL: a flag; else its name for the help */
	const char *help;
	bool many;                      /* may be given several times */
};

struct option_value { const struct option_spec *spec; const char *value; };   /* value: "" for a flag */

struct arguments {
	const struct option_value *options;
	size_t option_count;
	const char *const *words;       /* what is no option */
	size_t word_count;
	char *const *argv;              /* the whole line, from the command's name on */
	int argc;
	bool help;                      /* --help or -h was there */
};

/* argv[0] is the command's name. The arrays live until the process ends. */
cv_result options_parse(const struct command *command, int argc, char **argv, struct arguments *out);

/* The value of an option, or NULL when it was not given. */
const char *option_value(const struct arguments *arguments, const char *name);
bool option_given(const struct arguments *arguments, const char *name);

/* A whole number between the limits, or `fallback` when the option was not given. */
cv_result option_number(const struct arguments *arguments, const char *name, unsigned long minimum,
			unsigned long maximum, unsigned long fallback, unsigned long *out);

/* Refuses more or fewer words than allowed; `what` names them: "one study". */
cv_result options_words(const struct arguments *arguments, size_t minimum, size_t maximum, const char *what);

#endif
