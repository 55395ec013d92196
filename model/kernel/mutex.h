// SPDX-License-Identifier: Apache-2.0
/*
 * struct mutex, fast path only (kernel/locking/mutex.c): one compare-and-swap to take it, one release compare-and-
 * swap to give it back. Not modelled: optimistic spinning and sleeping. On the modelled paths a vCPU's mutex is
 * taken by its own thread only; a second owner is our bug and stops the simulation.
 */
#ifndef CONVOY_MODEL_KERNEL_MUTEX_H
#define CONVOY_MODEL_KERNEL_MUTEX_H

#include "model/machine.h"

struct mutex {
	line_id line;
	bool locked;
};

void mutex_lock(struct cpu *cpu, struct mutex *mutex);
void mutex_unlock(struct cpu *cpu, struct mutex *mutex);

#endif
