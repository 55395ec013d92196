// SPDX-License-Identifier: Apache-2.0
/* See knee.h. */
#include "study/run/knee.h"

static const double saturated_below = 0.90, reached_at = 0.95;

static double all(const struct knee_point *point)
{
	return point->vcpus * point->rate;
}

struct knee knee_find(const struct knee_point *points, size_t count)
{
	struct knee knee = {0};

	for (size_t i = 0; i < count; i++) {
		if (points[i].rate <= 0 || points[i].vcpus <= 0)
			continue;
		if (!knee.known)
			knee.first = knee.last = i;
		knee.known = true;
		if (points[i].vcpus < points[knee.first].vcpus)
			knee.first = i;
		if (points[i].vcpus > points[knee.last].vcpus)
			knee.last = i;
		if (all(&points[i]) > knee.most)
			knee.most = all(&points[i]);
	}
	knee.from = knee.last;
	for (size_t i = 0; i < count; i++)
		if (knee.known && all(&points[i]) >= reached_at * knee.most && points[i].vcpus < points[knee.from].vcpus)
			knee.from = i;
	if (!knee.known)
		return knee;
	knee.saturated = knee.most < saturated_below * points[knee.last].vcpus * points[knee.first].rate;
	knee.vcpus = knee.saturated ? knee.most / points[knee.first].rate : 0;
	return knee;
}
