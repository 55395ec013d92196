// SPDX-License-Identifier: Apache-2.0
// The bench and the main program: `test_gic NAME` runs one test.
#include "bench.hpp"

#include <cstdio>
#include <cstring>

using convoy::gicv3;

static unsigned int checks, failures;

void check_equal(const char *file, int line, const char *what, uint64_t actual, uint64_t expected)
{
	checks++;
	if (actual == expected)
		return;
	failures++;
	std::fprintf(stderr, "%s:%d: %s is 0x%llx, expected 0x%llx\n", file, line, what, (unsigned long long)actual,
		     (unsigned long long)expected);
}

bench::bench(const gicv3_config &config, convoy::interconnect::path_latency path)
	: bus("bus", config.cpus, std::move(path)), gic("gic", config, bus), lines(config.cpus)
{
	for (uint32_t n = 0; n < config.cpus; n++) {
		cpus.push_back(std::make_unique<requester>(sc_core::sc_gen_unique_name("cpu"), cpu_id{ n }));
		cpus[n]->socket.bind(bus.cpu_socket);
		gic.connect_cpu({ n }, this);
	}
	sc_core::sc_start(sc_core::SC_ZERO_TIME);
}

answer transport_as(requester &from, tlm::tlm_command command, uint64_t address, unsigned int bytes, uint64_t value,
		    sc_time delay)
{
	unsigned char data[16] = {};
	tlm::tlm_generic_payload payload;

	std::memcpy(data, &value, sizeof(value));
	payload.set_command(command);
	payload.set_address(address);
	payload.set_data_ptr(data);
	payload.set_data_length(bytes);
	payload.set_streaming_width(bytes);
	payload.set_extension(&from.extension);
	from.socket->b_transport(payload, delay);
	payload.clear_extension(&from.extension);
	std::memcpy(&value, data, sizeof(value));
	CHECK_EQUAL(payload.get_address(), address);
	return { payload.get_response_status(), value, delay };
}

answer bench::transport(uint32_t cpu, tlm::tlm_command command, uint64_t address, unsigned int bytes, uint64_t value,
			sc_time delay)
{
	return transport_as(*cpus[cpu], command, address, bytes, value, delay);
}

uint32_t bench::read(uint64_t address, uint32_t cpu)
{
	const answer a = transport(cpu, tlm::TLM_READ_COMMAND, address, 4);

	CHECK_EQUAL(a.status, tlm::TLM_OK_RESPONSE);
	return uint32_t(a.value);
}

void bench::write(uint64_t address, uint32_t value, uint32_t cpu)
{
	CHECK_EQUAL(transport(cpu, tlm::TLM_WRITE_COMMAND, address, 4, value).status, tlm::TLM_OK_RESPONSE);
}

void bench::boot(uint32_t cpu)
{
	write(gicd_address(GICD_CTLR), 0x2, cpu);
	own_write(cpu, GICR_WAKER, 0);
	own_write(cpu, GICR_IGROUPR0, 0xffffffff);
	for (uint32_t n = 0; n < 8; n++)
		own_write(cpu, GICR_IPRIORITYR + 4 * n, 0xa0a0a0a0);
	icc_write(cpu, ICC_PMR_EL1, 0xf0);
	icc_write(cpu, ICC_IGRPEN1_EL1, 1);
}

void bench::irq_line(cpu_id cpu, bool asserted, sc_time when)
{
	CHECK(lines[cpu.n] != asserted);
	lines[cpu.n] = asserted;
	changes.push_back({ cpu.n, asserted, when });
}

static const struct {
	const char *name;
	void (*run)();
} tests[] = {
#define GIC_TEST(name) { #name, test_##name },
#include "tests.def"
#undef GIC_TEST
};

int sc_main(int argc, char **argv)
{
	sc_core::sc_set_time_resolution(1, sc_core::SC_FS);
	for (const auto &test : tests) {
		if (argc != 2 || std::strcmp(argv[1], test.name) != 0)
			continue;
		test.run();
		std::printf("%s: %u checks, %u failed\n", test.name, checks, failures);
		return failures || !checks;
	}
	std::fprintf(stderr, "usage: test_gic NAME, with a NAME of tests.def\n");
	return 2;
}
