// SPDX-License-Identifier: Apache-2.0
/*
 * A simulation's result on its way from the child process to the parent, through a pipe.
 *
 * The child is a fork of the parent, so both have the same layout and byte order. What cannot be relied on is that the
 * child got to the end: the parent checks the length, the magic numbers at both ends and every count against what is
 * there, and takes a truncated or damaged message for a child that failed.
 *
 *     u64 magic · u64 total bytes · u64 code · error text · scalars · counts · rows … · u64 magic
 *     (a text is u64 length and its bytes)
 */
#ifndef CONVOY_STUDY_RUN_WIRE_H
#define CONVOY_STUDY_RUN_WIRE_H

#include "study/simulate.h"
#include "study/store/arena.h"

/* A message under construction or received; grows. Zero-initialised is empty. */
struct wire_buffer { unsigned char *bytes; size_t used, size; };

void wire_append(struct wire_buffer *buffer, const void *bytes, size_t count);
void wire_free(struct wire_buffer *buffer);

/* Packs a result, or an error code with its text (result NULL). */
void wire_pack(struct wire_buffer *buffer, cv_result code, const char *error_text, const struct sim_result *result);

/* Whether all bytes of a message have arrived. */
bool wire_complete(const struct wire_buffer *buffer);

/* Unpacks. *code and *error_text are the child's; *result is filled when *code is CV_OK. Memory from `arena`.
 * False: truncated or damaged. */
bool wire_unpack(const struct wire_buffer *buffer, struct arena *arena, cv_result *code, const char **error_text,
		 struct sim_result *result);

#endif
