// SPDX-License-Identifier: Apache-2.0
/* "Why?": where the CPUs' time goes, by reason and by function. */
#include <string.h>

#include "cli/show.h"

static const struct table_column reason_columns[] = {
	{"variant", "variant", false},   {"axis", NULL, false},
	{"axis_value", "N", true},       {"guest_pct", "guest %", true},
	{"run_pct", "run %", true},      {"line_transfer_pct", "line transfer %", true},
	{"spin_pct", "spin %", true},    {"device_pct", "device %", true},
	{"idle_pct", "idle %", true},    {"busiest_lock", "most waited-for lock", false},
	{"caller", "caller", false},     {"contended_pct", "contended %", true},
	{"avg_wait_ns", "avg wait ns", true},
};

static const char *const reasons[] = {"guest", "run", "line transfer", "spin", "device", "idle"};

static void lock_cells(struct table *table, const struct summary *summary)
{
	const struct sim_lock_row *lock = summary->lock_count ? &summary->locks[0] : NULL;

	if (!lock || lock->contended == 0) {
		for (int i = 0; i < 4; i++)
			table_text(table, "");
		return;
	}
	table_text(table, lock->lock);
	table_text(table, lock->caller);
	table_format(table, "%.2f", 100.0 * (double)lock->contended / (double)lock->acquisitions);
	table_format(table, "%.1f", (double)lock->wait_total / (double)lock->contended / PS_PER_NS);
}

bool show_one_of_few(const struct show *show, size_t p)
{
	size_t before = 0, count = 0;

	for (size_t i = 0; i < show->results->point_count; i++) {
		if (show->results->points[i].variant != show->results->points[p].variant || !show->selected[i] ||
		    !show->summaries[i].runs)
			continue;
		before += i < p;
		count++;
	}
	return before == 0 || before == count / 3 || before == count * 2 / 3 || before == count - 1;
}

void show_time_table(const struct show *show, struct table *table, bool few)
{
	table_init(table, reason_columns, sizeof(reason_columns) / sizeof(reason_columns[0]));
	for (size_t p = 0; p < show->results->point_count; p++) {
		const struct summary *summary = &show->summaries[p];

		if (!show->selected[p] || summary->runs == 0 || (few && !show_one_of_few(show, p)))
			continue;
		table_text(table, summary->variant->name);
		table_text(table, show->results->axis_name);
		table_text(table, summary->point->axis_value);
		for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++)
			table_format(table, "%.2f", 100 * summary_share(summary, reasons[i]));
		lock_cells(table, summary);
	}
}

static const struct table_column stack_columns[] = {
	{"variant", "variant", false},  {"axis", NULL, false},     {"axis_value", "N", true},
	{"share_pct", "share %", true}, {"ps", NULL, true},        {"reason", "reason", false},
	{"function", "function", false}, {"stack", NULL, false},
};

/* For people the tail of a long list is no use; machines get every row. */
enum { MOST_STACKS = 15 };

void show_stack_table(const struct show *show, struct table *table)
{
	table_init(table, stack_columns, sizeof(stack_columns) / sizeof(stack_columns[0]));
	for (size_t p = 0; p < show->results->point_count; p++) {
		const struct summary *summary = &show->summaries[p];

		if (!show->selected[p])
			continue;
		for (size_t i = 0; i < summary->stack_count; i++) {
			const struct summary_stack *stack = &summary->stacks[i];
			const char *leaf = strrchr(stack->stack, ';');

			if (stack->ps == 0 || (show->options->format == FORMAT_TABLE && i >= MOST_STACKS))
				continue;
			table_text(table, summary->variant->name);
			table_text(table, show->results->axis_name);
			table_text(table, summary->point->axis_value);
			table_format(table, "%.2f", 100 * (double)stack->ps / (double)summary->accounted);
			table_format(table, "%llu", (unsigned long long)stack->ps);
			table_text(table, stack->reason);
			table_text(table, leaf ? leaf + 1 : stack->stack);
			table_text(table, stack->stack);
		}
	}
}
