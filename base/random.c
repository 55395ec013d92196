// SPDX-License-Identifier: Apache-2.0
/* Counter-based random numbers; see random.h. */
#include "base/random.h"

#include <Random123/threefry.h>

uint64_t random_stream(const char *name)
{
	uint64_t hash = 14695981039346656037ull;

	for (; *name; name++)
		hash = (hash ^ (unsigned char)*name) * 1099511628211ull;
	return hash;
}

uint64_t random_u64(uint64_t seed, uint64_t stream, uint64_t index)
{
	threefry2x64_ctr_t counter = { { index, 0 } };
	threefry2x64_key_t key = { { seed, stream } };

	return threefry2x64(counter, key).v[0];
}

double random_unit(uint64_t seed, uint64_t stream, uint64_t index)
{
	return ((double)(random_u64(seed, stream, index) >> 11) + 0.5) / 9007199254740992.0;
}
