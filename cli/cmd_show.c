// SPDX-License-Identifier: Apache-2.0
/* convoy show */
#include "cli/show.h"

static const struct option_spec *options(void)
{
	static const struct option_spec specs[] = {
		{"format", 'f', "table|csv|json", "how to print (default: table)", false},
		{"point", 'p', "POINT", "one point only: \"variant=NAME vcpus=N\", or one half of that", false},
		{"limits", 0, NULL, "one line a variant: rate at both ends, knee, what is waited for", false},
		{"kinds", 0, NULL, "exits of each kind and what they cost, where the workload counts kinds", false},
		{"locks", 'l', NULL, "the locks of every point, in the layout of `perf lock contention`", false},
		{"time", 't', NULL, "CPU time by reason and by kernel function", false},
		{0}};

	return specs;
}

static cv_result run(struct cli *cli, const struct arguments *arguments)
{
	struct show_options show = {.point = option_value(arguments, "point"), .locks = option_given(arguments, "locks"),
				    .time = option_given(arguments, "time"),
				    .limits = option_given(arguments, "limits"),
				    .kinds = option_given(arguments, "kinds")};

	FORWARD_IF_ERROR(options_words(arguments, 1, 1, "one results file"));
	FORWARD_IF_ERROR(format_parse(option_value(arguments, "format"), false, &show.format));
	return show_file(cli, arguments->words[0], &show);
}

const struct command command_show = {
	.name = "show",
	.usage = "FILE.db [options]",
	.summary = "print the results of a study: the curve, where time goes, predicted beside measured",
	.text = "Prints a results file in the order of three questions: how does it scale, why, how far can I trust it.\n"
		"Rates are exits per second and vCPU with a 95 % confidence interval over the replications. A point whose\n"
		"replications fall into two states is shown as two values. The CSV form is the curve, or with --limits,\n"
		"--kinds, --locks or --time that table; it holds nothing that depends on the machine it was made on.",
	.example = "  convoy show timer-descriptor-lock.db --point \"vcpus=31\" --locks",
	.options = options,
	.run = run,
};
