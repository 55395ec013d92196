// SPDX-License-Identifier: Apache-2.0
/* Help texts and the list of commands. */
#ifndef CONVOY_CLI_HELP_H
#define CONVOY_CLI_HELP_H

#include "cli/cli.h"

/* All commands, NULL at the end. */
extern const struct command *const commands[];

void help_all(FILE *out);
void help_command(FILE *out, const struct command *command);

/* The command of this name; the error names the nearest one. */
cv_result command_find(const char *name, const struct command **out);

#endif
