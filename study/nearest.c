// SPDX-License-Identifier: Apache-2.0
/* Edit distance with one row of the table; see nearest.h. */
#include "study/nearest.h"

#include <stdint.h>
#include <string.h>

#define LONGEST 127u

size_t edit_distance(const char *a, const char *b)
{
	size_t a_length = strnlen(a, LONGEST), b_length = strnlen(b, LONGEST);
	size_t row[LONGEST + 1];

	for (size_t j = 0; j <= b_length; j++)
		row[j] = j;
	for (size_t i = 1; i <= a_length; i++) {
		size_t diagonal = row[0];

		row[0] = i;
		for (size_t j = 1; j <= b_length; j++) {
			size_t above = row[j];
			size_t best = diagonal + (a[i - 1] != b[j - 1]);

			if (above + 1 < best)
				best = above + 1;
			if (row[j - 1] + 1 < best)
				best = row[j - 1] + 1;
			diagonal = above;
			row[j] = best;
		}
	}
	return row[b_length];
}

struct nearest nearest_to(const char *wanted)
{
	return (struct nearest){ .wanted = wanted, .name = NULL, .distance = SIZE_MAX };
}

void nearest_offer(struct nearest *near, const char *name)
{
	size_t distance = edit_distance(near->wanted, name);

	if (near->name == NULL || distance < near->distance) {
		near->name = name;
		near->distance = distance;
	}
}
