// SPDX-License-Identifier: Apache-2.0
/*
 * Interrupt descriptors (kernel/irq): struct irq_desc of per-CPU interrupts, and the calls that set an irqchip's
 * state.
 *
 * A per-CPU interrupt (PPI) has one irq_desc for the whole machine. Its lock word stands in one cache line with the
 * status words and the percpu_enabled pointer; chip, flow handler and action stand in the line before, which is never
 * written after boot.
 */
#ifndef CONVOY_MODEL_KERNEL_IRQDESC_H
#define CONVOY_MODEL_KERNEL_IRQDESC_H

#include "model/kernel/irqchip.h"
#include "model/kernel/spinlock.h"
#include "model/machine.h"

struct kernel;

struct irq_desc {
	struct raw_spinlock lock;  /* with the status words: lock.line */
	line_id chip_line;
	line_id lookup_line;       /* node of the tree that irq_to_desc walks */
	line_id percpu_enabled_line;  /* bitmap of the CPUs on which it is enabled */
	intid hwirq;
	const struct stacked_chip *stacked;  /* on top of the host's chip; NULL: none */
	line_id parent_line;                 /* the host chip's irq_data under a stacked chip */
	bool forwarded;                      /* to guests (irq_set_vcpu_affinity) */
};

void irq_desc_init(struct kernel *kernel, struct irq_desc *desc, intid hwirq, const char *lock_name, uint32_t instance);

/* From now on `chip` answers for this interrupt before the host's chip does (kernel/irq/irqdomain.c). Not under its lock: at boot. */
void irq_domain_push_irq(struct kernel *kernel, struct irq_desc *desc, const struct stacked_chip *chip, bool forwarded);

/* IRQCHIP_STATE_ACTIVE of `desc` on this CPU := active, under desc->lock (kernel/irq/manage.c). */
void irq_set_irqchip_state(struct kernel *kernel, struct cpu *cpu, struct irq_desc *desc, bool active);

/* The same for a per-CPU interrupt on the calling CPU, preemption off: no descriptor lock. */
void irq_set_percpu_irqchip_state(struct kernel *kernel, struct cpu *cpu, struct irq_desc *desc, bool active);

/* ---- irq_percpu.c ---- */

/* The interrupt controller has an active state that a guest's end of interrupt clears. */
bool irqchip_has_active_state(const struct kernel *kernel);
/* The interrupt on this CPU: desc->lock, the chip, one atomic on the bitmap that all CPUs share. */
void enable_percpu_irq(struct kernel *kernel, struct cpu *cpu, struct irq_desc *desc);
void disable_percpu_irq(struct kernel *kernel, struct cpu *cpu, struct irq_desc *desc);

#endif
