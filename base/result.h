// SPDX-License-Identifier: Apache-2.0
/*
 * Results of functions that can fail, with a message for the person at the terminal.
 *
 * A function that can fail returns cv_result. CV_OK is 0; everything else is an error, and the text of
 * the error (one line, no newline at its end) waits in a buffer of the calling thread until the next
 * error replaces it. The macros keep the common cases to one line:
 *
 *     RETURN_ERROR_IF(n > cpus, CV_BAD_INPUT, "%s:%d: %s: %d vCPUs, but the host has %d CPUs", ...);
 *     FORWARD_IF_ERROR(yaml_load(path, &doc));
 *     FORWARD_WITH_CONTEXT(store_open(path), "cannot show %s", path);     // prefixes "cannot show x: "
 *
 * Messages say where (file:line:column or the file's name), which key, what is allowed, what to do.
 * Asserts are for our own bugs, never for bad input.
 */
#ifndef CONVOY_BASE_RESULT_H
#define CONVOY_BASE_RESULT_H

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cv_result {
	CV_OK = 0,
	CV_BAD_INPUT,     /* the user's file, option or value is wrong: exit code 2 */
	CV_NOT_FOUND,     /* a file or a name that does not exist: exit code 2 */
	CV_IO,            /* the operating system refused, e.g. disk full: exit code 2 */
	CV_BAD_DATABASE,  /* not one of our results databases, or a newer one: exit code 2 */
	CV_INTERRUPTED,   /* Ctrl-C: exit code 130 */
	CV_CHILD_FAILED,  /* a simulation process died: our bug or out of memory: exit code 1 */
	CV_INTERNAL       /* our own bug: exit code 1 */
} cv_result;

/* The text of this thread's last error; "" when there was none. Valid until the next error. */
const char *cv_error_text(void);

/* Stores the text and returns `code`. Called through the macros. */
cv_result cv_error_set(cv_result code, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Puts "<formatted>: " before this thread's error text and returns `code`. */
cv_result cv_error_context(cv_result code, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The process exit code that belongs to a result: 0, 1, 2 or 130. */
int cv_exit_code(cv_result code);

#define RETURN_ERROR(code, ...) return cv_error_set((code), __VA_ARGS__)

#define RETURN_ERROR_IF(condition, code, ...)                                                      \
	do {                                                                                       \
		if (condition)                                                                     \
			return cv_error_set((code), __VA_ARGS__);                                  \
	} while (0)

#define FORWARD_IF_ERROR(expression)                                                               \
	do {                                                                                       \
		cv_result forward_code_ = (expression);                                            \
		if (forward_code_ != CV_OK)                                                        \
			return forward_code_;                                                      \
	} while (0)

#define FORWARD_WITH_CONTEXT(expression, ...)                                                      \
	do {                                                                                       \
		cv_result forward_code_ = (expression);                                            \
		if (forward_code_ != CV_OK)                                                        \
			return cv_error_context(forward_code_, __VA_ARGS__);                       \
	} while (0)

#ifdef __cplusplus
}
#endif

#endif
