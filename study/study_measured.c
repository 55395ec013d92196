// SPDX-License-Identifier: Apache-2.0
/*
 * The measurement a study names, against its variants: columns and values that a variant matches must be there (a typing
 * error would otherwise only make the comparison disappear), and no measured row may have two answers.
 */
#include <string.h>

#include "study/keep.h"
#include "study/measurement.h"
#include "study/nearest.h"
#include "study/study_parts.h"

static cv_result check_match(const struct study_reader *reader, const struct doc_node *node,
			     const struct measurement *measurement, const struct study_match *match)
{
	const struct doc_node *item = doc_find(node, match->column);
	int column = measurement_column(measurement, match->column);
	struct nearest near = nearest_to(column < 0 ? match->column : match->value);

	if (column < 0) {
		for (size_t i = 0; i < measurement->column_count; i++)
			nearest_offer(&near, measurement->columns[i]);
		return doc_fail(&reader->doc, item->key, "measurement", "%s has no column \"%s\" before metric; nearest: %s",
				measurement->path, shown(match->column).text, near.name);
	}
	for (size_t i = 0; i < measurement->row_count; i++) {
		const char *value = measurement->rows[i].axes[column];

		if (strcmp(value, match->value) == 0)
			return CV_OK;
		nearest_offer(&near, value);
	}
	return doc_fail(&reader->doc, item, "measurement", "no row of %s has %s \"%s\"; nearest: %s", measurement->path,
			match->column, shown(match->value).text, near.name);
}

/* The variants, and after them the differences. */
static const struct study_variant *answering(const struct study *study, size_t n)
{
	return n < study->variant_count ? &study->variants[n] : &study->differences[n - study->variant_count].rows;
}

/* Two variants whose matches both hold for a row. */
static cv_result check_single_answers(const struct study_reader *reader, const struct measurement *measurement)
{
	const struct study *study = reader->study;

	for (size_t r = 0; r < measurement->row_count; r++) {
		const struct study_variant *first = NULL;

		for (size_t v = 0; v < study->variant_count + study->difference_count; v++) {
			const struct study_variant *variant = answering(study, v);

			if (!measurement_row_matches(measurement, &measurement->rows[r], variant))
				continue;
			if (first != NULL)
				return doc_fail(&reader->doc, reader->match_nodes[v], "measurement",
						"line %u of %s is matched by variant \"%s\" too; a row has one answer",
						measurement->rows[r].line, measurement->path, shown(first->name).text);
			first = variant;
		}
	}
	return CV_OK;
}

cv_result study_check_measurement(const struct study_reader *reader, const struct doc_node *node)
{
	const struct study *study = reader->study;
	struct measurement measurement;

	if (node != NULL) {
		FORWARD_WITH_CONTEXT(measurement_load(study->measurement_path, &measurement), "%s: measurement",
				     doc_where(&reader->doc, node));
		/* A file that says nothing about the axis was measured at one place of it; the study says which. */
		if (measurement_column(&measurement, study->axis_name) < 0 && study->axis_count > 1)
			return doc_fail(&reader->doc, node, "measurement", "%s has no column \"%s\" for the axis",
					measurement.path, study->axis_name);
	}
	for (size_t v = 0; v < study->variant_count + study->difference_count; v++) {
		const struct study_variant *variant = answering(study, v);

		if (variant->match_count > 0 && node == NULL)
			return doc_fail(&reader->doc, reader->match_nodes[v], "measurement",
					"the study names no measurement: file to match rows of");
		for (size_t m = 0; m < variant->match_count; m++)
			FORWARD_IF_ERROR(check_match(reader, reader->match_nodes[v], &measurement, &variant->match[m]));
	}
	return node != NULL ? check_single_answers(reader, &measurement) : CV_OK;
}
