// SPDX-License-Identifier: Apache-2.0
/*
 * Shipped files with random damage: whatever comes, either it loads or there is one clear line of text; never a crash, a
 * leak or a hang. The damage comes from a fixed seed, so a failure can be repeated.
 */
#include "tests/cli/unit/test_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study/measurement.h"
#include "study/param_file.h"
#include "study/write_host.h"

#define ROUNDS 1000u

static uint64_t random_state;

/* SplitMix64. */
static uint64_t random_number(uint64_t below)
{
	uint64_t z = random_state += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return (z ^ (z >> 31)) % below;
}

/* One to four wounds: bytes replaced, removed, doubled, or YAML's own characters thrown in. */
static size_t damage(char *text, size_t size, size_t room)
{
	static const char sharp[] = "{}[]:,-#&*!|>'\"%@`? \n\t\r0123456789.~\\\x80\xff\xc3\x01";
	unsigned wounds = 1 + (unsigned)random_number(4);

	while (wounds-- > 0 && size > 1) {
		size_t at = random_number(size), length = 1 + random_number(20);

		if (length > size - at)
			length = size - at;
		switch (random_number(5)) {
		case 0:
			text[at] = (char)random_number(256);
			break;
		case 1:
			text[at] = sharp[random_number(sizeof(sharp) - 1)];
			break;
		case 2:
			memmove(text + at, text + at + length, size - at - length);
			size -= length;
			break;
		case 3:
			if (size + length > room)
				break;
			memmove(text + at + length, text + at, size - at);
			size += length;
			break;
		default:
			size = at + 1;
			break;
		}
	}
	return size;
}

static unsigned refused, accepted;

static void count(cv_result result)
{
	if (result == CV_OK) {
		accepted++;
		return;
	}
	refused++;
	assert_true(result == CV_BAD_INPUT || result == CV_NOT_FOUND);
	assert_true(strlen(cv_error_text()) > 0);
	for (const char *c = cv_error_text(); *c != '\0'; c++)
		assert_true((unsigned char)*c >= 0x20);
}

static void load_damaged(enum catalogue_kind kind)
{
	struct param_file_info info;
	struct measurement measurement;
	struct param_set set;
	struct study study;

	switch (kind) {
	case CATALOGUE_STUDIES:
		count(study_load("x.yaml", NULL, 0, &study));
		break;
	case CATALOGUE_MEASUREMENTS:
		count(measurement_load("x.csv", &measurement));
		break;
	case CATALOGUE_HOSTS: {
		struct host_change change = { .id = P_HOST_LINE_BASE, .source = "s" };

		assert_ok(param_parse(change.id, "1ns", &change.value));
		count(write_host("x.yaml", &change, 1));
		break;
	}
	default:
		param_set_defaults(&set);
		count(param_file_apply(kind, "x.yaml", &set, &info));
		break;
	}
}

static void damaged(enum catalogue_kind kind, uint64_t seed)
{
	const char *name = kind == CATALOGUE_MEASUREMENTS ? "x.csv" : "x.yaml";
	const struct catalogue_entry *entries;
	size_t entry_count;

	random_state = seed;
	refused = accepted = 0;
	assert_ok(catalogue_list(kind, &entries, &entry_count));
	for (unsigned i = 0; i < ROUNDS; i++) {
		size_t size, room = 1 << 20;
		char *text = read_text(entries[i % entry_count].path, &size);

		size = damage(text, size, room);
		write_bytes(name, text, size);
		free(text);
		load_damaged(kind);
	}
	/* Damage that always or never matters would test nothing. */
	print_message("%u refused, %u accepted\n", refused, accepted);
	assert_true(refused > ROUNDS / 10);
	assert_true(accepted > 0);
}

static void damaged_hosts(void **state)
{
	(void)state;
	damaged(CATALOGUE_HOSTS, 1);
}

static void damaged_kernels(void **state)
{
	(void)state;
	damaged(CATALOGUE_KERNELS, 2);
}

static void damaged_workloads(void **state)
{
	(void)state;
	damaged(CATALOGUE_WORKLOADS, 3);
}

static void damaged_studies(void **state)
{
	(void)state;
	damaged(CATALOGUE_STUDIES, 4);
}

static void damaged_measurements(void **state)
{
	(void)state;
	damaged(CATALOGUE_MEASUREMENTS, 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		UNIT_TEST(damaged_hosts),   UNIT_TEST(damaged_kernels),      UNIT_TEST(damaged_workloads),
		UNIT_TEST(damaged_studies), UNIT_TEST(damaged_measurements),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
