// SPDX-License-Identifier: Apache-2.0
/*
 * The known name nearest to what somebody typed, by edit distance (Levenshtein: insert, delete, replace each cost 1).
 * Offer every known name; the first of the nearest wins. Only the first 127 bytes of a name count.
 *
 *     struct nearest near = nearest_to("host.lin.base");
 *     for (…) nearest_offer(&near, name);
 *     … near.name …                       // NULL when nothing was offered
 */
#ifndef CONVOY_STUDY_NEAREST_H
#define CONVOY_STUDY_NEAREST_H

#include <stddef.h>

struct nearest {
	const char *wanted;
	const char *name;
	size_t distance;
};

struct nearest nearest_to(const char *wanted);
void nearest_offer(struct nearest *near, const char *name);

/* The edit distance itself. */
size_t edit_distance(const char *a, const char *b);

#endif
