// SPDX-License-Identifier: Apache-2.0
/* See sensitivity.h. Setting 0 is the study as it is; 1 + 2r and 2 + 2r are the low and the high end of range r. */
#include "study/run/sensitivity.h"

#include <math.h>

#include "study/run/summary.h"
#include "study/store/store.h"

static const double worth_saying = 0.005;

struct rates { double *values; size_t count; };    /* of the replications of one point in one setting */

struct trial {
	const struct study *study;
	const struct selection *selection;
	struct sensitivity *out;
	size_t points, settings;
	struct rates *rates;            /* setting × points + point */
	struct run_job *jobs;
	size_t job_count;
};

static cv_result add_jobs(struct trial *trial, size_t setting, size_t v, size_t a)
{
	const struct study *study = trial->study;
	struct arena *arena = &trial->out->arena;
	struct param_set *params = arena_alloc(arena, 1, sizeof(*params));
	uint32_t point = store_point_id(study, v, a);
	char value[64];

	FORWARD_IF_ERROR(study_point_params(study, v, a, params));
	if (setting > 0) {
		const struct study_free_param *range = &study->ranges[(setting - 1) / 2];

		params->value[range->id] = setting % 2 ? range->low : range->high;
		FORWARD_WITH_CONTEXT(param_set_check(params), "range");
	}
	param_format(study->axis, &study->axis_values[a], value, sizeof(value));
	trial->rates[setting * trial->points + point].values =
		arena_alloc(arena, param_count(params, P_RUN_REPLICATIONS), sizeof(double));
	for (uint32_t r = 0; r < param_count(params, P_RUN_REPLICATIONS); r++)
		trial->jobs[trial->job_count++] = (struct run_job){
			params, (uint32_t)(setting * trial->points + point), r,
			plan_point_label(arena, study->variants[v].name, study->axis_name, value)};
	return CV_OK;
}

static cv_result make_jobs(struct trial *trial)
{
	const struct study *study = trial->study;
	size_t most = trial->settings * trial->points * param_count(&study->variants[0].params, P_RUN_REPLICATIONS);

	trial->jobs = arena_alloc(&trial->out->arena, most + 1, sizeof(*trial->jobs));
	for (size_t setting = 0; setting < trial->settings; setting++)
		for (size_t v = 0; v < study->variant_count; v++)
			for (size_t a = 0; a < study->axis_count; a++)
				if (trial->selection->wanted[store_point_id(study, v, a)])
					FORWARD_IF_ERROR(add_jobs(trial, setting, v, a));
	return CV_OK;
}

static cv_result keep_rate(void *context, const struct run_job *job, const struct sim_result *result)
{
	struct trial *trial = context;
	struct rates *rates = &trial->rates[job->point];
	const struct results_run run = {.warmup = (ps_t)job->params->value[P_RUN_WARMUP].number,
					.batch = (ps_t)job->params->value[P_RUN_BATCH].number, .sim = *result};

	rates->values[job->replication] = summary_run_rate(&run);  /* runs end in any order */
	rates->count++;
	return CV_OK;
}

static double rate_at(const struct trial *trial, size_t setting, size_t v, size_t a)
{
	const struct rates *rates = &trial->rates[setting * trial->points + store_point_id(trial->study, v, a)];

	return summary_predicted(rates->values, rates->count);
}

static struct sensitivity_answer answer(const struct trial *trial, size_t setting, size_t v)
{
	const struct study *study = trial->study;
	struct knee_point *points = arena_alloc(&trial->out->arena, study->axis_count, sizeof(*points));
	struct sensitivity_answer out = {
		.first = rate_at(trial, setting, v, trial->out->first_axis),
		.last = rate_at(trial, setting, v, trial->out->last_axis),
	};

	if (study->axis != P_WORKLOAD_VCPUS)
		return out;
	for (size_t a = 0; a < study->axis_count; a++)
		points[a] = (struct knee_point){(double)study->axis_values[a].number, rate_at(trial, setting, v, a)};
	out.knee = knee_find(points, study->axis_count);
	return out;
}

static void find_ends(const struct trial *trial)
{
	const struct study *study = trial->study;
	bool found = false;

	for (size_t a = 0; a < study->axis_count; a++)
		for (size_t v = 0; v < study->variant_count; v++) {
			if (!trial->selection->wanted[store_point_id(study, v, a)])
				continue;
			if (!found)
				trial->out->first_axis = a;
			found = true;
			trial->out->last_axis = a;
		}
}

static void gather(struct trial *trial)
{
	struct sensitivity *out = trial->out;

	find_ends(trial);
	for (size_t v = 0; v < out->variants; v++) {
		out->base[v] = answer(trial, 0, v);
		for (size_t r = 0; r < out->ranges; r++) {
			out->low[r * out->variants + v] = answer(trial, 1 + 2 * r, v);
			out->high[r * out->variants + v] = answer(trial, 2 + 2 * r, v);
		}
	}
}

cv_result sensitivity_run(const struct study *study, const struct selection *selection, const struct run_options *options,
			  struct sensitivity *out)
{
	struct trial trial = {.study = study, .selection = selection, .out = out, .settings = 1 + 2 * study->range_count,
			      .points = study->variant_count * study->axis_count};
	cv_result result;

	RETURN_ERROR_IF(study->range_count == 0, CV_BAD_INPUT,
			"%s: range: missing; name the parameters that are not known well, such as {host.cpu.isb: [20cycles, 50cycles]}",
			study->path);
	*out = (struct sensitivity){.variants = study->variant_count, .ranges = study->range_count};
	out->base = arena_alloc(&out->arena, out->variants, sizeof(*out->base));
	out->low = arena_alloc(&out->arena, out->variants * out->ranges, sizeof(*out->low));
	out->high = arena_alloc(&out->arena, out->variants * out->ranges, sizeof(*out->high));
	trial.rates = arena_alloc(&out->arena, trial.settings * trial.points, sizeof(*trial.rates));
	result = make_jobs(&trial);
	out->runs = trial.job_count;
	if (result == CV_OK)
		result = run_jobs(trial.jobs, trial.job_count, options, keep_rate, &trial, &out->totals);
	if (result != CV_OK) {
		sensitivity_free(out);
		return result;
	}
	gather(&trial);
	return CV_OK;
}

static bool differs(double a, double b)
{
	return fabs(a - b) > worth_saying * fmax(fabs(a), fabs(b));
}

bool sensitivity_moves(const struct sensitivity_answer *base, const struct sensitivity_answer *end)
{
	return differs(base->first, end->first) || differs(base->last, end->last) ||
	       differs(base->knee.vcpus, end->knee.vcpus) || differs(base->knee.most, end->knee.most);
}

void sensitivity_free(struct sensitivity *sensitivity)
{
	arena_free(&sensitivity->arena);
	sensitivity->arena = (struct arena){0};
}
