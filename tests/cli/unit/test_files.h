// SPDX-License-Identifier: Apache-2.0
/*
 * For tests of files: a scratch folder that is the current directory while a test runs, so that messages name short
 * paths, and an assertion on a whole error message.
 */
#ifndef CONVOY_TESTS_CLI_UNIT_TEST_FILES_H
#define CONVOY_TESTS_CLI_UNIT_TEST_FILES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/result.h"

/* cmocka set-up and tear-down: enters a new empty folder; leaves and removes it. Names the shipped configs folder in
 * CONVOY_CONFIGS, so that it is found from anywhere. */
int enter_scratch(void **state);
int leave_scratch(void **state);

void write_text(const char *path, const char *text);
void write_bytes(const char *path, const char *bytes, size_t size);

/* The file's content and a NUL; free it. */
char *read_text(const char *path, size_t *size);

/* The shipped configs folder, absolute. */
const char *shipped_configs(void);

/* The call failed with this code and exactly this message. */
#define assert_error(expression, code, message)                                                    \
	do {                                                                                       \
		cv_result result_ = (expression);                                                  \
		assert_int_equal(result_, (code));                                                 \
		assert_string_equal(cv_error_text(), (message));                                   \
	} while (0)

#define assert_ok(expression)                                                                      \
	do {                                                                                       \
		if ((expression) != CV_OK)                                                         \
			fail_msg("%s", cv_error_text());                                           \
	} while (0)

#define UNIT_TEST(function) cmocka_unit_test_setup_teardown(function, enter_scratch, leave_scratch)

#endif
