// SPDX-License-Identifier: Apache-2.0
// Builds cores, coherence, interconnect and interrupt controller from a host_config, and runs them; see machine_build.h.
#include "model/cpu/machine_build.h"

#include <cstdlib>
#include <string>

#include "model/cpu/build_gic.hpp"
#include "model/cpu/machine_state.hpp"
#include "model/gic/gicv3.hpp"

// The SystemC library refers to sc_main for programs that start in its main(). Ours start in their own and drive the
// kernel by sc_start alone, so this is never called.
int sc_main(int, char *[])
{
	return 0;
}

extern "C" {

struct machine *machine_build(const struct host_config *config)
{
	sc_core::sc_set_time_resolution(1, sc_core::SC_FS);
	auto *machine = new struct machine(*config);

	for (uint32_t n = 0; n < config->cpus; n++) {
		const std::string name = "cpu" + std::to_string(n);
		machine->cores.push_back(std::make_unique<convoy::core>(name.c_str(), cpu_id{ n }, machine->config,
									machine->accounts, machine->lines, machine->bus));
		machine->cores[n]->line_socket.bind(machine->lines.socket);
		machine->cores[n]->device_socket.bind(machine->bus.cpu_socket);
		machine->handles.emplace_back();
		machine->handles[n].core = machine->cores[n].get();
		machine->handles[n].machine = machine;
	}
	machine->gic = convoy::build_gic(machine->config, machine->mesh, machine->bus);
	// The kernel's software-generated interrupts (GICv2 to v4), its own timer, those of guests, the
	// virtual interface's maintenance.
	machine->gic->boot((config->gic <= HOST_GIC_V4_1 ? 0xffffu : 0) | 1u << convoy::ppi_hyp_timer |
			   1u << convoy::ppi_virtual_timer | 1u << convoy::ppi_physical_timer | 1u << GIC_PPI_MAINTENANCE);
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

}
