// SPDX-License-Identifier: Apache-2.0
/* Sums over the replications of a point. Private to summary.c. */
#ifndef CONVOY_STUDY_RUN_SUMMARY_SUMS_H
#define CONVOY_STUDY_RUN_SUMMARY_SUMS_H

#include "study/run/summary.h"

void sum_times(struct summary *summary, struct arena *arena);
void sum_locks(struct summary *summary, struct arena *arena);

#endif
