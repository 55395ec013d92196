// SPDX-License-Identifier: Apache-2.0
/* Replacing leaves in a host file's text; see write_host.h. The result is read back and compared before it is written. */
#include "study/write_host.h"

#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study/keep.h"
#include "study/param_file.h"
#include "study/replace_file.h"
#include "study/yaml.h"

struct edit {
	size_t start, end;   /* bytes of the old text */
	const char *text;
};

static int compare_edits(const void *a, const void *b)
{
	const struct edit *first = a, *second = b;

	return (first->start > second->start) - (first->start < second->start);
}

/* A double-quoted YAML scalar. */
static cv_result quote(const char *path, const char *text, const char **out)
{
	char *quoted = malloc(2 * strlen(text) + 3);
	size_t used = 0;

	RETURN_ERROR_IF(quoted == NULL, CV_IO, "%s: out of memory", path);
	quoted[used++] = '"';
	for (size_t i = 0; text[i] != '\0'; i++) {
		if ((unsigned char)text[i] < 0x20 || text[i] == 0x7f) {
			free(quoted);
			RETURN_ERROR(CV_BAD_INPUT, "%s: the source \"%s\" is not one line of plain text", path, shown(text).text);
		}
		if (text[i] == '"' || text[i] == '\\')
			quoted[used++] = '\\';
		quoted[used++] = text[i];
	}
	quoted[used++] = '"';
	*out = keep_text_n(quoted, used);
	free(quoted);
	return CV_OK;
}

/* The end of a node's own text: block scalars end at the next line's start, their line end is not ours. */
static size_t text_end(const struct doc *doc, const struct doc_node *node)
{
	size_t end = node->end;

	while (end > node->start && strchr(" \t\r\n", doc->text[end - 1]) != NULL)
		end--;
	return end;
}

static cv_result plan_change(const struct doc *doc, const struct leaf_nodes *nodes, const struct host_change *change,
			     struct edit edits[3])
{
	static const char *const keys[3] = { "value", "class", "source" };
	const struct doc_node *leaf = nodes->leaf[change->id];
	char value[64];

	RETURN_ERROR_IF(leaf == NULL, CV_BAD_INPUT,
			"%s: %s: not in the file; add it as {value: …, class: estimated, source: \"…\"} before calibrating it",
			doc->path, param_table[change->id].name);
	param_format(change->id, &change->value, value, sizeof(value));
	for (size_t i = 0; i < 3; i++) {
		const struct doc_node *node = doc_find(leaf, keys[i]);

		assert(node != NULL && "host files have all three");
		edits[i].start = node->start;
		edits[i].end = text_end(doc, node);
	}
	edits[0].text = keep_text(value);
	edits[1].text = source_class_name(SOURCE_FITTED);
	return quote(doc->path, change->source, &edits[2].text);
}

static char *apply_edits(const struct doc *doc, const struct edit *edits, size_t count, size_t *size)
{
	size_t most = doc->size + 1, used = 0, at = 0;
	char *text;

	for (size_t i = 0; i < count; i++)
		most += strlen(edits[i].text);
	text = malloc(most);
	if (text == NULL)
		return NULL;
	for (size_t i = 0; i <= count; i++) {
		size_t until = i < count ? edits[i].start : doc->size;

		memcpy(text + used, doc->text + at, until - at);
		used += until - at;
		if (i < count) {
			memcpy(text + used, edits[i].text, strlen(edits[i].text));
			used += strlen(edits[i].text);
			at = edits[i].end;
		}
	}
	text[used] = '\0';
	*size = used;
	return text;
}

/* The new text must read as the old one with exactly these changes. */
static cv_result check_result(const char *path, const char *text, size_t size, const struct param_set *before,
			      const struct host_change *changes, size_t count)
{
	struct param_set expected = *before, after = { 0 };
	struct leaf_nodes nodes = { { NULL } };
	struct param_file_info info;
	struct doc doc;
	cv_result result;

	for (size_t i = 0; i < count; i++) {
		struct param_value *value = &expected.value[changes[i].id];

		value->number = changes[i].value.number;
		value->in_cycles = changes[i].value.in_cycles;
		value->source_class = SOURCE_FITTED;
		value->source = changes[i].source;
	}
	FORWARD_IF_ERROR(doc_parse(path, text, size, &doc));
	result = param_file_read(CATALOGUE_HOSTS, &doc, &after, &nodes, &info);
	doc_free(&doc);
	FORWARD_IF_ERROR(result);
	for (size_t i = 0; i < PARAM_IDS; i++) {
		const struct param_value *a = &expected.value[i], *b = &after.value[i];

		RETURN_ERROR_IF(a->present != b->present || (a->present &&
				(a->number != b->number || a->in_cycles != b->in_cycles || a->source_class != b->source_class ||
				 strcmp(a->source, b->source) != 0)), CV_INTERNAL,
				"%s: %s: would not read back as written; the file is unchanged", path, param_table[i].name);
	}
	return CV_OK;
}

static cv_result make_text(const struct doc *doc, const struct host_change *changes, size_t count, char **text,
			   size_t *size)
{
	struct param_set before = { 0 };
	struct leaf_nodes nodes = { { NULL } };
	struct param_file_info info;
	struct edit *edits;
	cv_result result = CV_OK;

	FORWARD_IF_ERROR(param_file_read(CATALOGUE_HOSTS, doc, &before, &nodes, &info));
	edits = calloc(3 * count + 1, sizeof(*edits));
	RETURN_ERROR_IF(edits == NULL, CV_IO, "%s: out of memory", doc->path);
	for (size_t i = 0; i < count && result == CV_OK; i++) {
		for (size_t other = 0; other < i; other++)
			assert(changes[other].id != changes[i].id && "a parameter changed twice");
		result = plan_change(doc, &nodes, &changes[i], edits + 3 * i);
	}
	if (result == CV_OK) {
		qsort(edits, 3 * count, sizeof(*edits), compare_edits);
		*text = apply_edits(doc, edits, 3 * count, size);
		if (*text == NULL)
			result = cv_error_set(CV_IO, "%s: out of memory", doc->path);
	}
	free(edits);
	FORWARD_IF_ERROR(result);
	result = check_result(doc->path, *text, *size, &before, changes, count);
	if (result != CV_OK) {
		free(*text);
		*text = NULL;
	}
	return result;
}

cv_result write_host_text(const char *path, const struct host_change *changes, size_t count, char **text,
			  size_t *size)
{
	struct doc doc;
	cv_result result;

	*text = NULL;
	FORWARD_IF_ERROR(doc_load(path, &doc));
	result = make_text(&doc, changes, count, text, size);
	doc_free(&doc);
	return result;
}

cv_result write_host(const char *path, const struct host_change *changes, size_t count)
{
	cv_result result;
	size_t size;
	char *text;

	FORWARD_IF_ERROR(write_host_text(path, changes, count, &text, &size));
	result = replace_file(path, text, size);
	free(text);
	return result;
}
