// SPDX-License-Identifier: Apache-2.0
/*
 * Short keys, beside kernel: and host: gic: for host.gic.version, mode: for kernel.el2. They say the same as a line of
 * set: at the same place, so both together are refused.
 *
 * And the what-if: a host file describes one machine. Where a study or --set changes a value of it, the value's source says so from
 * then on, in the results file too. So does the mode, where the variant stands beside measured rows: they belong to another one. A
 * variant's own host may be completed by its set:, so only --set makes a what-if of it.
 */
#include <string.h>

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

static bool same(const struct param_value *a, const struct param_value *b)
{
	return a->number == b->number && a->in_cycles == b->in_cycles;
}

static void mark(struct param_value *value, enum param_id id, const struct param_value *known, const char *whose)
{
	char text[64];

	if (!value->present || !known->present || same(value, known))
		return;
	param_format(id, known, text, sizeof(text));
	value->source = keep_textf("%s; " STUDY_WHAT_IF "%s has %s", value->source, whose, text);
}

/* The rows of the measurement file say the mode themselves. */
static bool mode_is_matched(const struct study_variant *variant)
{
	for (size_t i = 0; i < variant->match_count; i++)
		if (strcmp(variant->match[i].column, "mode") == 0)
			return true;
	return false;
}

/* Beside a measured row, the mode is that of its kernel, unless the row says another or the host has no VHE. */
static void mark_mode(const struct what_if_base *base, struct study_variant *variant)
{
	struct param_value *mode = &variant->params.value[P_KERNEL_EL2];
	const struct param_value *host_vhe = &base->before_sets->value[P_HOST_VHE];
	const bool said = mode_is_matched(variant) || (host_vhe->present && host_vhe->number == 0);

	if (variant->match_count == 0)
		return;
	mark(mode, P_KERNEL_EL2, said ? &base->before_sets->value[P_KERNEL_EL2] : &base->kernel_mode,
	     said ? "the measured one" : keep_textf("kernel %s", variant->kernel));
}

void study_mark_what_if(const struct study_reader *reader, const struct what_if_base *base, struct study_variant *variant)
{
	const struct param_set *host = variant->host ? base->before_sets : &reader->machine;
	const char *whose = keep_textf("host %s", variant->host ? variant->host : reader->study->host);

	for (enum param_id id = 0; id < P_KERNEL_EL2; id++)
		mark(&variant->params.value[id], id, &host->value[id], whose);
	mark_mode(base, variant);
}
