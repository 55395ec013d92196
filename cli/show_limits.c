// SPDX-License-Identifier: Apache-2.0
/* "Where does it stop scaling, and why?": one row for each variant. */
#include <string.h>

#include "cli/show.h"
#include "study/run/limits.h"

/* Less than this share of the CPU time is not called a limit. */
static const double worth_naming = 0.005;

static const struct table_column columns[] = {
	{"variant", "variant", false},
	{"first_axis_value", NULL, true},
	{"first_exits_per_s_per_vcpu", "first", true},
	{"aggregate_most", "most, all/s", true},
	{"aggregate_from_axis_value", "from N", true},
	{"knee_vcpus", "knee", true},
	{"serialized_ns_per_exit", "serial ns", true},
	{"serialized_pct", "% of round", true},
	{"last_axis_value", NULL, true},
	{"last_exits_per_s_per_vcpu", "last", true},
	{"waits_for", "waits most for", false},
	{"waits_pct", "% of CPU time", true},
};

/*
 * Serialized: of one round at the largest size. The share is of a round at the smallest, at the size that served most: a resource that
 * serves more slowly the more wait for it would make more than a whole round of it at the largest.
 */
static void knee_cells(struct table *table, const struct limit *limit)
{
	const double serialized = limit->last ? summary_serialized_ns(limit->last) : 0;

	if (!limit->knee.known) {
		for (int i = 0; i < 5; i++)
			table_text(table, "");
		return;
	}
	table_format(table, "%.0f", limit->knee.most);
	table_text(table, limit->from->point->axis_value);
	if (!limit->knee.saturated) {
		for (int i = 0; i < 3; i++)
			table_text(table, "");
		return;
	}
	table_format(table, "%.1f", limit->knee.vcpus);
	table_format(table, "%.1f", serialized);
	table_format(table, "%.1f", 100 * limit->first->predicted / limit->knee.most);
}

static void rate_cell(struct table *table, const struct summary *summary)
{
	if (summary->has_rate)
		table_format(table, "%.0f", summary->predicted);
	else
		table_text(table, "");
}

void show_limits_table(const struct show *show, struct table *table)
{
	const struct limit *limits = limits_find(show->results, show->summaries, show->selected);

	table_init(table, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t v = 0; v < show->results->variant_count; v++) {
		const struct limit *limit = &limits[v];

		if (!limit->last)
			continue;
		table_text(table, limit->variant->name);
		table_text(table, limit->first->point->axis_value);
		rate_cell(table, limit->first);
		knee_cells(table, limit);
		table_text(table, limit->last->point->axis_value);
		rate_cell(table, limit->last);
		table_text(table, limit->share >= worth_naming ? limit->waits_for : "nothing");
		table_format(table, "%.1f", 100 * limit->share);
	}
}

bool show_has_limits(const struct show *show)
{
	const struct limit *limits = limits_find(show->results, show->summaries, show->selected);

	for (size_t v = 0; v < show->results->variant_count; v++)
		if (limits[v].first != limits[v].last)
			return true;
	return false;
}

void show_limits_heading(const struct show *show)
{
	const struct limit *limits = limits_find(show->results, show->summaries, show->selected);
	const struct limit *one = NULL;

	for (size_t v = 0; v < show->results->variant_count && !one; v++)
		one = limits[v].last ? &limits[v] : NULL;
	if (one)
		print_heading(show->cli, "Where does it stop scaling, and on what? (first: %s=%s, last: %s=%s)",
			      show->results->axis_name, one->first->point->axis_value, show->results->axis_name,
			      one->last->point->axis_value);
}
