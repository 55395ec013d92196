// SPDX-License-Identifier: Apache-2.0
// List registers and virtual CPU interfaces of a GICv2: GICH against GICV. IHI 0048, 5.3 and 5.5.
#include "bench_v2.hpp"

static constexpr uint32_t spurious = bench_v2::spurious;
static constexpr uint32_t pending = 1u << 28, active = 1u << 29, group1 = 1u << 30, hw = 1u << 31, eoi = 1u << 19;

#define CHECK_TIME(actual, expected) CHECK_EQUAL((actual).value(), (expected).value())

static constexpr uint32_t priority(uint32_t p)
{
	return p >> 3 << 23;
}

// On; Group 0 enabled, which the guest takes as IRQ, mask open.
static void start(bench_v2 &b, uint32_t cpu)
{
	b.gich(cpu, V2_GICH_HCR, 1);
	b.gich(cpu, V2_GICH_VMCR, 0xf0000001);
}

void test_v2_list_register_life()
{
	gicv2_config config = v2_with_cpus(1);
	config.line_latency = ns(3);
	bench_v2 b(config);

	start(b, 0);
	b.gich(0, V2_GICH_LR + 4, pending | priority(0xa0) | 48);
	CHECK(b.virq[0]);
	CHECK_TIME(b.virq_changes[0].when, ns(3));
	CHECK_EQUAL(b.gich(0, V2_GICH_LR + 4), pending | priority(0xa0) | 48);
	CHECK_EQUAL(b.gich(0, V2_GICH_ELRSR), 0xd);
	CHECK_EQUAL(b.gicv(0, V2_GICV_HPPIR), 48);
	CHECK_EQUAL(b.gicv(0, V2_GICV_IAR), 48);
	CHECK(!b.virq[0]);
	CHECK_EQUAL(b.gich(0, V2_GICH_LR + 4), active | priority(0xa0) | 48);
	CHECK_EQUAL(b.gicv(0, V2_GICV_RPR), 0xa0);
	CHECK_EQUAL(b.gich(0, V2_GICH_APR), 1u << (0xa0 >> 3));
	CHECK_EQUAL(b.gicv(0, V2_GICV_APR), 1u << (0xa0 >> 3));
	b.gicv(0, V2_GICV_EOIR, 48);
	CHECK_EQUAL(b.gich(0, V2_GICH_LR + 4), priority(0xa0) | 48);
	CHECK_EQUAL(b.gich(0, V2_GICH_ELRSR), 0xf);
	CHECK_EQUAL(b.gich(0, V2_GICH_APR), 0);

	// split: EOImode is bit 9 of GICV_CTLR
	b.gicv(0, V2_GICV_CTLR, 1 | 1 << 9);
	b.gich(0, V2_GICH_LR, pending | priority(0xa0) | 49);
	CHECK_EQUAL(b.gicv(0, V2_GICV_IAR), 49);
	b.gicv(0, V2_GICV_EOIR, 49);
	CHECK_EQUAL(b.gich(0, V2_GICH_LR), active | priority(0xa0) | 49);
	CHECK_EQUAL(b.gicv(0, V2_GICV_RPR), 0xff);
	b.gicv(0, V2_GICV_DIR, 49);
	CHECK_EQUAL(b.gich(0, V2_GICH_LR), priority(0xa0) | 49);
	CHECK_EQUAL(b.gich(0, V2_GICH_LR + 4 * 4), 0);
	b.gich(0, V2_GICH_LR + 4 * 4, pending | 50);  // the fifth of four
	CHECK_EQUAL(b.gich(0, V2_GICH_LR + 4 * 4), 0);
}

// The guest's registers are fields of GICH_VMCR.
void test_v2_virtual_registers()
{
	bench_v2 b;

	b.gicv(0, V2_GICV_CTLR, 0x21f);
	b.gicv(0, V2_GICV_PMR, 0xf8);
	b.gicv(0, V2_GICV_BPR, 2);
	b.gicv(0, V2_GICV_ABPR, 3);
	CHECK_EQUAL(b.gich(0, V2_GICH_VMCR), 0x21fu | 3u << 18 | 2u << 21 | 0xf8000000u);
	b.gich(0, V2_GICH_VMCR, 0x80000002);
	CHECK_EQUAL(b.gicv(0, V2_GICV_CTLR), 2);
	CHECK_EQUAL(b.gicv(0, V2_GICV_PMR), 0x80);
	CHECK_EQUAL(b.gicv(0, V2_GICV_BPR), 0);
}

// HW: PhysicalID is deactivated in the distributor when the guest deactivates.
void test_v2_virtual_hw()
{
	bench_v2 b;

	b.gic.boot(1u << 27);
	start(b, 0);
	b.ppi(0, 27, true);
	CHECK_EQUAL(b.gicc(0, V2_GICC_IAR), 27);
	b.gicc(0, V2_GICC_EOIR, 27);
	CHECK_EQUAL(b.gicd(0, V2_GICD_ISACTIVER), 1u << 27);
	b.gich(0, V2_GICH_LR, pending | hw | 27u << 10 | priority(0xa0) | 30);
	CHECK_EQUAL(b.gicv(0, V2_GICV_IAR), 30);
	CHECK(!b.line[0]);
	b.gicv(0, V2_GICV_EOIR, 30);
	CHECK_EQUAL(b.gicd(0, V2_GICD_ISACTIVER), 0);
	CHECK(b.line[0]);  // its level is still high
	CHECK_EQUAL(b.gich(0, V2_GICH_ELRSR), 0xf);
	CHECK_EQUAL(b.gich(0, V2_GICH_EISR), 0);
}

// EOI maintenance, underflow, no pending: GICH_MISR, GICH_EISR, and PPI 25.
void test_v2_virtual_maintenance()
{
	gicv2_config config = v2_with_cpus(1);
	config.list_registers = 34;
	bench_v2 b(config);

	b.gic.boot(1u << 25);
	start(b, 0);
	CHECK_EQUAL(b.gich(0, V2_GICH_ELRSR), 0xffffffff);
	CHECK_EQUAL(b.gich(0, V2_GICH_ELRSR + 4), 0x3);
	b.gich(0, V2_GICH_LR + 4 * 33, pending | eoi | priority(0xa0) | 60);
	CHECK_EQUAL(b.gich(0, V2_GICH_ELRSR + 4), 0x1);
	CHECK_EQUAL(b.gicv(0, V2_GICV_IAR), 60);
	b.gicv(0, V2_GICV_EOIR, 60);
	CHECK_EQUAL(b.gich(0, V2_GICH_EISR), 0);
	CHECK_EQUAL(b.gich(0, V2_GICH_EISR + 4), 0x2);
	CHECK_EQUAL(b.gich(0, V2_GICH_ELRSR + 4), 0x1);
	CHECK_EQUAL(b.gich(0, V2_GICH_MISR), 1);
	CHECK(b.line[0]);
	CHECK_EQUAL(b.gicc(0, V2_GICC_HPPIR), 25);
	b.gich(0, V2_GICH_LR + 4 * 33, 0);
	CHECK(!b.line[0]);

	b.gich(0, V2_GICH_HCR, 1 | 1 << 1);
	CHECK_EQUAL(b.gich(0, V2_GICH_MISR), 1 << 1);
	CHECK(b.line[0]);
	b.gich(0, V2_GICH_LR, pending | priority(0xa0) | 61);
	CHECK(b.line[0]);  // one valid list register: still
	b.gich(0, V2_GICH_LR + 4, pending | priority(0xa0) | 62);
	CHECK(!b.line[0]);
	b.gich(0, V2_GICH_HCR, 1 | 1 << 3);
	CHECK(!b.line[0]);
	CHECK_EQUAL(b.gicv(0, V2_GICV_IAR), 61);
	b.gicv(0, V2_GICV_EOIR, 61);
	CHECK_EQUAL(b.gicv(0, V2_GICV_IAR), 62);
	CHECK_EQUAL(b.gich(0, V2_GICH_MISR), 1 << 3);
	CHECK(b.line[0]);
	b.gich(0, V2_GICH_HCR, 1 << 3);
	CHECK(!b.line[0]);

	// an end that finds no list register
	b.gich(0, V2_GICH_HCR, 1 | 1 << 2);
	b.gich(0, V2_GICH_LR + 4, 0);
	b.gicv(0, V2_GICV_EOIR, 62);
	CHECK_EQUAL(b.gich(0, V2_GICH_HCR) >> 27, 1);
	CHECK_EQUAL(b.gich(0, V2_GICH_MISR), 1 << 2);
}

// Of a virtual SGI the list register holds the sender; the guest reads it in GICV_IAR and gives it back.
void test_v2_virtual_sgi()
{
	bench_v2 b;

	start(b, 0);
	b.gich(0, V2_GICH_LR, pending | 3u << 10 | priority(0xa0) | 5);
	b.gich(0, V2_GICH_LR + 4, pending | 6u << 10 | eoi | priority(0xa8) | 5);
	CHECK_EQUAL(b.gicv(0, V2_GICV_IAR), 3 << 10 | 5);
	b.gicv(0, V2_GICV_EOIR, 3 << 10 | 5);
	CHECK_EQUAL(b.gich(0, V2_GICH_LR) >> 28, 0);
	CHECK_EQUAL(b.gicv(0, V2_GICV_IAR), 6 << 10 | 5);
	b.gicv(0, V2_GICV_EOIR, 6 << 10 | 5);
	CHECK_EQUAL(b.gich(0, V2_GICH_LR + 4), 6u << 10 | eoi | priority(0xa8) | 5);
	CHECK_EQUAL(b.gich(0, V2_GICH_EISR), 0x2);
}

// Group 1 by GICV_AIAR and GICV_AEOIR; GICV_IAR answers 1022 for it unless AckCtl. Group 0 with FIQEn is no IRQ.
void test_v2_virtual_groups()
{
	bench_v2 b;

	start(b, 0);
	b.gicv(0, V2_GICV_CTLR, 0x3);
	b.gich(0, V2_GICH_LR, pending | group1 | priority(0xa0) | 40);
	CHECK(b.virq[0]);
	CHECK_EQUAL(b.gicv(0, V2_GICV_HPPIR), 1022);
	CHECK_EQUAL(b.gicv(0, V2_GICV_IAR), 1022);
	CHECK_EQUAL(b.gicv(0, V2_GICV_AHPPIR), 40);
	CHECK_EQUAL(b.gicv(0, V2_GICV_AIAR), 40);
	b.gicv(0, V2_GICV_AEOIR, 40);
	CHECK_EQUAL(b.gich(0, V2_GICH_ELRSR), 0xf);
	b.gich(0, V2_GICH_LR, pending | group1 | priority(0xa0) | 40);
	b.gicv(0, V2_GICV_CTLR, 0x7);
	CHECK_EQUAL(b.gicv(0, V2_GICV_IAR), 40);
	b.gicv(0, V2_GICV_EOIR, 40);
	b.gich(0, V2_GICH_LR, pending | priority(0xa0) | 41);
	CHECK(b.virq[0]);
	CHECK_EQUAL(b.gicv(0, V2_GICV_AIAR), spurious);
	b.gicv(0, V2_GICV_CTLR, 0xb);
	CHECK(!b.virq[0]);
}

// Each CPU has its own list registers and its own guest's interface, at the same addresses.
void test_v2_virtual_banked()
{
	bench_v2 b(v2_with_cpus(3));

	start(b, 1);
	start(b, 2);
	b.gich(1, V2_GICH_LR, pending | priority(0xa0) | 40);
	CHECK(!b.virq[0] && b.virq[1] && !b.virq[2]);
	CHECK_EQUAL(b.gich(2, V2_GICH_LR), 0);
	CHECK_EQUAL(b.gicv(2, V2_GICV_IAR), spurious);
	CHECK_EQUAL(b.gich(0, V2_GICH_HCR), 0);
	CHECK_EQUAL(b.gicv(1, V2_GICV_IAR), 40);
}
