// SPDX-License-Identifier: Apache-2.0
/*
 * "Why?", at the locks: the columns of `perf lock contention` (contended, total wait, max wait, avg wait, type, caller),
 * with what perf cannot know between them. Waits are those of contended acquisitions, all replications together.
 */
#include "cli/show.h"

static const struct table_column columns[] = {
	{"variant", NULL, false},           {"axis", NULL, false},
	{"axis_value", NULL, true},         {"contended", "contended", true},
	{"wait_total_ps", NULL, true},      {"wait_max_ps", NULL, true},
	{"wait_avg_ps", NULL, true},    {NULL, "total wait", true},
	{NULL, "max wait", true},     {NULL, "avg wait", true},
	{"acquired", "acquired", true},     {"contended_pct", "contended %", true},
	{"queued", "queued", true},         {"hold_total_ps", NULL, true},
	{"hold_max_ps", NULL, true},        {NULL, "avg hold", true},
	{NULL, "max hold", true},     {"lock", "lock", false},
	{"caller", "caller", false},
};

const char *show_duration(struct arena *arena, double ps)
{
	static const char *const units[] = {"ns", "us", "ms", "s"};
	double value = ps / PS_PER_NS;
	size_t unit = 0;

	while (value >= 1000 && unit < 3) {
		value /= 1000;
		unit++;
	}
	return arena_format(arena, "%.*f %s", unit ? 2 : 1, value, units[unit]);
}

static double average(uint64_t total, uint64_t count)
{
	return count ? (double)total / (double)count : 0;
}

static void number(struct table *table, uint64_t value)
{
	table_format(table, "%llu", (unsigned long long)value);
}

static void lock_row(const struct show *show, struct table *table, const struct summary *summary,
		     const struct sim_lock_row *lock)
{
	double wait = average(lock->wait_total, lock->contended), hold = average(lock->hold_total, lock->acquisitions);

	table_text(table, summary->variant->name);
	table_text(table, show->results->axis_name);
	table_text(table, summary->point->axis_value);
	number(table, lock->contended);
	number(table, lock->wait_total);
	number(table, lock->wait_max);
	table_format(table, "%.0f", wait);
	table_text(table, show_duration(&table->arena, (double)lock->wait_total));
	table_text(table, show_duration(&table->arena, (double)lock->wait_max));
	table_text(table, show_duration(&table->arena, wait));
	number(table, lock->acquisitions);
	table_format(table, "%.2f", 100 * average(lock->contended, lock->acquisitions));
	number(table, lock->queued);
	number(table, lock->hold_total);
	number(table, lock->hold_max);
	table_text(table, show_duration(&table->arena, hold));
	table_text(table, show_duration(&table->arena, (double)lock->hold_max));
	table_text(table, lock->lock);
	table_text(table, lock->caller);
}

void show_lock_table(const struct show *show, struct table *table, bool only_point, size_t point)
{
	table_init(table, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t p = 0; p < show->results->point_count; p++) {
		const struct summary *summary = &show->summaries[p];

		if (!show->selected[p] || (only_point && p != point))
			continue;
		for (size_t i = 0; i < summary->lock_count; i++)
			if (summary->locks[i].acquisitions)
				lock_row(show, table, summary, &summary->locks[i]);
	}
}
