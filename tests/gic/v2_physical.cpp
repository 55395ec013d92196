// SPDX-License-Identifier: Apache-2.0
// Distributor and CPU interfaces of a GICv2, and the one queue in front of all of it. IHI 0048, 4.3 and 4.4.
#include "bench_v2.hpp"

#include <stdexcept>

static constexpr uint32_t vtimer = 27, ptimer = 30, spurious = bench_v2::spurious;
static constexpr auto READ = tlm::TLM_READ_COMMAND;
static constexpr auto WRITE = tlm::TLM_WRITE_COMMAND;

#define CHECK_TIME(actual, expected) CHECK_EQUAL((actual).value(), (expected).value())

void test_v2_reset()
{
	gicv2_config config = v2_with_cpus(4);
	config.spis = 64;
	config.list_registers = 6;
	bench_v2 b(config);

	CHECK_EQUAL(b.gicd(0, V2_GICD_CTLR), 0);
	CHECK_EQUAL(b.gicd(0, V2_GICD_TYPER), 2 | 3 << 5 | 1 << 10);  // 96 INTIDs, 4 CPUs, Security Extensions
	CHECK_EQUAL(b.gicd(0, V2_GICD_ICPIDR2) >> 4, 2);              // ArchRev
	CHECK_EQUAL(b.gicd(0, V2_GICD_ICFGR), 0xaaaaaaaa);            // SGIs: edge-triggered
	CHECK_EQUAL(b.gicd(0, V2_GICD_IGROUPR), 0);                   // Non-secure: RAZ/WI
	for (uint32_t cpu = 0; cpu < 4; cpu++) {
		CHECK_EQUAL(b.gicc(cpu, V2_GICC_CTLR), 0);
		CHECK_EQUAL(b.gicc(cpu, V2_GICC_PMR), 0);
		CHECK_EQUAL(b.gicc(cpu, V2_GICC_IAR), spurious);
		CHECK_EQUAL(b.gicc(cpu, V2_GICC_HPPIR), spurious);
		CHECK_EQUAL(b.gicc(cpu, V2_GICC_RPR), 0xff);
		CHECK_EQUAL(b.gich(cpu, V2_GICH_VTR), 5 | 4u << 26 | 4u << 29);
		CHECK_EQUAL(b.gich(cpu, V2_GICH_ELRSR), 0x3f);
		CHECK_EQUAL(b.gich(cpu, V2_GICH_ELRSR + 4), 0);
		CHECK_EQUAL(b.gich(cpu, V2_GICH_HCR), 0);
		CHECK_EQUAL(b.gicv(cpu, V2_GICV_IAR), spurious);
	}
}

// INTIDs 0-31 have a bank for each CPU, SPIs are one for all.
void test_v2_banked_registers()
{
	bench_v2 b(v2_with_cpus(3));

	for (uint32_t offset : { uint32_t(V2_GICD_ISENABLER), uint32_t(V2_GICD_ISACTIVER), uint32_t(V2_GICD_ISPENDR) }) {
		b.gicd(1, offset, 1u << vtimer);
		b.gicd(2, offset, 1u << ptimer);
		CHECK_EQUAL(b.gicd(0, offset), 0);
		CHECK_EQUAL(b.gicd(1, offset), 1u << vtimer);
		CHECK_EQUAL(b.gicd(2, offset), 1u << ptimer);
		b.gicd(1, offset + 0x80, 1u << vtimer | 1u << ptimer);  // the register that clears
		CHECK_EQUAL(b.gicd(1, offset), 0);
		CHECK_EQUAL(b.gicd(2, offset), 1u << ptimer);
		b.gicd(1, offset + 4, 1u << 8);
		CHECK_EQUAL(b.gicd(2, offset + 4), 1u << 8);
	}
	b.gicd(0, V2_GICD_IPRIORITYR + 24, 0xff000000);
	CHECK_EQUAL(b.gicd(0, V2_GICD_IPRIORITYR + 24), 0xf8000000);  // 5 bits
	CHECK_EQUAL(b.gicd(1, V2_GICD_IPRIORITYR + 24), 0);
	for (uint32_t cpu = 0; cpu < 3; cpu++) {
		for (uint32_t n = 0; n < 8; n++)
			CHECK_EQUAL(b.gicd(cpu, V2_GICD_ITARGETSR + 4 * n), 0x01010101u << cpu);
	}
	b.gicd(0, V2_GICD_ISPENDR, 0xffff);  // SGIs: read-only here
	CHECK_EQUAL(b.gicd(0, V2_GICD_ISPENDR), 0);
}

// Pending at every CPU of its list that is open; whoever acknowledges first has it.
void test_v2_spi_targets()
{
	bench_v2 b(v2_with_cpus(3));

	for (uint32_t cpu = 0; cpu < 3; cpu++)
		b.boot(cpu);
	b.gicd(0, V2_GICD_ISENABLER + 4, 1u << 8);
	b.gic.set_spi_level({ 40 }, true, bench::now());
	CHECK(!b.line[0] && !b.line[1] && !b.line[2]);
	b.transport(0, WRITE, V2_GICD_BASE + V2_GICD_ITARGETSR + 40, 1, 0xff);
	CHECK_EQUAL(b.gicd(1, V2_GICD_ITARGETSR + 40), 0x07);  // only CPUs that exist
	CHECK(b.line[0] && b.line[1] && b.line[2]);
	b.transport(0, WRITE, V2_GICD_BASE + V2_GICD_ITARGETSR + 40, 1, 0x06);
	CHECK(!b.line[0] && b.line[1] && b.line[2]);
	CHECK_EQUAL(b.gicc(2, V2_GICC_IAR), 40);
	CHECK(!b.line[0] && !b.line[1] && !b.line[2]);
	CHECK_EQUAL(b.gicc(1, V2_GICC_IAR), spurious);
	CHECK_EQUAL(b.gicd(0, V2_GICD_ISACTIVER + 4), 1u << 8);
	b.gic.set_spi_level({ 40 }, false, bench::now());
	b.gicc(2, V2_GICC_EOIR, 40);
	CHECK_EQUAL(b.gicd(0, V2_GICD_ISACTIVER + 4), 0);
}

// EOImode 0: EOIR does both. EOImode 1 (bit 9 of the Non-secure copy): EOIR drops the priority, DIR deactivates.
void test_v2_cpu_interface()
{
	bench_v2 b;

	b.boot(0);
	b.ppi(0, vtimer, true);
	CHECK(b.line[0]);
	CHECK_EQUAL(b.gicc(0, V2_GICC_HPPIR), vtimer);
	CHECK_EQUAL(b.gicc(0, V2_GICC_IAR), vtimer);
	CHECK(!b.line[0]);
	CHECK_EQUAL(b.gicc(0, V2_GICC_RPR), 0xa0);
	CHECK_EQUAL(b.gicc(0, V2_GICC_APR), 1u << (0xa0 >> 3));
	CHECK_EQUAL(b.gicd(0, V2_GICD_ISACTIVER), 1u << vtimer);
	b.gicc(0, V2_GICC_EOIR, vtimer);
	CHECK(b.line[0]);  // the level is still high
	b.gicc(0, V2_GICC_CTLR, 1 | 1 << 9);
	CHECK_EQUAL(b.gicc(0, V2_GICC_IAR), vtimer);
	b.gicc(0, V2_GICC_EOIR, vtimer);
	CHECK_EQUAL(b.gicc(0, V2_GICC_RPR), 0xff);
	CHECK(!b.line[0]);
	b.ppi(0, ptimer, true);  // others may come
	CHECK(b.line[0]);
	b.ppi(0, ptimer, false);
	b.gicc(0, V2_GICC_DIR, vtimer);
	CHECK(b.line[0]);
	b.gicc(0, V2_GICC_PMR, 0xa0);
	CHECK(!b.line[0]);
	CHECK_EQUAL(b.gicc(0, V2_GICC_IAR), spurious);
	b.gicc(0, V2_GICC_PMR, 0xa8);
	CHECK(b.line[0]);
	b.gicc(0, V2_GICC_CTLR, 0);
	CHECK(!b.line[0]);
	b.gicc(0, V2_GICC_CTLR, 1);
	b.gicd(0, V2_GICD_ICENABLER, 1u << vtimer);  // at once: a GICv2 has no RWP
	CHECK(!b.line[0]);
	b.gicd(0, V2_GICD_ISENABLER, 1u << vtimer);
	b.gicd(0, V2_GICD_ISACTIVER, 1u << vtimer);  // as KVM keeps a timer quiet
	CHECK(!b.line[0]);
	b.gicd(0, V2_GICD_ICACTIVER, 1u << vtimer);
	CHECK(b.line[0]);
	b.gicd(0, V2_GICD_CTLR, 0);
	CHECK(!b.line[0]);
}

void test_v2_reserved_and_sizes()
{
	bench_v2 b;

	CHECK_EQUAL(b.gicd(0, 0x010), 0);
	b.gicd(0, 0x010, 0xffffffff);
	CHECK_EQUAL(b.gicd(0, 0x010), 0);
	CHECK_EQUAL(b.gicd(0, V2_GICD_SGIR), 0);  // write-only
	CHECK_EQUAL(b.transport(0, WRITE, V2_GICD_BASE + V2_GICD_IPRIORITYR + 27, 1, 0x80).status, tlm::TLM_OK_RESPONSE);
	CHECK_EQUAL(b.gicd(0, V2_GICD_IPRIORITYR + 24), 0x80000000);
	CHECK_EQUAL(b.transport(0, READ, V2_GICD_BASE + V2_GICD_IPRIORITYR + 27, 1).value & 0xff, 0x80);
	CHECK_EQUAL(b.transport(0, WRITE, V2_GICD_BASE + V2_GICD_ISENABLER, 1, 1).status, tlm::TLM_BURST_ERROR_RESPONSE);
	CHECK_EQUAL(b.transport(0, READ, V2_GICC_BASE + V2_GICC_IAR, 8).status, tlm::TLM_BURST_ERROR_RESPONSE);
	CHECK_EQUAL(b.transport(0, READ, V2_GICH_BASE + 2, 4).status, tlm::TLM_BURST_ERROR_RESPONSE);
	CHECK_EQUAL(b.transport(0, READ, V2_GICV_BASE + 0x2000, 4).status, tlm::TLM_ADDRESS_ERROR_RESPONSE);
}

// Only the first page of GICC and GICV answers; boot does without GICC_DIR.
void test_v2_4k()
{
	gicv2_config config = v2_with_cpus(2);
	config.cpu_interface_4k = true;
	bench_v2 b(config);

	b.gic.boot(1u << vtimer);
	CHECK_EQUAL(b.transport(0, WRITE, V2_GICC_BASE + V2_GICC_DIR, 4, vtimer).status, tlm::TLM_BURST_ERROR_RESPONSE);
	CHECK_EQUAL(b.transport(0, WRITE, V2_GICV_BASE + V2_GICV_DIR, 4, vtimer).status, tlm::TLM_BURST_ERROR_RESPONSE);
	CHECK_EQUAL(b.gicc(1, V2_GICC_CTLR), 1);
	b.ppi(1, vtimer, true);
	CHECK(b.line[1]);
	CHECK_EQUAL(b.gicc(1, V2_GICC_IAR), vtimer);
	b.gicc(1, V2_GICC_EOIR, vtimer);
	CHECK_EQUAL(b.gicd(1, V2_GICD_ISACTIVER), 0);  // so a level that is still high comes again
	CHECK(b.line[1]);
}

// Whatever frame they go to, accesses are served one after another in the order of their arrival; the line follows the service.
void test_v2_one_queue()
{
	gicv2_config config = v2_with_cpus(4);
	config.service = ns(40);
	config.line_latency = ns(3);
	bench_v2 b(config, [](cpu_id cpu, uint32_t) { return ns(10 + cpu.n); });
	const uint64_t addresses[] = { V2_GICD_BASE + V2_GICD_ISACTIVER, V2_GICC_BASE + V2_GICC_IAR, V2_GICH_BASE + V2_GICH_ELRSR,
				       V2_GICV_BASE + V2_GICV_IAR };

	b.gic.boot(1u << vtimer);
	bench::advance(ns(1000));
	for (uint32_t cpu = 0; cpu < 4; cpu++) {
		CHECK_EQUAL(b.bus.must_catch_up({ cpu }, addresses[cpu]), cpu != 0);
		// arrives at 10 + cpu, served after those before, and the same way back
		CHECK_TIME(b.transport(cpu, READ, addresses[cpu], 4).delay, ns(10 + 40 * (cpu + 1)) + ns(10 + cpu));
	}
	CHECK_EQUAL(b.gic.interface().accesses(), 4);
	CHECK_TIME(b.gic.interface().queued(), ns(40 - 1 + 80 - 2 + 120 - 3));
	CHECK(b.bus.must_catch_up({ 0 }, addresses[3]));  // shared for good, all frames of it

	bench::advance(ns(1000));
	b.ppi(2, vtimer, true);
	CHECK_EQUAL(b.changes.size(), 1);
	CHECK_TIME(b.changes[0].when, ns(2003));
	b.transport(2, READ, V2_GICC_BASE + V2_GICC_IAR, 4);
	CHECK_EQUAL(b.changes.size(), 2);
	CHECK_TIME(b.changes[1].when, ns(2000 + 12 + 40 + 3));
}

void test_v2_bad_configuration()
{
	convoy::interconnect bus("bus", 9, bench::no_latency);
	const auto refused = [&](const gicv2_config &config, const char *what) {
		try {
			convoy::gicv2 gic(sc_core::sc_gen_unique_name("gic"), config, bus);
			CHECK_EQUAL_FOR(what, 0, 1);
		} catch (const std::invalid_argument &) {
			CHECK_EQUAL_FOR(what, 1, 1);
		}
	};
	gicv2_config config = v2_with_cpus(9);

	refused(config, "9 CPUs");
	config = v2_with_cpus(8);
	config.list_registers = 65;
	refused(config, "65 list registers");
	config.list_registers = 64;
	config.spis = 988;
	refused(config, "988 SPIs");
	config.spis = 960;
	convoy::gicv2 gic("gic", config, bus);
	CHECK(gic.frame_address(GIC_FRAME_REDISTRIBUTOR, { 0 }) == 0);
	CHECK_EQUAL(gic.frame_address(GIC_FRAME_HYPERVISOR, { 5 }), V2_GICH_BASE);
}
