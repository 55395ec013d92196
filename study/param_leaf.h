// SPDX-License-Identifier: Apache-2.0
/*
 * Parameters in a YAML tree: nested keys join to dotted names, leaves are values.
 *
 *     host:
 *       line:
 *         base: { value: 97ns, class: fitted, source: "…" }     # a leaf with its source
 *         hit: 4cycles                                          # a plain leaf, where the file allows it
 *       mesh.columns: 4                                         # dots may stand for nesting
 */
#ifndef CONVOY_STUDY_PARAM_LEAF_H
#define CONVOY_STUDY_PARAM_LEAF_H

#include <stdbool.h>

#include "study/param.h"
#include "study/yaml.h"

struct leaf_rules {
	bool (*allows)(enum param_id id);
	const char *refusal;        /* why not, when allows() is false: "does not belong in a host file; …" */
	bool needs_source;          /* every leaf must be { value, class, source } */
	const char *default_source; /* of leaves that say none; their class is `chosen` */
};

struct leaf_nodes {
	const struct doc_node *leaf[PARAM_IDS];  /* where this file set a parameter; NULL where it did not */
};

/* Reads one key of a tree, a leaf or a group of leaves below it, into the set. `prefix` is the dotted name so far, "" or
 * "host". Setting a parameter twice in the same `nodes` is an error. */
cv_result param_leaf_read(const struct doc *doc, const char *prefix, const struct doc_node *node,
			  const struct leaf_rules *rules, struct param_set *set, struct leaf_nodes *nodes);

/* All keys of a mapping. */
cv_result param_leaves_read(const struct doc *doc, const char *prefix, const struct doc_node *mapping,
			    const struct leaf_rules *rules, struct param_set *set, struct leaf_nodes *nodes);

/* A scalar node as a value of the parameter; class, source and place are set. */
cv_result param_scalar_read(const struct doc *doc, const struct doc_node *node, enum param_id id, const char *source,
			    struct param_value *out);

/* Puts the present values of `from` over those of `onto`. */
void param_set_overlay(struct param_set *onto, const struct param_set *from);

#endif
