// SPDX-License-Identifier: Apache-2.0
/* Writing fitted values back: only the leaves change, and only whole files appear. */
#include "tests/cli/unit/test_files.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "study/write_host.h"

static struct host_change change(enum param_id id, const char *value, const char *source)
{
	struct host_change out = { .id = id, .source = source };

	assert_ok(param_parse(id, value, &out.value));
	return out;
}

static void assert_file(const char *path, const char *expected)
{
	size_t size;
	char *text = read_text(path, &size);

	assert_int_equal(size, strlen(expected));
	assert_string_equal(text, expected);
	free(text);
}

/* Every style of scalar there is, ümlauts before the places, blanks and line ends of both kinds. */
static const char before[] =
	"# Über allem: a comment   \r\n"
	"title: 'H'\n"
	"\n"
	"host:\n"
	"  line:   # the fabric\n"
	"    base: { source: \"größe, \\\"x\\\"\", value: '45ns', class: estimated } # kept\n"
	"    hit: { value: 4cycles, class: spec, source: s }\n"
	"  cpu:\n"
	"    wfe_wake:\n"
	"      value:    20ns     # why\n"
	"      class: estimated   # it was\n"
	"      source: >\n"
	"        many\n"
	"        lines\n"
	"\n"
	"      # a comment below\n"
	"    ich_read:\n"
	"      source: plain text over\n"
	"        two lines\n"
	"      class: \"estimated\"\n"
	"      value: 20cycles\n"
	"workload: {vmm_work: {value: 1us, class: estimated, source: start}}";

static void only_the_leaves_change(void **state)
{
	const char *source = "altra-exits, \"fit\" rows \\ 2025";
	const struct host_change changes[] = {
		change(P_WORKLOAD_VMM_WORK, "812.345ns", source),
		change(P_HOST_LINE_BASE, "97.001ns", source),
		change(P_HOST_CPU_ICH_READ, "7.25cycles", source),
		change(P_HOST_CPU_WFE_WAKE, "0ns", source),
	};

	(void)state;
	write_text("h.yaml", before);
	assert_ok(write_host("h.yaml", changes, 4));
#define S "\"altra-exits, \\\"fit\\\" rows \\\\ 2025\""
	assert_file("h.yaml",
		"# Über allem: a comment   \r\n"
		"title: 'H'\n"
		"\n"
		"host:\n"
		"  line:   # the fabric\n"
		"    base: { source: " S ", value: 97.001ns, class: fitted } # kept\n"
		"    hit: { value: 4cycles, class: spec, source: s }\n"
		"  cpu:\n"
		"    wfe_wake:\n"
		"      value:    0ns     # why\n"
		"      class: fitted   # it was\n"
		"      source: " S "\n"
		"\n"
		"      # a comment below\n"
		"    ich_read:\n"
		"      source: " S "\n"
		"      class: fitted\n"
		"      value: 7.25cycles\n"
		"workload: {vmm_work: {value: 812.345ns, class: fitted, source: " S "}}");
	/* Again with the same values: nothing at all changes. */
	assert_ok(write_host("h.yaml", changes, 4));
	assert_ok(write_host("h.yaml", NULL, 0));
}

static unsigned files_here(void)
{
	DIR *dir = opendir(".");
	unsigned count = 0;

	while (readdir(dir) != NULL)
		count++;
	closedir(dir);
	return count - 2;
}

static void refusals_leave_the_file_alone(void **state)
{
	const struct host_change missing = change(P_HOST_CPU_ISB, "1ns", "s");
	const struct host_change bad_source = change(P_HOST_LINE_BASE, "1ns", "two\nlines");
	const struct host_change fine = change(P_HOST_LINE_BASE, "1ns", "s");

	(void)state;
	write_text("h.yaml", before);
	assert_error(write_host("h.yaml", &missing, 1), CV_BAD_INPUT,
		     "h.yaml: host.cpu.isb: not in the file; add it as {value: …, class: estimated, source: \"…\"} before "
		     "calibrating it");
	assert_error(write_host("h.yaml", &bad_source, 1), CV_BAD_INPUT,
		     "h.yaml: the source \"two\\x0alines\" is not one line of plain text");
	assert_file("h.yaml", before);
	assert_error(write_host("nowhere.yaml", &fine, 1), CV_NOT_FOUND, "nowhere.yaml: no such file");
	write_text("bad.yaml", "title: t\nhost: {cpus: 4}\n");
	assert_int_equal(write_host("bad.yaml", &fine, 1), CV_BAD_INPUT);
	assert_file("bad.yaml", "title: t\nhost: {cpus: 4}\n");
	assert_int_equal(files_here(), 2);
}

static void modes_and_links_stay(void **state)
{
	const struct host_change fine = change(P_HOST_LINE_BASE, "1ns", "s");
	struct stat status;

	(void)state;
	write_text("h.yaml", before);
	assert_int_equal(chmod("h.yaml", 0640), 0);
	assert_int_equal(symlink("h.yaml", "link.yaml"), 0);
	assert_ok(write_host("link.yaml", &fine, 1));
	assert_int_equal(lstat("link.yaml", &status), 0);
	assert_true(S_ISLNK(status.st_mode));
	assert_int_equal(lstat("h.yaml", &status), 0);
	assert_true(S_ISREG(status.st_mode));
	assert_int_equal(status.st_mode & 07777, 0640);
	assert_int_equal(files_here(), 2);
}

/* A folder that cannot be written: the file stays. (root may write everywhere: then there is nothing to see.) */
static void a_folder_without_permission(void **state)
{
	const struct host_change fine = change(P_HOST_LINE_BASE, "1ns", "s");

	(void)state;
	if (geteuid() == 0)
		skip();
	assert_int_equal(mkdir("locked", 0777), 0);
	write_text("locked/h.yaml", before);
	assert_int_equal(chmod("locked", 0555), 0);
	assert_int_equal(write_host("locked/h.yaml", &fine, 1), CV_IO);
	assert_file("locked/h.yaml", before);
	assert_int_equal(chmod("locked", 0777), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		UNIT_TEST(only_the_leaves_change),
		UNIT_TEST(refusals_leave_the_file_alone),
		UNIT_TEST(modes_and_links_stay),
		UNIT_TEST(a_folder_without_permission),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
