// SPDX-License-Identifier: Apache-2.0
/*
 * A small text file, read whole and checked before anybody parses it: a regular file, not empty, not huge, UTF-8, no
 * control characters but tab and line ends. So parsers need no second thought about what bytes may come.
 */
#ifndef CONVOY_STUDY_TEXT_FILE_H
#define CONVOY_STUDY_TEXT_FILE_H

#include <stddef.h>

#include "base/result.h"

/* Convoy's files are a few kilobytes; more than this is the wrong file. */
#define TEXT_FILE_MOST (256u * 1024u)

/* *text is malloc'd, NUL-terminated, the caller's to free; *size without the NUL. A byte-order mark is kept. */
cv_result text_file_read(const char *path, char **text, size_t *size);

/* The checks on the bytes alone; `path` is for messages. */
cv_result text_check(const char *path, const char *text, size_t size);

#endif
