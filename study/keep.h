// SPDX-License-Identifier: Apache-2.0
/*
 * Memory that lives until the process ends, and text made safe to print.
 *
 * Parameter sets and studies are plain data copied by assignment; nobody owns their strings. They live here: equal
 * strings are stored once (interned), so loading the same study again costs next to nothing. There is no way to give
 * anything back. Not thread-safe: convoy's parallelism is in processes.
 */
#ifndef CONVOY_STUDY_KEEP_H
#define CONVOY_STUDY_KEEP_H

#include <stddef.h>

/* `size` zeroed bytes, aligned for any type. Never NULL: a process without memory ends with a message. */
void *keep_memory(size_t size);

/* The one stored copy of a string; of its first `length` bytes; of a formatted text. */
const char *keep_text(const char *text);
const char *keep_text_n(const char *text, size_t length);
const char *keep_textf(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A user's text fit for one line of a message: control characters as \xNN, cut with "…" after about 60 bytes, never
 * inside a UTF-8 character. Use as printf("%s", shown(text).text). */
struct shown_text {
	char text[84];
};
struct shown_text shown(const char *text);

#endif
