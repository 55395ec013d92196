// SPDX-License-Identifier: Apache-2.0
/*
 * A bench for the other interrupt controllers: one behind an interconnect, an initiator for each CPU, both lines of every CPU. Tests use
 * system registers and sockets only.
 */
#ifndef CONVOY_TESTS_GIC_OTHER_BENCH_HPP
#define CONVOY_TESTS_GIC_OTHER_BENCH_HPP

#include "bench.hpp"

class other_bench : public convoy::cpu_irq_if {
public:
	explicit other_bench(uint32_t cpus) : bus("bus", cpus, bench::no_latency), lines(cpus), vlines(cpus), since(cpus), vsince(cpus)
	{
		for (uint32_t n = 0; n < cpus; n++) {
			initiators.push_back(std::make_unique<requester>(sc_core::sc_gen_unique_name("cpu"), cpu_id{ n }));
			initiators[n]->socket.bind(bus.cpu_socket);
		}
	}

	// After the controller was built on `bus`.
	void start(convoy::gic_model &model)
	{
		gic = &model;
		for (uint32_t n = 0; n < initiators.size(); n++)
			gic->connect_cpu({ n }, this);
		sc_core::sc_start(sc_core::SC_ZERO_TIME);
	}

	uint64_t read(uint32_t cpu, enum sysreg reg)
	{
		uint64_t value = 0;

		CHECK(gic->register_read({ cpu }, reg, bench::now(), &value));
		return value;
	}
	void write(uint32_t cpu, enum sysreg reg, uint64_t value) { CHECK(gic->register_write({ cpu }, reg, value, bench::now())); }
	void ppi(uint32_t cpu, uint32_t irq, bool level) { gic->set_ppi_level({ cpu }, { irq }, level, bench::now()); }

	uint64_t mmio(uint32_t cpu, tlm::tlm_command command, uint64_t address, unsigned int bytes, uint64_t value = 0)
	{
		sc_time delay;
		tlm::tlm_generic_payload payload;

		payload.set_command(command);
		payload.set_address(address);
		payload.set_data_ptr(reinterpret_cast<unsigned char *>(&value));
		payload.set_data_length(bytes);
		payload.set_streaming_width(bytes);
		payload.set_extension(&initiators[cpu]->extension);
		initiators[cpu]->socket->b_transport(payload, delay);
		payload.clear_extension(&initiators[cpu]->extension);
		status = payload.get_response_status();
		return value;
	}
	uint64_t mmio_read(uint32_t cpu, uint64_t address, unsigned int bytes = 4) { return mmio(cpu, tlm::TLM_READ_COMMAND, address, bytes); }
	void mmio_write(uint32_t cpu, uint64_t address, uint64_t value, unsigned int bytes = 4)
	{
		mmio(cpu, tlm::TLM_WRITE_COMMAND, address, bytes, value);
	}

	void irq_line(cpu_id cpu, bool asserted, sc_time when) override
	{
		lines[cpu.n] = asserted;
		since[cpu.n] = when;
	}
	void virq_line(cpu_id cpu, bool asserted, sc_time when) override
	{
		vlines[cpu.n] = asserted;
		vsince[cpu.n] = when;
	}

	convoy::interconnect bus;
	convoy::gic_model *gic = nullptr;
	std::vector<std::unique_ptr<requester>> initiators;
	std::vector<bool> lines, vlines;
	std::vector<sc_time> since, vsince;  // of the last change
	tlm::tlm_response_status status = tlm::TLM_INCOMPLETE_RESPONSE;
};

#endif
