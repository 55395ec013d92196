// SPDX-License-Identifier: Apache-2.0
/* The rate of a point over its replications; summary_sums.c adds up times and locks. See summary.h. */
#include "study/run/summary.h"

#include <string.h>

#include "study/run/summary_sums.h"

struct replication { double rate; bool checked, changed; double changed_at_ms; };

/* The windows that lie wholly inside the measured time. */
static const uint64_t *measured_windows(const struct results_run *run, size_t *count)
{
	size_t first, end;

	*count = 0;
	if (run->batch == 0)
		return NULL;
	first = (size_t)((run->warmup + run->batch - 1) / run->batch);
	end = (size_t)((run->warmup + run->sim.measured) / run->batch);
	end = end < run->sim.batch_count ? end : run->sim.batch_count;
	if (first >= end)
		return NULL;
	*count = end - first;
	return run->sim.batches + first;
}

static bool one_replication(const struct results_run *run, struct replication *out)
{
	double seconds = (double)run->sim.measured / (double)PS_PER_S;
	size_t count;
	uint64_t exits;

	*out = (struct replication){0};
	if (!results_metric(run, "exits", &exits) || seconds <= 0 || run->sim.cpu_count == 0)
		return false;
	out->rate = (double)exits / seconds / (double)run->sim.cpu_count;
	const uint64_t *windows = measured_windows(run, &count);
	struct stats_change change = stats_change(windows, count);

	out->checked = change.checked;
	out->changed = change.changed;
	if (change.changed) {
		/* It counts with the state it ended in. */
		double window = (double)run->batch / (double)PS_PER_S;

		out->rate = change.after / window / (double)run->sim.cpu_count;
		out->changed_at_ms = (double)change.at * (double)run->batch / (double)PS_PER_MS;
	}
	return true;
}

double summary_run_rate(const struct results_run *run)
{
	struct replication replication;

	return one_replication(run, &replication) ? replication.rate : 0;
}

double summary_predicted(const double *rates, size_t count)
{
	const struct stats_states states = stats_states(rates, count);

	if (!states.two)
		return stats_estimate(rates, count).mean;
	return states.high.count > states.low.count ? states.high.mean : states.low.mean;
}

static double queue_entries(const struct results_point *point)
{
	double sum = 0;

	for (size_t r = 0; r < point->run_count; r++) {
		const struct sim_result *sim = &point->runs[r].sim;
		uint64_t queued = 0;

		for (size_t i = 0; i < sim->lock_count; i++)
			queued += sim->locks[i].queued;
		sum += sim->measured ? (double)queued * (double)PS_PER_S / (double)sim->measured : 0;
	}
	return point->run_count ? sum / (double)point->run_count : 0;
}

static double shortest_ns(const struct results_point *point)
{
	uint64_t shortest = 0, round;

	for (size_t r = 0; r < point->run_count; r++)
		if (results_metric(&point->runs[r], "shortest-round", &round) && round && (!shortest || round < shortest))
			shortest = round;
	return (double)shortest / 1000;
}

static double lateness(const struct results_point *point)
{
	uint64_t late = 0, rounds = 0, value;

	for (size_t r = 0; r < point->run_count; r++) {
		if (results_metric(&point->runs[r], "lateness", &value))
			late += value;
		if (results_metric(&point->runs[r], "exits", &value))
			rounds += value;
	}
	return rounds ? (double)late / (double)PS_PER_NS / (double)rounds : 0;
}

static void summarize_rate(struct summary *summary, struct arena *arena)
{
	const struct results_point *point = summary->point;
	double *rates = arena_alloc(arena, point->run_count + 1, sizeof(*rates));
	size_t count = 0;

	for (size_t r = 0; r < point->run_count; r++) {
		struct replication replication;

		if (!one_replication(&point->runs[r], &replication))
			continue;
		rates[count++] = replication.rate;
		summary->checked += replication.checked;
		summary->changed += replication.changed;
		if (replication.changed_at_ms > summary->changed_at_ms)
			summary->changed_at_ms = replication.changed_at_ms;
	}
	summary->has_rate = count > 0;
	summary->rate = stats_estimate(rates, count);
	summary->states = stats_states(rates, count);
	summary->predicted = summary_predicted(rates, count);
}

struct summary *summarize(struct results *results)
{
	struct summary *summaries = arena_alloc(&results->arena, results->point_count + 1, sizeof(*summaries));

	for (size_t p = 0; p < results->point_count; p++) {
		struct summary *summary = &summaries[p];

		summary->point = &results->points[p];
		summary->variant = &results->variants[summary->point->variant];
		summary->runs = summary->point->run_count;
		if (summary->runs == 0)
			continue;
		summary->vcpus = (uint32_t)summary->point->runs[0].sim.cpu_count;
		summarize_rate(summary, &results->arena);
		summary->shortest_ns = shortest_ns(summary->point);
		summary->late_ns = lateness(summary->point);
		summary->queue_entries = queue_entries(summary->point);
		sum_times(summary, &results->arena);
		sum_locks(summary, &results->arena);
	}
	return summaries;
}

double summary_aggregate(const struct summary *summary)
{
	return summary->predicted * summary->vcpus;
}

double summary_serialized_ns(const struct summary *summary)
{
	double aggregate = summary_aggregate(summary);

	return aggregate > 0 ? 1e9 / aggregate : 0;
}

const char *summary_note(struct arena *arena, const struct summary *summary)
{
	const char *states = "", *changed = "";

	if (summary->states.two)
		states = arena_format(arena, "two states: %zu of %zu at %.0f, %zu at %.0f", summary->states.low.count,
				      summary->rate.count, summary->states.low.mean, summary->states.high.count,
				      summary->states.high.mean);
	if (summary->changed)
		changed = arena_format(arena, "%s%zu of %zu still changed state, last %.1f ms into the measurement",
				       *states ? "; " : "", summary->changed, summary->rate.count,
				       summary->changed_at_ms);
	return *states || *changed ? arena_format(arena, "%s%s", states, changed) : "";
}

double summary_share(const struct summary *summary, const char *reason)
{
	for (size_t i = 0; i < summary->reason_count; i++)
		if (strcmp(summary->reasons[i].name, reason) == 0)
			return summary->accounted ? (double)summary->reasons[i].ps / (double)summary->accounted : 0;
	return 0;
}
