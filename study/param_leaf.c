// SPDX-License-Identifier: Apache-2.0
/* Reading parameter leaves from a YAML tree; see param_leaf.h. */
#include "study/param_leaf.h"

#include <string.h>

#include "study/keep.h"
#include "study/nearest.h"

#define LONGEST_SOURCE 1000u

static bool is_group(const char *name)
{
	size_t length = strlen(name);

	for (size_t i = 0; i < PARAM_IDS; i++)
		if (strncmp(param_table[i].name, name, length) == 0 && param_table[i].name[length] == '.')
			return true;
	return false;
}

/* Every parameter and every group on the way to one; only those the file may hold. */
static cv_result unknown_key(const struct doc *doc, const struct doc_node *node, const char *name,
			     const struct leaf_rules *rules)
{
	struct nearest near = nearest_to(name);

	for (size_t i = 0; i < PARAM_IDS; i++) {
		const char *known = param_table[i].name;

		if (!rules->allows((enum param_id)i))
			continue;
		for (const char *dot = strchr(known, '.'); dot != NULL; dot = strchr(dot + 1, '.'))
			nearest_offer(&near, keep_text_n(known, (size_t)(dot - known)));
		nearest_offer(&near, known);
	}
	return doc_fail(doc, node->key, name, "no such parameter (`convoy params` lists them); nearest known name: %s",
			near.name);
}

cv_result param_scalar_read(const struct doc *doc, const struct doc_node *node, enum param_id id, const char *source,
			    struct param_value *out)
{
	char allowed[300];

	if (node->kind != DOC_SCALAR || node->text[0] == '\0') {
		param_allowed(id, allowed, sizeof(allowed));
		return doc_fail(doc, node, param_table[id].name, "%s%s; allowed: %s",
				node->kind == DOC_SCALAR ? "has no value" : "is ",
				node->kind == DOC_SCALAR ? "" : doc_kind_name(node), allowed);
	}
	FORWARD_WITH_CONTEXT(param_parse(id, node->text, out), "%s:%u:%u", doc->path, node->line, node->column);
	out->source_class = SOURCE_CHOSEN;
	out->source = source;
	out->where = doc_where(doc, node);
	return CV_OK;
}

static cv_result read_class(const struct doc *doc, const struct doc_node *node, const char *name,
			    enum source_class *out)
{
	const char *text, *key = keep_textf("%s.class", name);

	FORWARD_IF_ERROR(doc_get_text(doc, node, key, &text));
	FORWARD_WITH_CONTEXT(source_class_parse(text, out), "%s:%u:%u: %s", doc->path, node->line, node->column, key);
	return CV_OK;
}

static cv_result read_source(const struct doc *doc, const struct doc_node *node, const char *name, const char **out)
{
	const char *key = keep_textf("%s.source", name);

	FORWARD_IF_ERROR(doc_get_text(doc, node, key, out));
	if (strlen(*out) > LONGEST_SOURCE)
		return doc_fail(doc, node, key, "too long; allowed: at most %u bytes", LONGEST_SOURCE);
	return CV_OK;
}

/* { value: …, class: …, source: … } */
static cv_result read_leaf_mapping(const struct doc *doc, const struct doc_node *node, enum param_id id,
				   const struct leaf_rules *rules, struct param_value *out)
{
	static const char *const keys[] = { "value", "class", "source" };
	const char *name = param_table[id].name;
	const struct doc_node *found[3];

	FORWARD_IF_ERROR(doc_only_keys(doc, node, keep_textf("%s.", name), keys, 3));
	for (size_t i = 0; i < 3; i++) {
		found[i] = doc_find(node, keys[i]);
		if (found[i] == NULL && (i == 0 || rules->needs_source))
			return doc_fail(doc, node, name, "has no %s; write {value: …, class: …, source: \"…\"}", keys[i]);
	}
	/* A class is a claim; a claim needs something to hold it. */
	if (found[1] != NULL && found[2] == NULL)
		return doc_fail(doc, node, name, "has a class but no source; write {value: …, class: …, source: \"…\"}");
	FORWARD_IF_ERROR(param_scalar_read(doc, found[0], id, rules->default_source, out));
	if (found[1] != NULL)
		FORWARD_IF_ERROR(read_class(doc, found[1], name, &out->source_class));
	if (found[2] != NULL)
		FORWARD_IF_ERROR(read_source(doc, found[2], name, &out->source));
	return CV_OK;
}

static cv_result read_leaf(const struct doc *doc, const struct doc_node *node, enum param_id id,
			   const struct leaf_rules *rules, struct param_set *set, struct leaf_nodes *nodes)
{
	const char *name = param_table[id].name;

	if (!rules->allows(id))
		return doc_fail(doc, node->key, name, "%s", rules->refusal);
	if (nodes->leaf[id] != NULL)
		return doc_fail(doc, node->key, name, "is here twice; first on line %u", nodes->leaf[id]->line);
	nodes->leaf[id] = node;
	if (node->kind == DOC_MAPPING)
		return read_leaf_mapping(doc, node, id, rules, &set->value[id]);
	if (rules->needs_source)
		return doc_fail(doc, node, name, "has no class and source; write {value: …, class: …, source: \"…\"}");
	return param_scalar_read(doc, node, id, rules->default_source, &set->value[id]);
}

cv_result param_leaf_read(const struct doc *doc, const char *prefix, const struct doc_node *node,
			  const struct leaf_rules *rules, struct param_set *set, struct leaf_nodes *nodes)
{
	const char *name = prefix[0] != '\0' ? keep_textf("%s.%s", prefix, node->key->text) : node->key->text;

	for (size_t i = 0; i < PARAM_IDS; i++)
		if (strcmp(param_table[i].name, name) == 0)
			return read_leaf(doc, node, (enum param_id)i, rules, set, nodes);
	if (!is_group(name))
		return unknown_key(doc, node, name, rules);
	if (node->kind != DOC_MAPPING)
		return doc_fail(doc, node, name, "is %s, but %s is a group; allowed: a mapping of its parameters",
				doc_kind_name(node), name);
	return param_leaves_read(doc, name, node, rules, set, nodes);
}

cv_result param_leaves_read(const struct doc *doc, const char *prefix, const struct doc_node *mapping,
			    const struct leaf_rules *rules, struct param_set *set, struct leaf_nodes *nodes)
{
	for (const struct doc_node *node = mapping->first; node != NULL; node = node->next)
		FORWARD_IF_ERROR(param_leaf_read(doc, prefix, node, rules, set, nodes));
	return CV_OK;
}

void param_set_overlay(struct param_set *onto, const struct param_set *from)
{
	for (size_t i = 0; i < PARAM_IDS; i++)
		if (from->value[i].present)
			onto->value[i] = from->value[i];
}
