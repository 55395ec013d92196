// SPDX-License-Identifier: Apache-2.0
/* Workloads that count several kinds of exits: how many of each, and what each costs the host. */
#include <stdlib.h>
#include <string.h>

#include "cli/show.h"

static const struct table_column columns[] = {
	{"variant", "variant", false},          {"axis", NULL, false},
	{"axis_value", "N", true},              {"kind", "kind", false},
	{"asked_per_s_per_vcpu", "asked/s/vCPU", true}, {"exits_per_s_per_vcpu", "exits/s/vCPU", true},
	{"host_ns_per_exit", "host ns/exit", true},     {"host_pct", "% of CPU time", true},
};

/* The metrics that a workload gives for each kind: exits-KIND, host-time-KIND (study/simulate_results.c). */
static const char count_start[] = "exits-", time_start[] = "host-time-";

struct kind { const char *name; double count, host_ps; };

static struct kind *kind_named(struct kind *kinds, size_t *count, const char *name)
{
	for (size_t i = 0; i < *count; i++)
		if (strcmp(kinds[i].name, name) == 0)
			return &kinds[i];
	kinds[*count].name = name;
	return &kinds[(*count)++];
}

static size_t add_up(const struct show *show, const struct results_point *point, struct kind **out)
{
	size_t most = 1, count = 0;

	for (size_t r = 0; r < point->run_count; r++)
		most += point->runs[r].sim.metric_count;
	*out = arena_alloc(&show->results->arena, most, sizeof(**out));
	for (size_t r = 0; r < point->run_count; r++)
		for (size_t i = 0; i < point->runs[r].sim.metric_count; i++) {
			const struct sim_metric *metric = &point->runs[r].sim.metrics[i];

			if (strncmp(metric->name, count_start, sizeof(count_start) - 1) == 0)
				kind_named(*out, &count, metric->name + sizeof(count_start) - 1)->count += (double)metric->value;
			else if (strncmp(metric->name, time_start, sizeof(time_start) - 1) == 0)
				kind_named(*out, &count, metric->name + sizeof(time_start) - 1)->host_ps += (double)metric->value;
		}
	return count;
}

static double number_of(const struct results *results, uint32_t point, const char *parameter)
{
	const char *text = results_param_value(results, point, parameter);

	return text ? strtod(text, NULL) : 0;
}

/* "" for a kind that has no rate of its own. Of the hypercalls, workload.mix.user_share goes to the VMM instead (workloads/mix.c). */
static const char *asked(const struct show *show, struct arena *arena, uint32_t point, const char *kind)
{
	const char *parameter = arena_format(arena, "workload.mix.%s", kind);
	const char *own = results_param_value(show->results, point, parameter);
	const double moved = number_of(show->results, point, "workload.mix.user_share") *
			     number_of(show->results, point, "workload.mix.hypercall");

	if (!own || moved == 0)
		return own ? own : "";
	if (strcmp(kind, "hypercall") == 0)
		return arena_format(arena, "%.10g", strtod(own, NULL) - moved);
	return strcmp(kind, "mmio_user") == 0 ? arena_format(arena, "%.10g", strtod(own, NULL) + moved) : own;
}

static void rows_of(const struct show *show, struct table *table, const struct summary *summary)
{
	const double vcpu_seconds = (double)summary->measured / (double)PS_PER_S * summary->vcpus;
	struct kind *kinds;
	size_t count = add_up(show, summary->point, &kinds);

	for (size_t i = 0; i < count; i++) {
		table_text(table, summary->variant->name);
		table_text(table, show->results->axis_name);
		table_text(table, summary->point->axis_value);
		table_text(table, kinds[i].name);
		table_text(table, asked(show, &table->arena, summary->point->id, kinds[i].name));
		table_format(table, "%.0f", kinds[i].count / vcpu_seconds);
		table_format(table, "%.1f", kinds[i].host_ps / kinds[i].count / PS_PER_NS);
		table_format(table, "%.2f", 100 * kinds[i].host_ps / (double)PS_PER_S / vcpu_seconds);
	}
}

void show_kinds_table(const struct show *show, struct table *table, bool few)
{
	table_init(table, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t p = 0; p < show->results->point_count; p++)
		if (show->selected[p] && show->summaries[p].runs && (!few || show_one_of_few(show, p)))
			rows_of(show, table, &show->summaries[p]);
}
