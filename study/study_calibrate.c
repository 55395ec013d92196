// SPDX-License-Identifier: Apache-2.0
/*
 * calibrate: { free: { host.line.base: [20ns, 200ns] } }, the parameters that `convoy calibrate` may move, and their
 * bounds. Fitted values go into the host file, so only what a host file may set can be free.
 */
#include <string.h>

#include "study/keep.h"
#include "study/param_file.h"
#include "study/study_parts.h"

static bool is_number(enum param_type type)
{
	return type != PARAM_CHOICE && type != PARAM_SWITCH && type != PARAM_COUNT;
}

/*
 * The value must be the host file's: calibrate writes the fitted one there. One that another file gives would hide it, and
 * moving it would change nothing. (--set may hide it: that is somebody's trial.)
 */
static cv_result check_at_home(const struct study_reader *reader, const struct doc_node *node, enum param_id id)
{
	const struct study *study = reader->study;
	const struct param_value *value = &reader->machine.value[id];
	size_t length = strlen(study->host_path);

	if (id == study->axis)
		return doc_fail(&reader->doc, node->key, param_table[id].name, "is the axis of the study; it cannot be free");
	if (!value->present || strncmp(value->where, study->host_path, length) != 0 || value->where[length] != ':')
		return doc_fail(&reader->doc, node->key, param_table[id].name,
				"its value comes from %s, not from the host file %s where the fitted one is written; set it there",
				value->present ? value->where : "nowhere", study->host_path);
	for (size_t v = 0; v < study->variant_count; v++) {
		const char *where = study->variants[v].params.value[id].where;

		if (study->variants[v].host != NULL)
			continue;  /* another machine, which calibration leaves alone */
		if (strcmp(where, value->where) != 0 && strcmp(where, "--set") != 0)
			return doc_fail(&reader->doc, node->key, param_table[id].name,
					"is set at %s, which hides the host file's value; it cannot be free", where);
	}
	return CV_OK;
}

static cv_result read_free(const struct study_reader *reader, const struct doc_node *node,
			   struct study_free_param *out)
{
	enum param_id id;

	FORWARD_WITH_CONTEXT(param_find(node->key->text, &id), "%s: calibrate.free", doc_where(&reader->doc, node->key));
	if (!host_file_allows(id) || !is_number(param_table[id].type))
		return doc_fail(&reader->doc, node->key, param_table[id].name,
				"cannot be free; allowed: times, costs, frequencies and fractions of host.* and kernel.work.*, and workload.vmm_work");
	FORWARD_IF_ERROR(study_read_bounds(reader, node, id, out));
	return check_at_home(reader, node, id);
}

cv_result study_read_calibrate(struct study_reader *reader, const struct doc_node *node)
{
	static const char *const keys[] = { "free" };
	const struct doc_node *list;
	struct study_free_param *free_params;

	if (node->kind != DOC_MAPPING)
		return doc_fail(&reader->doc, node, "calibrate", "is %s; allowed: {free: {parameter: [low, high]}}",
				doc_kind_name(node));
	FORWARD_IF_ERROR(doc_only_keys(&reader->doc, node, "calibrate.", keys, 1));
	list = doc_find(node, "free");
	if (list == NULL || list->kind != DOC_MAPPING || list->count == 0)
		return doc_fail(&reader->doc, list ? list : node, "calibrate.free",
				"is %s; allowed: {parameter: [low, high]}, at least one",
				list == NULL ? "missing" : list->kind == DOC_MAPPING ? "empty" : doc_kind_name(list));
	if (reader->study->measurement == NULL)
		return doc_fail(&reader->doc, node, "calibrate", "the study names no measurement: to calibrate with");
	free_params = keep_memory(list->count * sizeof(*free_params));
	for (const struct doc_node *item = list->first; item != NULL; item = item->next)
		FORWARD_IF_ERROR(read_free(reader, item, &free_params[reader->study->free_count++]));
	reader->study->free_params = free_params;
	return CV_OK;
}
