// SPDX-License-Identifier: Apache-2.0
/*
 * Software came to a path that is not modelled: better no result than a wrong one. Ends the process, with
 * optimisation or without.
 */
#ifndef CONVOY_MODEL_KERNEL_UNMODELLED_H
#define CONVOY_MODEL_KERNEL_UNMODELLED_H

#include <stdio.h>
#include <stdlib.h>

_Noreturn static inline void unmodelled(const char *what)
{
	fprintf(stderr, "convoy: the simulation reached %s, which is not modelled\n", what);
	abort();
}

#endif
