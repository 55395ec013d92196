// SPDX-License-Identifier: Apache-2.0
/* See interrupt.h. */
#include "model/kernel/interrupt.h"

#include "model/kernel/kernel.h"
#include "model/kernel/unmodelled.h"

void request_percpu_irq(struct kernel *kernel, intid interrupt, interrupt_handler handler, void *context)
{
	kernel->handlers.handler[interrupt.n] = handler;
	kernel->handlers.context[interrupt.n] = context;
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
		handle_percpu_devid_irq(kernel, cpu, interrupt);
	}
	cpu_exception_return(cpu);
}
