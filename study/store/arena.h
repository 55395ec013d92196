// SPDX-License-Identifier: Apache-2.0
/*
 * Memory that is given back all at once: what was read from a results file, what was computed from it.
 * Out of memory ends the process with a message: nothing at this size can go on usefully without it.
 */
#ifndef CONVOY_STUDY_STORE_ARENA_H
#define CONVOY_STUDY_STORE_ARENA_H

#include <stddef.h>

struct arena_block;
struct arena { struct arena_block *first; };

/* Zeroed memory of `count` × `size` bytes, aligned for any type. Never NULL. */
void *arena_alloc(struct arena *arena, size_t count, size_t size);

/* A copy of `text`; NULL becomes "". */
const char *arena_string(struct arena *arena, const char *text);

/* printf into the arena. */
const char *arena_format(struct arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));

void arena_free(struct arena *arena);

#endif
