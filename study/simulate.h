// SPDX-License-Identifier: Apache-2.0
/*
 * One point, simulated once: builds the machine and the software from a parameter set, runs warm-up and
 * measurement, and returns everything that was counted. SystemC allows one simulation per process, so this is
 * called at most once in a process; the runner forks.
 */
#ifndef CONVOY_STUDY_SIMULATE_H
#define CONVOY_STUDY_SIMULATE_H

#include "study/param.h"

/* One lock and caller, in the manner of `perf lock contention`. Times in ps, over the measured window, all CPUs. */
struct sim_lock_row {
	const char *lock;    /* e.g. "irq_desc(vtimer).lock" */
	const char *caller;  /* the function that took it, e.g. "irq_set_irqchip_state" */
	uint64_t acquisitions;
	uint64_t contended;  /* found the lock held or wanted */
	uint64_t queued;     /* of these: entered qspinlock's MCS queue, where the kernel's contention_begin event sits */
	uint64_t wait_total, wait_max;  /* from asking to holding, contended acquisitions only */
	uint64_t hold_total, hold_max;
};

/* Time of all CPUs that belongs to one function stack ("a;b;c", outermost first) and one reason. */
struct sim_account_row {
	const char *stack;
	const char *reason;  /* run, line transfer, spin, device, idle, guest */
	uint64_t ps;
};

/* A count or a time of the measured window. Counts are plain; rates are formed by the reader. */
struct sim_metric {
	const char *name;    /* exits, line-transactions, device-writes, device-reads, sysreg-accesses, … */
	const char *unit;    /* "1" or "ps" */
	uint64_t value;
};

struct sim_result {
	ps_t measured;             /* length of the measured window */
	uint64_t host_ns;          /* host time the simulation took, building included */
	uint64_t host_peak_bytes;  /* peak resident memory of the process */
	size_t lock_count, account_count, metric_count, batch_count, cpu_count;
	struct sim_lock_row *locks;
	struct sim_account_row *accounts;
	struct sim_metric *metrics;
	uint64_t *batches;         /* exits of all vCPUs in each window of run.batch, warm-up included, in order */
	uint64_t *cpu_exits;       /* exits of each vCPU in the measured window: fairness */
};

/* CV_OK, or the reason. `replication` counts from 0; with the same params, seed and replication the result
 * (host_* apart) is the same on every machine. The result's memory lives until the process ends. */
cv_result simulate_point(const struct param_set *params, uint32_t replication, struct sim_result *out);

#endif
