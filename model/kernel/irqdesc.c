// SPDX-License-Identifier: Apache-2.0
/*
 * irq_set_irqchip_state() and its per-CPU counterpart (kernel/irq/manage.c, irqdesc.c).
 *
 * Steps: look the descriptor up by Linux IRQ number (tree under RCU, read-mostly lines); mask interrupts and take
 * desc->lock; walk to the first chip with the callback (the GIC, or a chip stacked on it); callback; unlock. No chip has a bus
 * lock. The per-CPU call leaves out masking and lock: its callers run with preemption off and touch their own CPU's
 * redistributor.
 */
#include "model/kernel/irqdesc.h"

#include "model/kernel/kernel.h"

void irq_desc_init(struct kernel *kernel, struct irq_desc *desc, intid hwirq, const char *lock_name, uint32_t instance)
{
	desc->hwirq = hwirq;
	desc->stacked = NULL;
	desc->forwarded = false;
	desc->parent_line = line_create(kernel->machine, "irq_desc parent", instance);
	desc->chip_line = line_create(kernel->machine, "irq_desc chip", instance);
	desc->lookup_line = line_create(kernel->machine, "irq_desc tree", instance);
	desc->percpu_enabled_line = line_create(kernel->machine, "irq_desc percpu_enabled", instance);
	spin_lock_init(kernel, &desc->lock, line_create(kernel->machine, "irq_desc lock", instance), lock_name);
}

static void irq_to_desc(struct cpu *cpu, struct irq_desc *desc)
{
	FUNCTION(cpu);

	line_read(cpu, desc->lookup_line);
	cpu_load_store(cpu, 4);
}

/* irq_data chain: level 0 is the GIC or what is stacked on it; reads the chip's line, which stays shared by all. */
static void call_chip(struct kernel *kernel, struct cpu *cpu, struct irq_desc *desc, bool active)
{
	line_read(cpu, desc->chip_line);
	cpu_load_store(cpu, 3);
	if (desc->stacked)
		desc->stacked->set_active(kernel, cpu, desc, active);
	else
		kernel->chip->set_active(kernel, cpu, desc->hwirq, active);
}

void irq_set_irqchip_state(struct kernel *kernel, struct cpu *cpu, struct irq_desc *desc, bool active)
{
	bool flags;
	FUNCTION(cpu);

	irq_to_desc(cpu, desc);
	flags = raw_spin_lock_irqsave(kernel, cpu, &desc->lock, __func__);
	call_chip(kernel, cpu, desc, active);
	raw_spin_unlock_irqrestore(cpu, &desc->lock, flags);
}

void irq_set_percpu_irqchip_state(struct kernel *kernel, struct cpu *cpu, struct irq_desc *desc, bool active)
{
	FUNCTION(cpu);

	irq_to_desc(cpu, desc);
	line_read(cpu, desc->lock.line);  /* status word: is it a per-CPU interrupt? */
	call_chip(kernel, cpu, desc, active);
}
