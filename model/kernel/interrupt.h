// SPDX-License-Identifier: Apache-2.0
/*
 * Taking a host interrupt (arch/arm64/kernel/entry.S, kernel/irq): acknowledge, the handler registered for its number,
 * end. Per-CPU handlers (handle_percpu_devid_irq) take no lock, but read the lines of the descriptor.
 *
 * Handlers run with interrupts masked, on the interrupted thread's stack. One that is forwarded to a vCPU stays active
 * until the guest ends it.
 * Not modelled: nested interrupts, NMIs, threaded handlers, soft interrupts.
 */
#ifndef CONVOY_MODEL_KERNEL_INTERRUPT_H
#define CONVOY_MODEL_KERNEL_INTERRUPT_H

#include "model/machine.h"

struct kernel;

/* True: the interrupt now belongs to a guest; see irq_chip.eoi. */
typedef bool (*interrupt_handler)(struct cpu *cpu, void *context, intid interrupt);

#define PER_CPU_INTERRUPTS 32u
#define FIRST_LPI 8192u

struct irq_desc;

struct lpi_action {
	struct irq_desc *desc;
	interrupt_handler handler;
	void *context;
};

struct interrupt_handlers {
	interrupt_handler handler[PER_CPU_INTERRUPTS];  /* SGIs and PPIs by number */
	void *context[PER_CPU_INTERRUPTS];
	struct lpi_action *lpis;                        /* from FIRST_LPI on */
	uint32_t lpi_count;
};

/* From now on `handler` takes this SGI or PPI on all CPUs. */
void request_percpu_irq(struct kernel *kernel, intid interrupt, interrupt_handler handler, void *context);

/* The same of an LPI, which has a descriptor of its own: its lock is taken around the handler. */
void request_lpi(struct kernel *kernel, struct irq_desc *desc, interrupt_handler handler, void *context);

/* The interrupt exception: all that are pending, one after another. */
void el1_interrupt(struct cpu *cpu, void *kernel);

#endif
