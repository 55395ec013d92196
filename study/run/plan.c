// SPDX-License-Identifier: Apache-2.0
/* See plan.h. */
#include "study/run/plan.h"

#include <stdio.h>
#include <string.h>

#include "study/measurement.h"
#include "study/store/store.h"

const char *plan_point_label(struct arena *arena, const char *variant, const char *axis_name, const char *axis_value)
{
	return arena_format(arena, "variant=%s %s=%s", variant, axis_name, axis_value);
}

/* How much of `text` the name covers, when it stands there as a whole item of a comma list; else 0. */
static size_t item_length(const char *text, const char *name)
{
	size_t length = strlen(name);

	if (strncmp(text, name, length) != 0 || (text[length] != '\0' && text[length] != ','))
		return 0;
	return length;
}

/* The names of a list: count and the i-th one. */
typedef const char *name_fn(const struct study *study, size_t index, char *buffer, size_t size);

static const char *variant_name(const struct study *study, size_t index, char *buffer, size_t size)
{
	(void)buffer;
	(void)size;
	return study->variants[index].name;
}

static const char *axis_name(const struct study *study, size_t index, char *buffer, size_t size)
{
	param_format(study->axis, &study->axis_values[index], buffer, size);
	return buffer;
}

static cv_result not_there(const struct study *study, const char *option, const char *at, size_t count, name_fn *name)
{
	struct arena arena = {0};
	const char *known = "";
	char buffer[64];

	for (size_t i = 0; i < count; i++)
		known = arena_format(&arena, "%s%s\"%s\"", known, i ? ", " : "", name(study, i, buffer, sizeof(buffer)));
	cv_result result = cv_error_set(CV_BAD_INPUT, "--%s: the study %s has no \"%.80s\"; it has %s", option, study->name,
					at, known);
	arena_free(&arena);
	return result;
}

/* Marks the items of a comma list. The longest name that fits wins, as names may contain commas. */
static cv_result mark_items(const struct study *study, const char *option, const char *text, size_t count,
			    name_fn *name, bool *marks)
{
	char buffer[64];

	for (;;) {
		size_t best = 0, which = 0;

		for (size_t i = 0; i < count; i++) {
			size_t length = item_length(text, name(study, i, buffer, sizeof(buffer)));

			if (length > best) {
				best = length;
				which = i;
			}
		}
		if (best == 0)
			return not_there(study, option, text, count, name);
		marks[which] = true;
		text += best;
		if (*text == '\0')
			return CV_OK;
		text++;
		text += strspn(text, " ");
	}
}

cv_result selection_make(const struct study *study, const char *axis_values, const char *variants,
			 struct selection *out)
{
	*out = (struct selection){.points = study->variant_count * study->axis_count};
	out->wanted = arena_alloc(&out->arena, out->points + 1, sizeof(*out->wanted));
	bool *values = arena_alloc(&out->arena, study->axis_count + 1, sizeof(*values));
	bool *names = arena_alloc(&out->arena, study->variant_count + 1, sizeof(*names));
	cv_result result = CV_OK;

	if (axis_values)
		result = mark_items(study, "points", axis_values, study->axis_count, axis_name, values);
	if (variants && result == CV_OK)
		result = mark_items(study, "variants", variants, study->variant_count, variant_name, names);
	if (result != CV_OK) {
		selection_free(out);
		return result;
	}
	for (size_t v = 0; v < study->variant_count; v++)
		for (size_t a = 0; a < study->axis_count; a++)
			out->wanted[store_point_id(study, v, a)] = (!axis_values || values[a]) && (!variants || names[v]);
	return CV_OK;
}

cv_result selection_only_measured(const struct study *study, struct selection *selection)
{
	struct measurement measurement;
	bool *answers = arena_alloc(&selection->arena, selection->points + 1, sizeof(*answers));

	RETURN_ERROR_IF(!study->measurement, CV_BAD_INPUT, "%s: the study names no measurement to compare with",
			study->path);
	FORWARD_IF_ERROR(measurement_load(study->measurement, &measurement));
	for (size_t r = 0; r < measurement.row_count; r++) {
		struct measurement_answer answer;

		if (!measurement_point(&measurement, &measurement.rows[r], study, &answer))
			continue;
		answers[store_point_id(study, answer.variant, answer.axis_index)] = true;
		if (answer.difference)
			answers[store_point_id(study, answer.minus, answer.axis_index)] = true;
	}
	for (size_t p = 0; p < selection->points; p++)
		selection->wanted[p] &= answers[p];
	return CV_OK;
}

cv_result selection_check(const struct study *study, const struct selection *selection)
{
	struct param_set params;

	for (size_t v = 0; v < study->variant_count; v++)
		for (size_t a = 0; a < study->axis_count; a++)
			if (selection->wanted[store_point_id(study, v, a)])
				FORWARD_IF_ERROR(study_point_params(study, v, a, &params));
	return CV_OK;
}

void selection_free(struct selection *selection)
{
	arena_free(&selection->arena);
	*selection = (struct selection){0};
}

static cv_result plan_point(const struct study *study, size_t v, size_t a, plan_skip_fn *skip, const void *context,
			    struct plan *plan)
{
	struct param_set *params = arena_alloc(&plan->arena, 1, sizeof(*params));
	uint32_t point = store_point_id(study, v, a);
	size_t before = plan->count;
	char value[64];

	FORWARD_IF_ERROR(study_point_params(study, v, a, params));
	param_format(study->axis, &study->axis_values[a], value, sizeof(value));
	const char *label = plan_point_label(&plan->arena, study->variants[v].name, study->axis_name, value);

	for (uint32_t r = 0; r < param_count(params, P_RUN_REPLICATIONS); r++)
		if (!skip || !skip(context, point, r))
			plan->jobs[plan->count++] = (struct run_job){params, point, r, label};
	plan->points += plan->count > before;
	return CV_OK;
}

cv_result plan_make(const struct study *study, const struct selection *selection, plan_skip_fn *skip,
		    const void *context, struct plan *out)
{
	size_t most = 0;
	cv_result result = CV_OK;

	*out = (struct plan){0};
	for (size_t v = 0; v < study->variant_count; v++)
		most += study->axis_count * param_count(&study->variants[v].params, P_RUN_REPLICATIONS);
	out->jobs = arena_alloc(&out->arena, most + 1, sizeof(*out->jobs));
	for (size_t v = 0; v < study->variant_count && result == CV_OK; v++)
		for (size_t a = 0; a < study->axis_count && result == CV_OK; a++)
			if (selection->wanted[store_point_id(study, v, a)])
				result = plan_point(study, v, a, skip, context, out);
	if (result != CV_OK)
		plan_free(out);
	return result;
}

void plan_free(struct plan *plan)
{
	arena_free(&plan->arena);
	*plan = (struct plan){0};
}
