// SPDX-License-Identifier: Apache-2.0
/*
 * variants: a list of { name, meaning, kernel, host, gic, mode, set: {…}, measurement: {column: value}, metrics: {…} }. Each
 * becomes a whole parameter set: the machine, the variant's kernel file, the study's own values, the variant's, and --set over all.
 */
#include <string.h>

#include "study/catalogue.h"
#include "study/keep.h"
#include "study/param_file.h"
#include "study/study_parts.h"

#define MOST_VARIANTS 64u
#define LONGEST_NAME 60u

static const char *const variant_keys[] = {
	"name", "meaning", "kernel", "host", "gic", "mode", "set", "measurement", "metrics",
};

static cv_result read_texts(struct study_reader *reader, const struct doc_node *node, struct study_variant *variant)
{
	const char **const target[] = { &variant->name, &variant->meaning, &variant->kernel };

	for (size_t i = 0; i < 3; i++) {
		const struct doc_node *text = doc_find(node, variant_keys[i]);

		if (text == NULL)
			return doc_fail(&reader->doc, node, variant_keys[i],
					"missing; a variant has name, meaning and kernel, and may have host, gic, mode, set, measurement and "
					"metrics");
		FORWARD_IF_ERROR(doc_get_text(&reader->doc, text, variant_keys[i], target[i]));
		if (i == 0 && (strlen(variant->name) > LONGEST_NAME || strpbrk(variant->name, "\n\r\t") != NULL))
			return doc_fail(&reader->doc, text, "name", "\"%s\" is no short name; allowed: one line of at most %u bytes",
					shown(variant->name).text, LONGEST_NAME);
	}
	return CV_OK;
}

/* set: and the short keys. */
static cv_result read_own(struct study_reader *reader, const struct doc_node *variant, struct param_set *own)
{
	const struct doc_node *node = doc_find(variant, "set");
	struct leaf_rules rules = study_set_rules(reader, true);
	struct leaf_nodes nodes = { { NULL } };
	enum param_id axis = reader->study->axis;

	if (node != NULL && node->kind != DOC_MAPPING)
		return doc_fail(&reader->doc, node, "set", "is %s; allowed: a mapping of parameters to values",
				doc_kind_name(node));
	if (node != NULL)
		FORWARD_IF_ERROR(param_leaves_read(&reader->doc, "", node, &rules, own, &nodes));
	if (nodes.leaf[axis] != NULL)
		return doc_fail(&reader->doc, nodes.leaf[axis]->key, param_table[axis].name,
				"is the axis of the study, which varies it; leave it out");
	FORWARD_IF_ERROR(study_read_short(reader, variant, &nodes, own));
	RETURN_ERROR_IF(own->value[axis].present, CV_BAD_INPUT,
			"%s: %s: is the axis of the study, which varies it; leave it out", own->value[axis].where,
			param_table[axis].name);
	return CV_OK;
}

/* The study's host and workload, or those of the variant's own host. */
static cv_result read_machine(struct study_reader *reader, const struct doc_node *host, struct study_variant *variant)
{
	struct param_file_info info;
	const char *path;

	variant->params = reader->machine;
	if (host == NULL)
		return CV_OK;
	FORWARD_IF_ERROR(doc_get_text(&reader->doc, host, "host", &variant->host));
	FORWARD_WITH_CONTEXT(catalogue_resolve(CATALOGUE_HOSTS, variant->host, reader->doc.path, &path), "%s: host",
			     doc_where(&reader->doc, host));
	variant->host = catalogue_name_of(variant->host);
	param_set_defaults(&variant->params);
	FORWARD_IF_ERROR(param_file_apply(CATALOGUE_HOSTS, path, &variant->params, &info));
	return param_file_apply(CATALOGUE_WORKLOADS, reader->study->workload_path, &variant->params, &info);
}

static cv_result read_variant(struct study_reader *reader, const struct doc_node *node, struct study_variant *variant)
{
	struct param_set own = { 0 }, before_sets;
	struct what_if_base base = { .before_sets = &before_sets };
	struct param_file_info info;
	const char *path;

	FORWARD_IF_ERROR(doc_only_keys(&reader->doc, node, "variants: ", variant_keys,
				       sizeof(variant_keys) / sizeof(variant_keys[0])));
	FORWARD_IF_ERROR(read_texts(reader, node, variant));
	FORWARD_IF_ERROR(read_machine(reader, doc_find(node, "host"), variant));
	FORWARD_WITH_CONTEXT(catalogue_resolve(CATALOGUE_KERNELS, variant->kernel, reader->doc.path, &path), "%s: kernel",
			     doc_where(&reader->doc, doc_find(node, "kernel")));
	FORWARD_IF_ERROR(param_file_apply(CATALOGUE_KERNELS, path, &variant->params, &info));
	variant->kernel = catalogue_name_of(variant->kernel);
	base.kernel_mode = variant->params.value[P_KERNEL_EL2];
	FORWARD_IF_ERROR(read_own(reader, node, &own));
	FORWARD_IF_ERROR(study_read_rows(reader, node, variant));
	param_set_overlay(&variant->params, &reader->common);
	param_set_overlay(&variant->params, &own);
	before_sets = variant->params;
	param_set_overlay(&variant->params, &reader->overrides);
	study_mark_what_if(reader, &base, variant);
	return CV_OK;
}

cv_result study_read_variants(struct study_reader *reader, const struct doc_node *node)
{
	struct study_variant *variants;
	const struct doc_node **match_nodes;
	size_t used = 0;

	if (node->kind != DOC_SEQUENCE || node->count == 0 || node->count > MOST_VARIANTS)
		return doc_fail(&reader->doc, node, "variants",
				"is %s%s; allowed: a list of 1 to %u variants {name: …, meaning: …, kernel: …}",
				doc_kind_name(node), node->kind == DOC_SEQUENCE ? " of none or too many" : "", MOST_VARIANTS);
	variants = keep_memory(node->count * sizeof(*variants));
	match_nodes = keep_memory(node->count * sizeof(const struct doc_node *));
	for (const struct doc_node *item = node->first; item != NULL; item = item->next, used++) {
		if (item->kind != DOC_MAPPING)
			return doc_fail(&reader->doc, item, "variants", "is %s; allowed: {name: …, meaning: …, kernel: …}",
					doc_kind_name(item));
		FORWARD_IF_ERROR(read_variant(reader, item, &variants[used]));
		match_nodes[used] = doc_find(item, "measurement");
		for (size_t i = 0; i < used; i++)
			if (strcmp(variants[i].name, variants[used].name) == 0)
				return doc_fail(&reader->doc, doc_find(item, "name"), "name",
						"\"%s\" is the name of another variant too", shown(variants[i].name).text);
	}
	reader->study->variants = variants;
	reader->study->variant_count = used;
	reader->match_nodes = match_nodes;
	return CV_OK;
}
