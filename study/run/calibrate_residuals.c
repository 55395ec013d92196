// SPDX-License-Identifier: Apache-2.0
/*
 * See calibrate_residuals.h. The runs of one evaluation are gathered into a `struct results` in memory, so that the
 * predictions come from the same summary and comparison as those of `show` and `validate`.
 */
#include "study/run/calibrate_residuals.h"

#include <assert.h>
#include <string.h>

#include "study/measurement.h"
#include "study/run/compare.h"
#include "study/run/plan.h"
#include "study/store/store.h"

cv_result fit_rows_load(const struct study *study, struct fit_rows *out)
{
	struct measurement measurement;

	*out = (struct fit_rows){.study = study};
	RETURN_ERROR_IF(!study->measurement, CV_BAD_INPUT, "%s: the study names no measurement to calibrate with",
			study->path);
	FORWARD_IF_ERROR(measurement_load(study->measurement, &measurement));
	out->rows = arena_alloc(&out->arena, measurement.row_count + 1, sizeof(*out->rows));
	for (size_t r = 0; r < measurement.row_count; r++) {
		const struct measurement_row *row = &measurement.rows[r];
		struct measurement_answer answer;

		if (row->role != MEASUREMENT_FIT) {
			out->held_dropped++;
			continue;
		}
		if (!measurement_point(&measurement, row, study, &answer) || answer.difference ||
		    study->variants[answer.variant].host) {  /* of one point, of the host that is fitted */
			out->unanswered++;
			continue;
		}
		out->rows[out->count++] = (struct results_measured){
			.measurement = measurement.name, .row = (int64_t)r, .minus = -1,
			.point = store_point_id(study, answer.variant, answer.axis_index), .quantity = answer.quantity,
			.clock_hz = (uint64_t)study->variants[answer.variant].params.value[P_HOST_CLOCK].number,
			.point_text = row->point, .metric = row->metric, .unit = row->unit,
			.role = measurement_role_name(row->role), .value = row->value};
	}
	if (out->count == 0) {
		fit_rows_free(out);
		RETURN_ERROR(CV_BAD_INPUT, "%s: no fit row of the measurement %s is answered by a point of the study",
			     study->path, study->measurement);
	}
	return CV_OK;
}

void fit_rows_free(struct fit_rows *rows)
{
	arena_free(&rows->arena);
	*rows = (struct fit_rows){0};
}

/* The simulated points of one evaluation, each with a run for each replication. */
struct evaluation {
	struct results results;
	struct results_point *points;
	struct results_run *runs;       /* [index of the point * replications + replication] */
	struct run_job *jobs;
	uint32_t replications;
};

static void *copy(struct arena *arena, const void *bytes, size_t count, size_t size)
{
	void *to = arena_alloc(arena, count + 1, size);

	if (count)
		memcpy(to, bytes, count * size);
	return to;
}

/* Keeps what a summary needs of a result whose memory ends with the callback. */
static cv_result keep_result(void *context, const struct run_job *job, const struct sim_result *result)
{
	struct evaluation *evaluation = context;
	struct arena *arena = &evaluation->results.arena;
	struct results_run *run = &evaluation->runs[job->point * evaluation->replications + job->replication];
	struct sim_result *sim = &run->sim;

	*sim = *result;
	sim->account_count = 0;
	sim->accounts = NULL;
	sim->cpu_exits = NULL;
	sim->batches = copy(arena, result->batches, result->batch_count, sizeof(*sim->batches));
	sim->metrics = copy(arena, result->metrics, result->metric_count, sizeof(*sim->metrics));
	sim->locks = copy(arena, result->locks, result->lock_count, sizeof(*sim->locks));
	for (size_t i = 0; i < sim->metric_count; i++) {
		sim->metrics[i].name = arena_string(arena, sim->metrics[i].name);
		sim->metrics[i].unit = arena_string(arena, sim->metrics[i].unit);
	}
	for (size_t i = 0; i < sim->lock_count; i++) {
		sim->locks[i].lock = arena_string(arena, sim->locks[i].lock);
		sim->locks[i].caller = arena_string(arena, sim->locks[i].caller);
	}
	run->warmup = (ps_t)job->params->value[P_RUN_WARMUP].number;
	run->batch = (ps_t)job->params->value[P_RUN_BATCH].number;
	return CV_OK;
}

/* The parameters of a point with the free ones moved. */
static cv_result moved_params(const struct study *study, uint32_t point, const int64_t *values, struct param_set *out)
{
	FORWARD_IF_ERROR(study_point_params(study, point / study->axis_count, point % study->axis_count, out));
	for (size_t i = 0; i < study->free_count; i++) {
		struct param_value *value = &out->value[study->free_params[i].id];

		value->number = values[i];
		value->in_cycles = study->free_params[i].low.in_cycles;
	}
	return param_set_check(out);
}

static size_t find_point(const struct evaluation *evaluation, int64_t id)
{
	for (size_t p = 0; p < evaluation->results.point_count; p++)
		if (evaluation->points[p].id == (uint32_t)id)
			return p;
	return evaluation->results.point_count;
}

static cv_result prepare(struct evaluation *evaluation, const struct fit_rows *rows, const int64_t *values)
{
	struct arena *arena = &evaluation->results.arena;
	const struct study *study = rows->study;
	static const struct results_variant variant = {"", "", ""};
	size_t jobs = 0;

	evaluation->points = arena_alloc(arena, rows->count, sizeof(*evaluation->points));
	evaluation->runs = arena_alloc(arena, rows->count * evaluation->replications, sizeof(*evaluation->runs));
	evaluation->jobs = arena_alloc(arena, rows->count * evaluation->replications, sizeof(*evaluation->jobs));
	for (size_t r = 0; r < rows->count; r++) {
		size_t p = evaluation->results.point_count;
		struct param_set *params;

		/* The objective sees fit rows and nothing else. */
		assert(strcmp(rows->rows[r].role, "fit") == 0);
		if (find_point(evaluation, rows->rows[r].point) < p)
			continue;
		params = arena_alloc(arena, 1, sizeof(*params));
		FORWARD_IF_ERROR(moved_params(study, (uint32_t)rows->rows[r].point, values, params));
		evaluation->points[p] = (struct results_point){
			.id = (uint32_t)rows->rows[r].point, .axis_value = "",
			.runs = &evaluation->runs[p * evaluation->replications], .run_count = evaluation->replications};
		evaluation->results.point_count++;
		for (uint32_t i = 0; i < evaluation->replications; i++)
			evaluation->jobs[jobs++] = (struct run_job){params, (uint32_t)p, i, rows->rows[r].point_text};
	}
	evaluation->results.points = evaluation->points;
	evaluation->results.variants = &variant;
	evaluation->results.variant_count = 1;
	evaluation->results.measured = rows->rows;
	evaluation->results.measured_count = rows->count;
	return CV_OK;
}

cv_result fit_rows_predict(const struct fit_rows *rows, const int64_t *values,
			   const struct calibrate_options *options, double *predicted)
{
	struct evaluation evaluation = {.replications = options->replications};
	struct run_totals totals;
	cv_result result = prepare(&evaluation, rows, values);

	if (result == CV_OK)
		result = run_jobs(evaluation.jobs, evaluation.results.point_count * evaluation.replications, &options->run,
				  keep_result, &evaluation, &totals);
	if (result == CV_OK) {
		struct summary *summaries = summarize(&evaluation.results);
		struct compare_row *compared = compare_rows(&evaluation.results, summaries);

		for (size_t r = 0; r < rows->count && result == CV_OK; r++) {
			predicted[r] = compared[r].predicted;
			if (!compared[r].has_prediction)
				result = cv_error_set(CV_BAD_INPUT, "%s: the metric %s of the fit row \"%s\" is unknown; "
						      "known: exits, lock-queue-entries, and the operations of workload.exit in ns", rows->study->measurement,
						      rows->rows[r].metric, rows->rows[r].point_text);
		}
	}
	results_free(&evaluation.results);
	return result;
}
