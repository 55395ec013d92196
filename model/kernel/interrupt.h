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

struct interrupt_handlers {
	interrupt_handler handler[PER_CPU_INTERRUPTS];  /* SGIs and PPIs by number */
	void *context[PER_CPU_INTERRUPTS];
};

/* From now on `handler` takes this SGI or PPI on all CPUs. */
void request_percpu_irq(struct kernel *kernel, intid interrupt, interrupt_handler handler, void *context);

/* The interrupt exception: all that are pending, one after another. */
void el1_interrupt(struct cpu *cpu, void *kernel);

#endif
