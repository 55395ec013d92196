// SPDX-License-Identifier: Apache-2.0
/*
 * What every spinlock shares: set-up, interrupt masking, statistics. The algorithms: spinlock_ticket.c,
 * spinlock_queued.c, spinlock_mcs.c, spinlock_cna.c.
 */
#include "model/kernel/spinlock.h"

#include "model/kernel/kernel.h"

void spin_lock_init(struct kernel *kernel, struct raw_spinlock *lock, line_id line, const char *name)
{
	*lock = (struct raw_spinlock){ .line = line, .kernel = kernel, .stat = lockstat_class(name) };
}

void raw_spin_lock(struct kernel *kernel, struct cpu *cpu, struct raw_spinlock *lock, const char *caller)
{
	struct lock_site *site = lockstat_site(lock->stat, caller);
	ps_t asked = cpu_now(cpu);
	enum acquisition how;

	how = kernel->config.spinlock->lock(kernel, cpu, lock);
	lock->taken_at = cpu_now(cpu);
	lock->taken_by = site;
	lockstat_acquired(site, asked, lock->taken_at, how != ACQUIRED_FREE, how == ACQUIRED_QUEUED);
}

void spin_lock_given_back(struct raw_spinlock *lock, ps_t when)
{
	lockstat_released(lock->taken_by, lock->taken_at, when);
}

void raw_spin_unlock(struct cpu *cpu, struct raw_spinlock *lock)
{
	lock->kernel->config.spinlock->unlock(lock->kernel, cpu, lock);
}

bool raw_spin_lock_irqsave(struct kernel *kernel, struct cpu *cpu, struct raw_spinlock *lock, const char *caller)
{
	bool were_enabled;
	FUNCTION_NAMED(cpu, "_raw_spin_lock_irqsave");

	were_enabled = irq_save(cpu);
	raw_spin_lock(kernel, cpu, lock, caller);
	return were_enabled;
}

void raw_spin_unlock_irqrestore(struct cpu *cpu, struct raw_spinlock *lock, bool were_enabled)
{
	FUNCTION_NAMED(cpu, "_raw_spin_unlock_irqrestore");

	raw_spin_unlock(cpu, lock);
	irq_restore(cpu, were_enabled);
}
