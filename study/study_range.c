// SPDX-License-Identifier: Apache-2.0
/*
 * range: { host.cpu.gicv5_write: [5cycles, 80cycles] }, the parameters that nobody knows better than this. `convoy
 * sensitivity` moves them one at a time to both ends. The value in use stays what the files say.
 */
#include "study/keep.h"
#include "study/study_parts.h"

cv_result study_read_bounds(const struct study_reader *reader, const struct doc_node *node, enum param_id id,
			    struct study_free_param *out)
{
	if (node->kind != DOC_SEQUENCE || node->count != 2)
		return doc_fail(&reader->doc, node, param_table[id].name,
				"is %s; allowed: a list of two bounds, such as [20ns, 200ns]",
				node->kind == DOC_SEQUENCE ? "not a pair" : doc_kind_name(node));
	out->id = id;
	FORWARD_IF_ERROR(param_scalar_read(&reader->doc, node->first, id, reader->source, &out->low));
	FORWARD_IF_ERROR(param_scalar_read(&reader->doc, node->last, id, reader->source, &out->high));
	if (out->low.in_cycles != out->high.in_cycles)
		return doc_fail(&reader->doc, node, param_table[id].name, "one bound is in cycles, the other a time; use one kind");
	if (out->low.number >= out->high.number)
		return doc_fail(&reader->doc, node, param_table[id].name, "the bounds are not in order; allowed: [low, high]");
	return CV_OK;
}

static bool has_a_range(enum param_id id)
{
	return id < P_RUN_REPLICATIONS && param_table[id].type != PARAM_CHOICE && param_table[id].type != PARAM_SWITCH;
}

cv_result study_read_ranges(struct study_reader *reader, const struct doc_node *node)
{
	struct study *study = reader->study;
	struct study_free_param *ranges;

	if (node->kind != DOC_MAPPING || node->count == 0)
		return doc_fail(&reader->doc, node, "range", "is %s; allowed: {parameter: [low, high]}, at least one",
				node->kind == DOC_MAPPING ? "empty" : doc_kind_name(node));
	ranges = keep_memory(node->count * sizeof(*ranges));
	for (const struct doc_node *item = node->first; item != NULL; item = item->next) {
		enum param_id id;

		FORWARD_WITH_CONTEXT(param_find(item->key->text, &id), "%s: range", doc_where(&reader->doc, item->key));
		if (!has_a_range(id))
			return doc_fail(&reader->doc, item->key, param_table[id].name,
					"has no range; allowed: times, costs, frequencies, counts and fractions of host.*, kernel.* and "
					"workload.*");
		if (id == study->axis)
			return doc_fail(&reader->doc, item->key, param_table[id].name, "is the axis of the study, which varies it");
		FORWARD_IF_ERROR(study_read_bounds(reader, item, id, &ranges[study->range_count++]));
	}
	study->ranges = ranges;
	return CV_OK;
}
