// SPDX-License-Identifier: Apache-2.0
/*
 * convoy report: starts the page writer, reports/convoy_report.py. It needs a Python that has matplotlib, which the first
 * python3 on PATH need not be; dygraphs comes from Debian's libjs-dygraphs. Both are looked for before it starts, so that
 * what is missing is named with its package.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/cli.h"
#include "study/keep.h"
#include "study/store/results.h"

static const struct option_spec *options(void)
{
	static const struct option_spec specs[] = {
		{"output", 'o', "PAGE.html", "the page (default: the results file's name with .html)", false},
		{0}};

	return specs;
}

static const char *find_script(void)
{
	static const char *const places[] = {CONVOY_SOURCE_REPORTS "/convoy_report.py",
					     CONVOY_INSTALLED_REPORTS "/convoy_report.py"};

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		if (access(places[i], R_OK) == 0)
			return places[i];
	return NULL;
}

/* Runs a program and waits. Returns its exit code, 127 when it cannot be started, 128 + signal when it was killed. */
static int run_program(char *const *argv, bool silent)
{
	int status = 0;
	pid_t pid = fork();

	if (pid == 0) {
		if (silent) {
			int null = open("/dev/null", O_RDWR);

			dup2(null, STDOUT_FILENO);
			dup2(null, STDERR_FILENO);
		}
		execvp(argv[0], argv);
		_exit(127);
	}
	if (pid < 0)
		return 127;
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static bool has_matplotlib(const char *python)
{
	char *const argv[] = {(char *)python, "-c", "import matplotlib", NULL};

	return run_program(argv, true) == 0;
}

static cv_result find_python(const char **out)
{
	const char *chosen = getenv("CONVOY_PYTHON");
	const char *const candidates[] = {"/usr/bin/python3", "python3"};

	if (chosen && *chosen) {
		RETURN_ERROR_IF(!has_matplotlib(chosen), CV_NOT_FOUND,
				"CONVOY_PYTHON=%s: cannot be started or has no matplotlib", chosen);
		*out = chosen;
		return CV_OK;
	}
	for (size_t i = 0; i < 2; i++) {
		if (has_matplotlib(candidates[i])) {
			*out = candidates[i];
			return CV_OK;
		}
	}
	RETURN_ERROR(CV_NOT_FOUND, "no Python with matplotlib found: install the Debian package python3-matplotlib, "
				   "or name another Python in CONVOY_PYTHON");
}

static const char *default_output(const char *database)
{
	size_t length = strlen(database);

	if (length > 3 && strcmp(database + length - 3, ".db") == 0)
		length -= 3;
	return keep_textf("%.*s.html", (int)length, database);
}

static cv_result run(struct cli *cli, const struct arguments *arguments)
{
	const char *python = NULL, *script = find_script(), *output = option_value(arguments, "output");
	struct results head;

	FORWARD_IF_ERROR(options_words(arguments, 1, 1, "one results file"));
	/* The same messages for a wrong file as everywhere else. */
	FORWARD_IF_ERROR(results_read_head(arguments->words[0], &head));
	results_free(&head);
	RETURN_ERROR_IF(!script, CV_NOT_FOUND, "the page writer convoy_report.py is neither in %s nor in %s",
			CONVOY_SOURCE_REPORTS, CONVOY_INSTALLED_REPORTS);
	RETURN_ERROR_IF(access("/usr/share/javascript/dygraphs", R_OK) != 0, CV_NOT_FOUND,
			"dygraphs is missing: install the Debian package libjs-dygraphs");
	FORWARD_IF_ERROR(find_python(&python));
	if (!output)
		output = default_output(arguments->words[0]);
	char *const argv[] = {(char *)python, (char *)script, (char *)arguments->words[0], "-o", (char *)output, NULL};
	int code = run_program(argv, false);

	RETURN_ERROR_IF(code == 2, CV_BAD_INPUT, "no page was written (see the line above)");
	RETURN_ERROR_IF(code == 128 + 2 || code == 130, CV_INTERRUPTED, "interrupted; no page was written");
	RETURN_ERROR_IF(code != 0, CV_CHILD_FAILED, "the page writer %s failed with exit code %d", script, code);
	fprintf(cli->out, "%s\n", output);
	return CV_OK;
}

const struct command command_report = {
	.name = "report",
	.usage = "FILE.db [options]",
	.summary = "write one self-contained page with the curves",
	.text = "Writes a page that needs no network: interactive curves with bands and measured points, the table with errors,\n"
		"where the time goes, the parameters and their sources. Prints the page's name.",
	.example = "  convoy report timer-descriptor-lock.db -o page.html",
	.options = options,
	.run = run,
};
