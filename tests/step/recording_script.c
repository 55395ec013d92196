// SPDX-License-Identifier: Apache-2.0
/* What guests, devices and other CPUs do meanwhile, as a test says; see recording_machine.h. */
#include "tests/step/recording_state.h"

void recording_set_sysreg(struct cpu *cpu, enum sysreg reg, uint64_t value)
{
	cpu->machine->cpus[cpu->number].sysreg[reg] = value;
}

void recording_script_guest(struct machine *machine, const enum guest_exit *exits, size_t count)
{
	machine->exits = exits;
	machine->exit_count = count;
}

void recording_in_guest(struct machine *machine, void (*in_guest)(struct cpu *cpu))
{
	machine->in_guest = in_guest;
}

void recording_assert_interrupt(struct machine *machine)
{
	machine->irq_asserted = true;
}

void recording_answer_mmio(struct machine *machine, uint64_t address, uint32_t value, unsigned int times)
{
	machine->answer_address = address;
	machine->answer_value = value;
	machine->answer_times = times;
}

void recording_when_a_line_comes(struct machine *machine, void (*act)(void *context, const struct request *request), void *context)
{
	machine->when_a_line_comes = act;
	machine->line_context = context;
}

void recording_while_waiting(struct machine *machine, bool (*act)(void *context, line_id line), void *context)
{
	machine->while_waiting = act;
	machine->waiting_context = context;
}

void recording_while_idle(struct machine *machine, bool (*act)(void *context, struct cpu *cpu), void *context)
{
	machine->while_idle = act;
	machine->idle_context = context;
}
