// SPDX-License-Identifier: Apache-2.0
/* The scratch folder; see test_files.h. */
#define _GNU_SOURCE /* nftw */
#include "tests/cli/unit/test_files.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char scratch[64];

const char *shipped_configs(void)
{
	return SHIPPED_CONFIGS;
}

int enter_scratch(void **state)
{
	(void)state;
	strcpy(scratch, "/tmp/convoy-unit.XXXXXX");
	return mkdtemp(scratch) == NULL || chdir(scratch) != 0 || setenv("CONVOY_CONFIGS", SHIPPED_CONFIGS, 1) != 0;
}

static int remove_item(const char *path, const struct stat *status, int kind, struct FTW *walk)
{
	(void)status;
	(void)kind;
	(void)walk;
	return remove(path);
}

int leave_scratch(void **state)
{
	(void)state;
	return chdir("/") != 0 || nftw(scratch, remove_item, 8, FTW_DEPTH | FTW_PHYS) != 0;
}

void write_bytes(const char *path, const char *bytes, size_t size)
{
	FILE *file = fopen(path, "wb");

	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
}

void write_text(const char *path, const char *text)
{
	write_bytes(path, text, strlen(text));
}

char *read_text(const char *path, size_t *size)
{
	FILE *file = fopen(path, "rb");
	char *text = calloc(1, 1 << 20);

	assert_non_null(file);
	assert_non_null(text);
	*size = fread(text, 1, (1 << 20) - 1, file);
	fclose(file);
	return text;
}
