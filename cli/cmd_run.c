// SPDX-License-Identifier: Apache-2.0
/* convoy run */
#include "cli/show.h"
#include "cli/study_args.h"
#include "study/keep.h"

static const struct option_spec *options(void)
{
	static const struct option_spec specs[] = {
		{"output", 'o', "FILE.db", "results file (default: the study's name in this folder)", false},
		RUN_OPTIONS,
		STUDY_OPTIONS,
		{"points", 0, "N,N,…", "only these values of the axis", false},
		{"variants", 0, "NAME,NAME,…", "only these variants", false},
		{"fresh", 0, NULL, "replace the results of an earlier or another study in the file", false},
		{"format", 'f', "table|csv|json", "how to print the results at the end (default: table)", false},
		{0}};

	return specs;
}

/* What an interrupted or crashed study leaves, and how to go on. */
static cv_result explain_kept(cv_result result, const struct study_run_outcome *outcome, const char *path,
			      const struct arguments *arguments)
{
	const char *text = keep_text(cv_error_text());

	if (result != CV_INTERRUPTED && result != CV_CHILD_FAILED)
		return result;
	if (outcome->kept == 0)
		return cv_error_set(result, "%s; no run was finished, %s is not kept", text, path);
	return cv_error_set(result, "%s; %zu finished runs are kept in %s; to go on: %s", text, outcome->kept, path,
			    command_line_to_go_on(arguments));
}

static cv_result run(struct cli *cli, const struct arguments *arguments)
{
	struct study_run_options run_options = {.path = option_value(arguments, "output"),
						.command = command_line(arguments),
						.fresh = option_given(arguments, "fresh")};
	struct show_options show = {0};
	struct study_run_outcome outcome;
	struct selection selection;
	struct study study;

	FORWARD_IF_ERROR(options_words(arguments, 1, 1, "one study"));
	FORWARD_IF_ERROR(format_parse(option_value(arguments, "format"), false, &show.format));
	FORWARD_IF_ERROR(run_options_from_arguments(arguments, &run_options.run));
	FORWARD_IF_ERROR(study_unchecked_from_arguments(arguments, arguments->words[0], &study));
	FORWARD_IF_ERROR(selection_make(&study, option_value(arguments, "points"), option_value(arguments, "variants"),
					&selection));
	cv_result checked = selection_check(&study, &selection);

	if (checked != CV_OK) {
		selection_free(&selection);
		return checked;
	}
	if (!run_options.path)
		run_options.path = keep_textf("%s.db", study.name);
	cv_result result = study_run(&study, &selection, &run_options, &outcome);

	selection_free(&selection);
	if (result == CV_OK || result == CV_INTERRUPTED || result == CV_CHILD_FAILED)
		print_totals(&outcome, &run_options.run);
	if (result != CV_OK)
		return explain_kept(result, &outcome, run_options.path, arguments);
	if (outcome.runs == 0 && run_options.run.progress != PROGRESS_NONE)
		fprintf(stderr, "convoy: nothing to do: all %zu runs are in %s already\n", outcome.skipped,
			run_options.path);
	return show_file(cli, run_options.path, &show);
}

const struct command command_run = {
	.name = "run",
	.usage = "STUDY.yaml|NAME [options]",
	.summary = "simulate a study and store the results",
	.text = "Simulates every point of a study, each replication in a process of its own, and stores the results in one\n"
		"SQLite file. A file that holds part of the same study is completed: only missing runs are simulated. After\n"
		"Ctrl-C the finished runs are kept; the same command goes on. Results do not depend on the number of workers.",
	.example = "  convoy run timer-descriptor-lock --points 1,8,16,31 -o quick.db",
	.options = options,
	.run = run,
};
