// SPDX-License-Identifier: Apache-2.0
/*
 * The search for the least objective. Near the knee of a lock the objective has kinks and more than one valley, so one
 * descent is not enough:
 *   1. a quarter of the budget looks at points spread evenly over the whole space,
 *   2. half of it goes into short descents from the four best of these and the start,
 *   3. the rest into longer descents from the best point found, with different first steps, until a round brings little.
 * Nothing is random: the same budget gives the same end.
 */
#include "study/run/calibrate_search.h"

#include <math.h>
#include <nlopt.h>
#include <stdlib.h>
#include <string.h>

enum { STARTS = 4 };

/* The optimizer's coordinates are 0 … 1 between the bounds; the model's are whole numbers of the parameter's unit. */
static int64_t from_unit(const struct study_free_param *free_param, double x)
{
	double low = (double)free_param->low.number, high = (double)free_param->high.number;

	return (int64_t)llround(low + fmin(fmax(x, 0), 1) * (high - low));
}

static double to_unit(const struct study_free_param *free_param, int64_t value)
{
	double low = (double)free_param->low.number, high = (double)free_param->high.number;

	return fmin(fmax(((double)value - low) / (high - low), 0), 1);
}

struct descent { struct search *search; nlopt_opt optimizer; cv_result failure; };

static double nlopt_objective(unsigned n, const double *x, double *gradient, void *context)
{
	struct descent *descent = context;
	struct search *search = descent->search;
	double objective = 0;

	(void)gradient;
	for (unsigned i = 0; i < n; i++)
		search->values[i] = from_unit(&search->study->free_params[i], x[i]);
	descent->failure = search_evaluate(search, &objective);
	if (descent->failure != CV_OK)
		nlopt_force_stop(descent->optimizer);
	return objective;
}

/* One descent; `step` is its first step as a share of each parameter's range. */
static cv_result descend(struct search *search, const int64_t *from, nlopt_algorithm algorithm, double step,
			 unsigned budget)
{
	unsigned n = (unsigned)search->study->free_count;
	double *x = arena_alloc(search->arena, n, sizeof(*x)), least = 0;
	struct descent descent = {.search = search, .optimizer = nlopt_create(algorithm, n)};

	RETURN_ERROR_IF(!descent.optimizer, CV_IO, "out of memory");
	for (unsigned i = 0; i < n; i++)
		x[i] = to_unit(&search->study->free_params[i], from[i]);
	nlopt_set_min_objective(descent.optimizer, nlopt_objective, &descent);
	nlopt_set_lower_bounds1(descent.optimizer, 0);
	nlopt_set_upper_bounds1(descent.optimizer, 1);
	nlopt_set_initial_step1(descent.optimizer, step);
	nlopt_set_xtol_abs1(descent.optimizer, 2e-4);
	nlopt_set_maxeval(descent.optimizer, (int)budget);
	nlopt_result code = nlopt_optimize(descent.optimizer, x, &least);

	nlopt_destroy(descent.optimizer);
	FORWARD_IF_ERROR(descent.failure);
	/* Rounding errors and the like only mean that it found nothing better; the best point is ours to know. */
	RETURN_ERROR_IF(code == NLOPT_INVALID_ARGS || code == NLOPT_OUT_OF_MEMORY, CV_INTERNAL, "the optimizer gave up: %s",
			nlopt_result_to_string(code));
	return CV_OK;
}

/* Digits of `index` in `base`, mirrored behind the point: fills 0 … 1 evenly (van der Corput; Halton in several bases). */
static double mirrored(unsigned index, unsigned base)
{
	double result = 0, digit = 1;

	for (; index; index /= base) {
		digit /= base;
		result += digit * (index % base);
	}
	return result;
}

struct start { double objective; int64_t *values; };

static void keep_start(struct start *starts, const struct search *search, double objective)
{
	size_t bytes = search->study->free_count * sizeof(*search->values);
	struct start *worst = &starts[0];

	for (int k = 1; k < STARTS; k++)
		if (starts[k].objective > worst->objective)
			worst = &starts[k];
	if (objective >= worst->objective)
		return;
	worst->objective = objective;
	memcpy(worst->values, search->values, bytes);
}

static cv_result look_around(struct search *search, unsigned points, struct start *starts)
{
	static const unsigned primes[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29};

	for (unsigned k = 1; k <= points; k++) {
		double objective;

		for (size_t i = 0; i < search->study->free_count; i++)
			search->values[i] = from_unit(&search->study->free_params[i], mirrored(k, primes[i % 10]));
		FORWARD_IF_ERROR(search_evaluate(search, &objective));
		keep_start(starts, search, objective);
	}
	return CV_OK;
}

/* BOBYQA wants two or more parameters. */
static nlopt_algorithm quadratic(const struct search *search)
{
	return search->study->free_count > 1 ? NLOPT_LN_BOBYQA : NLOPT_LN_SBPLX;
}

static cv_result polish(struct search *search, unsigned last)
{
	static const double steps[] = {0.03, 0.1, 0.2};
	int64_t *from = arena_alloc(search->arena, search->study->free_count, sizeof(*from));
	double before = INFINITY;

	while (search->evaluations < last && search->best < 0.99 * before) {
		before = search->best;
		for (size_t i = 0; i < 3 && search->evaluations < last; i++) {
			memcpy(from, search->best_values, search->study->free_count * sizeof(*from));
			FORWARD_IF_ERROR(descend(search, from, i == 2 ? NLOPT_LN_SBPLX : quadratic(search), steps[i],
						 last - search->evaluations));
		}
	}
	return CV_OK;
}

cv_result search_run(struct search *search, unsigned budget)
{
	unsigned last = search->evaluations + budget;
	struct start starts[STARTS];
	int64_t *first = arena_alloc(search->arena, search->study->free_count, sizeof(*first));

	memcpy(first, search->best_values, search->study->free_count * sizeof(*first));
	for (int k = 0; k < STARTS; k++)
		starts[k] = (struct start){INFINITY, arena_alloc(search->arena, search->study->free_count, sizeof(*first))};
	FORWARD_IF_ERROR(look_around(search, budget / 4, starts));
	for (int k = 0; k <= STARTS && budget >= 2 * (STARTS + 1); k++)
		if (k == STARTS || isfinite(starts[k].objective))
			FORWARD_IF_ERROR(descend(search, k == STARTS ? first : starts[k].values, quadratic(search), 0.1,
						 budget / (2 * (STARTS + 1))));
	return polish(search, last);
}
