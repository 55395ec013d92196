// SPDX-License-Identifier: Apache-2.0
/*
 * One point over its replications: rate with interval and state, where the CPUs' time went, what happened at the locks.
 * Computed from a results file on demand; nothing of it is stored, so a better rule needs no new simulation.
 */
#ifndef CONVOY_STUDY_RUN_SUMMARY_H
#define CONVOY_STUDY_RUN_SUMMARY_H

#include "study/run/stats.h"
#include "study/store/results.h"

struct summary_time { const char *name; uint64_t ps; };   /* all replications together */

/* A function stack ("a;b;c", outermost first) with the reason its time was spent for. */
struct summary_stack { const char *stack, *reason; uint64_t ps; };

struct summary {
	const struct results_point *point;
	const struct results_variant *variant;
	size_t runs;                    /* 0: not simulated, everything below is empty */
	uint32_t vcpus;
	bool has_rate;                  /* the workload counts exits */
	struct stats_estimate rate;     /* exits per second and vCPU; not to be shown when states.two */
	struct stats_states states;
	size_t checked, changed;        /* replications with enough windows to tell; those that changed state */
	double changed_at_ms;           /* when the latest change was, ms after the start of the measured window */
	double predicted;               /* rate.mean; with two states the mean of the group with more replications */
	double shortest_ns;             /* shortest round of any vCPU in the measured time; 0 when unknown */
	double late_ns;                 /* mean lateness of a round, ns, where rounds have one; else 0 */
	double queue_entries;           /* entries into the locks' MCS queues per second, all locks, mean of the runs */
	ps_t measured;                  /* simulated time measured, all replications together */
	uint64_t accounted;             /* CPU time, all replications together */
	struct summary_time *reasons;   /* sum to `accounted`; fixed order */
	struct summary_stack *stacks;   /* most time first */
	struct sim_lock_row *locks;     /* totals over the replications, maxima over them; longest wait first */
	size_t reason_count, stack_count, lock_count;
};

/* All points in the order of the study. Memory belongs to `results`. */
struct summary *summarize(struct results *results);

/* Exits per second and vCPU of one run, by the rules above; 0 for a workload that counts none. */
double summary_run_rate(const struct results_run *run);

/* The value that a point stands for: the mean, or that of the state which more replications are in. */
double summary_predicted(const double *rates, size_t count);

/* Aggregate exits per second: all vCPUs, of the value in `predicted`. */
double summary_aggregate(const struct summary *summary);

/* Time that one exit takes of the whole machine: 1 / aggregate, in ns. A saturated lock shows here as a constant. */
double summary_serialized_ns(const struct summary *summary);

/* "" when the point is fine, else what to know: "two states: 2 at 119943, 3 at 131000", "1 of 5 changed state …". */
const char *summary_note(struct arena *arena, const struct summary *summary);

/* The share of one reason, 0 … 1. */
double summary_share(const struct summary *summary, const char *reason);

#endif
