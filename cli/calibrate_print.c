// SPDX-License-Identifier: Apache-2.0
/* See calibrate_print.h. */
#include "cli/calibrate_print.h"

#include "cli/table.h"

static const struct table_column param_columns[] = {
	{"parameter", "parameter", false}, {"low", "low", true},          {"start", "start", true},
	{"end", "end", true},              {"high", "high", true},        {"minus", "error at -10 %", true},
	{"plus", "error at +10 %", true},  {"note", "", false},
};

static const struct table_column row_columns[] = {
	{"point", "fit row", false},   {"metric", "metric", false},       {"measured", "measured", true},
	{"start", "start", true},      {"start_pct", "error %", true},    {"end", "end", true},
	{"end_pct", "error %", true},
};

static void value_cell(struct table *table, enum param_id id, const struct param_value *value)
{
	char text[128];

	param_format(id, value, text, sizeof(text));
	table_text(table, text);
}

static void print_params(struct cli *cli, const struct study *study, const struct calibrate_outcome *outcome)
{
	struct table table;

	table_init(&table, param_columns, sizeof(param_columns) / sizeof(param_columns[0]));
	for (size_t i = 0; i < outcome->param_count; i++) {
		const struct calibrate_param *param = &outcome->params[i];

		table_text(&table, param_table[param->id].name);
		value_cell(&table, param->id, &study->free_params[i].low);
		value_cell(&table, param->id, &param->start);
		value_cell(&table, param->id, &param->end);
		value_cell(&table, param->id, &study->free_params[i].high);
		table_format(&table, "%.2f %%", calibrate_rms_pct(param->minus));
		table_format(&table, "%.2f %%", calibrate_rms_pct(param->plus));
		table_text(&table, param->on_low ? "on its lower bound" : param->on_high ? "on its upper bound" : "");
	}
	table_print(&table, cli, FORMAT_TABLE);
	table_free(&table);
}

static void print_rows(struct cli *cli, const struct calibrate_outcome *outcome)
{
	struct table table;

	table_init(&table, row_columns, sizeof(row_columns) / sizeof(row_columns[0]));
	for (size_t i = 0; i < outcome->row_count; i++) {
		const struct calibrate_row *row = &outcome->rows[i];

		table_text(&table, row->point_text);
		table_text(&table, row->metric);
		table_format(&table, "%.10g", row->measured);
		table_format(&table, "%.0f", row->start);
		table_format(&table, "%+.2f", (row->start / row->measured - 1) * 100);
		table_format(&table, "%.0f", row->end);
		table_format(&table, "%+.2f", (row->end / row->measured - 1) * 100);
	}
	table_print(&table, cli, FORMAT_TABLE);
	table_free(&table);
}

/* What the fit rows leave open. */
static void print_doubts(struct cli *cli, const struct calibrate_outcome *outcome)
{
	FILE *out = cli->out;

	if (outcome->param_count > outcome->row_count)
		fprintf(out, "  %zu parameters and %zu fit rows: at least %zu combination%s of them not determined by the data.\n",
			outcome->param_count, outcome->row_count, outcome->param_count - outcome->row_count,
			outcome->param_count - outcome->row_count > 1 ? "s are" : " is");
	for (size_t i = 0; i < outcome->param_count; i++)
		if (outcome->params[i].minus == outcome->objective_end && outcome->params[i].plus == outcome->objective_end)
			fprintf(out, "  %s does not change any fit row: the data say nothing about it.\n",
				param_table[outcome->params[i].id].name);
	for (size_t i = 0; i < outcome->pair_count; i++) {
		const struct calibrate_pair *pair = &outcome->pairs[i];

		fprintf(out, "  The fit rows hardly separate %s and %s (likeness of their effects %.3f): one may stand for the other.\n",
			param_table[outcome->params[pair->a].id].name, param_table[outcome->params[pair->b].id].name,
			pair->likeness);
	}
}

void calibrate_print(struct cli *cli, const struct study *study, const struct calibrate_outcome *outcome)
{
	print_heading(cli, "Calibration of %s with the fit rows of %s", study->name, study->measurement);
	fprintf(cli->out, "  root mean square error %.2f %% at the start, %.2f %% at the end, %u evaluations\n"
		"  %zu fit rows used, %zu held rows not looked at", calibrate_rms_pct(outcome->objective_start),
		calibrate_rms_pct(outcome->objective_end), outcome->evaluations, outcome->row_count,
		outcome->held_dropped);
	if (outcome->unanswered)
		fprintf(cli->out, ", %zu fit rows that no point of the study answers", outcome->unanswered);
	fputs("\n\n", cli->out);
	print_heading(cli, "Parameters");
	print_params(cli, study, outcome);
	fputc('\n', cli->out);
	print_heading(cli, "Fit rows");
	print_rows(cli, outcome);
	fputc('\n', cli->out);
	print_doubts(cli, outcome);
}
