// SPDX-License-Identifier: Apache-2.0
/*
 * From libyaml's events to the tree of yaml.h. libyaml's marks count characters from the start of the text (a byte-order
 * mark not included); the builder walks the text along with them to know the byte of each, which write_host needs.
 */
#include "study/yaml_build.h"

#include <stdbool.h>
#include <string.h>
#include <yaml.h>

#include "study/keep.h"

#define MOST_DEPTH 16u
#define MOST_NODES 10000u

struct builder {
	struct doc *doc;
	yaml_parser_t parser;
	yaml_event_t event;       /* the current one; deleted by next_event */
	bool have_event;
	size_t mark, byte;        /* a known pair: character index and byte offset */
	size_t origin;            /* bytes of the byte-order mark */
	size_t nodes;
};

static cv_result fail_at(const struct builder *b, yaml_mark_t mark, const char *message)
{
	RETURN_ERROR(CV_BAD_INPUT, "%s:%zu:%zu: %s", b->doc->path, mark.line + 1, mark.column + 1, message);
}

static void drop_event(struct builder *b)
{
	if (b->have_event)
		yaml_event_delete(&b->event);
	b->have_event = false;
}

static cv_result next_event(struct builder *b)
{
	drop_event(b);
	if (yaml_parser_parse(&b->parser, &b->event)) {
		b->have_event = true;
		return CV_OK;
	}
	if (b->parser.error == YAML_SCANNER_ERROR || b->parser.error == YAML_PARSER_ERROR)
		RETURN_ERROR(CV_BAD_INPUT, "%s:%zu:%zu: not YAML: %s%s%s", b->doc->path, b->parser.problem_mark.line + 1,
			     b->parser.problem_mark.column + 1, b->parser.problem ? b->parser.problem : "syntax error",
			     b->parser.context ? " " : "", b->parser.context ? b->parser.context : "");
	RETURN_ERROR(CV_BAD_INPUT, "%s: not YAML: %s", b->doc->path,
		     b->parser.problem ? b->parser.problem : "out of memory");
}

/* The byte offset of a mark. Marks nearly always come in order; after a step back the walk starts again. */
static size_t byte_of(struct builder *b, yaml_mark_t mark)
{
	const char *text = b->doc->text;

	if (mark.index < b->mark) {
		b->mark = 0;
		b->byte = b->origin;
	}
	while (b->mark < mark.index && b->byte < b->doc->size) {
		b->byte++;
		while (b->byte < b->doc->size && ((unsigned char)text[b->byte] & 0xc0) == 0x80)
			b->byte++;
		b->mark++;
	}
	return b->byte;
}

static cv_result new_node(struct builder *b, enum doc_kind kind, struct doc_node **out)
{
	struct doc_node *node;

	if (++b->nodes > MOST_NODES)
		return fail_at(b, b->event.start_mark, "too many nodes; allowed: at most 10000");
	node = doc_allocate(b->doc, sizeof(*node));
	node->kind = kind;
	node->line = (unsigned)b->event.start_mark.line + 1;
	node->column = (unsigned)b->event.start_mark.column + 1;
	node->start = byte_of(b, b->event.start_mark);
	node->end = byte_of(b, b->event.end_mark);
	*out = node;
	return CV_OK;
}

static void append(struct doc_node *parent, struct doc_node *child)
{
	if (parent->last != NULL)
		parent->last->next = child;
	else
		parent->first = child;
	parent->last = child;
	parent->count++;
}

static cv_result check_plain(const struct builder *b, const yaml_char_t *anchor, const yaml_char_t *tag)
{
	if (anchor != NULL)
		return fail_at(b, b->event.start_mark, "an anchor (&name) is not supported; write the value out");
	if (tag != NULL)
		return fail_at(b, b->event.start_mark, "a tag (!name) is not supported; write the plain value");
	return CV_OK;
}

static cv_result build_scalar(struct builder *b, struct doc_node **out)
{
	const char *text = (const char *)b->event.data.scalar.value;
	size_t length = b->event.data.scalar.length;
	char *copy;

	FORWARD_IF_ERROR(check_plain(b, b->event.data.scalar.anchor, b->event.data.scalar.tag));
	if (strlen(text) != length)
		return fail_at(b, b->event.start_mark, "the text contains a NUL character");
	FORWARD_IF_ERROR(new_node(b, DOC_SCALAR, out));
	copy = doc_allocate(b->doc, length + 1);
	memcpy(copy, text, length);
	(*out)->text = copy;
	return CV_OK;
}

static cv_result build_node(struct builder *b, unsigned depth, struct doc_node **out);

static cv_result build_sequence(struct builder *b, unsigned depth, struct doc_node **out)
{
	FORWARD_IF_ERROR(check_plain(b, b->event.data.sequence_start.anchor, b->event.data.sequence_start.tag));
	FORWARD_IF_ERROR(new_node(b, DOC_SEQUENCE, out));
	for (;;) {
		struct doc_node *child;

		FORWARD_IF_ERROR(next_event(b));
		if (b->event.type == YAML_SEQUENCE_END_EVENT)
			break;
		FORWARD_IF_ERROR(build_node(b, depth + 1, &child));
		append(*out, child);
	}
	(*out)->end = byte_of(b, b->event.end_mark);
	return CV_OK;
}

static cv_result build_mapping(struct builder *b, unsigned depth, struct doc_node **out)
{
	FORWARD_IF_ERROR(check_plain(b, b->event.data.mapping_start.anchor, b->event.data.mapping_start.tag));
	FORWARD_IF_ERROR(new_node(b, DOC_MAPPING, out));
	for (;;) {
		struct doc_node *key, *value;
		const struct doc_node *before;

		FORWARD_IF_ERROR(next_event(b));
		if (b->event.type == YAML_MAPPING_END_EVENT)
			break;
		if (b->event.type == YAML_SEQUENCE_START_EVENT || b->event.type == YAML_MAPPING_START_EVENT)
			return fail_at(b, b->event.start_mark, "a key must be text");
		FORWARD_IF_ERROR(build_node(b, depth + 1, &key));
		before = doc_find(*out, key->text);
		if (before != NULL)
			return doc_fail(b->doc, key, key->text, "the key is here twice; first on line %u", before->key->line);
		FORWARD_IF_ERROR(next_event(b));
		FORWARD_IF_ERROR(build_node(b, depth + 1, &value));
		value->key = key;
		append(*out, value);
	}
	(*out)->end = byte_of(b, b->event.end_mark);
	return CV_OK;
}

/* The recursion is bounded by MOST_DEPTH. */
static cv_result build_node(struct builder *b, unsigned depth, struct doc_node **out)
{
	if (depth > MOST_DEPTH)
		return fail_at(b, b->event.start_mark, "nested too deeply; allowed: at most 16 levels");
	switch (b->event.type) {
	case YAML_SCALAR_EVENT:
		return build_scalar(b, out);
	case YAML_SEQUENCE_START_EVENT:
		return build_sequence(b, depth, out);
	case YAML_MAPPING_START_EVENT:
		return build_mapping(b, depth, out);
	case YAML_ALIAS_EVENT:
		return fail_at(b, b->event.start_mark, "an alias (*name) is not supported; write the value out");
	default:
		return fail_at(b, b->event.start_mark, "unexpected YAML structure");
	}
}

static cv_result build_stream(struct builder *b)
{
	FORWARD_IF_ERROR(next_event(b)); /* stream start */
	FORWARD_IF_ERROR(next_event(b));
	RETURN_ERROR_IF(b->event.type == YAML_STREAM_END_EVENT, CV_BAD_INPUT,
			"%s: the file has no content but blanks and comments", b->doc->path);
	FORWARD_IF_ERROR(next_event(b));
	FORWARD_IF_ERROR(build_node(b, 0, &b->doc->root));
	if (b->doc->root->kind != DOC_MAPPING)
		return doc_fail(b->doc, b->doc->root, NULL, "the file is %s; allowed: a mapping of keys (key: value)",
				doc_kind_name(b->doc->root));
	FORWARD_IF_ERROR(next_event(b)); /* document end */
	FORWARD_IF_ERROR(next_event(b));
	if (b->event.type != YAML_STREAM_END_EVENT)
		return fail_at(b, b->event.start_mark, "a second document in the file; allowed: one");
	return CV_OK;
}

cv_result doc_build(struct doc *doc)
{
	struct builder b = { .doc = doc };
	cv_result result;

	if (doc->size >= 3 && memcmp(doc->text, "\xef\xbb\xbf", 3) == 0)
		b.byte = b.origin = 3;
	RETURN_ERROR_IF(!yaml_parser_initialize(&b.parser), CV_IO, "%s: out of memory", doc->path);
	yaml_parser_set_input_string(&b.parser, (const unsigned char *)doc->text, doc->size);
	result = build_stream(&b);
	drop_event(&b);
	yaml_parser_delete(&b.parser);
	return result;
}
