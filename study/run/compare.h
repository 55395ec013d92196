// SPDX-License-Identifier: Apache-2.0
/*
 * Predicted beside measured, row by row of a measurement file. A row that no simulated point answers stays, with an empty
 * prediction: what is not predicted is said, too.
 *
 * Metrics: `exits` (1/s/vcpu) and `lock-queue-entries` (1/s, the sum over all locks, where the kernel's contention_begin
 * event sits); the names of workload.exit (ns or cycles of host.clock): the time one vCPU takes for a round; and what the
 * study gives under metrics: and differences:. A point in two states is compared with the state that more replications are in.
 */
#ifndef CONVOY_STUDY_RUN_COMPARE_H
#define CONVOY_STUDY_RUN_COMPARE_H

#include "study/run/summary.h"

struct compare_row {
	const struct results_measured *measured;
	const struct summary *summary;   /* NULL: no point, or it was not simulated */
	bool has_prediction;
	bool what_if;                    /* the study has changed the host or the mode there: the measured value is of another machine */
	double predicted, error_pct;     /* (predicted - measured) / measured × 100 */
};

/* All rows stored with the results. Memory belongs to `results`. */
struct compare_row *compare_rows(struct results *results, const struct summary *summaries);

/* Some value of the point says in its source that the host or the mode is another one (STUDY_WHAT_IF). */
bool compare_is_what_if(const struct results *results, uint32_t point);

/* Mean of |error| in percent over rows of the exit rate. */
struct compare_mean { size_t count; double mean; };

/* Over the rows of this role that have a prediction and are no what-if, with or without the unexplained ones (baseline.h). */
struct compare_mean compare_mean_error(const struct compare_row *rows, size_t count, const char *role,
				       bool unexplained_too);

#endif
