// SPDX-License-Identifier: Apache-2.0
/* See study_run.h. */
#include "study/run/study_run.h"

#include <stdlib.h>
#include <string.h>

#include "study/measurement.h"
#include "study/store/store.h"

/* The rows of the study's measurement file, each with the point that answers it. */
static cv_result measured_rows(const struct study *study, struct arena *arena, struct store_options *options)
{
	struct measurement measurement;

	if (!study->measurement)
		return CV_OK;
	FORWARD_IF_ERROR(measurement_load(study->measurement, &measurement));
	struct store_measured *rows = arena_alloc(arena, measurement.row_count + 1, sizeof(*rows));

	for (size_t r = 0; r < measurement.row_count; r++) {
		const struct measurement_row *row = &measurement.rows[r];
		struct measurement_answer answer;

		rows[r] = (struct store_measured){
			.measurement = measurement.name, .row = (int64_t)r, .point = -1, .minus = -1, .point_text = row->point,
			.metric = row->metric, .unit = row->unit, .role = measurement_role_name(row->role),
			.value = row->value};
		if (!measurement_point(&measurement, row, study, &answer))
			continue;
		rows[r].point = store_point_id(study, answer.variant, answer.axis_index);
		rows[r].minus = answer.difference ? (int64_t)store_point_id(study, answer.minus, answer.axis_index) : -1;
		rows[r].quantity = answer.quantity;
		rows[r].clock_hz = (uint64_t)study->variants[answer.variant].params.value[P_HOST_CLOCK].number;
	}
	options->measured = rows;
	options->measured_count = measurement.row_count;
	return CV_OK;
}

struct skipping { const struct store *store; size_t *skipped; };

static bool skip_stored(const void *context, uint32_t point, uint32_t replication)
{
	const struct skipping *skipping = context;
	bool there = store_has_run(skipping->store, point, replication);

	*skipping->skipped += there;
	return there;
}

static cv_result keep_run(void *context, const struct run_job *job, const struct sim_result *result)
{
	return store_add_run(context, job->point, job->replication, job->params, result);
}

static cv_result open_store(const struct study *study, const struct study_run_options *options, struct store **store)
{
	struct store_options store_options = {.command = options->command, .fresh = options->fresh};
	struct arena arena = {0};
	cv_result result = measured_rows(study, &arena, &store_options);

	if (result == CV_OK)
		result = store_open(options->path, study, &store_options, store);
	arena_free(&arena);
	return result;
}

/* Closing may fail, too; but what went wrong first is what the user must read. */
static cv_result close_store(struct store *store, cv_result result)
{
	char *text = result != CV_OK ? strdup(cv_error_text()) : NULL;
	cv_result closed = store_close(store, result == CV_OK);

	if (result == CV_OK)
		return closed;
	cv_error_set(result, "%s", text ? text : "out of memory");
	free(text);
	return result;
}

cv_result study_run(const struct study *study, const struct selection *selection,
		    const struct study_run_options *options, struct study_run_outcome *outcome)
{
	struct store *store;
	struct plan plan;

	memset(outcome, 0, sizeof(*outcome));
	FORWARD_IF_ERROR(open_store(study, options, &store));
	struct skipping skipping = {store, &outcome->skipped};
	cv_result result = plan_make(study, selection, skip_stored, &skipping, &plan);

	if (result == CV_OK) {
		outcome->points = plan.points;
		outcome->runs = plan.count;
		result = run_jobs(plan.jobs, plan.count, &options->run, keep_run, store, &outcome->totals);
		plan_free(&plan);
	}
	outcome->kept = store_run_count(store);
	return close_store(store, result);
}
