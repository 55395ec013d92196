// SPDX-License-Identifier: Apache-2.0
/* Which points of a study are to be simulated, and the list of jobs that does it. */
#ifndef CONVOY_STUDY_RUN_PLAN_H
#define CONVOY_STUDY_RUN_PLAN_H

#include "study/run/runner.h"
#include "study/store/arena.h"
#include "study/study.h"

/* One flag for each point, by store_point_id(). */
struct selection { bool *wanted; size_t points; struct arena arena; };

/* All points; then narrowed by lists as typed: values of the axis "8,16", names of variants "a,b" (a name may itself
 * contain commas). NULL: not narrowed. Refuses what the study does not have, and names what it has. */
cv_result selection_make(const struct study *study, const char *axis_values, const char *variants,
			 struct selection *out);

/* Narrows to the points that answer a row of the study's measurement file. */
cv_result selection_only_measured(const struct study *study, struct selection *selection);

/* Refuses a selected point whose parameters make no sense; the others do not matter. */
cv_result selection_check(const struct study *study, const struct selection *selection);

void selection_free(struct selection *selection);

struct plan {
	struct run_job *jobs;           /* by point, then replication */
	size_t count, points;
	struct arena arena;
};

typedef bool plan_skip_fn(const void *context, uint32_t point, uint32_t replication);

/* The runs of the wanted points, without those for which `skip` (may be NULL) says true. */
cv_result plan_make(const struct study *study, const struct selection *selection, plan_skip_fn *skip,
		    const void *context, struct plan *out);

void plan_free(struct plan *plan);

/* "variant=before, in-kernel vcpus=16": how a point is named everywhere, and what `show --point` understands. */
const char *plan_point_label(struct arena *arena, const char *variant, const char *axis_name, const char *axis_value);

#endif
