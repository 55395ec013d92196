// SPDX-License-Identifier: Apache-2.0
/*
 * The "KVM" interrupt chip (arch/arm64/kvm/arch_timer.c: timer_chip, v5.14 and later): a domain of one level that KVM pushes
 * on top of the guest timers' PPIs on hosts where a guest cannot deactivate a host interrupt (Apple's AIC), and on GICv5
 * hosts always.
 *
 * The active state of an interrupt that is forwarded to guests becomes mask (active) or unmask (not active) at the parent. All
 * else goes to the parent as it is. Same lock as without: the caller holds desc->lock. One pointer hop more, to the
 * parent's irq_data, which is never written after boot.
 *
 * Not modelled: pushing and popping while interrupts are in use; affinity and type calls.
 */
#include "model/kernel/irqdesc.h"
#include "model/kernel/kernel.h"

static void timer_irq_set_irqchip_state(struct kernel *kernel, struct cpu *cpu, struct irq_desc *desc, bool active)
{
	FUNCTION(cpu);

	line_read(cpu, desc->parent_line);
	cpu_load_store(cpu, 2);
	if (!desc->forwarded)
		kernel->chip->set_active(kernel, cpu, desc->hwirq, active);
	else if (active)
		kernel->chip->mask(kernel, cpu, desc->hwirq, true);
	else
		kernel->chip->unmask(kernel, cpu, desc->hwirq);
}

const struct stacked_chip stacked_chip_kvm = {
	.name = "KVM",
	.set_active = timer_irq_set_irqchip_state,
};

void irq_domain_push_irq(struct kernel *kernel, struct irq_desc *desc, const struct stacked_chip *chip, bool forwarded)
{
	(void)kernel;
	desc->stacked = chip;
	desc->forwarded = forwarded;
}
