// SPDX-License-Identifier: Apache-2.0
/* See knee.h. */
#include "study/run/knee.h"

static const double lost_a_quarter = 0.75, reached_at = 0.95;

static double all(const struct knee_point *point)
{
	return point->vcpus * point->rate;
}

/* On the straight line between two points. */
static double crossing(const struct knee_point *before, const struct knee_point *after, double rate)
{
	return before->vcpus + (after->vcpus - before->vcpus) * (before->rate - rate) / (before->rate - after->rate);
}

static void find_place(struct knee *knee, const struct knee_point *points, size_t count)
{
	const double rate = lost_a_quarter * points[knee->first].rate;
	const struct knee_point *after = NULL, *before = &points[knee->first];

	for (size_t i = 0; i < count; i++)
		if (points[i].rate > 0 && points[i].rate < rate && (!after || points[i].vcpus < after->vcpus))
			after = &points[i];
	if (!after)
		return;
	for (size_t i = 0; i < count; i++)
		if (points[i].rate > 0 && points[i].vcpus < after->vcpus && points[i].vcpus > before->vcpus)
			before = &points[i];
	knee->saturated = true;
	knee->vcpus = crossing(before, after, rate);
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
	if (knee.known)
		find_place(&knee, points, count);
	return knee;
}
