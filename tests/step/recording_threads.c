// SPDX-License-Identifier: Apache-2.0
/* Threads of the recording machine, each on a stack of its own; see recording_machine.h. */
#include <stdlib.h>

#include "tests/step/recording_state.h"

#define STACK_BYTES (256 * 1024)

/* makecontext passes no pointers. */
static struct cpu *starting;

static void begin(void)
{
	struct cpu *cpu = starting;

	cpu->body(cpu, cpu->argument);
	abort();  /* no thread of these tests ends */
}

static void make_context(struct cpu *cpu, task_body body, void *argument)
{
	cpu->body = body;
	cpu->argument = argument;
	cpu->stack_memory = malloc(STACK_BYTES);
	if (!cpu->stack_memory || getcontext(&cpu->context) < 0)
		abort();
	cpu->context.uc_stack.ss_sp = cpu->stack_memory;
	cpu->context.uc_stack.ss_size = STACK_BYTES;
	cpu->context.uc_link = NULL;
	makecontext(&cpu->context, begin, 0);
}

void task_create(struct machine *machine, cpu_id cpu, task_body body, void *argument)
{
	make_context(&machine->cpus[cpu.n], body, argument);
}

struct cpu *thread_create(struct machine *machine, task_body body, void *argument)
{
	struct cpu *cpu = calloc(1, sizeof(*cpu));

	if (!cpu)
		abort();
	cpu->machine = machine;
	cpu->number = UINT32_MAX;
	cpu->next_thread = machine->threads;
	machine->threads = cpu;
	make_context(cpu, body, argument);
	return cpu;
}

static void go_on(ucontext_t *leave, struct cpu *cpu)
{
	starting = cpu;
	cpu->machine->running = cpu;
	swapcontext(leave, &cpu->context);
}

void recording_run(struct machine *machine, uint32_t number)
{
	struct cpu *cpu = &machine->cpus[number];

	go_on(&machine->caller, machine->running && machine->running->number == number ? machine->running : cpu);
}

void recording_switch(struct cpu *self, struct cpu *next)
{
	if (!self->machine->running)
		return;
	next->number = self->number;
	go_on(&self->context, next);
	self->machine->running = self;
}

void recording_idle(struct cpu *cpu)
{
	struct machine *machine = cpu->machine;

	if (!machine->running || machine->irq_asserted)
		return;
	if (machine->while_idle && machine->while_idle(machine->idle_context, cpu))
		return;
	swapcontext(&cpu->context, &machine->caller);
}

void recording_threads_free(struct machine *machine)
{
	struct cpu *cpu = machine->threads;

	for (uint32_t n = 0; n < machine->cpu_count; n++)
		free(machine->cpus[n].stack_memory);
	while (cpu) {
		struct cpu *next = cpu->next_thread;

		free(cpu->stack_memory);
		free(cpu);
		cpu = next;
	}
}
