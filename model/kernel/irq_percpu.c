// SPDX-License-Identifier: Apache-2.0
/*
 * Per-CPU interrupts on and off (kernel/irq/manage.c, chip.c). Each takes the descriptor's lock, one for the whole
 * machine, and changes this CPU's bit in desc->percpu_enabled, one line for all CPUs. Enabling first checks the trigger
 * (__irq_set_trigger): a chip that has one per interrupt reads it.
 */
#include "model/kernel/irqdesc.h"
#include "model/kernel/kernel.h"

bool irqchip_has_active_state(const struct kernel *kernel)
{
	return !(kernel->config.gic == GIC_V2 && kernel->config.gic_cpu_interface_4k);
}

/* Look-up with the check that the interrupt is per CPU: the status word shares the lock's line. */
static void irq_get_desc_lock(struct cpu *cpu, struct irq_desc *desc)
{
	FUNCTION(cpu);

	line_read(cpu, desc->lookup_line);
	cpu_load_store(cpu, 4);
	line_read(cpu, desc->lock.line);
}

static void call_chip(struct kernel *kernel, struct cpu *cpu, struct irq_desc *desc, bool masked)
{
	line_read(cpu, desc->chip_line);
	cpu_load_store(cpu, 3);
	if (masked)
		kernel->chip->mask(kernel, cpu, desc->hwirq, desc->forwarded);
	else
		kernel->chip->unmask(kernel, cpu, desc->hwirq);
}

static void switch_percpu_irq(struct kernel *kernel, struct cpu *cpu, struct irq_desc *desc, bool masked, const char *caller)
{
	bool flags;

	irq_get_desc_lock(cpu, desc);
	flags = raw_spin_lock_irqsave(kernel, cpu, &desc->lock, caller);
	if (!masked && kernel->chip->check_type)
		kernel->chip->check_type(kernel, cpu, desc->hwirq);
	call_chip(kernel, cpu, desc, masked);
	line_atomic(cpu, desc->percpu_enabled_line, ORDER_RELAXED);
	raw_spin_unlock_irqrestore(cpu, &desc->lock, flags);
}

void enable_percpu_irq(struct kernel *kernel, struct cpu *cpu, struct irq_desc *desc)
{
	FUNCTION(cpu);

	switch_percpu_irq(kernel, cpu, desc, false, __func__);
}

void disable_percpu_irq(struct kernel *kernel, struct cpu *cpu, struct irq_desc *desc)
{
	FUNCTION(cpu);

	switch_percpu_irq(kernel, cpu, desc, true, __func__);
}
