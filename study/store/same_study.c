// SPDX-License-Identifier: Apache-2.0
/*
 * Do these results belong to this study? Mixing runs of two studies in one file would give a curve that nobody simulated,
 * so everything that can change a result is compared, and the first difference is named.
 */
#include "study/store/write.h"

#include <string.h>

#define WHAT_TO_DO "use another file with -o, or --fresh to replace these results"

bool same_study_compares(enum param_id id)
{
	return id != P_RUN_REPLICATIONS;
}

static int first_different_line(const char *a, const char *b)
{
	int line = 1;

	for (; *a && *a == *b; a++, b++)
		line += *a == '\n';
	return line;
}

static cv_result same_value(const struct results *head, const struct study *study, size_t variant, size_t axis_index,
			    enum param_id id, const struct param_value *value, const char *path)
{
	uint32_t point = store_point_id(study, variant, axis_index);
	const char *stored = results_param_value(head, point, param_table[id].name);
	char now[128];

	param_format(id, value, now, sizeof(now));
	RETURN_ERROR_IF(!stored || strcmp(stored, now) != 0, CV_BAD_INPUT,
			"%s: holds other results: at \"%s\", %s=%s, %s was %s and is now %s (%s): " WHAT_TO_DO, path,
			study->variants[variant].name, study->axis_name, head->points[point].axis_value,
			param_table[id].name, stored ? stored : "not there", now, value->where);
	return CV_OK;
}

static cv_result same_shape(const struct results *head, const struct study *study, const char *path)
{
	RETURN_ERROR_IF(strcmp(head->name, study->name) != 0, CV_BAD_INPUT,
			"%s: holds the study %s, not %s: " WHAT_TO_DO, path, head->name, study->name);
	RETURN_ERROR_IF(strcmp(head->version, store_version()) != 0, CV_BAD_INPUT,
			"%s: written by convoy %s, this is %s: " WHAT_TO_DO, path, head->version, store_version());
	RETURN_ERROR_IF(strcmp(head->text, study->text) != 0, CV_BAD_INPUT,
			"%s: the study file %s has changed since (first at line %d): " WHAT_TO_DO, path, study->path,
			first_different_line(head->text, study->text));
	RETURN_ERROR_IF(head->variant_count != study->variant_count ||
			head->point_count != study->variant_count * study->axis_count, CV_BAD_INPUT,
			"%s: holds %zu variants and %zu points, the study has %zu and %zu: " WHAT_TO_DO, path,
			head->variant_count, head->point_count, study->variant_count,
			study->variant_count * study->axis_count);
	return CV_OK;
}

cv_result same_study(const struct results *head, const struct study *study, const char *path)
{
	struct param_set params;

	FORWARD_IF_ERROR(same_shape(head, study, path));
	for (size_t v = 0; v < study->variant_count; v++) {
		for (size_t a = 0; a < study->axis_count; a++) {
			study_point_values(study, v, a, &params);
			for (enum param_id id = 0; id < PARAM_IDS; id++)
				if (same_study_compares(id) && params.value[id].present)
					FORWARD_IF_ERROR(same_value(head, study, v, a, id, &params.value[id], path));
		}
	}
	return CV_OK;
}
