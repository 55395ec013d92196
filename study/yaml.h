// SPDX-License-Identifier: Apache-2.0
/*
 * YAML 1.1 files as a tree in which every node knows its place.
 *
 * Read with libyaml's event interface. Accepted: one document of mappings with plain-text keys, sequences and scalars.
 * Refused, with file:line:column: anchors and aliases, tags, a second document, duplicate keys, keys that are not
 * text, nesting deeper than 16, more than 10000 nodes, and whatever text_file.h refuses. Scalars stay text: YAML's own
 * ideas of numbers and booleans (octal, base 60, `on`) never come in; the reader of a key decides what its text means.
 *
 * The tree belongs to its doc and goes with doc_free. Strings that must live longer go through keep_text.
 */
#ifndef CONVOY_STUDY_YAML_H
#define CONVOY_STUDY_YAML_H

#include <stddef.h>

#include "base/result.h"

enum doc_kind { DOC_SCALAR, DOC_SEQUENCE, DOC_MAPPING };

struct doc_node {
	enum doc_kind kind;
	unsigned line, column;         /* from 1; columns count characters */
	size_t start, end;             /* the node's bytes in doc.text */
	const char *text;              /* scalars */
	struct doc_node *key;          /* in a mapping: this node's key, a scalar; else NULL */
	struct doc_node *first, *next; /* children in file order; the values, for mappings */
	struct doc_node *last;         /* of the children, for appending */
	size_t count;                  /* of the children */
};

struct doc {
	const char *path;              /* for messages; kept */
	char *text;                    /* the whole file */
	size_t size;
	struct doc_node *root;         /* always a mapping */
	struct doc_block *memory;
};

/* Reads a file. After an error there is nothing to free. */
cv_result doc_load(const char *path, struct doc *out);

/* The same from memory; `text` is copied. */
cv_result doc_parse(const char *path, const char *text, size_t size, struct doc *out);

void doc_free(struct doc *doc);

/* The value of a key, NULL when the mapping has no such key. */
const struct doc_node *doc_find(const struct doc_node *mapping, const char *key);

/* "file:line:column" of a node, kept until the process ends. */
const char *doc_where(const struct doc *doc, const struct doc_node *node);

/* Sets the error "file:line:column: key: <message>" (key may be NULL) and returns CV_BAD_INPUT. */
cv_result doc_fail(const struct doc *doc, const struct doc_node *node, const char *key, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* "text", "a list" or "a mapping": what a node is, for messages. */
const char *doc_kind_name(const struct doc_node *node);

/* A scalar's text with blanks at its end removed, kept; an error when it is no scalar or blank. */
cv_result doc_get_text(const struct doc *doc, const struct doc_node *node, const char *key, const char **out);

/* Every key of the mapping must be one of names[0 … count-1]; the error names the nearest. `prefix` ("" or "axis.") goes
 * before the key in messages. */
cv_result doc_only_keys(const struct doc *doc, const struct doc_node *mapping, const char *prefix,
			const char *const *names, size_t count);

#endif
