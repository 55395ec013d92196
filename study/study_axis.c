// SPDX-License-Identifier: Apache-2.0
/* axis: { workload.vcpus: [1, 2, 4] }, the one parameter that a study varies. */
#include <string.h>

#include "study/keep.h"
#include "study/study_parts.h"

#define MOST_AXIS_VALUES 1000u

cv_result study_read_axis(struct study_reader *reader, const struct doc_node *node)
{
	const struct doc_node *list = node->first, *item;
	struct param_value *values;
	enum param_id id;
	size_t used = 0;

	if (node->kind != DOC_MAPPING || node->count != 1)
		return doc_fail(&reader->doc, node, "axis",
				"is %s%s; allowed: one parameter and its values, such as {workload.vcpus: [1, 2, 4]}",
				doc_kind_name(node), node->kind == DOC_MAPPING ? " of none or several" : "");
	FORWARD_WITH_CONTEXT(param_find(list->key->text, &id), "%s: axis", doc_where(&reader->doc, list->key));
	if (id == P_RUN_REPLICATIONS || id == P_RUN_SEED)
		return doc_fail(&reader->doc, list->key, param_table[id].name, "holds for the whole study; it cannot be an axis");
	if (list->kind != DOC_SEQUENCE || list->count == 0 || list->count > MOST_AXIS_VALUES)
		return doc_fail(&reader->doc, list, param_table[id].name,
				"is %s%s; allowed: a list of 1 to %u values, such as [1, 2, 4]", doc_kind_name(list),
				list->kind == DOC_SEQUENCE ? " of none or too many" : "", MOST_AXIS_VALUES);
	values = keep_memory(list->count * sizeof(*values));
	for (item = list->first; item != NULL; item = item->next, used++) {
		FORWARD_IF_ERROR(param_scalar_read(&reader->doc, item, id, reader->source, &values[used]));
		for (size_t i = 0; i < used; i++)
			if (values[i].number == values[used].number && values[i].in_cycles == values[used].in_cycles)
				return doc_fail(&reader->doc, item, param_table[id].name, "%s is in the list twice",
						shown(item->text).text);
	}
	reader->study->axis = id;
	reader->study->axis_name = strrchr(param_table[id].name, '.') + 1;
	reader->study->axis_values = values;
	reader->study->axis_count = used;
	return CV_OK;
}
