// SPDX-License-Identifier: Apache-2.0
/*
 * Runs simulations in parallel, each in a child process of its own: SystemC permits one simulation in a process, and a
 * crash then costs one run and not the study.
 *
 * The children send their results back through pipes, and the parent hands each to a callback, which stores it. So one
 * process writes the database. The other way, a file for each worker and a merge at the end, was rejected: a killed study
 * would leave pieces to be collected, and a run is a few hundred rows, so the writer is idle nearly all the time.
 *
 * Big runs start first, so that none is left alone at the end. Results arrive in any order; nothing that is
 * printed may depend on it (readers sort by the keys), nor on the number of workers.
 */
#ifndef CONVOY_STUDY_RUN_RUNNER_H
#define CONVOY_STUDY_RUN_RUNNER_H

#include "study/simulate.h"

struct run_job {
	const struct param_set *params;
	uint32_t point, replication;    /* point: the caller's number, handed back */
	const char *label;              /* for messages: "before, in-kernel vcpus=31" */
};

typedef cv_result run_simulate_fn(const struct param_set *params, uint32_t replication, struct sim_result *out);

/* Called in the parent for each finished run; `result` is valid during the call. An error ends the whole. */
typedef cv_result run_done_fn(void *context, const struct run_job *job, const struct sim_result *result);

enum run_progress { PROGRESS_NONE, PROGRESS_LINES, PROGRESS_TERMINAL };

struct run_options {
	unsigned workers;               /* 0: as many as there are CPUs online */
	enum run_progress progress;     /* where: stderr */
	run_simulate_fn *simulate;      /* simulate_point; tests put their own here */
};

struct run_totals {
	size_t done;                    /* runs finished and handed to the callback */
	uint64_t wall_ns;
	uint64_t simulated_ps;          /* warm-up included */
	uint64_t exits, line_transactions;   /* of the measured windows */
};

/* Simulates all jobs. When it fails, what was finished before has been handed over all the same:
 *   CV_INTERRUPTED   SIGINT or SIGTERM came; the children are stopped
 *   CV_CHILD_FAILED  a simulation died or sent nonsense; the others were finished; the text names the first such point
 *   others           the simulation's own error, or the callback's; no new runs were started after it */
cv_result run_jobs(const struct run_job *jobs, size_t count, const struct run_options *options, run_done_fn *done,
		   void *context, struct run_totals *totals);

#endif
