// SPDX-License-Identifier: Apache-2.0
/*
 * model/machine.h on SystemC: forwards the software's requests. A request is charged with the host's cost of its class;
 * nothing here decides what software does.
 */
#include <cassert>

#include "model/cpu/machine_state.hpp"

namespace {

sc_core::sc_time absolute(ps_t when)
{
	return sc_core::sc_time::from_value(when * 1000);
}

}

extern "C" {

cpu_id cpu_number(const struct cpu *cpu)
{
	return cpu->core->id();
}

ps_t cpu_now(const struct cpu *cpu)
{
	return cpu->core->now();
}

struct machine *cpu_machine(const struct cpu *cpu)
{
	return cpu->machine;
}

void cpu_spend(struct cpu *cpu, ps_t cost)
{
	cpu->core->spend(cost);
}

void cpu_load_store(struct cpu *cpu, unsigned int count)
{
	cpu->core->spend(count * cpu->core->config().load_store);
}

void cpu_exception_entry(struct cpu *cpu)
{
	cpu->core->spend(cpu->core->config().exception_entry);
}

void cpu_exception_return(struct cpu *cpu)
{
	cpu->core->spend(cpu->core->config().exception_return);
}

uint64_t cpu_sysreg_read(struct cpu *cpu, enum sysreg reg)
{
	convoy::core &core = *cpu->core;
	uint64_t value;

	core.counters.sysreg_accesses++;
	core.spend(core.config().sysreg_read[sysreg_class_of(reg)]);
	switch (sysreg_class_of(reg)) {
	case SYSREG_ICH:
	case SYSREG_GICV5:
		if (cpu->machine->gic->must_catch_up(reg))
			core.synchronise();
		if (cpu->machine->gic->register_read(core.id(), reg, absolute(core.now()), &value))
			return value;
		break;
	case SYSREG_TIMER:
	case SYSREG_COUNTER:
		if (core.timer().read(reg, core.now(), &value))
			return value;
		break;
	case SYSREG_ORDINARY:
		break;
	}
	return core.sysreg[reg];
}

void cpu_sysreg_write(struct cpu *cpu, enum sysreg reg, uint64_t value)
{
	convoy::core &core = *cpu->core;

	core.counters.sysreg_accesses++;
	core.spend(core.config().sysreg_write[sysreg_class_of(reg)]);
	switch (sysreg_class_of(reg)) {
	case SYSREG_ICH:
	case SYSREG_GICV5:
		if (cpu->machine->gic->must_catch_up(reg))
			core.synchronise();
		if (cpu->machine->gic->register_write(core.id(), reg, value, absolute(core.now())))
			return;
		break;
	case SYSREG_TIMER:
	case SYSREG_COUNTER:
		if (core.timer().write(reg, core.now(), value))
			return;
		break;
	case SYSREG_ORDINARY:
		break;
	}
	core.sysreg[reg] = value;
}

void cpu_barrier(struct cpu *cpu, enum barrier barrier)
{
	convoy::core &core = *cpu->core;

	switch (barrier) {
	case BARRIER_ISB:
		core.spend(core.config().isb);
		break;
	case BARRIER_DSB:
		core.wait_for_releases();
		core.wait_for_device_writes();
		core.spend(core.config().dsb);
		break;
	case BARRIER_DMB:
		core.wait_for_releases();
		if (core.config().release_waits)
			core.wait_for_device_writes();
		core.spend(core.config().dmb);
		break;
	}
}

bool irq_save(struct cpu *cpu)
{
	const bool were_enabled = cpu->core->interrupts_enabled;

	cpu->core->interrupts_enabled = false;
	cpu->core->spend(cpu->core->config().irq_mask);
	return were_enabled;
}

void irq_restore(struct cpu *cpu, bool were_enabled)
{
	struct machine *machine = cpu->machine;

	cpu->core->interrupts_enabled = were_enabled;
	cpu->core->spend(cpu->core->config().irq_mask);
	if (!were_enabled || !machine->interrupt)
		return;
	// The handler may switch threads: afterwards this thread may be on another CPU.
	while (cpu->core->irq_pending()) {
		cpu->core->interrupts_enabled = false;
		machine->interrupt(cpu, machine->interrupt_context);
		cpu->core->interrupts_enabled = true;
	}
}

void machine_on_interrupt(struct machine *machine, void (*handler)(struct cpu *cpu, void *context), void *context)
{
	machine->interrupt = handler;
	machine->interrupt_context = context;
}

line_id line_create(struct machine *machine, const char *name, uint32_t instance)
{
	return machine->lines.create(name, instance);
}

void line_read(struct cpu *cpu, line_id line)
{
	cpu->core->line_access(line, false);
}

void line_own(struct cpu *cpu, line_id line)
{
	cpu->core->line_access(line, true);
}

void line_atomic(struct cpu *cpu, line_id line, enum order order)
{
	convoy::core &core = *cpu->core;

	if (order != ORDER_RELAXED)
		core.wait_for_releases();
	if (order >= ORDER_RELEASE && core.config().release_waits)
		core.wait_for_device_writes();
	core.line_atomic(line);
}

void line_release(struct cpu *cpu, line_id line, store_action store, void *object)
{
	cpu->core->line_release(line, store, object);
}

void line_wait(struct cpu *cpu, line_id line)
{
	cpu->core->watch_line(line);
}

uint32_t mmio_read(struct cpu *cpu, uint64_t address)
{
	return (uint32_t)cpu->core->device_read(address, 4);
}

void mmio_write(struct cpu *cpu, uint64_t address, uint32_t value)
{
	cpu->core->device_write(address, value, 4);
}

uint64_t mmio_read64(struct cpu *cpu, uint64_t address)
{
	return cpu->core->device_read(address, 8);
}

void mmio_write64(struct cpu *cpu, uint64_t address, uint64_t value)
{
	cpu->core->device_write(address, value, 8);
}

uint64_t gic_frame_address(const struct machine *machine, enum gic_interface frame, cpu_id cpu)
{
	const uint64_t address = machine->gic->frame_address(frame, cpu);

	assert(address != 0 && "a frame that this interrupt controller does not have");
	return address;
}

enum guest_exit cpu_run_guest(struct cpu *cpu, ps_t budget)
{
	return cpu->core->run_guest(budget, cpu->guest_masked);
}

enum guest_exit cpu_guest_wait(struct cpu *cpu)
{
	return cpu->core->guest_wait();
}

void cpu_guest_mask(struct cpu *cpu, bool masked)
{
	cpu->guest_masked = masked;
}

void cpu_wait_for_interrupt(struct cpu *cpu)
{
	cpu->core->wait_for_interrupt();
}

void function_enter(struct cpu *cpu, struct function *function)
{
	convoy::core &core = *cpu->core;

	core.charge_run();
	account_enter(core.accounts(), core.id(), function->name, &function->id);
	core.spend(core.config().call);
}

void function_leave(struct cpu **cpu)
{
	(*cpu)->core->charge_run();
	account_leave((*cpu)->core->accounts(), (*cpu)->core->id());
}

}
