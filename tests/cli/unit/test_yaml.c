// SPDX-License-Identifier: Apache-2.0
/* Text files and YAML trees: places of nodes, and every kind of file that is refused. */
#include "tests/cli/unit/test_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "study/yaml.h"

static cv_result load(const char *text)
{
	struct doc doc;
	cv_result result;

	write_text("x.yaml", text);
	result = doc_load("x.yaml", &doc);
	if (result == CV_OK)
		doc_free(&doc);
	return result;
}

/* The bytes that a node says are its own. */
static void assert_bytes(const struct doc *doc, const struct doc_node *node, const char *expected)
{
	assert_int_equal(node->end - node->start, strlen(expected));
	assert_memory_equal(doc->text + node->start, expected, strlen(expected));
}

static void nodes_know_their_place(void **state)
{
	const char *text = "# comment with ümlaut\r\na: { b: 97ns, c: \"quoted \\\" text\" }\nlist:\n  - ü1\n  - 'two'\nempty:\n";
	const struct doc_node *a, *list;
	struct doc doc;

	(void)state;
	assert_ok(doc_parse("x.yaml", text, strlen(text), &doc));
	a = doc_find(doc.root, "a");
	assert_int_equal(a->kind, DOC_MAPPING);
	assert_int_equal(a->count, 2);
	assert_int_equal(a->line, 2);
	assert_int_equal(a->column, 4);
	assert_string_equal(doc_find(a, "b")->text, "97ns");
	assert_string_equal(doc_where(&doc, doc_find(a, "b")), "x.yaml:2:9");
	assert_bytes(&doc, doc_find(a, "b"), "97ns");
	assert_string_equal(doc_find(a, "c")->text, "quoted \" text");
	assert_bytes(&doc, doc_find(a, "c"), "\"quoted \\\" text\"");
	list = doc_find(doc.root, "list");
	assert_int_equal(list->count, 2);
	assert_bytes(&doc, list->first, "ü1");
	assert_bytes(&doc, list->last, "'two'");
	assert_string_equal(doc_where(&doc, list->last), "x.yaml:5:5");
	assert_string_equal(doc_find(doc.root, "empty")->text, "");
	assert_null(doc_find(doc.root, "nothing"));
	doc_free(&doc);
}

static void a_byte_order_mark_shifts_nothing(void **state)
{
	const char *text = "\xef\xbb\xbf" "a: 1\nb: 22\n";
	struct doc doc;

	(void)state;
	assert_ok(doc_parse("x.yaml", text, strlen(text), &doc));
	assert_string_equal(doc_where(&doc, doc_find(doc.root, "a")), "x.yaml:1:4");
	assert_bytes(&doc, doc_find(doc.root, "a"), "1");
	assert_bytes(&doc, doc_find(doc.root, "b"), "22");
	doc_free(&doc);
}

static void yaml_refusals(void **state)
{
	(void)state;
	assert_error(load("a: &x 1\n"), CV_BAD_INPUT,
		     "x.yaml:1:4: an anchor (&name) is not supported; write the value out");
	assert_error(load("b: *x\n"), CV_BAD_INPUT, "x.yaml:1:4: an alias (*name) is not supported; write the value out");
	assert_error(load("b: !!int 4\n"), CV_BAD_INPUT, "x.yaml:1:4: a tag (!name) is not supported; write the plain value");
	assert_error(load("a: 1\nb: 2\na: 3\n"), CV_BAD_INPUT, "x.yaml:3:1: a: the key is here twice; first on line 1");
	assert_error(load("[a, b]: 1\n"), CV_BAD_INPUT, "x.yaml:1:1: a key must be text");
	assert_error(load("- a\n"), CV_BAD_INPUT, "x.yaml:1:1: the file is a list; allowed: a mapping of keys (key: value)");
	assert_error(load("text\n"), CV_BAD_INPUT, "x.yaml:1:1: the file is text; allowed: a mapping of keys (key: value)");
	assert_error(load("a: 1\n---\nb: 2\n"), CV_BAD_INPUT, "x.yaml:2:1: a second document in the file; allowed: one");
	assert_error(load("a: \"\\0\"\n"), CV_BAD_INPUT, "x.yaml:1:4: the text contains a NUL character");
	assert_error(load("# only a comment\n"), CV_BAD_INPUT, "x.yaml: the file has no content but blanks and comments");
	assert_error(load("a: b: c\n"), CV_BAD_INPUT, "x.yaml:1:5: not YAML: mapping values are not allowed in this context");
	assert_error(load("a:\n\tb: 1\n"), CV_BAD_INPUT,
		     "x.yaml:2:1: not YAML: found character that cannot start any token while scanning for the next token");
	assert_error(load("a: [1, 2\n"), CV_BAD_INPUT,
		     "x.yaml:2:1: not YAML: did not find expected ',' or ']' while parsing a flow sequence");
	assert_error(load("a: [[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]\n"), CV_BAD_INPUT,
		     "x.yaml:1:20: nested too deeply; allowed: at most 16 levels");
}

static void too_many_nodes(void **state)
{
	char *text = malloc(50000), *end = text + sprintf(text, "a: [");

	(void)state;
	for (int i = 0; i < 10000; i++)
		end += sprintf(end, "1,");
	strcpy(end, "]\n");
	assert_int_equal(load(text), CV_BAD_INPUT);
	assert_non_null(strstr(cv_error_text(), ": too many nodes; allowed: at most 10000"));
	free(text);
}

static void files_that_are_no_text(void **state)
{
	struct doc doc;
	char *huge = malloc(256 * 1024 + 1);

	(void)state;
	assert_error(doc_load("nowhere.yaml", &doc), CV_NOT_FOUND, "nowhere.yaml: no such file");
	assert_int_equal(mkdir("folder.yaml", 0777), 0);
	assert_error(doc_load("folder.yaml", &doc), CV_BAD_INPUT, "folder.yaml: is a directory; name a file in it");
	assert_int_equal(mkfifo("pipe.yaml", 0666), 0);
	assert_error(doc_load("pipe.yaml", &doc), CV_BAD_INPUT, "pipe.yaml: is not a regular file");
	assert_error(load(""), CV_BAD_INPUT, "x.yaml: the file is empty");
	assert_error(load("a: 1\nb: \xff\n"), CV_BAD_INPUT,
		     "x.yaml:2:4: byte 0xff is not UTF-8; save the file as UTF-8 text");
	assert_error(load("a: \xc0\x80\n"), CV_BAD_INPUT, "x.yaml:1:4: byte 0xc0 is not UTF-8; save the file as UTF-8 text");
	assert_error(load("a: \xed\xa0\x80\n"), CV_BAD_INPUT,
		     "x.yaml:1:4: byte 0xed is not UTF-8; save the file as UTF-8 text");
	assert_error(load("a: ü\xe2\x82"), CV_BAD_INPUT, "x.yaml:1:5: byte 0xe2 is not UTF-8; save the file as UTF-8 text");
	assert_error(load("\xff\xfe" "a"), CV_BAD_INPUT, "x.yaml:1:1: byte 0xff is not UTF-8; save the file as UTF-8 text");
	assert_error(load("a: \x07\n"), CV_BAD_INPUT, "x.yaml:1:4: control character U+0007 is not allowed in a text file");
	write_bytes("x.yaml", "a: \0\n", 5);
	assert_error(doc_load("x.yaml", &doc), CV_BAD_INPUT,
		     "x.yaml:1:4: control character U+0000 is not allowed in a text file");
	memset(huge, '#', 256 * 1024 + 1);
	write_bytes("x.yaml", huge, 256 * 1024 + 1);
	assert_error(doc_load("x.yaml", &doc), CV_BAD_INPUT,
		     "x.yaml: 262145 bytes are too many for such a file; allowed: at most 262144");
	free(huge);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		UNIT_TEST(nodes_know_their_place),
		UNIT_TEST(a_byte_order_mark_shifts_nothing),
		UNIT_TEST(yaml_refusals),
		UNIT_TEST(too_many_nodes),
		UNIT_TEST(files_that_are_no_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
