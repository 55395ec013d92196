// SPDX-License-Identifier: Apache-2.0
/* See study_args.h. */
#include "cli/study_args.h"

#include <string.h>
#include <unistd.h>

#include "study/keep.h"
#include "study/run/progress.h"

typedef cv_result load_fn(const char *name_or_path, const struct study_override *sets, size_t set_count, struct study *out);

static cv_result load_with(load_fn *load, const struct arguments *arguments, const char *name_or_path, struct study *out)
{
	struct study_override *sets = keep_memory((arguments->option_count + 1) * sizeof(*sets));
	unsigned long replications;
	size_t count = 0;

	for (size_t i = 0; i < arguments->option_count; i++) {
		const struct option_value *option = &arguments->options[i];
		const char *equals;

		if (strcmp(option->spec->name, "set") != 0)
			continue;
		equals = strchr(option->value, '=');
		RETURN_ERROR_IF(!equals || equals == option->value, CV_BAD_INPUT,
				"--set: \"%s\" is not NAME=VALUE, such as host.line.base=45ns (`convoy params` lists the names)",
				option->value);
		sets[count++] = (struct study_override){
			keep_text_n(option->value, (size_t)(equals - option->value)), keep_text(equals + 1)};
	}
	FORWARD_IF_ERROR(option_number(arguments, "replications", 1, 1000, 0, &replications));
	if (replications)
		sets[count++] = (struct study_override){"run.replications", keep_textf("%lu", replications)};
	return load(name_or_path, sets, count, out);
}

cv_result study_from_arguments(const struct arguments *arguments, const char *name_or_path, struct study *out)
{
	return load_with(study_load, arguments, name_or_path, out);
}

cv_result study_unchecked_from_arguments(const struct arguments *arguments, const char *name_or_path, struct study *out)
{
	return load_with(study_load_unchecked, arguments, name_or_path, out);
}

cv_result run_options_from_arguments(const struct arguments *arguments, struct run_options *out)
{
	unsigned long jobs;

	FORWARD_IF_ERROR(option_number(arguments, "jobs", 1, 1024, 0, &jobs));
	*out = (struct run_options){.workers = (unsigned)jobs, .simulate = simulate_point, .progress = PROGRESS_LINES};
	if (isatty(STDERR_FILENO))
		out->progress = PROGRESS_TERMINAL;
	if (option_given(arguments, "quiet"))
		out->progress = PROGRESS_NONE;
	return CV_OK;
}

static bool plain_word(const char *word)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./=:,+-@%";

	return *word && word[strspn(word, plain)] == '\0';
}

/* 'it'\''s': the shell's own way to quote. */
static const char *quoted(const char *word)
{
	const char *text = "'";

	for (const char *quote; (quote = strchr(word, '\'')); word = quote + 1)
		text = keep_textf("%s%.*s'\\''", text, (int)(quote - word), word);
	return keep_textf("%s%s'", text, word);
}

static const char *line_without(const struct arguments *arguments, const char *left_out)
{
	const char *line = "convoy";

	for (int i = 0; i < arguments->argc; i++) {
		const char *word = arguments->argv[i];

		if (left_out && strcmp(word, left_out) == 0)
			continue;
		line = keep_textf("%s %s", line, plain_word(word) ? word : quoted(word));
	}
	return line;
}

const char *command_line(const struct arguments *arguments)
{
	return line_without(arguments, NULL);
}

const char *command_line_to_go_on(const struct arguments *arguments)
{
	return line_without(arguments, "--fresh");
}

void print_totals(const struct study_run_outcome *outcome, const struct run_options *options)
{
	double seconds = (double)outcome->totals.wall_ns / 1e9;
	char took[32];

	if (options->progress == PROGRESS_NONE || outcome->totals.done == 0 || seconds <= 0)
		return;
	if (seconds < 10)
		snprintf(took, sizeof(took), "%.1f s", seconds);
	else
		progress_format_time(seconds, took, sizeof(took));
	fprintf(stderr, "convoy: %zu points, %zu runs in %s%s; per host second: %.3g simulated ms, %.3g exits, "
		"%.3g coherence transactions\n", outcome->points, outcome->totals.done, took,
		outcome->skipped ? " (the others were there already)" : "",
		(double)outcome->totals.simulated_ps / 1e9 / seconds, (double)outcome->totals.exits / seconds,
		(double)outcome->totals.line_transactions / seconds);
}
