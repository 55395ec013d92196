// SPDX-License-Identifier: Apache-2.0
/* convoy calibrate */
#include <stdlib.h>

#include "cli/calibrate_print.h"
#include "cli/study_args.h"
#include "study/keep.h"
#include "study/write_host.h"

static const struct option_spec *options(void)
{
	static const struct option_spec specs[] = {
		{"budget", 'b', "N", "evaluations of the search (default: 400)", false},
		{"dry-run", 'n', NULL, "print the values, leave the host file alone", false},
		{"host-file", 0, "PATH", "write into this file (default: the study's host file)", false},
		RUN_OPTIONS,
		{"set", 0, "NAME=VALUE", "change a parameter in every variant; may be given several times", true},
		{"replications", 0, "N", "repetitions of each point in each evaluation (default: the study's)", false},
		{0}};

	return specs;
}

static void on_step(void *context, const struct calibrate_step *step)
{
	const enum run_progress *progress = context;

	if (*progress == PROGRESS_TERMINAL)
		fprintf(stderr, "\r\033[Kevaluation %u: error %.2f %%%s", step->evaluation,
			calibrate_rms_pct(step->objective), step->best ? " (best)\n" : "");
	else if (*progress == PROGRESS_LINES && step->best)
		fprintf(stderr, "convoy: evaluation %u: error %.2f %%\n", step->evaluation,
			calibrate_rms_pct(step->objective));
	fflush(stderr);
}

static cv_result write_back(const struct study *study, const struct calibrate_outcome *outcome, const char *path)
{
	struct host_change *changes = keep_memory(outcome->param_count * sizeof(*changes));
	const char *source = keep_textf("convoy calibrate, study %s, %zu fit rows of %s, rms error %.2f %%", study->name,
					outcome->row_count, study->measurement,
					calibrate_rms_pct(outcome->objective_end));

	for (size_t i = 0; i < outcome->param_count; i++) {
		const struct calibrate_param *param = &outcome->params[i];

		changes[i] = (struct host_change){.id = param->id, .value = param->end, .source = source};
		if (param->on_low || param->on_high)
			changes[i].source = keep_textf("%s, on its %s bound", source, param->on_low ? "lower" : "upper");
	}
	return write_host(path, changes, outcome->param_count);
}

static cv_result run(struct cli *cli, const struct arguments *arguments)
{
	struct calibrate_options settings = {.step = on_step};
	struct calibrate_outcome outcome;
	unsigned long budget;
	struct study study;

	FORWARD_IF_ERROR(options_words(arguments, 1, 1, "one study"));
	FORWARD_IF_ERROR(option_number(arguments, "budget", 1, 100000, 400, &budget));
	FORWARD_IF_ERROR(run_options_from_arguments(arguments, &settings.run));
	FORWARD_IF_ERROR(study_from_arguments(arguments, arguments->words[0], &study));
	const char *path = option_value(arguments, "host-file");
	enum run_progress progress = settings.run.progress;

	settings.budget = (unsigned)budget;
	/* Few replications are quicker, but near the knee the search then fits their chance. */
	settings.replications = param_count(&study.variants[0].params, P_RUN_REPLICATIONS);
	settings.context = &progress;
	settings.run.progress = PROGRESS_NONE;  /* the steps are the progress */
	path = path ? path : study.host_path;
	cv_result result = calibrate(&study, &settings, &outcome);

	if (result == CV_INTERRUPTED)
		cv_error_set(result, "interrupted; nothing was written");
	FORWARD_IF_ERROR(result);
	if (progress == PROGRESS_TERMINAL)
		fputs("\r\033[K", stderr);
	calibrate_print(cli, &study, &outcome);
	if (!option_given(arguments, "dry-run")) {
		result = write_back(&study, &outcome, path);
		if (result == CV_OK)
			fprintf(cli->out, "\n  Written to %s as fitted.\n", path);
	}
	calibrate_free(&outcome);
	return result;
}

const struct command command_calibrate = {
	.name = "calibrate",
	.usage = "STUDY.yaml|NAME [options]",
	.summary = "fit the study's free parameters to the fit rows of its measurement",
	.text = "Moves the parameters that the study names under calibrate:, within their bounds, until the model agrees best\n"
		"with the `fit` rows of the measurement file; `held` rows are never looked at. Prints what the data cannot\n"
		"tell, and writes the values into the host file as `fitted`.",
	.example = "  convoy calibrate timer-descriptor-lock --dry-run",
	.options = options,
	.run = run,
};
