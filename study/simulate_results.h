// SPDX-License-Identifier: Apache-2.0
/*
 * From the model's own counters to struct sim_result: copies, sorted by name, so that the order of creation never
 * shows.
 */
#ifndef CONVOY_STUDY_SIMULATE_RESULTS_H
#define CONVOY_STUDY_SIMULATE_RESULTS_H

#include "model/account/account.h"
#include "model/cpu/machine_build.h"
#include "study/simulate.h"
#include "workloads/workload.h"

void sim_collect(struct sim_result *out, const struct workload *workload, const struct account *account,
		 const struct machine_counters *before, const struct machine_counters *after);

/* What software counts of itself, free of cost; zero without the scheduler. */
struct sim_software_counters {
	struct sched_counts sched;
	struct halt_counts halt;
};
struct sim_software_counters sim_software_count(const struct workload *workload);
/* What happened since `before`, for workloads under the scheduler. */
void sim_collect_scheduler(struct sim_result *out, const struct workload *workload, const struct sim_software_counters *before);

#endif
