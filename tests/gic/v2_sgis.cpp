// SPDX-License-Identifier: Apache-2.0
// SGIs of a GICv2: GICD_SGIR, pending once for each sender, GICD_SPENDSGIR and GICD_CPENDSGIR, their time. IHI 0048, 4.3.13 to 4.3.16.
#include "bench_v2.hpp"

static constexpr uint32_t spurious = bench_v2::spurious;

#define CHECK_TIME(actual, expected) CHECK_EQUAL((actual).value(), (expected).value())

static constexpr uint32_t sgir(uint32_t filter, uint32_t targets, uint32_t interrupt)
{
	return filter << 24 | targets << 16 | interrupt;
}

static void boot(bench_v2 &b, uint32_t cpus)
{
	for (uint32_t cpu = 0; cpu < cpus; cpu++)
		b.boot(cpu);
}

static uint32_t lines(const bench_v2 &b)
{
	uint32_t bits = 0;

	for (uint32_t cpu = 0; cpu < b.line.size(); cpu++)
		bits |= uint32_t(b.line[cpu]) << cpu;
	return bits;
}

void test_v2_sgir_filters()
{
	bench_v2 b(v2_with_cpus(4));

	boot(b, 4);
	b.gicd(1, V2_GICD_SGIR, sgir(0, 0x5, 7));  // a list
	CHECK_EQUAL(lines(b), 0x5);
	CHECK_EQUAL(b.gicc(0, V2_GICC_IAR), 1 << 10 | 7);
	CHECK_EQUAL(b.gicc(2, V2_GICC_IAR), 1 << 10 | 7);
	b.gicc(0, V2_GICC_EOIR, 1 << 10 | 7);
	b.gicc(2, V2_GICC_EOIR, 1 << 10 | 7);
	CHECK_EQUAL(lines(b), 0);
	b.gicd(1, V2_GICD_SGIR, sgir(0, 0, 7));    // nobody
	b.gicd(1, V2_GICD_SGIR, sgir(3, 0xf, 7));  // reserved
	CHECK_EQUAL(lines(b), 0);
	b.gicd(1, V2_GICD_SGIR, sgir(1, 0, 3));    // all but itself
	CHECK_EQUAL(lines(b), 0xd);
	b.gicd(1, V2_GICD_SGIR, sgir(2, 0x4, 15)); // itself alone
	CHECK_EQUAL(lines(b), 0xf);
	CHECK_EQUAL(b.gicc(1, V2_GICC_IAR), 1 << 10 | 15);
	CHECK_EQUAL(b.gicc(2, V2_GICC_IAR), 1 << 10 | 3);
}

// The same SGI from two CPUs is two interrupts, from one CPU twice it is one; the second comes after the first is deactivated.
void test_v2_sgi_senders()
{
	bench_v2 b(v2_with_cpus(4));

	boot(b, 4);
	b.gicd(3, V2_GICD_SGIR, sgir(0, 0x1, 5));
	b.gicd(2, V2_GICD_SGIR, sgir(0, 0x1, 5));
	b.gicd(2, V2_GICD_SGIR, sgir(0, 0x1, 5));
	CHECK_EQUAL(b.gicd(0, V2_GICD_ISPENDR), 1 << 5);
	CHECK_EQUAL(b.gicc(0, V2_GICC_HPPIR), 2 << 10 | 5);
	CHECK_EQUAL(b.gicc(0, V2_GICC_IAR), 2 << 10 | 5);
	CHECK_EQUAL(b.gicc(0, V2_GICC_IAR), spurious);
	CHECK_EQUAL(b.gicd(0, V2_GICD_ISPENDR), 1 << 5);
	CHECK_EQUAL(b.gicd(0, V2_GICD_ISACTIVER), 1 << 5);
	b.gicc(0, V2_GICC_EOIR, 2 << 10 | 5);
	CHECK_EQUAL(b.gicc(0, V2_GICC_IAR), 3 << 10 | 5);
	b.gicc(0, V2_GICC_EOIR, 3 << 10 | 5);
	CHECK_EQUAL(b.gicc(0, V2_GICC_IAR), spurious);
	CHECK_EQUAL(b.gicd(0, V2_GICD_ISPENDR), 0);
}

// A byte for each SGI, a bit in it for each sender; banked; a kernel saves and restores them.
void test_v2_sgi_pending_registers()
{
	bench_v2 b(v2_with_cpus(4));

	boot(b, 4);
	b.gicd(1, V2_GICD_SGIR, sgir(0, 0x9, 6));
	b.gicd(2, V2_GICD_SGIR, sgir(0, 0x1, 6));
	CHECK_EQUAL(b.gicd(0, V2_GICD_SPENDSGIR + 4), 0x6 << 16);
	CHECK_EQUAL(b.gicd(0, V2_GICD_CPENDSGIR + 4), 0x6 << 16);
	CHECK_EQUAL(b.gicd(3, V2_GICD_CPENDSGIR + 4), 0x2 << 16);
	CHECK_EQUAL(b.gicd(1, V2_GICD_CPENDSGIR + 4), 0);
	b.transport(0, tlm::TLM_WRITE_COMMAND, V2_GICD_BASE + V2_GICD_CPENDSGIR + 6, 1, 0x2);
	CHECK_EQUAL(b.gicd(0, V2_GICD_SPENDSGIR + 4), 0x4 << 16);
	CHECK_EQUAL(b.gicd(3, V2_GICD_SPENDSGIR + 4), 0x2 << 16);
	CHECK(b.line[0]);
	b.gicd(0, V2_GICD_CPENDSGIR + 4, 0xffffffff);
	CHECK(!b.line[0]);
	CHECK_EQUAL(b.gicd(0, V2_GICD_ISPENDR), 0);
	b.gicd(0, V2_GICD_SPENDSGIR + 12, 0x8u << 24);
	CHECK_EQUAL(b.gicc(0, V2_GICC_IAR), 3 << 10 | 15);
}

// The write goes to the GIC, waits its turn, and the SGI is pending sgi_latency after it was served.
void test_v2_sgi_latency()
{
	gicv2_config config = v2_with_cpus(3);
	config.service = ns(8);
	config.line_latency = ns(3);
	config.sgi_latency = ns(100);
	bench_v2 b(config, [](cpu_id cpu, uint32_t) { return ns(10 + cpu.n); });

	boot(b, 3);
	b.changes.clear();
	bench::advance(ns(5000));
	b.gicd(1, V2_GICD_SGIR, sgir(0, 0x5, 5));  // served at 5011 to 5019
	CHECK_EQUAL(b.changes.size(), 0);
	bench::advance(ns(95));
	CHECK_EQUAL(b.gicd(2, V2_GICD_ISPENDR), 0);       // served until 5115
	CHECK_EQUAL(b.changes.size(), 0);
	bench::advance(ns(4));
	CHECK_EQUAL(b.gicd(2, V2_GICD_ISPENDR), 1 << 5);  // served until 5123, arrived at 5119
	CHECK_EQUAL(b.changes.size(), 1);
	CHECK_EQUAL(b.changes[0].cpu, 2);
	CHECK_TIME(b.changes[0].when, ns(5000 + 11 + 8 + 100 + 3));
	bench::advance(ns(100));
	CHECK_EQUAL(b.changes.size(), 2);
	CHECK_EQUAL(b.changes[1].cpu, 0);
	CHECK_TIME(b.changes[1].when, ns(5000 + 11 + 8 + 100 + 3));
}
