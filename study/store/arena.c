// SPDX-License-Identifier: Apache-2.0
/* A list of blocks; small pieces are cut from the newest one. See arena.h. */
#include "study/store/arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct arena_block {
	struct arena_block *next;
	size_t used, size;
	max_align_t data[];
};

enum { BLOCK_BYTES = 64 * 1024 };

static struct arena_block *block_new(struct arena *arena, size_t bytes)
{
	size_t size = bytes > BLOCK_BYTES ? bytes : BLOCK_BYTES;
	struct arena_block *block = calloc(1, sizeof(*block) + size);

	if (!block) {
		fprintf(stderr, "convoy: out of memory (%zu bytes)\n", size);
		exit(1);
	}
	block->size = size;
	block->next = arena->first;
	arena->first = block;
	return block;
}

void *arena_alloc(struct arena *arena, size_t count, size_t size)
{
	struct arena_block *block = arena->first;
	size_t bytes;

	if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX / 2) {
		fprintf(stderr, "convoy: out of memory (%zu × %zu bytes)\n", count, size);
		exit(1);
	}
	bytes = (bytes + _Alignof(max_align_t) - 1) / _Alignof(max_align_t) * _Alignof(max_align_t);
	if (!block || block->size - block->used < bytes)
		block = block_new(arena, bytes);
	block->used += bytes;
	return (char *)block->data + block->used - bytes;
}

const char *arena_string(struct arena *arena, const char *text)
{
	size_t bytes = text ? strlen(text) + 1 : 1;
	char *copy = arena_alloc(arena, bytes, 1);

	if (text)
		memcpy(copy, text, bytes);
	return copy;
}

const char *arena_format(struct arena *arena, const char *format, ...)
{
	va_list arguments;
	char *text;
	int length;

	va_start(arguments, format);
	length = vsnprintf(NULL, 0, format, arguments);
	va_end(arguments);
	if (length < 0)
		return "";
	text = arena_alloc(arena, (size_t)length + 1, 1);
	va_start(arguments, format);
	vsnprintf(text, (size_t)length + 1, format, arguments);
	va_end(arguments);
	return text;
}

void arena_free(struct arena *arena)
{
	while (arena->first) {
		struct arena_block *next = arena->first->next;

		free(arena->first);
		arena->first = next;
	}
}
