// SPDX-License-Identifier: Apache-2.0
/* A growing list of blocks and a hash set of strings; see keep.h. Everything stays reachable from the two static roots. */
#include "study/keep.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct block {
	struct block *next;
	_Alignas(max_align_t) unsigned char bytes[];
};

struct entry {
	struct entry *next;
	uint64_t hash;
	char text[];
};

#define BUCKETS 4096u

static struct block *blocks;
static struct entry *buckets[BUCKETS];

static void *allocate(size_t size)
{
	void *memory = calloc(1, size);

	if (memory == NULL) {
		fprintf(stderr, "convoy: out of memory (%zu bytes)\n", size);
		exit(1);
	}
	return memory;
}

void *keep_memory(size_t size)
{
	struct block *block = allocate(sizeof(*block) + (size ? size : 1));

	block->next = blocks;
	blocks = block;
	return block->bytes;
}

/* FNV-1a, 64 bits. */
static uint64_t hash_bytes(const char *text, size_t length)
{
	uint64_t hash = 0xcbf29ce484222325u;

	for (size_t i = 0; i < length; i++)
		hash = (hash ^ (unsigned char)text[i]) * 0x100000001b3u;
	return hash;
}

const char *keep_text_n(const char *text, size_t length)
{
	uint64_t hash = hash_bytes(text, length);
	struct entry **bucket = &buckets[hash % BUCKETS];
	struct entry *entry;

	for (entry = *bucket; entry != NULL; entry = entry->next)
		if (entry->hash == hash && strncmp(entry->text, text, length) == 0 && entry->text[length] == '\0')
			return entry->text;
	entry = allocate(sizeof(*entry) + length + 1);
	entry->hash = hash;
	memcpy(entry->text, text, length);
	entry->next = *bucket;
	*bucket = entry;
	return entry->text;
}

const char *keep_text(const char *text)
{
	return keep_text_n(text, strlen(text));
}

const char *keep_textf(const char *format, ...)
{
	va_list arguments;
	const char *kept;
	char *text;
	int length;

	va_start(arguments, format);
	length = vsnprintf(NULL, 0, format, arguments);
	va_end(arguments);
	text = allocate((size_t)length + 1);
	va_start(arguments, format);
	vsnprintf(text, (size_t)length + 1, format, arguments);
	va_end(arguments);
	kept = keep_text_n(text, (size_t)length);
	free(text);
	return kept;
}

struct shown_text shown(const char *text)
{
	struct shown_text out = { "" };
	const size_t limit = 60;
	size_t used = 0, i = 0;

	for (; text[i] != '\0' && used < limit; i++) {
		unsigned char byte = (unsigned char)text[i];

		if (byte < 0x20 || byte == 0x7f)
			used += (size_t)snprintf(out.text + used, sizeof(out.text) - used, "\\x%02x", byte);
		else
			out.text[used++] = (char)byte;
	}
	if (text[i] != '\0') {
		/* Cut before the character that the cut would split. */
		if (((unsigned char)text[i] & 0xc0) == 0x80) {
			while (used > 0 && ((unsigned char)out.text[used - 1] & 0xc0) == 0x80)
				used--;
			if (used > 0)
				used--;
		}
		memcpy(out.text + used, "…", sizeof("…"));
	} else {
		out.text[used] = '\0';
	}
	return out;
}
