// SPDX-License-Identifier: Apache-2.0
// Who gets it: SPIs by affinity and 1-of-N, SGIs by target list. IHI 0069, chapter 3 and 12.2, 12.9.
#include "bench.hpp"

static constexpr uint32_t vtimer = 27;
static constexpr uint32_t spurious = 1023;

static constexpr uint32_t bit(uint32_t irq)
{
	return 1u << irq % 32;
}

static void prepare_spi(bench &b, uint32_t irq, bool edge)
{
	const uint32_t shift = irq % 16 * 2 + 1;

	b.write(gicd_address(GICD_IGROUPR + irq / 32 * 4), 0xffffffff);
	b.write(gicd_address(GICD_ICFGR + irq / 16 * 4), edge ? 1u << shift : 0);
	b.write(gicd_address(GICD_ISENABLER + irq / 32 * 4), bit(irq));
}

static void route(bench &b, uint32_t irq, uint64_t value)
{
	CHECK_EQUAL(b.transport(0, tlm::TLM_WRITE_COMMAND, gicd_address(0x6000 + 8 * irq), 8, value).status,
		    tlm::TLM_OK_RESPONSE);
}

void test_spi_routing()
{
	gicv3_config config = with_cpus(3);
	config.spis = 64;
	config.affinity = { 0x00000000, 0x00000100, 0x05000100 };
	bench b(config);

	for (uint32_t cpu = 0; cpu < 3; cpu++)
		b.boot(cpu);
	prepare_spi(b, 70, false);
	b.spi(70, true);
	CHECK(b.line(0) && !b.line(1) && !b.line(2));  // IROUTER is 0 after reset
	route(b, 70, 0x0000000100);
	CHECK(!b.line(0) && b.line(1) && !b.line(2));
	route(b, 70, 0x0500000100);
	CHECK(!b.line(0) && !b.line(1) && b.line(2));
	route(b, 70, 0x0600000100);  // no such CPU
	CHECK(!b.line(0) && !b.line(1) && !b.line(2));
	CHECK_EQUAL(b.read(gicd_address(GICD_ISPENDR + 8)), bit(70));
	route(b, 70, 0x0000000100);
	CHECK_EQUAL(b.icc_read(2, ICC_IAR1_EL1), spurious);
	CHECK_EQUAL(b.icc_read(1, ICC_IAR1_EL1), 70);
	CHECK_EQUAL(b.read(gicd_address(GICD_ISACTIVER + 8)), bit(70));
	b.spi(70, false);
	b.icc_write(1, ICC_EOIR1_EL1, 70);
	CHECK_EQUAL(b.read(gicd_address(GICD_ISACTIVER + 8)), 0);

	prepare_spi(b, 33, true);
	CHECK_EQUAL(b.read(gicd_address(GICD_ICFGR + 8)), 1u << 3);
	b.spi(33, true);
	b.spi(33, false);
	CHECK(b.line(0));
	// A private interrupt of higher priority goes first (SPIs have priority 0: give it a lower one).
	CHECK_EQUAL(b.transport(0, tlm::TLM_WRITE_COMMAND, gicd_address(GICD_IPRIORITYR + 33), 1, 0xb0).status,
		    tlm::TLM_OK_RESPONSE);
	b.own_write(0, GICR_ISENABLER0, bit(vtimer));
	b.ppi(0, vtimer, true);
	CHECK_EQUAL(b.icc_read(0, ICC_IAR1_EL1), vtimer);
	b.ppi(0, vtimer, false);
	b.icc_write(0, ICC_EOIR1_EL1, vtimer);
	CHECK_EQUAL(b.icc_read(0, ICC_IAR1_EL1), 33);
	CHECK_EQUAL(b.read(gicd_address(GICD_ISPENDR + 4)), 0);
}

// Interrupt_Routing_Mode 1: exactly one of the CPUs that take part gets it.
void test_spi_one_of_n()
{
	bench b(with_cpus(3));

	for (uint32_t cpu = 0; cpu < 3; cpu++)
		b.boot(cpu);
	prepare_spi(b, 40, false);
	route(b, 40, 1ull << 31);
	b.spi(40, true);
	CHECK_EQUAL(b.line(0) + b.line(1) + b.line(2), 1);
	CHECK(b.line(0));
	b.own_write(0, GICR_WAKER, 2);
	CHECK_EQUAL(b.line(0) + b.line(1) + b.line(2), 1);
	CHECK(b.line(1));
	b.icc_write(1, ICC_IGRPEN1_EL1, 0);
	CHECK_EQUAL(b.line(0) + b.line(1) + b.line(2), 1);
	CHECK_EQUAL(b.icc_read(2, ICC_IAR1_EL1), 40);
	CHECK_EQUAL(b.line(0) + b.line(1) + b.line(2), 0);
}

// ICC_SGI1R_EL1: Aff3 55:48, RS 47:44, IRM 40, Aff2 39:32, INTID 27:24, Aff1 23:16, target list 15:0.
void test_sgi()
{
	gicv3_config config = with_cpus(5);
	config.affinity = { 0x000000, 0x000001, 0x000100, 0x00010000, 0x000028 };
	bench b(config);

	for (uint32_t cpu = 0; cpu < 5; cpu++) {
		b.boot(cpu);
		b.own_write(cpu, GICR_ISENABLER0, 0xffff);
	}
	b.icc_write(0, ICC_SGI1R_EL1, 5ull << 24 | 0xfffc);  // nobody: Aff0 = 40 is out of a target list's reach
	CHECK(!b.line(0) && !b.line(1) && !b.line(2) && !b.line(3) && !b.line(4));
	b.icc_write(0, ICC_SGI1R_EL1, 7ull << 24 | 0x2);
	CHECK(!b.line(0) && b.line(1) && !b.line(2) && !b.line(3));
	CHECK_EQUAL(b.icc_read(1, ICC_IAR1_EL1), 7);
	b.icc_write(1, ICC_EOIR1_EL1, 7);
	b.icc_write(1, ICC_SGI1R_EL1, 3ull << 24 | 1ull << 16 | 0x1);
	CHECK(!b.line(0) && !b.line(1) && b.line(2) && !b.line(3));
	CHECK_EQUAL(b.icc_read(2, ICC_IAR1_EL1), 3);
	b.icc_write(2, ICC_EOIR1_EL1, 3);
	b.icc_write(1, ICC_SGI1R_EL1, 1ull << 32 | 0x1);
	CHECK(!b.line(0) && !b.line(1) && !b.line(2) && b.line(3));
	CHECK_EQUAL(b.icc_read(3, ICC_IAR1_EL1), 0);
	b.icc_write(3, ICC_EOIR1_EL1, 0);
	b.own_write(3, GICR_IGROUPR0, ~bit(9));  // in group 0 there: not reached by SGI1R
	b.icc_write(1, ICC_SGI1R_EL1, 1ull << 40 | 9ull << 24);
	CHECK(b.line(0) && !b.line(1) && b.line(2) && !b.line(3) && b.line(4));
	CHECK_EQUAL(b.own_read(1, GICR_ISPENDR0), 0);
	CHECK_EQUAL(b.own_read(3, GICR_ISPENDR0), 0);
}
