// SPDX-License-Identifier: Apache-2.0
/* Packing and unpacking; see wire.h. */
#include "study/run/wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WIRE_MAGIC 0x31796f766e6f6343ull   /* "Cconvoy1" as little-endian bytes */

void wire_append(struct wire_buffer *buffer, const void *bytes, size_t count)
{
	if (count == 0)
		return;
	if (buffer->size - buffer->used < count) {
		size_t size = (buffer->used + count) * 2;
		unsigned char *grown = realloc(buffer->bytes, size);

		if (!grown) {
			fprintf(stderr, "convoy: out of memory (%zu bytes)\n", size);
			exit(1);
		}
		buffer->bytes = grown;
		buffer->size = size;
	}
	memcpy(buffer->bytes + buffer->used, bytes, count);
	buffer->used += count;
}

void wire_free(struct wire_buffer *buffer)
{
	free(buffer->bytes);
	memset(buffer, 0, sizeof(*buffer));
}

/* ---- packing -------------------------------------------------------------------------------- */

static void put(struct wire_buffer *buffer, uint64_t number)
{
	wire_append(buffer, &number, sizeof(number));
}

static void put_text(struct wire_buffer *buffer, const char *text)
{
	put(buffer, strlen(text));
	wire_append(buffer, text, strlen(text));
}

static void put_rows(struct wire_buffer *buffer, const struct sim_result *result)
{
	put(buffer, result->lock_count);
	for (size_t i = 0; i < result->lock_count; i++) {
		const struct sim_lock_row *lock = &result->locks[i];
		const uint64_t numbers[] = {lock->acquisitions, lock->contended, lock->queued, lock->wait_total,
					    lock->wait_max, lock->hold_total, lock->hold_max};

		put_text(buffer, lock->lock);
		put_text(buffer, lock->caller);
		wire_append(buffer, numbers, sizeof(numbers));
	}
	put(buffer, result->account_count);
	for (size_t i = 0; i < result->account_count; i++) {
		put_text(buffer, result->accounts[i].stack);
		put_text(buffer, result->accounts[i].reason);
		put(buffer, result->accounts[i].ps);
	}
	put(buffer, result->metric_count);
	for (size_t i = 0; i < result->metric_count; i++) {
		put_text(buffer, result->metrics[i].name);
		put_text(buffer, result->metrics[i].unit);
		put(buffer, result->metrics[i].value);
	}
	put(buffer, result->batch_count);
	wire_append(buffer, result->batches, result->batch_count * sizeof(uint64_t));
	put(buffer, result->cpu_count);
	wire_append(buffer, result->cpu_exits, result->cpu_count * sizeof(uint64_t));
}

void wire_pack(struct wire_buffer *buffer, cv_result code, const char *error_text, const struct sim_result *result)
{
	size_t start = buffer->used;
	uint64_t total;

	put(buffer, WIRE_MAGIC);
	put(buffer, 0);
	put(buffer, (uint64_t)code);
	put_text(buffer, error_text ? error_text : "");
	if (code == CV_OK) {
		put(buffer, result->measured);
		put(buffer, result->host_ns);
		put(buffer, result->host_peak_bytes);
		put_rows(buffer, result);
	}
	put(buffer, WIRE_MAGIC);
	total = buffer->used - start;
	memcpy(buffer->bytes + start + sizeof(uint64_t), &total, sizeof(total));
}

/* ---- unpacking ------------------------------------------------------------------------------ */

/* Reads from `at`; once something does not fit, `bad` stays set and every further read gives 0. */
struct reader {
	const unsigned char *at, *end;
	struct arena *arena;
	bool bad;
};

static uint64_t get(struct reader *reader)
{
	uint64_t number = 0;

	if (reader->bad || (size_t)(reader->end - reader->at) < sizeof(number)) {
		reader->bad = true;
		return 0;
	}
	memcpy(&number, reader->at, sizeof(number));
	reader->at += sizeof(number);
	return number;
}

/* A count of things that take at least `bytes` each: never more than the rest of the message can hold. */
static size_t get_count(struct reader *reader, size_t bytes)
{
	uint64_t count = get(reader);

	if (count > (uint64_t)(reader->end - reader->at) / bytes) {
		reader->bad = true;
		return 0;
	}
	return (size_t)count;
}

static const char *get_text(struct reader *reader)
{
	size_t length = get_count(reader, 1);
	char *text = arena_alloc(reader->arena, length + 1, 1);

	memcpy(text, reader->at, length);
	reader->at += length;
	return text;
}

static uint64_t *get_numbers(struct reader *reader, size_t *count)
{
	*count = get_count(reader, sizeof(uint64_t));
	uint64_t *numbers = arena_alloc(reader->arena, *count + 1, sizeof(*numbers));

	for (size_t i = 0; i < *count; i++)
		numbers[i] = get(reader);
	return numbers;
}

static void get_locks(struct reader *reader, struct sim_result *result)
{
	result->lock_count = get_count(reader, 9 * sizeof(uint64_t));
	result->locks = arena_alloc(reader->arena, result->lock_count + 1, sizeof(*result->locks));
	for (size_t i = 0; i < result->lock_count; i++) {
		struct sim_lock_row *lock = &result->locks[i];

		lock->lock = get_text(reader);
		lock->caller = get_text(reader);
		lock->acquisitions = get(reader);
		lock->contended = get(reader);
		lock->queued = get(reader);
		lock->wait_total = get(reader);
		lock->wait_max = get(reader);
		lock->hold_total = get(reader);
		lock->hold_max = get(reader);
	}
}

static void get_rows(struct reader *reader, struct sim_result *result)
{
	get_locks(reader, result);
	result->account_count = get_count(reader, 3 * sizeof(uint64_t));
	result->accounts = arena_alloc(reader->arena, result->account_count + 1, sizeof(*result->accounts));
	for (size_t i = 0; i < result->account_count; i++) {
		result->accounts[i].stack = get_text(reader);
		result->accounts[i].reason = get_text(reader);
		result->accounts[i].ps = get(reader);
	}
	result->metric_count = get_count(reader, 3 * sizeof(uint64_t));
	result->metrics = arena_alloc(reader->arena, result->metric_count + 1, sizeof(*result->metrics));
	for (size_t i = 0; i < result->metric_count; i++) {
		result->metrics[i].name = get_text(reader);
		result->metrics[i].unit = get_text(reader);
		result->metrics[i].value = get(reader);
	}
	result->batches = get_numbers(reader, &result->batch_count);
	result->cpu_exits = get_numbers(reader, &result->cpu_count);
}

bool wire_complete(const struct wire_buffer *buffer)
{
	uint64_t head[2];

	if (buffer->used < sizeof(head))
		return false;
	memcpy(head, buffer->bytes, sizeof(head));
	return buffer->used >= head[1];
}

bool wire_unpack(const struct wire_buffer *buffer, struct arena *arena, cv_result *code, const char **error_text,
		 struct sim_result *result)
{
	struct reader reader = {.at = buffer->bytes, .end = buffer->bytes + buffer->used, .arena = arena};

	memset(result, 0, sizeof(*result));
	if (buffer->used == 0 || get(&reader) != WIRE_MAGIC || get(&reader) != buffer->used)
		return false;
	uint64_t number = get(&reader);

	if (number > CV_INTERNAL)
		return false;
	*code = (cv_result)number;
	*error_text = get_text(&reader);
	if (*code == CV_OK) {
		result->measured = get(&reader);
		result->host_ns = get(&reader);
		result->host_peak_bytes = get(&reader);
		get_rows(&reader, result);
	}
	return get(&reader) == WIRE_MAGIC && !reader.bad && reader.at == reader.end;
}
