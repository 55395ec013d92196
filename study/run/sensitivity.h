// SPDX-License-Identifier: Apache-2.0
/*
 * How much of a study's answer rests on values that nobody knows: each parameter of the study's range: is moved to its low
 * and to its high end, one at a time, everything else as it is, with the same random numbers; and what the study would then say is put
 * beside what it says.
 *
 * One at a time shows what each guess is worth, not what several wrong guesses together would do. Nothing is stored.
 */
#ifndef CONVOY_STUDY_RUN_SENSITIVITY_H
#define CONVOY_STUDY_RUN_SENSITIVITY_H

#include "study/run/knee.h"
#include "study/run/plan.h"

struct sensitivity_answer {
	double first, last;             /* exits per second and vCPU at both ends of the axis */
	struct knee knee;               /* known only when the axis is the number of vCPUs */
};

struct sensitivity {
	struct arena arena;
	size_t variants, ranges;
	size_t first_axis, last_axis;   /* indexes of the ends among the wanted points */
	struct sensitivity_answer *base;       /* by variant */
	struct sensitivity_answer *low, *high; /* by range × variants + variant */
	struct run_totals totals;
	size_t runs;
};

/* Variants without a wanted point have answers of 0. Errors: no range: in the study, an end that a point's check refuses, and
 * those of run_jobs. */
cv_result sensitivity_run(const struct study *study, const struct selection *selection, const struct run_options *options,
			  struct sensitivity *out);

/* Whether an end moves any of the numbers by more than half a per cent. */
bool sensitivity_moves(const struct sensitivity_answer *base, const struct sensitivity_answer *end);

void sensitivity_free(struct sensitivity *sensitivity);

#endif
