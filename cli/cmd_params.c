// SPDX-License-Identifier: Apache-2.0
/* convoy params: the table of parameters. */
#include <string.h>

#include "cli/table.h"
#include "study/param.h"

static const struct option_spec *options(void)
{
	static const struct option_spec specs[] = {
		{"format", 'f', "table|csv|json|md", "how to print (default: table)", false},
		{0}};

	return specs;
}

static const struct table_column columns[] = {
	{"name", "name", false},          {"default", "default", false}, {"allowed", "allowed", false},
	{"meaning", "meaning", false},
};

static const char *allowed(struct arena *arena, const struct param_row *row)
{
	if (row->type == PARAM_CHOICE) {
		const char *text = "";

		for (const char *choice = row->choices; *choice;) {
			size_t length = strcspn(choice, "|");

			text = arena_format(arena, "%s%s%.*s", text, *text ? ", " : "", (int)length, choice);
			choice += length + (choice[length] == '|');
		}
		return text;
	}
	if (row->type == PARAM_SWITCH)
		return "yes, no";
	return arena_format(arena, "%s to %s", row->minimum, row->maximum);
}

static cv_result run(struct cli *cli, const struct arguments *arguments)
{
	const char *pattern = arguments->word_count ? arguments->words[0] : "";
	enum format format;
	struct table table;
	size_t found = 0;

	FORWARD_IF_ERROR(options_words(arguments, 0, 1, "one part of a name"));
	FORWARD_IF_ERROR(format_parse(option_value(arguments, "format"), true, &format));
	table_init(&table, columns, sizeof(columns) / sizeof(columns[0]));
	for (enum param_id id = 0; id < PARAM_IDS; id++) {
		const struct param_row *row = &param_table[id];

		if (!strstr(row->name, pattern) && !strstr(row->meaning, pattern))
			continue;
		table_text(&table, row->name);
		table_text(&table, *row->fallback ? row->fallback : format == FORMAT_TABLE ? "(a file says it)" : "");
		table_text(&table, allowed(&table.arena, row));
		table_text(&table, row->meaning);
		found++;
	}
	table_print(&table, cli, format);
	if (format == FORMAT_JSON)
		fputc('\n', cli->out);
	table_free(&table);
	if (found == 0) {
		enum param_id id;

		/* Names the nearest one. */
		return param_find(pattern, &id);
	}
	return CV_OK;
}

const struct command command_params = {
	.name = "params",
	.usage = "[PART] [options]",
	.summary = "list the parameters: name, default, what is allowed, meaning",
	.text = "Lists the parameters whose name or meaning contains PART, or all. Any of them may be set in a file or with\n"
		"`--set NAME=VALUE`.",
	.example = "  convoy params host.line",
	.options = options,
	.run = run,
};
