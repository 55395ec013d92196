// SPDX-License-Identifier: Apache-2.0
/* Prints the rows; see validate.h. CSV and JSON have the columns that scripts rely on, people get the baseline, too. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/table.h"
#include "cli/text.h"
#include "cli/validate.h"
#include "study/measurement.h"

static const struct table_column machine_columns[] = {
	{"measurement", "measurement", false}, {"point", "point", false},         {"metric", "metric", false},
	{"unit", "unit", false},               {"measured", "measured", true},    {"predicted", "predicted", true},
	{"error_pct", "error %", true},        {"role", "role", false},
};

static const struct table_column people_columns[] = {
	{"point", "point", false},           {"metric", "metric", false},      {"unit", "unit", false},
	{"measured", "measured", true},      {"predicted", "convoy", true},    {"error_pct", "error %", true},
	{"baseline", "arithmetic", true},    {"baseline_pct", "error %", true}, {"role", "role", false},
	{"note", "", false},
};

static void error_cell(struct table *table, bool there, double error, bool people)
{
	if (!there || !isfinite(error))
		table_text(table, "");
	else if (people)
		table_format(table, "%+.1f", fabs(error) < 0.05 ? 0.0 : error);
	else
		table_format(table, "%.2f", error);
}

static void value_cell(struct table *table, bool there, double value)
{
	if (there)
		table_format(table, "%.0f", value);
	else
		table_text(table, "");
}

static void machine_row(struct table *table, const struct validate_row *row)
{
	table_text(table, row->measured.measurement);
	table_text(table, row->measured.point_text);
	table_text(table, row->measured.metric);
	table_text(table, row->measured.unit);
	table_format(table, "%.10g", row->measured.value);
	value_cell(table, row->has_prediction, row->predicted);
	error_cell(table, row->has_prediction, row->error_pct, false);
	table_text(table, row->measured.role);
}

static void people_row(struct table *table, const struct validate_row *row, size_t skip)
{
	table_text(table, row->measured.point_text + skip);
	table_text(table, row->measured.metric);
	table_text(table, row->measured.unit);
	table_format(table, "%.10g", row->measured.value);
	value_cell(table, row->has_prediction, row->predicted);
	error_cell(table, row->has_prediction, row->error_pct, true);
	value_cell(table, row->has_baseline, row->baseline);
	error_cell(table, row->has_baseline, row->baseline_pct, true);
	table_text(table, row->measured.role);
	table_format(table, "%s%s%s", row->unexplained ? "unexplained" : "", row->unexplained && *row->note ? "; " : "",
		     row->note);
}

/* The two kinds of rows that have a mean error: exit rates and times of operations. */
enum kind { RATES, TIMES };

static bool counts(const struct validate_row *row, const char *measurement, const char *role, enum kind kind)
{
	const char *metric = row->measured.metric;

	return strcmp(row->measured.measurement, measurement) == 0 && strcmp(row->measured.role, role) == 0 &&
	       (kind == RATES ? strcmp(metric, "exits") == 0 : measurement_is_operation(metric)) && row->has_prediction &&
	       !row->unexplained && row->measured.value != 0;
}

/* "mean 3.1 %, largest 7.0 %" of convoy or of the arithmetic over the rows that count; nothing when one has none. */
static void print_errors(struct cli *cli, const struct validate_rows *rows, const char *measurement, const char *role,
			 enum kind kind, bool baseline)
{
	double sum = 0, most = 0;
	size_t count = 0;

	for (size_t i = 0; i < rows->count; i++) {
		const struct validate_row *row = &rows->rows[i];
		double error = fabs(baseline ? row->baseline_pct : row->error_pct);

		if (!counts(row, measurement, role, kind))
			continue;
		if (baseline && !row->has_baseline)
			return;
		sum += error;
		most = error > most ? error : most;
		count++;
	}
	fprintf(cli->out, "%s mean %.1f %%, largest %.1f %%", baseline ? "; arithmetic" : " convoy", sum / (double)count,
		most);
}

static void errors_line(struct cli *cli, const struct validate_rows *rows, const char *measurement, const char *role,
			enum kind kind)
{
	size_t count = 0;

	for (size_t i = 0; i < rows->count; i++)
		count += counts(&rows->rows[i], measurement, role, kind);
	if (count == 0)
		return;
	fprintf(cli->out, "  Absolute error of the %s over %zu %s row%s, without unexplained ones:",
		kind == RATES ? "exit rates" : "times per operation", count, role, count > 1 ? "s" : "");
	print_errors(cli, rows, measurement, role, kind, false);
	print_errors(cli, rows, measurement, role, kind, true);
	fputc('\n', cli->out);
}

/* One measurement: the rows from `start` up to `end`. */
static void print_measurement(const struct validate_rows *rows, struct cli *cli, size_t start, size_t end)
{
	const char *measurement = rows->rows[start].measured.measurement;
	const char **texts = calloc(end - start, sizeof(*texts));
	struct table table;

	if (!texts)
		abort();
	for (size_t i = start; i < end; i++)
		texts[i - start] = rows->rows[i].measured.point_text;
	size_t skip = shared_words(texts, end - start);

	table_init(&table, people_columns, sizeof(people_columns) / sizeof(people_columns[0]));
	for (size_t i = start; i < end; i++)
		people_row(&table, &rows->rows[i], skip);
	fputs(start ? "\n" : "", cli->out);
	print_heading(cli, "%s: %.*s", measurement, (int)skip, texts[0]);
	table_print(&table, cli, FORMAT_TABLE);
	table_free(&table);
	free(texts);
	for (int kind = RATES; kind <= TIMES; kind++) {
		errors_line(cli, rows, measurement, "held", (enum kind)kind);
		errors_line(cli, rows, measurement, "fit", (enum kind)kind);
	}
}

static void print_people(const struct validate_rows *rows, struct cli *cli)
{
	bool baseline = false;

	for (size_t start = 0, end; start < rows->count; start = end) {
		for (end = start; end < rows->count && strcmp(rows->rows[end].measured.measurement,
							      rows->rows[start].measured.measurement) == 0; end++)
			baseline |= rows->rows[end].has_baseline;
		print_measurement(rows, cli, start, end);
	}
	if (baseline)
		fputs("\n  arithmetic: min(N/Z, 1/(visits*S))/N from the fit rows alone, what a saturated server predicts without "
		      "a model\n", cli->out);
}

void validate_print(const struct validate_rows *rows, struct cli *cli, enum format format)
{
	struct table table;

	if (format == FORMAT_TABLE) {
		print_people(rows, cli);
		return;
	}
	table_init(&table, machine_columns, sizeof(machine_columns) / sizeof(machine_columns[0]));
	for (size_t i = 0; i < rows->count; i++)
		machine_row(&table, &rows->rows[i]);
	table_print(&table, cli, format);
	if (format == FORMAT_JSON)
		fputc('\n', cli->out);
	table_free(&table);
}
