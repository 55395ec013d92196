// SPDX-License-Identifier: Apache-2.0
/*
 * Interrupt controller drivers (drivers/irqchip): what the interrupt core and KVM ask of the chip, one file for each
 * chip. All work on the calling CPU's interfaces; masking and locks are the callers' business.
 */
#ifndef CONVOY_MODEL_KERNEL_IRQCHIP_H
#define CONVOY_MODEL_KERNEL_IRQCHIP_H

#include "model/machine.h"

struct kernel;

#define SPURIOUS_INTERRUPT 1023u

struct irq_chip {
	const char *name;
	/* Of a PPI of this CPU: IRQCHIP_STATE_ACTIVE, irq_mask and irq_unmask. */
	void (*set_active)(struct kernel *kernel, struct cpu *cpu, intid hwirq, bool active);
	/* Masking one that is `forwarded` takes its active state away too: its guest may never end it. */
	void (*mask)(struct kernel *kernel, struct cpu *cpu, intid hwirq, bool forwarded);
	void (*unmask)(struct kernel *kernel, struct cpu *cpu, intid hwirq);
	/* irq_set_type of a PPI of this CPU whose trigger is already right; NULL: nothing to do. */
	void (*check_type)(struct kernel *kernel, struct cpu *cpu, intid hwirq);
	/* Acknowledge; SPURIOUS_INTERRUPT when there is nothing. */
	uint32_t (*ack)(struct kernel *kernel, struct cpu *cpu);
	/* Priority drop, after the acknowledge; deactivation at the end, left to the guest if `forwarded`. */
	void (*priority_drop)(struct kernel *kernel, struct cpu *cpu, uint32_t acked);
	void (*eoi)(struct kernel *kernel, struct cpu *cpu, uint32_t acked, bool forwarded);
	/* A software-generated interrupt to one CPU, barrier included. */
	void (*send_sgi)(struct kernel *kernel, struct cpu *cpu, cpu_id target, uint32_t sgi);
};

/*
 * All controllers but one leave a forwarded interrupt active until the guest ends it. A GICv2 whose firmware shows only
 * 4 kB of the CPU interface cannot: its eoi deactivates. irqchip_has_active_state (irqdesc.h) says so, KVM's
 * has_gic_active_state: without, a timer that fired is kept quiet by disable_percpu_irq and let loose by
 * enable_percpu_irq.
 */
extern const struct irq_chip irq_chip_gic_v2;
extern const struct irq_chip irq_chip_gic_v3;
extern const struct irq_chip irq_chip_gic_v5;
extern const struct irq_chip irq_chip_aic;

/* AIC: a CPU has one hardware IPI; which of the kernel's it is stands in a word of its own line. */
struct aic_ipi {
	line_id line;
	uint32_t pending;
};

struct irq_desc;

/* A chip pushed on top of another for single interrupts (hierarchical irq domains); what it lacks the parent does. */
struct stacked_chip {
	const char *name;
	void (*set_active)(struct kernel *kernel, struct cpu *cpu, struct irq_desc *desc, bool active);
};

extern const struct stacked_chip stacked_chip_kvm;

#endif
