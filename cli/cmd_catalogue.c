// SPDX-License-Identifier: Apache-2.0
/* convoy hosts, kernels, workloads, studies: what there is, and what one file says. */
#include <stdlib.h>
#include <string.h>

#include "cli/table.h"
#include "cli/text.h"
#include "study/catalogue.h"
#include "study/param_file.h"
#include "study/study.h"

static const struct option_spec *options(void)
{
	static const struct option_spec specs[] = {
		{"format", 'f', "table|csv|json|md", "how to print (default: table)", false},
		{0}};

	return specs;
}

static const struct option_spec *options_with_diff(void)
{
	static const struct option_spec specs[] = {
		{"diff", 'd', NULL, "two names: only what differs between them", false},
		{"format", 'f', "table|csv|json|md", "how to print (default: table)", false},
		{0}};

	return specs;
}

static const struct table_column list_columns[] = {
	{"name", "name", false}, {"title", "title", false}, {"path", NULL, false}};

static const struct table_column value_columns[] = {
	{"name", "name", false},   {"value", "value", false},  {"class", "class", false},
	{"source", "source", false}, {"place", NULL, false},
};

static const struct table_column variant_columns[] = {
	{"variant", "variant", false}, {"kernel", "kernel", false},   {"gic", "gic", false},
	{"mode", "mode", false},       {"meaning", "meaning", false},
};

static void print_and_free(struct cli *cli, struct table *table, enum format format)
{
	table_print(table, cli, format);
	if (format == FORMAT_JSON)
		fputc('\n', cli->out);
	table_free(table);
}

static cv_result list(struct cli *cli, enum catalogue_kind kind, enum format format)
{
	const struct catalogue_entry *entries;
	struct table table;
	size_t count;

	FORWARD_IF_ERROR(catalogue_list(kind, &entries, &count));
	table_init(&table, list_columns, sizeof(list_columns) / sizeof(list_columns[0]));
	for (size_t i = 0; i < count; i++) {
		table_text(&table, entries[i].name);
		table_text(&table, entries[i].title);
		table_text(&table, entries[i].path);
	}
	print_and_free(cli, &table, format);
	return CV_OK;
}

static cv_result show_parameters(struct cli *cli, enum catalogue_kind kind, const char *name, enum format format)
{
	struct param_file_info info;
	struct param_set set = {0};     /* no defaults: only what the file says is present */
	struct table table;
	const char *path;

	FORWARD_IF_ERROR(catalogue_resolve(kind, name, NULL, &path));
	FORWARD_IF_ERROR(param_file_apply(kind, path, &set, &info));
	table_init(&table, value_columns, sizeof(value_columns) / sizeof(value_columns[0]));
	for (enum param_id id = 0; id < PARAM_IDS; id++) {
		const struct param_value *value = &set.value[id];
		char text[128];

		if (!value->present)
			continue;
		param_format(id, value, text, sizeof(text));
		table_text(&table, param_table[id].name);
		table_text(&table, text);
		table_text(&table, source_class_name(value->source_class));
		table_text(&table, value->source);
		table_text(&table, value->where);
	}
	if (format == FORMAT_TABLE) {
		print_heading(cli, "%s", info.title ? info.title : name);
		fprintf(cli->out, "  %s\n", path);
		if (info.since)
			fprintf(cli->out, "  since: %s\n", info.since);
		if (info.notes)
			print_wrapped(cli->out, info.notes);
		fputc('\n', cli->out);
	}
	print_and_free(cli, &table, format);
	return CV_OK;
}

static cv_result load_values(enum catalogue_kind kind, const char *name, struct param_set *set)
{
	struct param_file_info info;
	const char *path;

	FORWARD_IF_ERROR(catalogue_resolve(kind, name, NULL, &path));
	return param_file_apply(kind, path, set, &info);
}

static bool same_value(const struct param_value *a, const struct param_value *b)
{
	return a->present == b->present && (!a->present || (a->number == b->number && a->in_cycles == b->in_cycles));
}

static void value_cell(struct table *table, enum param_id id, const struct param_value *value)
{
	char text[128] = "";

	if (value->present)
		param_format(id, value, text, sizeof(text));
	table_format(table, "%s", text);
}

/* What two files say differently; "" where one of them says nothing. */
static cv_result show_difference(struct cli *cli, enum catalogue_kind kind, const struct arguments *arguments,
				 enum format format)
{
	const char *const *names = arguments->words;
	const struct table_column columns[] = {
		{"name", "name", false},           {"first", names[0], false},        {"second", names[1], false},
		{"first_source", NULL, false},     {"second_source", NULL, false},    {"meaning", "meaning", false},
	};
	struct param_set first = {0}, second = {0};
	struct table table;

	FORWARD_IF_ERROR(load_values(kind, names[0], &first));
	FORWARD_IF_ERROR(load_values(kind, names[1], &second));
	table_init(&table, columns, sizeof(columns) / sizeof(columns[0]));
	for (enum param_id id = 0; id < PARAM_IDS; id++) {
		if (same_value(&first.value[id], &second.value[id]))
			continue;
		table_text(&table, param_table[id].name);
		value_cell(&table, id, &first.value[id]);
		value_cell(&table, id, &second.value[id]);
		table_text(&table, first.value[id].present ? first.value[id].source : "");
		table_text(&table, second.value[id].present ? second.value[id].source : "");
		table_text(&table, param_table[id].meaning);
	}
	if (format == FORMAT_TABLE && table.cell_count == 0)
		fprintf(cli->out, "  %s and %s have the same values.\n", names[0], names[1]);
	print_and_free(cli, &table, format);
	return CV_OK;
}

static void study_head(struct cli *cli, const struct study *study)
{
	char text[64];

	print_heading(cli, "%s", study->name);
	print_wrapped(cli->out, study->question);
	fprintf(cli->out, "  %s\n  host %s, workload %s, measurement %s\n  %s:", study->path, study->host, study->workload,
		 study->measurement ? study->measurement : "none", study->axis_name);
	for (size_t i = 0; i < study->axis_count; i++) {
		param_format(study->axis, &study->axis_values[i], text, sizeof(text));
		fprintf(cli->out, "%s %s", i ? "," : "", text);
	}
	fputs("\n", cli->out);
	for (size_t i = 0; i < study->free_count; i++) {
		char low[64], high[64];

		param_format(study->free_params[i].id, &study->free_params[i].low, low, sizeof(low));
		param_format(study->free_params[i].id, &study->free_params[i].high, high, sizeof(high));
		fprintf(cli->out, "%s%s from %s to %s%s", i ? ", " : "  calibrate may move: ",
			param_table[study->free_params[i].id].name, low, high, i + 1 == study->free_count ? "\n" : "");
	}
	fputs("\n", cli->out);
}

static void choice_cell(struct table *table, const struct param_set *set, enum param_id id)
{
	char text[64];

	param_format(id, &set->value[id], text, sizeof(text));
	table_format(table, "%s", text);
}

/* Values of the host file that a variant does not have, and another mode than the measured one. */
static void what_ifs(struct cli *cli, const struct study *study)
{
	const char *lead = "\n";

	for (size_t v = 0; v < study->variant_count; v++)
		for (enum param_id id = 0; id <= P_KERNEL_EL2; id++) {
			const struct param_value *value = &study->variants[v].params.value[id];
			const char *mark = value->present ? strstr(value->source, STUDY_WHAT_IF) : NULL;
			char text[64];

			if (!mark)
				continue;
			param_format(id, value, text, sizeof(text));
			fprintf(cli->out, "%s  What-if: \"%s\" has %s %s, %s\n", lead, study->variants[v].name,
				param_table[id].name, text, mark + strlen(STUDY_WHAT_IF));
			lead = "";
		}
}

static cv_result show_study(struct cli *cli, const char *name, enum format format)
{
	struct study study;
	struct table table;

	FORWARD_IF_ERROR(study_load(name, NULL, 0, &study));
	if (format == FORMAT_TABLE)
		study_head(cli, &study);
	table_init(&table, variant_columns, sizeof(variant_columns) / sizeof(variant_columns[0]));
	for (size_t v = 0; v < study.variant_count; v++) {
		table_text(&table, study.variants[v].name);
		table_text(&table, study.variants[v].kernel);
		choice_cell(&table, &study.variants[v].params, P_HOST_GIC);
		choice_cell(&table, &study.variants[v].params, P_KERNEL_EL2);
		table_text(&table, study.variants[v].meaning);
	}
	print_and_free(cli, &table, format);
	if (format == FORMAT_TABLE)
		what_ifs(cli, &study);
	return CV_OK;
}

static cv_result run(struct cli *cli, const struct arguments *arguments, enum catalogue_kind kind)
{
	enum format format;

	bool diff = option_given(arguments, "diff");

	FORWARD_IF_ERROR(format_parse(option_value(arguments, "format"), true, &format));
	if (diff) {
		FORWARD_IF_ERROR(options_words(arguments, 2, 2, "two names with --diff"));
		return show_difference(cli, kind, arguments, format);
	}
	FORWARD_IF_ERROR(options_words(arguments, 0, 1, "one name"));
	if (arguments->word_count == 0)
		return list(cli, kind, format);
	if (kind == CATALOGUE_STUDIES)
		return show_study(cli, arguments->words[0], format);
	return show_parameters(cli, kind, arguments->words[0], format);
}

#define CATALOGUE_COMMAND(word, kind, one, names, which, sample)                                                         \
	static cv_result run_##word(struct cli *cli, const struct arguments *arguments)                    \
	{                                                                                                  \
		return run(cli, arguments, kind);                                                          \
	}                                                                                                  \
	const struct command command_##word = {                                                            \
		.name = #word,                                                                             \
		.usage = names " [options]",                                                               \
		.summary = "list the " #word ", or show one",                                              \
		.text = "Without a name, lists the " #word " of the catalogue with their titles. With a name or a path, prints\n" \
			"what that " one " file says.",                                                    \
		.example = "  convoy " #word " " sample,                                                   \
		.options = which,                                                                          \
		.run = run_##word,                                                                         \
	};

#define TWO_NAMES "[NAME | --diff NAME NAME]"

CATALOGUE_COMMAND(hosts, CATALOGUE_HOSTS, "host", TWO_NAMES, options_with_diff, "ampere-altra-32")
CATALOGUE_COMMAND(kernels, CATALOGUE_KERNELS, "kernel", TWO_NAMES, options_with_diff, "v7.1")
CATALOGUE_COMMAND(workloads, CATALOGUE_WORKLOADS, "workload", TWO_NAMES, options_with_diff, "exit-to-userspace")
CATALOGUE_COMMAND(studies, CATALOGUE_STUDIES, "study", "[NAME]", options, "timer-descriptor-lock")
