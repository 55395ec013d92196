// SPDX-License-Identifier: Apache-2.0
/*
 * Random numbers that depend on (seed, stream, index) and on nothing else.
 *
 * Counter-based (Random123's Threefry-2x64, 20 rounds): there is no state to share, so adding a component shifts no
 * other's numbers, and the same seed gives the same numbers in every variant of a study (common random numbers).
 * A stream is named by a text: random_stream("think time").
 */
#ifndef CONVOY_BASE_RANDOM_H
#define CONVOY_BASE_RANDOM_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The stream number of a name (FNV-1a). */
uint64_t random_stream(const char *name);

uint64_t random_u64(uint64_t seed, uint64_t stream, uint64_t index);

/* Uniform in (0, 1): never 0, never 1; 53 random bits. */
double random_unit(uint64_t seed, uint64_t stream, uint64_t index);

#ifdef __cplusplus
}
#endif

#endif
