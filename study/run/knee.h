// SPDX-License-Identifier: Apache-2.0
/*
 * What a curve of rates over the number of vCPUs says about the resource they share.
 *
 * If nobody ever waited, each vCPU would do at every size what it does at the smallest. The knee is the number of vCPUs at which
 * each has lost a quarter of that, on straight lines between the simulated points. A curve that never gets there has none. Less would
 * not be queueing: as soon as a second CPU uses a lock its line moves between them, which costs ten per cent and more, at two vCPUs
 * as at six; and more CPUs mean longer ways.
 *
 * Beyond it, the busiest resource decides what all vCPUs together do: 1 / that is the time that a round has the resource for itself.
 * Where a lock has two states (nobody queues, everybody queues), `most` may be that of the better one, at a size below the one at which
 * the other takes over.
 */
#ifndef CONVOY_STUDY_RUN_KNEE_H
#define CONVOY_STUDY_RUN_KNEE_H

#include <stdbool.h>
#include <stddef.h>

struct knee_point { double vcpus, rate; };      /* rate: events per second and vCPU */

struct knee {
	bool known;                     /* at least one point with a rate */
	size_t first, last;             /* the points with the fewest and with the most vCPUs */
	double most;                    /* events per second, all vCPUs */
	size_t from;                    /* the smallest point that reaches 95 % of `most` */
	bool saturated;                 /* the curve has a knee */
	double vcpus;                   /* where; 0 without one */
};

/* Points in any order; those with a rate of 0 are left out. */
struct knee knee_find(const struct knee_point *points, size_t count);

#endif
