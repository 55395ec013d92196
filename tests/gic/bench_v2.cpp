// SPDX-License-Identifier: Apache-2.0
// See bench_v2.hpp.
#include "bench_v2.hpp"

bench_v2::bench_v2(const gicv2_config &config, convoy::interconnect::path_latency path)
	: bus("bus", config.cpus, std::move(path)), gic("gic", config, bus), line(config.cpus), virq(config.cpus)
{
	for (uint32_t n = 0; n < config.cpus; n++) {
		cpus.push_back(std::make_unique<requester>(sc_core::sc_gen_unique_name("cpu"), cpu_id{ n }));
		cpus[n]->socket.bind(bus.cpu_socket);
		gic.connect_cpu({ n }, this);
	}
	sc_core::sc_start(sc_core::SC_ZERO_TIME);
}

answer bench_v2::transport(uint32_t cpu, tlm::tlm_command command, uint64_t address, unsigned int bytes, uint64_t value,
			   sc_time delay)
{
	return transport_as(*cpus[cpu], command, address, bytes, value, delay);
}

uint32_t bench_v2::read(uint32_t cpu, uint64_t address)
{
	const answer a = transport(cpu, tlm::TLM_READ_COMMAND, address, 4);

	CHECK_EQUAL(a.status, tlm::TLM_OK_RESPONSE);
	return uint32_t(a.value);
}

void bench_v2::write(uint32_t cpu, uint64_t address, uint32_t value)
{
	CHECK_EQUAL(transport(cpu, tlm::TLM_WRITE_COMMAND, address, 4, value).status, tlm::TLM_OK_RESPONSE);
}

void bench_v2::boot(uint32_t cpu)
{
	gicd(cpu, V2_GICD_CTLR, 1);
	gicd(cpu, V2_GICD_ISENABLER, 0xffffffff);
	for (uint32_t n = 0; n < 8; n++)
		gicd(cpu, V2_GICD_IPRIORITYR + 4 * n, 0xa0a0a0a0);
	gicc(cpu, V2_GICC_PMR, 0xf0);
	gicc(cpu, V2_GICC_CTLR, 1);
}

void bench_v2::irq_line(cpu_id cpu, bool asserted, sc_time when)
{
	CHECK(line[cpu.n] != asserted);
	line[cpu.n] = asserted;
	changes.push_back({ cpu.n, asserted, when });
}

void bench_v2::virq_line(cpu_id cpu, bool asserted, sc_time when)
{
	CHECK(virq[cpu.n] != asserted);
	virq[cpu.n] = asserted;
	virq_changes.push_back({ cpu.n, asserted, when });
}
