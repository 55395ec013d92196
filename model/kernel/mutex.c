// SPDX-License-Identifier: Apache-2.0
/* Mutex fast path; see mutex.h. */
#include "model/kernel/mutex.h"

#include "model/kernel/unmodelled.h"

void mutex_lock(struct cpu *cpu, struct mutex *mutex)
{
	FUNCTION(cpu);

	line_atomic(cpu, mutex->line, ORDER_ACQUIRE);
	if (mutex->locked)
		unmodelled("a contended mutex");
	mutex->locked = true;
}

void mutex_unlock(struct cpu *cpu, struct mutex *mutex)
{
	FUNCTION(cpu);

	line_atomic(cpu, mutex->line, ORDER_RELEASE);  /* CASL */
	mutex->locked = false;
}
