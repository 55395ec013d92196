// SPDX-License-Identifier: Apache-2.0
/* See help.h. */
#include "cli/help.h"

#include <string.h>

#include "cli/text.h"
#include "study/nearest.h"

const struct command *const commands[] = {
	&command_run, &command_show, &command_validate, &command_calibrate, &command_sensitivity,
	&command_report, &command_params, &command_hosts, &command_kernels, &command_workloads, &command_studies, NULL};

void help_all(FILE *out)
{
	fputs("convoy predicts where a many-core arm64 KVM host stops scaling, and says why.\n\n"
	      "Usage: convoy COMMAND [arguments]\n\nCommands:\n", out);
	for (const struct command *const *command = commands; *command; command++)
		fprintf(out, "  %-11s  %s\n", (*command)->name, (*command)->summary);
	fputs("\n`convoy COMMAND --help` says more about one. `convoy --version` prints the version.\n\n"
	      "Example:\n"
	      "  convoy run timer-descriptor-lock && convoy report timer-descriptor-lock.db\n", out);
}

/* "-f, --format table|csv|json" */
static void option_text(const struct option_spec *spec, char *out, size_t size)
{
	char letter[8] = "    ";

	if (spec->letter)
		snprintf(letter, sizeof(letter), "-%c, ", spec->letter);
	snprintf(out, size, "%s--%s%s%s", letter, spec->name, spec->argument ? " " : "", spec->argument ? spec->argument : "");
}

static void option_line(FILE *out, const char *left, size_t width, const char *help)
{
	fprintf(out, "  %s%*s  %s\n", left, (int)(width - text_width(left)), "", help);
}

void help_command(FILE *out, const struct command *command)
{
	static const char help_option[] = "-h, --help";
	size_t width = text_width(help_option);
	char left[64];

	fprintf(out, "Usage: convoy %s %s\n\n%s\n\nOptions:\n", command->name, command->usage, command->text);
	for (const struct option_spec *spec = command->options(); spec->name; spec++) {
		option_text(spec, left, sizeof(left));
		width = text_width(left) > width ? text_width(left) : width;
	}
	for (const struct option_spec *spec = command->options(); spec->name; spec++) {
		option_text(spec, left, sizeof(left));
		option_line(out, left, width, spec->help);
	}
	option_line(out, help_option, width, "this text");
	fprintf(out, "\nExample:\n%s\n", command->example);
}

cv_result command_find(const char *name, const struct command **out)
{
	struct nearest near = nearest_to(name);

	for (const struct command *const *command = commands; *command; command++) {
		if (strcmp((*command)->name, name) == 0) {
			*out = *command;
			return CV_OK;
		}
		nearest_offer(&near, (*command)->name);
	}
	RETURN_ERROR(CV_BAD_INPUT, "unknown command %s: did you mean %s? (`convoy --help` lists them)", name, near.name);
}
