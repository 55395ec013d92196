// SPDX-License-Identifier: Apache-2.0
/*
 * One line a variant: how its curve begins and ends, where its knee is, and what its vCPUs wait for at the largest size.
 *
 * What is waited for: a lock (all its callers, from asking to holding), or, outside of locks, cache lines or the device in one kernel
 * function. The share is of all CPU time at that point. A vCPU that waits for its own device write waits for the device, even
 * where it does so while it takes a lock that nobody else wants.
 */
#ifndef CONVOY_STUDY_RUN_LIMITS_H
#define CONVOY_STUDY_RUN_LIMITS_H

#include "study/run/knee.h"
#include "study/run/summary.h"

struct limit {
	const struct results_variant *variant;
	const struct summary *first, *last, *from;   /* points of the knee's places; NULL when nothing was simulated */
	struct knee knee;               /* saturated is false when the axis is not the number of vCPUs */
	const char *waits_for;          /* a lock's name, "cache line in F", "device in F"; "" when nobody waits */
	double share;                   /* of CPU time at `last`, 0 … 1 */
};

/* One for each variant, over the points with `selected`. Memory belongs to `results`. */
struct limit *limits_find(struct results *results, const struct summary *summaries, const bool *selected);

#endif
