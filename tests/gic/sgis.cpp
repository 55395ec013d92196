// SPDX-License-Identifier: Apache-2.0
// When an SGI is pending at its target: sgi_latency and the way after it was sent, in the order of arrival.
#include "bench.hpp"

static constexpr uint32_t spurious = 1023;

#define CHECK_TIME(actual, expected) CHECK_EQUAL((actual).value(), (expected).value())

// CPU n is 10 + n ns from crosspoint 0, and 20 ns more from each further one; redistributor n sits at crosspoint n.
static sc_time path(cpu_id cpu, uint32_t crosspoint)
{
	return ns(10 + cpu.n + 20 * crosspoint);
}

static gicv3_config timed(uint32_t cpus)
{
	gicv3_config config = with_cpus(cpus);

	for (uint32_t n = 0; n < cpus; n++)
		config.redistributor_crosspoint.push_back(n);
	config.line_latency = ns(3);
	config.sgi_latency = ns(100);
	return config;
}

static void ready(bench &b, uint32_t cpus)
{
	for (uint32_t cpu = 0; cpu < cpus; cpu++) {
		b.boot(cpu);
		b.own_write(cpu, GICR_ISENABLER0, 0xffff);
	}
	b.changes.clear();
}

static constexpr uint64_t sgi1r(uint32_t interrupt, uint32_t targets)
{
	return uint64_t(interrupt) << 24 | targets;
}

void test_sgi_latency()
{
	bench b(timed(3), path);

	ready(b, 3);
	b.advance(ns(1000));
	b.icc_write(1, ICC_SGI1R_EL1, sgi1r(5, 0x5));
	CHECK_EQUAL(b.changes.size(), 0);
	b.advance(ns(100));  // the read is there at 1110: 1 ns early
	CHECK_EQUAL(b.own_read(0, GICR_ISPENDR0), 0);
	CHECK_EQUAL(b.icc_read(0, ICC_IAR1_EL1), spurious);
	b.advance(ns(1));
	CHECK_EQUAL(b.own_read(0, GICR_ISPENDR0), 1 << 5);
	b.advance(ns(100));
	CHECK_EQUAL(b.changes.size(), 2);
	CHECK_EQUAL(b.changes[0].cpu, 0);
	CHECK_TIME(b.changes[0].when, ns(1000 + 100 + 11 + 3));
	CHECK_EQUAL(b.changes[1].cpu, 2);
	CHECK_TIME(b.changes[1].when, ns(1000 + 100 + 11 + 40 + 3));
	CHECK_EQUAL(b.icc_read(2, ICC_IAR1_EL1), 5);
}

// A target that is ahead of simulated time finds what has arrived by its own time, and no more.
void test_sgi_target_ahead()
{
	bench b(timed(2), path);
	uint64_t value;

	ready(b, 2);
	b.advance(ns(1000));
	b.icc_write(1, ICC_SGI1R_EL1, sgi1r(5, 0x1));  // arrives at 1111 ns
	CHECK_EQUAL(b.gic.icc_read({ 0 }, ICC_IAR1_EL1, ns(1110)), spurious);
	CHECK_EQUAL(b.gic.icc_read({ 0 }, ICC_IAR1_EL1, ns(1111)), 5);
	b.advance(ns(500));
	CHECK(b.gic.register_read({ 0 }, SYS_ICC_IAR1_EL1, b.now(), &value));
	CHECK_EQUAL(value, spurious);  // once
	CHECK_EQUAL(b.own_read(0, GICR_ISPENDR0), 0);
	CHECK_EQUAL(b.own_read(0, GICR_ISACTIVER0), 1 << 5);
}

// Sent later from nearby may arrive earlier; the same SGI twice before it is acknowledged is one interrupt (IHI 0069, 4.1: edge-triggered).
void test_sgi_order()
{
	bench b(timed(21), path);

	ready(b, 21);
	b.advance(ns(1000));
	b.icc_write(20, ICC_SGI1R_EL1, sgi1r(4, 0x2));  // at 1150
	b.advance(ns(10));
	b.icc_write(0, ICC_SGI1R_EL1, sgi1r(9, 0x2));   // at 1140
	b.advance(ns(100));
	b.icc_write(0, ICC_SGI1R_EL1, sgi1r(4, 0x2));   // at 1240
	b.advance(ns(5));                               // the read is there at 1145
	CHECK_EQUAL(b.own_read(1, GICR_ISPENDR0), 1 << 9);
	b.advance(ns(5));
	CHECK_EQUAL(b.own_read(1, GICR_ISPENDR0), 1 << 9 | 1 << 4);
	b.advance(ns(200));
	CHECK_EQUAL(b.icc_read(1, ICC_IAR1_EL1), 4);
	CHECK_EQUAL(b.own_read(1, GICR_ISPENDR0), 1 << 9);
	CHECK_EQUAL(b.changes.size(), 2);
	CHECK_TIME(b.changes[0].when, ns(1140 + 3));
}
