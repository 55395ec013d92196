// SPDX-License-Identifier: Apache-2.0
/* The command `convoy`: finds the command, runs it, writes its output, turns errors into one line and an exit code. */
#include <errno.h>
#include <stdarg.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/help.h"
#include "study/store/store.h"

cv_result format_parse(const char *text, bool markdown, enum format *out)
{
	static const char *const names[] = {"table", "csv", "json", "md"};

	*out = FORMAT_TABLE;
	if (!text)
		return CV_OK;
	for (int i = 0; i < (markdown ? 4 : 3); i++) {
		if (strcmp(text, names[i]) == 0) {
			*out = (enum format)i;
			return CV_OK;
		}
	}
	RETURN_ERROR(CV_BAD_INPUT, "--format: \"%s\" is not one of table, csv, json%s", text, markdown ? ", md" : "");
}

void print_heading(struct cli *cli, const char *format, ...)
{
	va_list arguments;

	fputs(cli->colour ? "\033[1;36m" : "", cli->out);
	va_start(arguments, format);
	vfprintf(cli->out, format, arguments);
	va_end(arguments);
	fputs(cli->colour ? "\033[0m\n" : "\n", cli->out);
}

/* Writes everything, or says why not. A reader that went away (`convoy show x | head`) has what it wanted. */
static cv_result write_output(const char *text, size_t size)
{
	for (size_t done = 0; done < size;) {
		ssize_t n = write(STDOUT_FILENO, text + done, size - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EPIPE)
			return CV_OK;
		RETURN_ERROR_IF(n < 0, CV_IO, "cannot write the output: %s", strerror(errno));
		done += (size_t)n;
	}
	return CV_OK;
}

static cv_result run_command(struct cli *cli, int argc, char **argv)
{
	const struct command *command;
	struct arguments arguments;

	if (argc < 2) {
		help_all(stderr);
		RETURN_ERROR(CV_BAD_INPUT, "a command is missing");
	}
	if (strcmp(argv[1], "--version") == 0) {
		fprintf(cli->out, "convoy %s\n", store_version());
		return CV_OK;
	}
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
		if (argc < 3) {
			help_all(cli->out);
			return CV_OK;
		}
		FORWARD_IF_ERROR(command_find(argv[2], &command));
		help_command(cli->out, command);
		return CV_OK;
	}
	FORWARD_IF_ERROR(command_find(argv[1], &command));
	FORWARD_IF_ERROR(options_parse(command, argc - 1, argv + 1, &arguments));
	if (arguments.help) {
		help_command(cli->out, command);
		return CV_OK;
	}
	return command->run(cli, &arguments);
}

int main(int argc, char **argv)
{
	const char *no_colour = getenv("NO_COLOR");
	struct cli cli = {.colour = isatty(STDOUT_FILENO) && !(no_colour && *no_colour)};
	char *text = NULL;
	size_t size = 0;

	/* A pipe that nobody reads and a file that may not grow are errors of a write, not reasons to die. */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	cli.out = open_memstream(&text, &size);
	if (!cli.out) {
		fprintf(stderr, "convoy: out of memory\n");
		return 1;
	}
	cv_result result = run_command(&cli, argc, argv);

	fclose(cli.out);
	/* What a failed command has already to show (an interrupted run's table) is shown; a child's error is not. */
	if (size) {
		char *error = strdup(cv_error_text());
		cv_result written = write_output(text, size);

		if (result == CV_OK)
			result = written;
		else if (error)
			cv_error_set(result, "%s", error);
		free(error);
	}
	free(text);
	if (result != CV_OK)
		fprintf(stderr, "convoy: %s\n", cv_error_text());
	return cv_exit_code(result);
}
