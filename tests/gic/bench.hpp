// SPDX-License-Identifier: Apache-2.0
/*
 * The test bench: a GICv3 behind an interconnect, one initiator per CPU, a log of every CPU's interrupt
 * line, and checks. Tests poke registers through the sockets only; what they expect comes from IHI
 * 0069, not from the model. One bench a process (SystemC). Checks report and go on; main fails when one
 * failed or none was made.
 */
#ifndef CONVOY_TESTS_GIC_BENCH_HPP
#define CONVOY_TESTS_GIC_BENCH_HPP

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include <systemc>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>

#include "model/bus/interconnect.hpp"
#include "model/gic/address_map.h"
#include "model/gic/gicv3.hpp"

using convoy::gicv3_config;
using sc_core::SC_NS;
using sc_core::sc_time;

void check_equal(const char *file, int line, const char *what, uint64_t actual, uint64_t expected);
#define CHECK_EQUAL(actual, expected) check_equal(__FILE__, __LINE__, #actual, uint64_t(actual), uint64_t(expected))
#define CHECK(condition) check_equal(__FILE__, __LINE__, #condition, (condition) ? 1 : 0, 1)
// The same with a text that says which of many.
#define CHECK_EQUAL_FOR(what, actual, expected) \
	check_equal(__FILE__, __LINE__, (what), uint64_t(actual), uint64_t(expected))

inline sc_time ns(double n) { return sc_time(n, SC_NS); }

struct answer {
	tlm::tlm_response_status status;
	uint64_t value;
	sc_time delay;  // acknowledgement, relative to sc_time_stamp()
};

struct line_change {
	uint32_t cpu;
	bool asserted;
	sc_time when;
};

struct requester : sc_core::sc_module {
	requester(sc_core::sc_module_name name, cpu_id cpu) : sc_module(name), extension(cpu) {}

	tlm_utils::simple_initiator_socket<requester> socket{ "socket" };
	convoy::cpu_extension extension;
};

// One access by a requester, through its socket.
answer transport_as(requester &from, tlm::tlm_command command, uint64_t address, unsigned int bytes, uint64_t value,
		    sc_time delay);

class bench : public convoy::cpu_irq_if {
public:
	explicit bench(const gicv3_config &config = {}, convoy::interconnect::path_latency path = no_latency);

	answer transport(uint32_t cpu, tlm::tlm_command command, uint64_t address, unsigned int bytes, uint64_t value = 0,
			 sc_time delay = sc_core::SC_ZERO_TIME);
	// 32-bit accesses that must succeed.
	uint32_t read(uint64_t address, uint32_t cpu = 0);
	void write(uint64_t address, uint32_t value, uint32_t cpu = 0);
	// The same in a CPU's own redistributor, by the names of registers.h.
	uint32_t own_read(uint32_t cpu, uint32_t offset) { return read(gicr_address({ cpu }, offset), cpu); }
	void own_write(uint32_t cpu, uint32_t offset, uint32_t value) { write(gicr_address({ cpu }, offset), value, cpu); }

	uint32_t icc_read(uint32_t cpu, gic_offset reg) { return uint32_t(gic.icc_read({ cpu }, reg, now())); }
	void icc_write(uint32_t cpu, gic_offset reg, uint64_t value) { gic.icc_write({ cpu }, reg, value, now()); }
	void ppi(uint32_t cpu, uint32_t irq, bool level) { gic.set_ppi_level({ cpu }, { irq }, level, now()); }
	void spi(uint32_t irq, bool level) { gic.set_spi_level({ irq }, level, now()); }

	// What a kernel does before it takes interrupts: group 1 everywhere, awake, mask open, priority 0xa0 for all.
	void boot(uint32_t cpu);

	bool line(uint32_t cpu) const { return lines[cpu]; }
	static sc_time now() { return sc_core::sc_time_stamp(); }
	static void advance(sc_time duration) { sc_core::sc_start(duration); }

	void irq_line(cpu_id cpu, bool asserted, sc_time when) override;
	void virq_line(cpu_id, bool, sc_core::sc_time) override {}

	static sc_time no_latency(cpu_id, uint32_t) { return sc_core::SC_ZERO_TIME; }

	convoy::interconnect bus;
	convoy::gicv3 gic;
	std::vector<std::unique_ptr<requester>> cpus;
	std::vector<bool> lines;
	std::vector<line_change> changes;
};

inline gicv3_config with_cpus(uint32_t cpus)
{
	gicv3_config config;

	config.cpus = cpus;
	return config;
}

// The tests.
#define GIC_TEST(name) void test_##name();
#include "tests.def"
#undef GIC_TEST

#endif
