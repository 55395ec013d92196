// SPDX-License-Identifier: Apache-2.0
/*
 * "Waking and scheduling": one row for each point whose run has the scheduler; means over its runs. Empty for all others. Wake-ups are those of guests:
 * from something to do to the guest that does it.
 */
#include <string.h>

#include "cli/show.h"

static const struct table_column columns[] = {
	{"variant", "variant", false},
	{"axis_value", "N", true},
	{"wake_ups_per_s", "wake-ups/s", true},
	{"wake_latency_ns", "latency ns", true},
	{"wake_latency_max_ns", "longest ns", true},
	{"halts_per_s", "halts/s", true},
	{"polls_successful_pct", "polled %", true},
	{"poll_time_pct", "polling % of CPUs", true},
	{"guest_ipis_per_s", "guest IPIs/s", true},
	{"preemptions_per_s", "preemptions/s", true},
	{"task_switches_per_s", "switches/s", true},
};

/* Sum over the runs of a point. */
static double sum(const struct results_point *point, const char *name)
{
	double total = 0;

	for (size_t r = 0; r < point->run_count; r++) {
		uint64_t value = 0;

		results_metric(&point->runs[r], name, &value);
		total += (double)value;
	}
	return total;
}

static bool has_scheduler(const struct results_point *point)
{
	uint64_t unused;

	return point->run_count && results_metric(&point->runs[0], "task-switches", &unused);
}

static double percent(double part, double whole)
{
	return whole > 0 ? 100 * part / whole : 0;
}

static double cpu_time(const struct results_point *point)
{
	double total = 0;

	for (size_t r = 0; r < point->run_count; r++)
		for (size_t a = 0; a < point->runs[r].sim.account_count; a++)
			total += (double)point->runs[r].sim.accounts[a].ps;
	return total;
}

static void row(struct table *table, const struct results_point *point)
{
	const double wakes = sum(point, "wake-ups"), halts = sum(point, "halts");
	double seconds = 0, longest = 0;

	for (size_t r = 0; r < point->run_count; r++) {
		uint64_t value = 0;

		seconds += (double)point->runs[r].sim.measured / 1e12;
		results_metric(&point->runs[r], "wake-latency-max", &value);
		longest = (double)value > longest ? (double)value : longest;
	}
	table_format(table, "%.0f", wakes / seconds);
	table_format(table, "%.0f", wakes > 0 ? sum(point, "wake-latency") / wakes / 1000 : 0);
	table_format(table, "%.0f", longest / 1000);
	table_format(table, "%.0f", halts / seconds);
	table_format(table, "%.1f", percent(sum(point, "halt-polls-successful"), halts));
	table_format(table, "%.1f", percent(sum(point, "halt-poll-time"), cpu_time(point)));
	table_format(table, "%.0f", sum(point, "guest-ipis") / seconds);
	table_format(table, "%.0f", sum(point, "preemptions") / seconds);
	table_format(table, "%.0f", sum(point, "task-switches") / seconds);
}

void show_sleep_table(const struct show *show, struct table *table)
{
	table_init(table, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t p = 0; p < show->results->point_count; p++) {
		const struct results_point *point = &show->results->points[p];

		if (!show->selected[p] || !has_scheduler(point))
			continue;
		table_text(table, show->results->variants[point->variant].name);
		table_text(table, point->axis_value);
		row(table, point);
	}
}
