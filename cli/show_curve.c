// SPDX-License-Identifier: Apache-2.0
/* "How does it scale?": one row for each point. */
#include <string.h>

#include "cli/show.h"

static const struct table_column columns[] = {
	{"variant", "variant", false},
	{"axis", NULL, false},
	{"axis_value", "N", true},
	{"replications", NULL, true},
	{"exits_per_s_per_vcpu", "exits/s/vCPU", true},
	{"ci95", "± 95 %", true},
	{"low_state", NULL, true},
	{"low_state_replications", NULL, true},
	{"high_state", NULL, true},
	{"high_state_replications", NULL, true},
	{"changed_state", NULL, true},
	{"measured", "measured", true},
	{"error_pct", "error %", true},
	{"aggregate_exits_per_s", "all vCPUs/s", true},
	{"serialized_ns_per_exit", "ns/exit", true},
	{"lock_queue_entries_per_s", "lock queue/s", true},
	{"note", "", false},
};

enum { COLUMNS = sizeof(columns) / sizeof(columns[0]) };

/* Every point's exits are exits to userspace; other workloads count their rounds under that name. */
static bool counts_exits(const struct show *show)
{
	for (size_t p = 0; p < show->results->point_count; p++) {
		const char *kind = results_param_value(show->results, show->results->points[p].id, "workload.kind");

		if (kind && strcmp(kind, "exit-to-userspace") != 0)
			return false;
	}
	return true;
}

/* What people read above the columns; the names for machines stay. */
static const struct table_column *headings(const struct show *show)
{
	struct table_column *own = arena_alloc(&show->results->arena, COLUMNS, sizeof(*own));

	memcpy(own, columns, sizeof(columns));
	for (size_t i = 0; i < COLUMNS && !counts_exits(show); i++) {
		if (strcmp(own[i].name, "exits_per_s_per_vcpu") == 0)
			own[i].heading = "rounds/s/vCPU";
		if (strcmp(own[i].name, "serialized_ns_per_exit") == 0)
			own[i].heading = "ns/round";
	}
	return own;
}

/* The measured rate of a point, if a row of the measurement file has one. Beside a what-if it would look as if it belonged to it. */
static const struct compare_row *measured_rate(const struct show *show, const struct summary *summary)
{
	for (size_t i = 0; i < show->results->measured_count; i++)
		if (show->rows[i].summary == summary && strcmp(show->rows[i].measured->metric, "exits") == 0)
			return &show->rows[i];
	return NULL;
}

static void state_cells(struct table *table, const struct summary *summary)
{
	const struct stats_states *states = &summary->states;

	if (!states->two) {
		table_format(table, "%.0f", summary->rate.mean);
		table_format(table, "%.0f", summary->rate.half_width);
		for (int i = 0; i < 4; i++)
			table_text(table, "");
		return;
	}
	/* Two states are never shown as their mean. */
	table_text(table, "");
	table_text(table, "");
	table_format(table, "%.0f", states->low.mean);
	table_format(table, "%zu", states->low.count);
	table_format(table, "%.0f", states->high.mean);
	table_format(table, "%zu", states->high.count);
}

static void rate_cells(const struct show *show, struct table *table, const struct summary *summary)
{
	const struct compare_row *row = measured_rate(show, summary);

	if (show->options->format == FORMAT_TABLE && summary->states.two) {
		table_format(table, "%.0f / %.0f", summary->states.low.mean, summary->states.high.mean);
		table_format(table, "%zu / %zu runs", summary->states.low.count, summary->states.high.count);
		for (int i = 0; i < 4; i++)
			table_text(table, "");
	} else {
		state_cells(table, summary);
		if (summary->rate.count < 2 && !summary->states.two)
			table->cells[table->cell_count - 5] = "";
	}
	table_format(table, "%zu", summary->changed);
	if (row && !row->what_if) {
		table_format(table, "%.10g", row->measured->value);
		table_text(table, show_error(&table->arena, show->options->format, row));
	} else {
		table_text(table, "");
		table_text(table, "");
	}
	table_format(table, "%.0f", summary_aggregate(summary));
	table_format(table, "%.1f", summary_serialized_ns(summary));
}

void show_curve_table(const struct show *show, struct table *table)
{
	table_init(table, headings(show), COLUMNS);
	for (size_t p = 0; p < show->results->point_count; p++) {
		const struct summary *summary = &show->summaries[p];

		if (!show->selected[p] || summary->runs == 0)
			continue;
		table_text(table, summary->variant->name);
		table_text(table, show->results->axis_name);
		table_text(table, summary->point->axis_value);
		table_format(table, "%zu", summary->runs);
		if (summary->has_rate)
			rate_cells(show, table, summary);
		else
			for (int i = 0; i < 11; i++)
				table_text(table, "");
		table_format(table, "%.0f", summary->queue_entries);
		table_text(table, summary_note(&table->arena, summary));
	}
}
