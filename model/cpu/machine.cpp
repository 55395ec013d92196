// SPDX-License-Identifier: Apache-2.0
/*
 * model/machine.h on SystemC: builds cores, coherence, interconnect and GIC, and forwards the software's requests.
 * A request is charged with the host's cost of its class; nothing here decides what software does.
 */
#include "model/machine.h"

#include <algorithm>
#include <cassert>
#include <memory>
#include <string>
#include <vector>

#include "model/bus/interconnect.hpp"
#include "model/cpu/core.hpp"
#include "model/cpu/machine_build.h"
#include "model/gic/gicv3.hpp"

// The SystemC library refers to sc_main for programs that start in its main(). Ours start in their own and drive the
// kernel by sc_start alone, so this is never called.
int sc_main(int, char *[])
{
	return 0;
}

struct cpu {
	convoy::core *core;
	struct machine *machine;
};

struct machine {
	explicit machine(const host_config &c)
		: config(c), mesh(config), accounts(account_new(config.cpus)), lines("lines", config),
		  bus("bus", config.cpus,
		      [this](cpu_id cpu, uint32_t crosspoint) {
			      return sc_core::sc_time::from_value(
				      1000 * mesh.latency(mesh.of_cpu(cpu), convoy::crosspoint{ crosspoint }));
		      })
	{
	}

	host_config config;
	convoy::mesh mesh;
	struct account *accounts;
	convoy::coherence lines;
	convoy::interconnect bus;
	std::unique_ptr<convoy::gicv3> gic;
	std::vector<std::unique_ptr<convoy::core>> cores;
	std::vector<cpu> handles;
};

namespace {

// GIC CPU-interface registers that the GIC model implements; the ICH_* ones only keep their value.
bool icc_register(enum sysreg reg, gic_offset *offset)
{
	switch (reg) {
	case SYS_ICC_IAR1_EL1:
		*offset = ICC_IAR1_EL1;
		return true;
	case SYS_ICC_EOIR1_EL1:
		*offset = ICC_EOIR1_EL1;
		return true;
	case SYS_ICC_DIR_EL1:
		*offset = ICC_DIR_EL1;
		return true;
	case SYS_ICC_PMR_EL1:
		*offset = ICC_PMR_EL1;
		return true;
	default:
		return false;
	}
}

sc_core::sc_time absolute(ps_t when)
{
	return sc_core::sc_time::from_value(when * 1000);
}

}

extern "C" {

struct machine *machine_build(const struct host_config *config)
{
	sc_core::sc_set_time_resolution(1, sc_core::SC_FS);
	auto *machine = new struct machine(*config);

	machine->handles.resize(config->cpus);
	for (uint32_t n = 0; n < config->cpus; n++) {
		const std::string name = "cpu" + std::to_string(n);
		machine->cores.push_back(std::make_unique<convoy::core>(name.c_str(), cpu_id{ n }, machine->config,
									machine->accounts, machine->lines, machine->bus));
		machine->cores[n]->line_socket.bind(machine->lines.socket);
		machine->cores[n]->device_socket.bind(machine->bus.cpu_socket);
		machine->handles[n] = { machine->cores[n].get(), machine };
	}
	convoy::gicv3_config gic;
	gic.cpus = config->cpus;
	gic.priority_bits = config->gic_priority_bits;
	gic.distributor_crosspoint = config->gic_crosspoint;
	gic.distributor_service = sc_core::sc_time::from_value(1000 * config->redistributor_service);
	gic.redistributor_service = gic.distributor_service;
	machine->gic = std::make_unique<convoy::gicv3>("gic", gic, machine->bus);
	machine->gic->boot(1u << convoy::ppi_virtual_timer | 1u << convoy::ppi_physical_timer);
	for (uint32_t n = 0; n < config->cpus; n++) {
		machine->gic->connect_cpu({ n }, machine->cores[n].get());
		machine->cores[n]->timer().connect([machine, n](intid ppi, bool level, sc_core::sc_time when) {
			machine->gic->set_ppi_level({ n }, ppi, level, when);
		});
	}
	return machine;
}

struct account *machine_account(struct machine *machine)
{
	return machine->accounts;
}

void machine_run_until(struct machine *, ps_t until)
{
	const sc_core::sc_time end = sc_core::sc_time::from_value(until * 1000);

	if (end > sc_core::sc_time_stamp())
		sc_core::sc_start(end - sc_core::sc_time_stamp());
}

void machine_close_accounts(struct machine *machine, ps_t end)
{
	for (auto &core : machine->cores)
		core->close_account(end);
}

struct machine_counters machine_count(const struct machine *machine)
{
	struct machine_counters sum = {};

	for (const auto &core : machine->cores) {
		sum.line_accesses += core->counters.line_accesses;
		sum.device_writes += core->counters.device_writes;
		sum.device_reads += core->counters.device_reads;
		sum.sysreg_accesses += core->counters.sysreg_accesses;
		sum.catch_ups += core->counters.catch_ups;
	}
	sum.line_transactions = machine->lines.transactions();
	return sum;
}

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
	gic_offset offset;
	uint64_t value;

	core.counters.sysreg_accesses++;
	core.spend(core.config().sysreg_read[sysreg_class_of(reg)]);
	if (icc_register(reg, &offset))
		return cpu->machine->gic->icc_read(core.id(), offset, absolute(core.now()));
	if (core.timer().read(reg, core.now(), &value))
		return value;
	return core.sysreg[reg];
}

void cpu_sysreg_write(struct cpu *cpu, enum sysreg reg, uint64_t value)
{
	convoy::core &core = *cpu->core;
	gic_offset offset;

	core.counters.sysreg_accesses++;
	core.spend(core.config().sysreg_write[sysreg_class_of(reg)]);
	if (icc_register(reg, &offset))
		cpu->machine->gic->icc_write(core.id(), offset, value, absolute(core.now()));
	else if (!core.timer().write(reg, core.now(), value))
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
	cpu->core->interrupts_enabled = were_enabled;
	cpu->core->spend(cpu->core->config().irq_mask);
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
	return cpu->core->device_read(address);
}

void mmio_write(struct cpu *cpu, uint64_t address, uint32_t value)
{
	cpu->core->device_write(address, value);
}

uint64_t gic_redistributor_address(const struct machine *machine, cpu_id cpu)
{
	return machine->gic->redistributor_address(cpu);
}

enum guest_exit cpu_run_guest(struct cpu *cpu, ps_t budget)
{
	return cpu->core->run_guest(budget);
}

void cpu_wait_for_interrupt(struct cpu *cpu)
{
	cpu->core->wait_for_interrupt();
}

void task_create(struct machine *machine, cpu_id cpu, task_body body, void *argument)
{
	machine->cores[cpu.n]->start(&machine->handles[cpu.n], body, argument);
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
