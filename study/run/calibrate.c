// SPDX-License-Identifier: Apache-2.0
/* The objective, and what can be said about the end of the search; see calibrate.h. */
#include "study/run/calibrate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "study/run/calibrate_search.h"

/* Pairs of parameters that are at least this much alike are reported. */
static const double ALIKE = 0.95;

double calibrate_rms_pct(double objective)
{
	return sqrt(objective) * 100;
}

static double objective_of(const struct search *search, const double *predicted)
{
	double sum = 0;

	for (size_t r = 0; r < search->rows.count; r++) {
		double error = (predicted[r] - search->rows.rows[r].value) / search->rows.rows[r].value;

		sum += error * error;
	}
	return sum / (double)search->rows.count;
}

/* Simulates with search->values and keeps the best. */
cv_result search_evaluate(struct search *search, double *objective)
{
	size_t free_count = search->study->free_count, rows = search->rows.count;

	FORWARD_IF_ERROR(fit_rows_predict(&search->rows, search->values, search->options, search->predicted));
	*objective = objective_of(search, search->predicted);
	search->evaluations++;
	bool best = search->evaluations == 1 || *objective < search->best;

	if (best) {
		search->best = *objective;
		memcpy(search->best_values, search->values, free_count * sizeof(*search->values));
		memcpy(search->best_predicted, search->predicted, rows * sizeof(*search->predicted));
	}
	if (search->options->step)
		search->options->step(search->options->context, &(struct calibrate_step){
			.evaluation = search->evaluations, .objective = *objective, .best = best});
	return CV_OK;
}

/* The value that the study's files give, in the kind (time or cycles) of the bounds. */
static cv_result start_value(const struct study *study, size_t i, struct param_value *out)
{
	const struct study_free_param *free_param = &study->free_params[i];
	struct param_set params;

	FORWARD_IF_ERROR(study_point_params(study, 0, 0, &params));
	*out = params.value[free_param->id];
	if (out->in_cycles != free_param->low.in_cycles) {
		double clock = (double)params.value[P_HOST_CLOCK].number;

		/* thousandths of a cycle ↔ ps: one cycle takes 1e12 / clock ps */
		out->number = out->in_cycles ? llround((double)out->number / 1000 * 1e12 / clock) :
			      llround((double)out->number * clock / 1e12 * 1000);
		out->in_cycles = free_param->low.in_cycles;
	}
	return CV_OK;
}

/* Relative change of each row for ±10 % of parameter i: column i of `effects`. */
static cv_result effect_of(struct search *search, size_t i, double *effects)
{
	const struct study_free_param *free_param = &search->study->free_params[i];
	struct calibrate_param *param = &search->outcome->params[i];
	size_t rows = search->rows.count, n = search->study->free_count;
	int64_t step = param->end.number / 10 > 0 ? param->end.number / 10 : 1, moved[2];
	double *minus_rows = arena_alloc(&search->outcome->arena, rows, sizeof(*minus_rows)), objective[2];

	moved[0] = param->end.number - step < free_param->low.number ? free_param->low.number : param->end.number - step;
	moved[1] = param->end.number + step > free_param->high.number ? free_param->high.number : param->end.number + step;
	for (int side = 0; side < 2; side++) {
		for (size_t p = 0; p < n; p++)
			search->values[p] = search->outcome->params[p].end.number;
		search->values[i] = moved[side];
		FORWARD_IF_ERROR(fit_rows_predict(&search->rows, search->values, search->options, search->predicted));
		objective[side] = objective_of(search, search->predicted);
		search->evaluations++;
		if (side == 0)
			memcpy(minus_rows, search->predicted, rows * sizeof(*minus_rows));
	}
	param->minus = objective[0];
	param->plus = objective[1];
	for (size_t r = 0; r < rows; r++)
		effects[r] = (search->predicted[r] - minus_rows[r]) / search->rows.rows[r].value;
	return CV_OK;
}

static int most_alike_first(const void *a, const void *b)
{
	const struct calibrate_pair *left = a, *right = b;

	if (left->likeness != right->likeness)
		return left->likeness < right->likeness ? 1 : -1;
	return left->a != right->a ? (left->a < right->a ? -1 : 1) : (left->b < right->b ? -1 : left->b > right->b);
}

static double likeness(const double *a, const double *b, size_t count)
{
	double ab = 0, aa = 0, bb = 0;

	for (size_t i = 0; i < count; i++) {
		ab += a[i] * b[i];
		aa += a[i] * a[i];
		bb += b[i] * b[i];
	}
	return aa > 0 && bb > 0 ? fabs(ab) / sqrt(aa * bb) : 0;
}

static cv_result sensitivity(struct search *search)
{
	struct calibrate_outcome *outcome = search->outcome;
	size_t n = outcome->param_count, rows = search->rows.count;
	double *effects = arena_alloc(&outcome->arena, n * rows, sizeof(*effects));

	for (size_t i = 0; i < n; i++)
		FORWARD_IF_ERROR(effect_of(search, i, &effects[i * rows]));
	outcome->pairs = arena_alloc(&outcome->arena, n * n, sizeof(*outcome->pairs));
	for (size_t a = 0; a < n; a++) {
		for (size_t b = a + 1; b < n; b++) {
			double alike = likeness(&effects[a * rows], &effects[b * rows], rows);

			if (alike >= ALIKE)
				outcome->pairs[outcome->pair_count++] = (struct calibrate_pair){a, b, alike};
		}
	}
	qsort(outcome->pairs, outcome->pair_count, sizeof(*outcome->pairs), most_alike_first);
	return CV_OK;
}

static void keep_end(struct search *search)
{
	struct calibrate_outcome *outcome = search->outcome;

	for (size_t i = 0; i < outcome->param_count; i++) {
		const struct study_free_param *free_param = &search->study->free_params[i];
		struct calibrate_param *param = &outcome->params[i];

		param->end = param->start;
		param->end.number = search->best_values[i];
		param->on_low = param->end.number <= free_param->low.number;
		param->on_high = param->end.number >= free_param->high.number;
	}
	for (size_t r = 0; r < search->rows.count; r++)
		outcome->rows[r].end = search->best_predicted[r];
	outcome->objective_end = search->best;
}

static cv_result calibrate_with(struct search *search)
{
	struct calibrate_outcome *outcome = search->outcome;
	size_t n = outcome->param_count;

	for (size_t i = 0; i < n; i++) {
		outcome->params[i].id = search->study->free_params[i].id;
		FORWARD_IF_ERROR(start_value(search->study, i, &outcome->params[i].start));
		search->values[i] = outcome->params[i].start.number;
	}
	FORWARD_IF_ERROR(search_evaluate(search, &outcome->objective_start));
	/* A start outside the bounds is shown, but cannot be the end. */
	for (size_t i = 0; i < n; i++) {
		const struct study_free_param *free_param = &search->study->free_params[i];

		if (search->values[i] < free_param->low.number || search->values[i] > free_param->high.number)
			search->best = INFINITY;
		if (search->best_values[i] < free_param->low.number)
			search->best_values[i] = free_param->low.number;
		if (search->best_values[i] > free_param->high.number)
			search->best_values[i] = free_param->high.number;
	}
	for (size_t r = 0; r < search->rows.count; r++)
		outcome->rows[r].start = search->predicted[r];
	FORWARD_IF_ERROR(search_run(search, search->options->budget));
	keep_end(search);
	return sensitivity(search);
}

cv_result calibrate(const struct study *study, const struct calibrate_options *options,
		    struct calibrate_outcome *outcome)
{
	struct search search = {.study = study, .options = options, .outcome = outcome, .arena = &outcome->arena};
	struct arena *arena = &outcome->arena;

	memset(outcome, 0, sizeof(*outcome));
	RETURN_ERROR_IF(study->free_count == 0, CV_BAD_INPUT,
			"%s: the study has no free parameters: name them and their bounds under calibrate:", study->path);
	FORWARD_IF_ERROR(fit_rows_load(study, &search.rows));
	outcome->param_count = study->free_count;
	outcome->row_count = search.rows.count;
	outcome->held_dropped = search.rows.held_dropped;
	outcome->unanswered = search.rows.unanswered;
	outcome->params = arena_alloc(arena, study->free_count, sizeof(*outcome->params));
	outcome->rows = arena_alloc(arena, search.rows.count, sizeof(*outcome->rows));
	search.values = arena_alloc(arena, study->free_count, sizeof(*search.values));
	search.best_values = arena_alloc(arena, study->free_count, sizeof(*search.best_values));
	search.predicted = arena_alloc(arena, search.rows.count, sizeof(*search.predicted));
	search.best_predicted = arena_alloc(arena, search.rows.count, sizeof(*search.best_predicted));
	for (size_t r = 0; r < search.rows.count; r++)
		outcome->rows[r] = (struct calibrate_row){
			.point_text = arena_string(arena, search.rows.rows[r].point_text),
			.metric = arena_string(arena, search.rows.rows[r].metric), .measured = search.rows.rows[r].value};
	cv_result result = calibrate_with(&search);

	outcome->evaluations = search.evaluations;
	fit_rows_free(&search.rows);
	if (result != CV_OK)
		calibrate_free(outcome);
	return result;
}

void calibrate_free(struct calibrate_outcome *outcome)
{
	arena_free(&outcome->arena);
	memset(outcome, 0, sizeof(*outcome));
}
