// SPDX-License-Identifier: Apache-2.0
/*
 * Drawing private work; see variation.h. Floating point is used for the shape only and rounded to whole picoseconds;
 * the C library's log, sqrt and cos are the only functions called, so every compiler gives the same numbers.
 * Gamma: Marsaglia and Tsang, "A simple method for generating gamma variables" (2000), for shape >= 1 (cv <= 1).
 */
#include "workloads/variation.h"

#include <math.h>

#include "base/random.h"

/* Draws a try may use: sub-indexes of one index, so that a rejected try shifts no later draw. */
#define TRIES_SHIFT 8

static double normal(uint64_t seed, uint64_t stream, uint64_t index)
{
	double radius = sqrt(-2.0 * log(random_unit(seed, stream, 2 * index)));

	return radius * cos(6.283185307179586 * random_unit(seed, stream, 2 * index + 1));
}

static double gamma_mean_one(double cv, uint64_t seed, uint64_t stream, uint64_t index)
{
	const double shape = 1.0 / (cv * cv);
	const double d = shape - 1.0 / 3.0;
	const double c = 1.0 / sqrt(9.0 * d);

	for (uint64_t attempt = index << TRIES_SHIFT;; attempt++) {
		double x = normal(seed, stream, 2 * attempt);
		double v = 1.0 + c * x;

		if (v <= 0)
			continue;
		v = v * v * v;
		if (log(random_unit(seed, stream, 4 * attempt + 2)) < 0.5 * x * x + d - d * v + d * log(v))
			return d * v / shape;
	}
}

ps_t variation_draw(const struct variation *variation, ps_t mean, uint64_t seed, uint64_t stream, uint64_t index)
{
	double factor = 1.0;

	switch (variation->kind) {
	case VARIATION_CONSTANT:
		return mean;
	case VARIATION_UNIFORM:
		factor = 1.0 + variation->cv * 1.7320508075688772 * (2.0 * random_unit(seed, stream, index) - 1.0);
		break;
	case VARIATION_GAMMA:
		if (variation->cv > 0)
			factor = gamma_mean_one(variation->cv, seed, stream, index);
		break;
	case VARIATION_EXPONENTIAL:
		factor = -log(random_unit(seed, stream, index));
		break;
	}
	return factor > 0 ? (ps_t)(factor * (double)mean + 0.5) : 0;
}
