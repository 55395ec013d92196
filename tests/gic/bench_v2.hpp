// SPDX-License-Identifier: Apache-2.0
/* The bench of the GICv2 tests: as bench.hpp, with a GICv2 and the frames by name. What tests expect comes from IHI 0048. */
#ifndef CONVOY_TESTS_GIC_BENCH_V2_HPP
#define CONVOY_TESTS_GIC_BENCH_V2_HPP

#include "bench.hpp"
#include "model/gic/gicv2.hpp"

using convoy::gicv2_config;

inline gicv2_config v2_with_cpus(uint32_t cpus)
{
	gicv2_config config;

	config.cpus = cpus;
	return config;
}

class bench_v2 : public convoy::cpu_irq_if {
public:
	static constexpr uint32_t spurious = 1023;

	explicit bench_v2(const gicv2_config &config = v2_with_cpus(1),
			  convoy::interconnect::path_latency path = bench::no_latency);

	answer transport(uint32_t cpu, tlm::tlm_command command, uint64_t address, unsigned int bytes, uint64_t value = 0,
			 sc_time delay = sc_core::SC_ZERO_TIME);
	// 32-bit accesses that must succeed, in the frame's names.
	uint32_t read(uint32_t cpu, uint64_t address);
	void write(uint32_t cpu, uint64_t address, uint32_t value);
	uint32_t gicd(uint32_t cpu, uint32_t offset) { return read(cpu, V2_GICD_BASE + offset); }
	void gicd(uint32_t cpu, uint32_t offset, uint32_t value) { write(cpu, V2_GICD_BASE + offset, value); }
	uint32_t gicc(uint32_t cpu, uint32_t offset) { return read(cpu, V2_GICC_BASE + offset); }
	void gicc(uint32_t cpu, uint32_t offset, uint32_t value) { write(cpu, V2_GICC_BASE + offset, value); }
	uint32_t gich(uint32_t cpu, uint32_t offset) { return read(cpu, V2_GICH_BASE + offset); }
	void gich(uint32_t cpu, uint32_t offset, uint32_t value) { write(cpu, V2_GICH_BASE + offset, value); }
	uint32_t gicv(uint32_t cpu, uint32_t offset) { return read(cpu, V2_GICV_BASE + offset); }
	void gicv(uint32_t cpu, uint32_t offset, uint32_t value) { write(cpu, V2_GICV_BASE + offset, value); }

	void ppi(uint32_t cpu, uint32_t irq, bool level) { gic.set_ppi_level({ cpu }, { irq }, level, bench::now()); }

	// What a kernel does before it takes interrupts: on, mask open, priority 0xa0 for INTIDs 0-31, which are all enabled.
	void boot(uint32_t cpu);

	void irq_line(cpu_id cpu, bool asserted, sc_time when) override;
	void virq_line(cpu_id cpu, bool asserted, sc_time when) override;

	convoy::interconnect bus;
	convoy::gicv2 gic;
	std::vector<std::unique_ptr<requester>> cpus;
	std::vector<bool> line, virq;
	std::vector<line_change> changes, virq_changes;
};

#endif
