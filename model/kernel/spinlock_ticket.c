// SPDX-License-Identifier: Apache-2.0
/*
 * Ticket spinlock, arm64 up to v4.18 (arch/arm64/include/asm/spinlock.h of that time, LSE): one word with `owner` and
 * `next`.
 *
 * lock: LDADDA on `next`; if it is not our turn, WFE until the line changes and look at `owner` again. unlock:
 * STADDLH on `owner`. Every waiter holds a copy of the one line, so each unlock takes all copies away and each waiter
 * fetches it again; a newcomer's LDADDA does the same. Nobody programs the collapse in.
 */
#include "model/kernel/spinlock.h"

#include "model/kernel/kernel.h"

static enum acquisition ticket_lock(struct kernel *kernel, struct cpu *cpu, struct raw_spinlock *lock)
{
	uint16_t ticket;
	FUNCTION_NAMED(cpu, "arch_spin_lock");

	(void)kernel;
	line_atomic(cpu, lock->line, ORDER_ACQUIRE);
	ticket = lock->next++;
	if (lock->owner == ticket)
		return ACQUIRED_FREE;
	for (;;) {
		line_read(cpu, lock->line);
		if (lock->owner == ticket)
			return ACQUIRED_WAITED;
		line_wait(cpu, lock->line);
	}
}

static void next_ticket(void *object, ps_t when)
{
	struct raw_spinlock *lock = object;

	spin_lock_given_back(lock, when);
	lock->owner++;
}

static void ticket_unlock(struct kernel *kernel, struct cpu *cpu, struct raw_spinlock *lock)
{
	(void)kernel;
	line_release(cpu, lock->line, next_ticket, lock);
}

const struct spinlock_ops spinlock_ticket = { "ticket", ticket_lock, ticket_unlock };
