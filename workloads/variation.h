// SPDX-License-Identifier: Apache-2.0
/*
 * How private work varies from round to round: a named distribution with mean 1, drawn by counter-based random
 * numbers.
 *
 *   constant      always the mean
 *   uniform       mean ± cv·√3
 *   gamma         shape 1/cv², the usual picture of work made of many small independent parts
 *   exponential   cv 1, for comparison with closed forms
 */
#ifndef CONVOY_WORKLOADS_VARIATION_H
#define CONVOY_WORKLOADS_VARIATION_H

#include <stdint.h>

#include "base/ids.h"

enum variation_kind { VARIATION_CONSTANT, VARIATION_UNIFORM, VARIATION_GAMMA, VARIATION_EXPONENTIAL };

struct variation {
	enum variation_kind kind;
	double cv;  /* uniform, gamma */
};

/* Draw number `index` of `stream`, scaled to `mean`. */
ps_t variation_draw(const struct variation *variation, ps_t mean, uint64_t seed, uint64_t stream, uint64_t index);

#endif
