// SPDX-License-Identifier: Apache-2.0
/*
 * The tree's memory, look-up, and messages with a place; see yaml.h. Building the tree from libyaml's events is in
 * yaml_build.c.
 */
#include "study/yaml.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study/keep.h"
#include "study/nearest.h"
#include "study/text_file.h"
#include "study/yaml_build.h"

struct doc_block {
	struct doc_block *next;
	_Alignas(max_align_t) unsigned char bytes[];
};

void *doc_allocate(struct doc *doc, size_t size)
{
	struct doc_block *block = calloc(1, sizeof(*block) + size);

	if (block == NULL) {
		fprintf(stderr, "convoy: out of memory (%zu bytes)\n", size);
		exit(1);
	}
	block->next = doc->memory;
	doc->memory = block;
	return block->bytes;
}

void doc_free(struct doc *doc)
{
	while (doc->memory != NULL) {
		struct doc_block *next = doc->memory->next;

		free(doc->memory);
		doc->memory = next;
	}
	free(doc->text);
	memset(doc, 0, sizeof(*doc));
}

/* Takes over `text`. */
static cv_result parse_owned(const char *path, char *text, size_t size, struct doc *out)
{
	cv_result result;

	*out = (struct doc){ .path = keep_text(path), .text = text, .size = size };
	result = doc_build(out);
	if (result != CV_OK)
		doc_free(out);
	return result;
}

cv_result doc_load(const char *path, struct doc *out)
{
	char *text;
	size_t size;

	memset(out, 0, sizeof(*out));
	FORWARD_IF_ERROR(text_file_read(path, &text, &size));
	return parse_owned(path, text, size, out);
}

cv_result doc_parse(const char *path, const char *text, size_t size, struct doc *out)
{
	char *copy;

	memset(out, 0, sizeof(*out));
	FORWARD_IF_ERROR(text_check(path, text, size));
	copy = malloc(size + 1);
	RETURN_ERROR_IF(copy == NULL, CV_IO, "%s: out of memory", path);
	memcpy(copy, text, size);
	copy[size] = '\0';
	return parse_owned(path, copy, size, out);
}

const struct doc_node *doc_find(const struct doc_node *mapping, const char *key)
{
	for (const struct doc_node *node = mapping->first; node != NULL; node = node->next)
		if (node->key != NULL && strcmp(node->key->text, key) == 0)
			return node;
	return NULL;
}

const char *doc_where(const struct doc *doc, const struct doc_node *node)
{
	return keep_textf("%s:%u:%u", doc->path, node->line, node->column);
}

cv_result doc_fail(const struct doc *doc, const struct doc_node *node, const char *key, const char *format, ...)
{
	char message[1500];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(message, sizeof(message), format, arguments);
	va_end(arguments);
	RETURN_ERROR(CV_BAD_INPUT, "%s:%u:%u: %s%s%s", doc->path, node->line, node->column, key ? shown(key).text : "",
		     key ? ": " : "", message);
}

const char *doc_kind_name(const struct doc_node *node)
{
	static const char *const names[] = { "text", "a list", "a mapping" };

	return names[node->kind];
}

cv_result doc_get_text(const struct doc *doc, const struct doc_node *node, const char *key, const char **out)
{
	size_t length;

	if (node->kind != DOC_SCALAR)
		return doc_fail(doc, node, key, "is %s; allowed: text", doc_kind_name(node));
	length = strlen(node->text);
	while (length > 0 && strchr(" \t\r\n", node->text[length - 1]) != NULL)
		length--;
	if (length == 0)
		return doc_fail(doc, node, key, "has no value; allowed: text");
	*out = keep_text_n(node->text, length);
	return CV_OK;
}

cv_result doc_only_keys(const struct doc *doc, const struct doc_node *mapping, const char *prefix,
			const char *const *names, size_t count)
{
	for (const struct doc_node *node = mapping->first; node != NULL; node = node->next) {
		struct nearest near = nearest_to(node->key->text);
		char allowed[400] = "";
		size_t used = 0, i;

		for (i = 0; i < count && strcmp(node->key->text, names[i]) != 0; i++) {
			nearest_offer(&near, names[i]);
			if (used < sizeof(allowed))
				used += (size_t)snprintf(allowed + used, sizeof(allowed) - used, "%s%s", i ? ", " : "",
							 names[i]);
		}
		if (i == count)
			return doc_fail(doc, node->key, NULL, "%s%s: unknown key; allowed: %s; nearest: %s", prefix,
					shown(node->key->text).text, allowed, near.name);
	}
	return CV_OK;
}
