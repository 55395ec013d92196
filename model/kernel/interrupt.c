// SPDX-License-Identifier: Apache-2.0
/* See interrupt.h. */
#include "model/kernel/interrupt.h"

#include <stdlib.h>

#include "model/kernel/kernel.h"
#include "model/kernel/unmodelled.h"

void request_percpu_irq(struct kernel *kernel, intid interrupt, interrupt_handler handler, void *context)
{
	kernel->handlers.handler[interrupt.n] = handler;
	kernel->handlers.context[interrupt.n] = context;
}

void request_lpi(struct kernel *kernel, struct irq_desc *desc, interrupt_handler handler, void *context)
{
	struct interrupt_handlers *handlers = &kernel->handlers;
	const uint32_t n = desc->hwirq.n - FIRST_LPI;

	if (n >= handlers->lpi_count) {
		handlers->lpis = realloc(handlers->lpis, (n + 1) * sizeof(*handlers->lpis));
		if (!handlers->lpis)
			abort();
		for (uint32_t empty = handlers->lpi_count; empty <= n; empty++)
			handlers->lpis[empty] = (struct lpi_action){ 0 };
		handlers->lpi_count = n + 1;
	}
	handlers->lpis[n] = (struct lpi_action){ desc, handler, context };
}

/* The descriptor's lock before and after the handler; LPIs have no active state, so there is nothing to deactivate. */
static void handle_fasteoi_irq(struct kernel *kernel, struct cpu *cpu, uint32_t interrupt)
{
	const struct lpi_action *action;
	FUNCTION(cpu);

	if (interrupt - FIRST_LPI >= kernel->handlers.lpi_count || !kernel->handlers.lpis[interrupt - FIRST_LPI].handler)
		unmodelled("an LPI that nobody handles");
	action = &kernel->handlers.lpis[interrupt - FIRST_LPI];
	raw_spin_lock(kernel, cpu, &action->desc->lock, __func__);
	cpu_load_store(cpu, 4);
	raw_spin_unlock(cpu, &action->desc->lock);
	action->handler(cpu, action->context, (intid){ interrupt });
	raw_spin_lock(kernel, cpu, &action->desc->lock, __func__);
	cpu_load_store(cpu, 2);
	raw_spin_unlock(cpu, &action->desc->lock);
}

static void handle_percpu_devid_irq(struct kernel *kernel, struct cpu *cpu, uint32_t interrupt)
{
	const struct interrupt_handlers *handlers = &kernel->handlers;
	bool forwarded = false;
	FUNCTION(cpu);

	cpu_load_store(cpu, 4);
	if (interrupt >= PER_CPU_INTERRUPTS || !handlers->handler[interrupt])
		unmodelled("a host interrupt that nobody handles");
	forwarded = handlers->handler[interrupt](cpu, handlers->context[interrupt], (intid){ interrupt });
	kernel->chip->eoi(kernel, cpu, interrupt, forwarded);
}

void el1_interrupt(struct cpu *cpu, void *context)
{
	struct kernel *kernel = context;
	uint32_t interrupt;
	FUNCTION(cpu);

	cpu_exception_entry(cpu);
	cpu_spend(cpu, kernel->config.work_irq);
	interrupt = kernel->chip->ack(kernel, cpu);
	if (interrupt != SPURIOUS_INTERRUPT) {
		kernel->chip->priority_drop(kernel, cpu, interrupt);
		if (interrupt >= FIRST_LPI)
			handle_fasteoi_irq(kernel, cpu, interrupt);
		else
			handle_percpu_devid_irq(kernel, cpu, interrupt);
	}
	cpu_exception_return(cpu);
}
