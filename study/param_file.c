// SPDX-License-Identifier: Apache-2.0
/*
 * Host, kernel and workload files into a parameter set; see docs/formats.md.
 *
 * Which file may set what keeps a study readable: hardware in the host file, kernel switches in the kernel file. A kernel
 * file must set every switch (every CHOICE and SWITCH of kernel.*): what a kernel does is never left to a default.
 */
#include "study/param_file.h"

#include <string.h>

#include "study/catalogue.h"
#include "study/keep.h"
#include "study/nearest.h"

bool host_file_allows(enum param_id id)
{
	return id < P_KERNEL_EL2 || (id >= P_KERNEL_WORK_SYSCALL && id <= P_KERNEL_WORK_CALL) || id == P_WORKLOAD_VMM_WORK;
}

static bool kernel_file_allows(enum param_id id)
{
	return id >= P_KERNEL_EL2 && id < P_WORKLOAD_KIND;
}

static bool workload_file_allows(enum param_id id)
{
	return id >= P_WORKLOAD_KIND && id < P_RUN_REPLICATIONS;
}

/* What a kernel does or not, and how. Times and counts (kernel.work.*, a tick, a limit) may be left to their defaults. */
static bool is_kernel_switch(enum param_id id)
{
	return kernel_file_allows(id) && (param_table[id].type == PARAM_CHOICE || param_table[id].type == PARAM_SWITCH);
}

static const char *const meta_keys[] = { "title", "since", "notes" };

/* One reserved key; *taken is false when the key is not one of them. */
static cv_result read_meta(const struct doc *doc, const struct doc_node *node, struct param_file_info *info, bool *taken)
{
	const char **const target[] = { &info->title, &info->since, &info->notes };

	*taken = false;
	for (size_t i = 0; i < sizeof(meta_keys) / sizeof(meta_keys[0]); i++) {
		if (strcmp(node->key->text, meta_keys[i]) == 0) {
			*taken = true;
			return doc_get_text(doc, node, meta_keys[i], target[i]);
		}
	}
	return CV_OK;
}

/* A top-level key that is neither reserved nor the start of a parameter's name. */
static cv_result check_top_key(const struct doc *doc, const struct doc_node *node)
{
	static const char *const groups[] = { "host", "kernel", "workload", "run" };
	struct nearest near = nearest_to(node->key->text);

	for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++) {
		size_t length = strlen(groups[i]);

		if (strncmp(node->key->text, groups[i], length) == 0 &&
		    (node->key->text[length] == '\0' || node->key->text[length] == '.'))
			return CV_OK;
		if (i < 3)
			nearest_offer(&near, groups[i]);
	}
	for (size_t i = 0; i < sizeof(meta_keys) / sizeof(meta_keys[0]); i++)
		nearest_offer(&near, meta_keys[i]);
	return doc_fail(doc, node->key, node->key->text,
			"unknown key; allowed: title, since, notes and groups of parameters; nearest: %s", near.name);
}

cv_result param_file_read(enum catalogue_kind kind, const struct doc *doc, struct param_set *set,
			  struct leaf_nodes *nodes, struct param_file_info *info)
{
	const char *name = kind == CATALOGUE_HOSTS ? "host" : kind == CATALOGUE_KERNELS ? "kernel" : "workload";
	struct leaf_rules rules = {
		.needs_source = kind == CATALOGUE_HOSTS,
		.default_source = keep_textf("chosen in %s file %s", name, catalogue_name_of(doc->path)),
	};

	switch (kind) {
	case CATALOGUE_HOSTS:
		rules.allows = host_file_allows;
		rules.refusal = "does not belong in a host file; a host file sets host.*, kernel.work.* and workload.vmm_work";
		break;
	case CATALOGUE_KERNELS:
		rules.allows = kernel_file_allows;
		rules.refusal = "does not belong in a kernel file; a kernel file sets kernel.*";
		break;
	default:
		rules.allows = workload_file_allows;
		rules.refusal = "does not belong in a workload file; a workload file sets workload.*";
		break;
	}
	*info = (struct param_file_info){ .path = doc->path };
	for (const struct doc_node *node = doc->root->first; node != NULL; node = node->next) {
		bool taken;

		FORWARD_IF_ERROR(read_meta(doc, node, info, &taken));
		if (taken)
			continue;
		FORWARD_IF_ERROR(check_top_key(doc, node));
		FORWARD_IF_ERROR(param_leaf_read(doc, "", node, &rules, set, nodes));
	}
	if (info->title == NULL)
		return doc_fail(doc, doc->root, "title", "missing; a %s file starts with title: and one line", name);
	for (size_t i = 0; kind == CATALOGUE_KERNELS && i < PARAM_IDS; i++)
		if (is_kernel_switch((enum param_id)i) && nodes->leaf[i] == NULL)
			return doc_fail(doc, doc->root, param_table[i].name,
					"missing; a kernel file sets every switch (%s)", param_table[i].meaning);
	return CV_OK;
}

cv_result param_file_apply(enum catalogue_kind kind, const char *path, struct param_set *set,
			   struct param_file_info *info)
{
	struct leaf_nodes nodes = { { NULL } };
	struct doc doc;
	cv_result result;

	FORWARD_IF_ERROR(doc_load(path, &doc));
	result = param_file_read(kind, &doc, set, &nodes, info);
	doc_free(&doc);
	return result;
}
