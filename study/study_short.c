// SPDX-License-Identifier: Apache-2.0
/*
 * Short keys, beside kernel: and host: gic: for host.gic.version, mode: for kernel.el2. They say the same as a line of
 * set: at the same place, so both together are refused.
 *
 * And the what-if: a host file describes one machine. Where a study changes a value of it, the value's source says so from then
 * on, in the results file too.
 */
#include "study/keep.h"
#include "study/study_parts.h"

static const struct { const char *key; enum param_id id; } short_keys[] = {
	{ "gic", P_HOST_GIC },
	{ "mode", P_KERNEL_EL2 },
};

cv_result study_read_short(const struct study_reader *reader, const struct doc_node *mapping, const struct leaf_nodes *set,
			   struct param_set *out)
{
	for (size_t i = 0; i < sizeof(short_keys) / sizeof(short_keys[0]); i++) {
		const struct doc_node *node = doc_find(mapping, short_keys[i].key);
		const enum param_id id = short_keys[i].id;

		if (node == NULL)
			continue;
		if (set->leaf[id] != NULL)
			return doc_fail(&reader->doc, node->key, short_keys[i].key,
					"is short for %s, which set: gives as well (line %u); leave one of them out",
					param_table[id].name, set->leaf[id]->line);
		FORWARD_WITH_CONTEXT(param_scalar_read(&reader->doc, node, id, reader->source, &out->value[id]), "%s",
				     short_keys[i].key);
	}
	return CV_OK;
}

void study_mark_what_if(const struct study_reader *reader, struct param_set *set)
{
	for (enum param_id id = 0; id < P_KERNEL_EL2; id++) {
		const struct param_value *host = &reader->machine.value[id];
		struct param_value *value = &set->value[id];
		char text[64];

		if (!value->present || !host->present ||
		    (value->number == host->number && value->in_cycles == host->in_cycles))
			continue;
		param_format(id, host, text, sizeof(text));
		value->source = keep_textf("%s; " STUDY_WHAT_IF "host %s has %s", value->source, reader->study->host, text);
	}
}
