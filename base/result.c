// SPDX-License-Identifier: Apache-2.0
/* The error text of each thread; see result.h. */
#include "base/result.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static _Thread_local char error_text[2048];

const char *cv_error_text(void)
{
	return error_text;
}

cv_result cv_error_set(cv_result code, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(error_text, sizeof(error_text), format, arguments);
	va_end(arguments);
	return code;
}

cv_result cv_error_context(cv_result code, const char *format, ...)
{
	char before[sizeof(error_text)];
	char joined[2 * sizeof(error_text) + 2];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(before, sizeof(before), format, arguments);
	va_end(arguments);
	snprintf(joined, sizeof(joined), "%s: %s", before, error_text);
	joined[sizeof(error_text) - 1] = '\0';
	memcpy(error_text, joined, sizeof(error_text));
	return code;
}

int cv_exit_code(cv_result code)
{
	switch (code) {
	case CV_OK:
		return 0;
	case CV_BAD_INPUT:
	case CV_NOT_FOUND:
	case CV_IO:
	case CV_BAD_DATABASE:
		return 2;
	case CV_INTERRUPTED:
		return 130;
	case CV_CHILD_FAILED:
	case CV_INTERNAL:
		break;
	}
	return 1;
}
