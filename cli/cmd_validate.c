// SPDX-License-Identifier: Apache-2.0
/* convoy validate */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/study_args.h"
#include "cli/validate.h"
#include "study/catalogue.h"
#include "study/keep.h"

static const struct option_spec *options(void)
{
	static const struct option_spec specs[] = {
		{"format", 'f', "table|csv|json", "how to print (default: table)", false},
		{"output", 'o', "FILE.db", "keep the runs in this results file (one study only)", false},
		{"from", 0, "FILE.db", "simulate nothing: take the runs of this results file", false},
		RUN_OPTIONS,
		STUDY_OPTIONS,
		{0}};

	return specs;
}

/* Simulates the points that answer a measured value, into `path`, and adds the rows. */
static cv_result add_study(struct validate_rows *rows, const struct study *study, const char *path,
			   const struct arguments *arguments)
{
	struct study_run_options run = {.path = path, .command = command_line(arguments)};
	struct study_run_outcome outcome;
	struct selection selection;

	FORWARD_IF_ERROR(run_options_from_arguments(arguments, &run.run));
	FORWARD_IF_ERROR(selection_make(study, NULL, NULL, &selection));
	cv_result result = selection_only_measured(study, &selection);

	if (result == CV_OK)
		result = study_run(study, &selection, &run, &outcome);
	selection_free(&selection);
	FORWARD_IF_ERROR(result);
	print_totals(&outcome, &run.run);
	return validate_add_results(rows, path);
}

/* The same with a results file that is gone afterwards. */
static cv_result add_study_for_now(struct validate_rows *rows, const struct study *study,
				   const struct arguments *arguments)
{
	const char *base = getenv("TMPDIR");
	const char *pattern = keep_textf("%s/convoy-validate-XXXXXX", base && *base ? base : "/tmp");
	char *folder = strdup(pattern);

	RETURN_ERROR_IF(!folder || !mkdtemp(folder), CV_IO, "%s: %s", pattern, strerror(errno));
	const char *path = keep_textf("%s/%s.db", folder, study->name);
	cv_result result = add_study(rows, study, path, arguments);

	unlink(path);
	rmdir(folder);
	free(folder);
	return result;
}

static cv_result add_named_studies(struct validate_rows *rows, const struct arguments *arguments)
{
	const char *output = option_value(arguments, "output");

	RETURN_ERROR_IF(output && arguments->word_count > 1, CV_BAD_INPUT, "--output holds one study, not %zu",
			arguments->word_count);
	for (size_t i = 0; i < arguments->word_count; i++) {
		struct study study;

		FORWARD_IF_ERROR(study_from_arguments(arguments, arguments->words[i], &study));
		FORWARD_IF_ERROR(output ? add_study(rows, &study, output, arguments) :
				 add_study_for_now(rows, &study, arguments));
	}
	return CV_OK;
}

/* Every study of the catalogue that names a measurement; then the measurements that none names. */
static cv_result add_everything(struct validate_rows *rows, const struct arguments *arguments)
{
	const struct catalogue_entry *entries;
	size_t count;

	RETURN_ERROR_IF(option_given(arguments, "output"), CV_BAD_INPUT, "--output needs one study");
	FORWARD_IF_ERROR(catalogue_list(CATALOGUE_STUDIES, &entries, &count));
	for (size_t i = 0; i < count; i++) {
		struct study study;

		FORWARD_IF_ERROR(study_from_arguments(arguments, entries[i].name, &study));
		if (study.measurement)
			FORWARD_IF_ERROR(add_study_for_now(rows, &study, arguments));
	}
	FORWARD_IF_ERROR(catalogue_list(CATALOGUE_MEASUREMENTS, &entries, &count));
	for (size_t i = 0; i < count; i++)
		FORWARD_IF_ERROR(validate_add_measurement(rows, entries[i].name));
	return CV_OK;
}

static cv_result add_rows(struct validate_rows *rows, const struct arguments *arguments)
{
	const char *from = option_value(arguments, "from");

	if (!from)
		return arguments->word_count ? add_named_studies(rows, arguments) : add_everything(rows, arguments);
	RETURN_ERROR_IF(option_given(arguments, "output") || option_given(arguments, "set") ||
			option_given(arguments, "replications"), CV_BAD_INPUT,
			"--from simulates nothing: --output, --set and --replications have no meaning with it");
	RETURN_ERROR_IF(arguments->word_count > 0, CV_BAD_INPUT,
			"--from takes the study from the results file: leave out %s", arguments->words[0]);
	return validate_add_results(rows, from);
}

static cv_result run(struct cli *cli, const struct arguments *arguments)
{
	struct validate_rows rows = {0};
	enum format format;

	FORWARD_IF_ERROR(format_parse(option_value(arguments, "format"), false, &format));
	cv_result result = add_rows(&rows, arguments);

	if (result == CV_OK) {
		validate_add_baselines(&rows);
		validate_print(&rows, cli, format);
	}
	validate_free(&rows);
	return result;
}

const struct command command_validate = {
	.name = "validate",
	.usage = "[STUDY.yaml|NAME]... [options]",
	.summary = "predicted beside measured, for every row of the measurement files",
	.text = "Simulates the points that answer a measured value and prints all rows of the measurement, with an empty\n"
		"prediction where no point answers. Without a study: all studies of the catalogue that name a measurement, and\n"
		"the measurements that no study names. `fit` rows were used for calibration, `held` rows were not.",
	.example = "  convoy validate timer-descriptor-lock --format csv",
	.options = options,
	.run = run,
};
