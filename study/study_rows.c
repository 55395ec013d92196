// SPDX-License-Identifier: Apache-2.0
/*
 * Which measured rows a variant answers: measurement: { column: value } and metrics: { metric: average | minimum }; and
 * differences: a list of { of, minus, measurement, metrics }, rows that are one variant less another.
 */
#include <string.h>

#include "study/keep.h"
#include "study/study_parts.h"

#define MOST_DIFFERENCES 64u

static const char *const difference_keys[] = { "of", "minus", "measurement", "metrics" };

static cv_result read_matches(struct study_reader *reader, const struct doc_node *node, struct study_variant *variant)
{
	struct study_match *matches;

	if (node->kind != DOC_MAPPING || node->count == 0)
		return doc_fail(&reader->doc, node, "measurement",
				"is %s; allowed: columns of the measurement file and their values, such as {irqchip: in-kernel}",
				node->kind == DOC_MAPPING ? "empty" : doc_kind_name(node));
	matches = keep_memory(node->count * sizeof(*matches));
	for (const struct doc_node *item = node->first; item != NULL; item = item->next) {
		struct study_match *match = &matches[variant->match_count++];

		match->column = keep_text(item->key->text);
		FORWARD_IF_ERROR(doc_get_text(&reader->doc, item, keep_textf("measurement.%s", match->column), &match->value));
	}
	variant->match = matches;
	return CV_OK;
}

static cv_result read_metrics(struct study_reader *reader, const struct doc_node *node, struct study_variant *variant)
{
	struct study_metric *metrics;

	if (node->kind != DOC_MAPPING || node->count == 0)
		return doc_fail(&reader->doc, node, "metrics", "is %s; allowed: metrics of the measurement file, each with average "
				"or minimum, such as {hypercall average: average}",
				node->kind == DOC_MAPPING ? "empty" : doc_kind_name(node));
	metrics = keep_memory(node->count * sizeof(*metrics));
	for (const struct doc_node *item = node->first; item != NULL; item = item->next) {
		struct study_metric *metric = &metrics[variant->metric_count++];
		const char *quantity;

		metric->metric = keep_text(item->key->text);
		FORWARD_IF_ERROR(doc_get_text(&reader->doc, item, keep_textf("metrics.%s", metric->metric), &quantity));
		if (strcmp(quantity, "average") != 0 && strcmp(quantity, "minimum") != 0)
			return doc_fail(&reader->doc, item, "metrics", "\"%s\" is not a quantity; allowed: average, minimum",
					shown(quantity).text);
		metric->quantity = strcmp(quantity, "average") == 0 ? QUANTITY_AVERAGE : QUANTITY_MINIMUM;
	}
	variant->metrics = metrics;
	return CV_OK;
}

cv_result study_read_rows(struct study_reader *reader, const struct doc_node *node, struct study_variant *variant)
{
	const struct doc_node *measurement = doc_find(node, "measurement"), *metrics = doc_find(node, "metrics");

	if (measurement != NULL)
		FORWARD_IF_ERROR(read_matches(reader, measurement, variant));
	if (metrics == NULL)
		return CV_OK;
	if (measurement == NULL)
		return doc_fail(&reader->doc, metrics->key, "metrics", "%s", "needs measurement: beside it, which says the rows");
	return read_metrics(reader, metrics, variant);
}

static cv_result read_variant_name(struct study_reader *reader, const struct doc_node *node, const char *key, size_t *out)
{
	const struct doc_node *text = doc_find(node, key);
	const char *name;

	if (text == NULL)
		return doc_fail(&reader->doc, node, key, "%s", "missing; a difference has of, minus, measurement and metrics");
	FORWARD_IF_ERROR(doc_get_text(&reader->doc, text, key, &name));
	for (*out = 0; *out < reader->study->variant_count; (*out)++)
		if (strcmp(reader->study->variants[*out].name, name) == 0)
			return CV_OK;
	return doc_fail(&reader->doc, text, key, "\"%s\" is no variant of the study", shown(name).text);
}

cv_result study_read_differences(struct study_reader *reader, const struct doc_node *node)
{
	struct study *study = reader->study;
	struct study_difference *differences;
	const struct doc_node **nodes;

	if (node->kind != DOC_SEQUENCE || node->count == 0 || node->count > MOST_DIFFERENCES)
		return doc_fail(&reader->doc, node, "differences", "is %s%s; allowed: a list of {of: …, minus: …, measurement: …, "
				"metrics: …}", doc_kind_name(node), node->kind == DOC_SEQUENCE ? " of none or too many" : "");
	differences = keep_memory(node->count * sizeof(*differences));
	nodes = keep_memory((study->variant_count + node->count) * sizeof(const struct doc_node *));
	memcpy(nodes, reader->match_nodes, study->variant_count * sizeof(const struct doc_node *));
	for (const struct doc_node *item = node->first; item != NULL; item = item->next) {
		struct study_difference *difference = &differences[study->difference_count];

		if (item->kind != DOC_MAPPING)
			return doc_fail(&reader->doc, item, "differences", "is %s; allowed: {of: …, minus: …, measurement: …, "
					"metrics: …}", doc_kind_name(item));
		FORWARD_IF_ERROR(doc_only_keys(&reader->doc, item, "differences: ", difference_keys, 4));
		FORWARD_IF_ERROR(read_variant_name(reader, item, "of", &difference->of));
		FORWARD_IF_ERROR(read_variant_name(reader, item, "minus", &difference->minus));
		difference->rows.name = keep_textf("%s - %s", study->variants[difference->of].name,
						   study->variants[difference->minus].name);
		difference->rows.params = study->variants[difference->of].params;
		FORWARD_IF_ERROR(study_read_rows(reader, item, &difference->rows));
		if (difference->rows.metric_count == 0)
			return doc_fail(&reader->doc, item, "differences", "%s", "needs measurement: and metrics:");
		nodes[study->variant_count + study->difference_count++] = doc_find(item, "measurement");
	}
	study->differences = differences;
	reader->match_nodes = nodes;
	return CV_OK;
}
