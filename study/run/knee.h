// SPDX-License-Identifier: Apache-2.0
/*
 * What a curve of rates over the number of vCPUs says about the resource they share.
 *
 * If nobody ever waited, N vCPUs would do N times what the smallest size does. They do not, once one resource (a lock, a
 * device) is busy all the time: then all together do what it serves, `most`, however many they are. The knee is where the two meet,
 *     knee = most / rate of one vCPU at the smallest size,
 * and its inverse is the part of a round that only one vCPU at a time can be in. A curve is called saturated, and has a knee, when all
 * together never do more than 90 % of what the largest size would do without waiting. Below that, differences of a few per cent come
 * from longer ways to more CPUs, and no knee is claimed.
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
	bool saturated;
	double vcpus;                   /* the knee; 0 unless saturated */
};

/* Points in any order; those with a rate of 0 are left out. */
struct knee knee_find(const struct knee_point *points, size_t count);

#endif
