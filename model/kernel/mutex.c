// SPDX-License-Identifier: Apache-2.0
/* Mutex fast path; see mutex.h. */
#include "model/kernel/mutex.h"

#include <assert.h>

void mutex_lock(struct cpu *cpu, struct mutex *mutex)
{
	FUNCTION(cpu);

	line_atomic(cpu, mutex->line, ORDER_ACQUIRE);
	assert(!mutex->locked && "contended mutexes are not modelled");
	mutex->locked = true;
}

void mutex_unlock(struct cpu *cpu, struct mutex *mutex)
{
	FUNCTION(cpu);

	line_atomic(cpu, mutex->line, ORDER_RELEASE);  /* CASL */
	mutex->locked = false;
}
