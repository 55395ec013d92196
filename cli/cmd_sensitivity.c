// SPDX-License-Identifier: Apache-2.0
/* convoy sensitivity */
#include <math.h>
#include <string.h>

#include "cli/study_args.h"
#include "cli/table.h"
#include "study/run/sensitivity.h"

static const struct option_spec *options(void)
{
	static const struct option_spec specs[] = {
		{"points", 0, "N,N,…", "only these values of the axis", false},
		{"variants", 0, "NAME,NAME,…", "only these variants", false},
		{"set", 0, "NAME=VALUE", "change a parameter in every variant; may be given several times", true},
		{"replications", 0, "N", "repetitions of each point (default: the study's)", false},
		RUN_OPTIONS,
		{"format", 'f', "table|csv|json|md", "how to print (default: table)", false},
		{0}};

	return specs;
}

static const struct table_column columns[] = {
	{"variant", "variant", false},     {"parameter", "moved", false},
	{"low", "from", false},            {"high", "to", false},
	{"first", NULL, true},             {"first_low", NULL, true},
	{"first_high", NULL, true},        {"knee", NULL, true},
	{"knee_low", NULL, true},          {"knee_high", NULL, true},
	{"last", NULL, true},              {"last_low", NULL, true},
	{"last_high", NULL, true},         {NULL, "first", true},
	{NULL, "knee", true},              {NULL, "last", true},
};

struct print { const struct study *study; const struct sensitivity *found; struct table *table; };

static void number(struct table *table, int digits, double value)
{
	if (value > 0)
		table_format(table, "%.*f", digits, value);
	else
		table_text(table, "");
}

static const char *end_text(struct table *table, int digits, double value)
{
	return value > 0 ? arena_format(&table->arena, "%.*f", digits, value) : "none";
}

/* "5.5 … 9.1", from the smaller to the larger; "none" where an end has no such number. */
static void span(struct table *table, int digits, double low, double high)
{
	const char *from = end_text(table, digits, fmin(low, high)), *to = end_text(table, digits, fmax(low, high));

	if (strcmp(from, to) == 0)
		table_text(table, from);
	else
		table_format(table, "%s … %s", from, to);
}

static void cells(const struct print *print, const struct sensitivity_answer *base, const struct sensitivity_answer *low,
		  const struct sensitivity_answer *high)
{
	struct table *table = print->table;

	number(table, 0, base->first);
	number(table, 0, low->first);
	number(table, 0, high->first);
	number(table, 2, base->knee.vcpus);
	number(table, 2, low->knee.vcpus);
	number(table, 2, high->knee.vcpus);
	number(table, 0, base->last);
	number(table, 0, low->last);
	number(table, 0, high->last);
	span(table, 0, low->first, high->first);
	span(table, 1, low->knee.vcpus, high->knee.vcpus);
	span(table, 0, low->last, high->last);
}

/* False: neither end moves anything; for people such rows are summed up below the table. */
static bool row(const struct print *print, size_t v, size_t r, bool all)
{
	const struct study_free_param *range = &print->study->ranges[r];
	const struct sensitivity *found = print->found;
	const struct sensitivity_answer *base = &found->base[v], *low = &found->low[r * found->variants + v],
					*high = &found->high[r * found->variants + v];
	bool moves = sensitivity_moves(base, low) || sensitivity_moves(base, high);
	char text[64];

	if (!moves && !all)
		return false;
	table_text(print->table, print->study->variants[v].name);
	table_text(print->table, param_table[range->id].name);
	param_format(range->id, &range->low, text, sizeof(text));
	table_format(print->table, "%s", text);
	param_format(range->id, &range->high, text, sizeof(text));
	table_format(print->table, "%s", text);
	cells(print, base, low, high);
	return moves;
}

static void print_table(struct cli *cli, const struct study *study, const struct sensitivity *found, enum format format)
{
	struct table table;
	struct print print = {study, found, &table};
	bool all = format == FORMAT_CSV || format == FORMAT_JSON;
	size_t still = 0;
	char first[64], last[64];

	param_format(study->axis, &study->axis_values[found->first_axis], first, sizeof(first));
	param_format(study->axis, &study->axis_values[found->last_axis], last, sizeof(last));
	if (format == FORMAT_TABLE)
		print_heading(cli, "How far does the answer move with what is not known? (%s, first: %s=%s, last: %s=%s)", study->name,
			      study->axis_name, first, study->axis_name, last);
	table_init(&table, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t v = 0; v < study->variant_count; v++) {
		if (found->base[v].first <= 0 && found->base[v].last <= 0)
			continue;
		table_text(&table, study->variants[v].name);
		table_text(&table, all ? "" : "nothing");
		table_text(&table, "");
		table_text(&table, "");
		cells(&print, &found->base[v], &found->base[v], &found->base[v]);
		for (size_t r = 0; r < study->range_count; r++)
			still += !row(&print, v, r, all);
	}
	table_print(&table, cli, format);
	table_free(&table);
	if (format == FORMAT_JSON)
		fputc('\n', cli->out);
	if (format == FORMAT_TABLE)
		fprintf(cli->out, "\n  One parameter at a time, to both ends of its range; %zu pairs of variant and parameter that move nothing by more than\n"
			"  0.5 %% are left out. Several wrong guesses together can do more.\n", still);
}

static cv_result run(struct cli *cli, const struct arguments *arguments)
{
	struct run_options run_options;
	struct sensitivity found;
	struct selection selection;
	enum format format;
	struct study study;

	FORWARD_IF_ERROR(options_words(arguments, 1, 1, "one study"));
	FORWARD_IF_ERROR(format_parse(option_value(arguments, "format"), true, &format));
	FORWARD_IF_ERROR(run_options_from_arguments(arguments, &run_options));
	FORWARD_IF_ERROR(study_from_arguments(arguments, arguments->words[0], &study));
	FORWARD_IF_ERROR(selection_make(&study, option_value(arguments, "points"), option_value(arguments, "variants"),
					&selection));
	cv_result result = sensitivity_run(&study, &selection, &run_options, &found);

	selection_free(&selection);
	FORWARD_IF_ERROR(result);
	if (run_options.progress != PROGRESS_NONE)
		fprintf(stderr, "convoy: %zu runs in %.1f s\n", found.runs, (double)found.totals.wall_ns / 1e9);
	print_table(cli, &study, &found, format);
	sensitivity_free(&found);
	return CV_OK;
}

const struct command command_sensitivity = {
	.name = "sensitivity",
	.usage = "STUDY.yaml|NAME [options]",
	.summary = "how far a study's answer moves with the values that are not known well",
	.text = "Moves each parameter that the study names under range: to both ends of its range, one at a time, simulates the\n"
		"study again and prints what it would then say: rates at both ends of the axis and the knee of the curve.\n"
		"Nothing is stored. It takes 1 + 2 × ranges times as long as the study.",
	.example = "  convoy sensitivity lock-vs-percpu-matrix --replications 1",
	.options = options,
	.run = run,
};
