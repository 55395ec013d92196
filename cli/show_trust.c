// SPDX-License-Identifier: Apache-2.0
/* "How far can I trust it?": predicted beside measured, and what the answer rests on. */
#include <math.h>
#include <string.h>

#include "cli/show.h"
#include "cli/text.h"
#include "study/param.h"
#include "study/run/baseline.h"
#include "study/study.h"

static const struct table_column columns[] = {
	{"measurement", NULL, false}, {"point", "point", false},         {"metric", "metric", false},
	{"unit", "unit", false},      {"measured", "measured", true},    {"predicted", "predicted", true},
	{"error_pct", "error %", true}, {"role", "role", false},       {"note", "", false},
};

const char *show_error(struct arena *arena, enum format format, const struct compare_row *row)
{
	if (!row->has_prediction || row->what_if || !isfinite(row->error_pct))
		return "";
	/* The sign helps people; JSON knows no "+". */
	return format == FORMAT_TABLE ? arena_format(arena, "%+.1f", row->error_pct) :
	       arena_format(arena, "%.2f", row->error_pct);
}

size_t show_shared_words(const struct show *show)
{
	size_t count = show->results->measured_count;
	const char **texts = arena_alloc(&show->results->arena, count + 1, sizeof(*texts));

	for (size_t i = 0; i < count; i++)
		texts[i] = show->results->measured[i].point_text;
	return shared_words(texts, count);
}

void show_measured_table(const struct show *show, struct table *table)
{
	/* People see the words that all points share once, above the table. */
	size_t skip = show->options->format == FORMAT_TABLE ? show_shared_words(show) : 0;

	table_init(table, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < show->results->measured_count; i++) {
		const struct compare_row *row = &show->rows[i];

		table_text(table, row->measured->measurement);
		table_text(table, row->measured->point_text + skip);
		table_text(table, row->measured->metric);
		table_text(table, row->measured->unit);
		table_format(table, "%.10g", row->measured->value);
		if (row->has_prediction)
			table_format(table, "%.0f", row->predicted);
		else
			table_text(table, "");
		table_text(table, show_error(&table->arena, show->options->format, row));
		table_text(table, row->measured->role);
		table_format(table, "%s%s%s", row->what_if ? "what-if: measured on another machine" : "",
			     row->what_if && baseline_unexplained(row->measured) ? "; " : "",
			     baseline_unexplained(row->measured) ? "unexplained" : "");
	}
}

static void mean_error_line(const struct show *show, const char *role, const char *meaning)
{
	size_t count = show->results->measured_count;
	struct compare_mean all = compare_mean_error(show->rows, count, role, true);
	struct compare_mean explained = compare_mean_error(show->rows, count, role, false);
	FILE *out = show->cli->out;

	if (!all.count)
		return;
	fprintf(out, "  Mean absolute error of the exit rates over %zu %s rows (%s): %.1f %%", all.count, role, meaning,
		all.mean);
	if (explained.count && explained.count != all.count)
		fprintf(out, "; without the %zu marked unexplained: %.1f %%", all.count - explained.count, explained.mean);
	fputc('\n', out);
}

/* How many different parameters of a class there are; a parameter that differs between points counts once. */
static size_t count_class(const struct results *results, const char *source_class)
{
	size_t count = 0;

	for (size_t i = 0; i < results->param_count; i++) {
		bool seen = false;

		if (strcmp(results->params[i].source_class, source_class) != 0)
			continue;
		for (size_t before = 0; before < i && !seen; before++)
			seen = strcmp(results->params[before].name, results->params[i].name) == 0 &&
			       strcmp(results->params[before].source_class, source_class) == 0;
		count += !seen;
	}
	return count;
}

/* A value that the study has put in the place of the host file's; said once for each value, with the number of its points. */
static void what_if_lines(const struct show *show)
{
	const struct results *results = show->results;

	for (size_t i = 0; i < results->param_count; i++) {
		const struct results_param *param = &results->params[i];
		const char *mark = strstr(param->source, STUDY_WHAT_IF);
		size_t points = 0;
		bool said = false;

		for (size_t k = 0; mark && k < results->param_count; k++) {
			const struct results_param *other = &results->params[k];

			if (strcmp(other->name, param->name) != 0 || strcmp(other->value, param->value) != 0)
				continue;
			said |= k < i;
			points += other->point < 0 ? results->point_count : 1;
		}
		if (mark && !said)
			fprintf(show->cli->out, "  What-if: %s is %s at %zu of %zu points, but %s\n", param->name, param->value,
				points, results->point_count, mark + strlen(STUDY_WHAT_IF));
	}
}

void show_trust(const struct show *show)
{
	what_if_lines(show);
	mean_error_line(show, "held", "not used for calibration");
	mean_error_line(show, "fit", "used for calibration");
	fputs("  Parameters:", show->cli->out);
	for (int i = SOURCE_SPEC; i <= SOURCE_CHOSEN; i++) {
		const char *name = source_class_name((enum source_class)i);

		fprintf(show->cli->out, "%s %zu %s", i ? "," : "", count_class(show->results, name), name);
	}
	fputs("\n", show->cli->out);
}
