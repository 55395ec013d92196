// SPDX-License-Identifier: Apache-2.0
// What is presented when: pending, active, groups, priorities, end of interrupt. IHI 0069, chapter 4.
#include "bench.hpp"

static constexpr uint32_t vtimer = 27, ptimer = 30;
static constexpr uint32_t spurious = 1023;

static constexpr uint32_t bit(uint32_t irq)
{
	return 1u << irq % 32;
}

static void set_priority(bench &b, uint32_t cpu, uint32_t irq, uint8_t priority)
{
	CHECK_EQUAL(b.transport(cpu, tlm::TLM_WRITE_COMMAND, gicr_address({ cpu }, GICR_IPRIORITYR + irq), 1, priority).status,
		    tlm::TLM_OK_RESPONSE);
}

// A level-sensitive interrupt is pending while its input is high, before and after it is acknowledged.
void test_level_ppi()
{
	bench b;

	b.boot(0);
	b.own_write(0, GICR_ISENABLER0, bit(vtimer));
	CHECK(!b.line(0));
	b.ppi(0, vtimer, true);
	CHECK(b.line(0));
	CHECK_EQUAL(b.own_read(0, GICR_ISPENDR0), bit(vtimer));
	b.own_write(0, GICR_ICPENDR0, bit(vtimer));  // does not lower the input
	CHECK_EQUAL(b.own_read(0, GICR_ICPENDR0), bit(vtimer));
	CHECK(b.line(0));
	b.ppi(0, vtimer, false);  // withdrawn before it was taken
	CHECK(!b.line(0));
	CHECK_EQUAL(b.icc_read(0, ICC_IAR1_EL1), spurious);

	b.ppi(0, vtimer, true);
	CHECK_EQUAL(b.icc_read(0, ICC_HPPIR1_EL1), vtimer);
	CHECK_EQUAL(b.icc_read(0, ICC_IAR1_EL1), vtimer);
	CHECK(!b.line(0));
	CHECK_EQUAL(b.own_read(0, GICR_ISACTIVER0), bit(vtimer));
	CHECK_EQUAL(b.own_read(0, GICR_ISPENDR0), bit(vtimer));  // active and pending: the input is still high
	b.icc_write(0, ICC_EOIR1_EL1, vtimer);
	CHECK(b.line(0));  // and so it comes again
	b.ppi(0, vtimer, false);
	CHECK(!b.line(0));
	CHECK_EQUAL(b.own_read(0, GICR_ISPENDR0), 0);
}

// An edge makes it pending once; another edge while it is active makes it pending again.
void test_edge_ppi()
{
	gicv3_config config;
	config.edge_ppis = bit(20);
	bench b(config);

	b.boot(0);
	b.own_write(0, GICR_ISENABLER0, bit(20));
	b.ppi(0, 20, true);
	CHECK(b.line(0));
	b.ppi(0, 20, false);
	CHECK(b.line(0));  // the level does not matter any more
	CHECK_EQUAL(b.icc_read(0, ICC_IAR1_EL1), 20);
	CHECK_EQUAL(b.own_read(0, GICR_ISPENDR0), 0);
	b.ppi(0, 20, true);
	b.ppi(0, 20, true);  // no edge
	CHECK_EQUAL(b.own_read(0, GICR_ISPENDR0), bit(20));
	CHECK(!b.line(0));
	b.icc_write(0, ICC_EOIR1_EL1, 20);
	CHECK(b.line(0));
	b.own_write(0, GICR_ICPENDR0, bit(20));  // does take an edge back
	CHECK(!b.line(0));
	CHECK_EQUAL(b.own_read(0, GICR_ISPENDR0), 0);
	b.ppi(0, 20, true);
	CHECK(!b.line(0));
}

// ISPENDR holds even a level-sensitive interrupt pending with its input low, until it is acknowledged or cleared.
void test_pending_by_software()
{
	bench b;

	b.boot(0);
	b.own_write(0, GICR_ISENABLER0, bit(vtimer) | bit(3));
	b.own_write(0, GICR_ISPENDR0, bit(vtimer));
	CHECK(b.line(0));
	b.own_write(0, GICR_ICPENDR0, bit(vtimer));
	CHECK(!b.line(0));
	b.own_write(0, GICR_ISPENDR0, bit(vtimer));
	CHECK_EQUAL(b.icc_read(0, ICC_IAR1_EL1), vtimer);
	CHECK_EQUAL(b.own_read(0, GICR_ISPENDR0), 0);
	b.icc_write(0, ICC_EOIR1_EL1, vtimer);
	CHECK(!b.line(0));
	b.own_write(0, GICR_ISPENDR0, bit(3));  // an SGI
	CHECK_EQUAL(b.icc_read(0, ICC_IAR1_EL1), 3);
	b.icc_write(0, ICC_EOIR1_EL1, 3);
	CHECK(!b.line(0));
}

// What KVM builds on: a timer interrupt marked active is not presented, however long its input is high.
void test_active_masks_pending()
{
	bench b;

	b.boot(0);
	b.own_write(0, GICR_ISENABLER0, bit(vtimer) | bit(ptimer));
	b.own_write(0, GICR_ISACTIVER0, bit(vtimer));
	b.ppi(0, vtimer, true);
	CHECK(!b.line(0));
	CHECK_EQUAL(b.own_read(0, GICR_ISPENDR0), bit(vtimer));
	CHECK_EQUAL(b.icc_read(0, ICC_HPPIR1_EL1), spurious);
	CHECK_EQUAL(b.icc_read(0, ICC_IAR1_EL1), spurious);
	CHECK_EQUAL(b.icc_read(0, ICC_RPR_EL1), 0xff);  // made active by a write: no priority is running
	b.ppi(0, ptimer, true);                         // others are not held up
	CHECK_EQUAL(b.icc_read(0, ICC_HPPIR1_EL1), ptimer);
	CHECK(b.line(0));
	b.ppi(0, ptimer, false);
	CHECK(!b.line(0));
	b.own_write(0, GICR_ICACTIVER0, bit(vtimer));
	CHECK(b.line(0));
	b.own_write(0, GICR_ISACTIVER0, bit(vtimer));
	CHECK(!b.line(0));
}

// Every one of the conditions alone keeps a pending interrupt away from the CPU.
void test_presentation_conditions()
{
	bench b;
	const auto group = [&](bool on) { b.own_write(0, GICR_IGROUPR0, on ? 0xffffffff : ~bit(vtimer)); };
	const auto enable = [&](bool on) { b.own_write(0, on ? GICR_ISENABLER0 : GICR_ICENABLER0, bit(vtimer)); };
	const auto distributor = [&](bool on) { b.write(gicd_address(GICD_CTLR), on ? 2 : 1); };
	const auto awake = [&](bool on) { b.own_write(0, GICR_WAKER, on ? 0 : 2); };
	const auto interface = [&](bool on) { b.icc_write(0, ICC_IGRPEN1_EL1, on); };
	const auto mask = [&](bool on) { b.icc_write(0, ICC_PMR_EL1, on ? 0xf0 : 0xa0); };  // 0xa0 is not above 0xa0

	b.boot(0);
	b.ppi(0, vtimer, true);
	CHECK(!b.line(0));
	enable(true);
	CHECK(b.line(0));
	const std::function<void(bool)> conditions[] = { group, enable, distributor, awake, interface, mask };
	for (const auto &condition : conditions) {
		condition(false);
		CHECK(!b.line(0));
		CHECK_EQUAL(b.icc_read(0, ICC_IAR1_EL1), spurious);
		condition(true);
		CHECK(b.line(0));
	}
	mask(false);
	CHECK_EQUAL(b.icc_read(0, ICC_HPPIR1_EL1), vtimer);  // HPPIR does not look at the mask
}

// EOImode 0: EOIR drops the priority and deactivates; DIR does nothing.
void test_eoi_mode_0()
{
	bench b;

	b.boot(0);
	b.own_write(0, GICR_ISENABLER0, bit(vtimer));
	b.ppi(0, vtimer, true);
	CHECK_EQUAL(b.icc_read(0, ICC_IAR1_EL1), vtimer);
	CHECK_EQUAL(b.icc_read(0, ICC_RPR_EL1), 0xa0);
	CHECK_EQUAL(b.icc_read(0, gic_offset(ICC_AP1R_EL1)), 1u << (0xa0 >> 3));
	b.ppi(0, vtimer, false);
	b.icc_write(0, ICC_DIR_EL1, vtimer);
	CHECK_EQUAL(b.own_read(0, GICR_ISACTIVER0), bit(vtimer));
	b.icc_write(0, ICC_EOIR1_EL1, spurious);  // special INTIDs are ignored
	CHECK_EQUAL(b.icc_read(0, ICC_RPR_EL1), 0xa0);
	b.icc_write(0, ICC_EOIR1_EL1, vtimer);
	CHECK_EQUAL(b.icc_read(0, ICC_RPR_EL1), 0xff);
	CHECK_EQUAL(b.own_read(0, GICR_ISACTIVER0), 0);
}

// EOImode 1, as a hypervisor host uses it: EOIR drops the priority only, the interrupt stays active until DIR.
void test_eoi_mode_1()
{
	bench b;

	b.boot(0);
	b.icc_write(0, ICC_CTLR_EL1, 2);
	b.own_write(0, GICR_ISENABLER0, bit(vtimer) | bit(ptimer));
	b.ppi(0, vtimer, true);
	CHECK_EQUAL(b.icc_read(0, ICC_IAR1_EL1), vtimer);
	b.icc_write(0, ICC_EOIR1_EL1, vtimer);
	CHECK_EQUAL(b.icc_read(0, ICC_RPR_EL1), 0xff);
	CHECK_EQUAL(b.own_read(0, GICR_ISACTIVER0), bit(vtimer));
	CHECK(!b.line(0));  // the input is high, but it is active
	b.ppi(0, ptimer, true);  // of the same priority: can come now
	CHECK_EQUAL(b.icc_read(0, ICC_IAR1_EL1), ptimer);
	b.icc_write(0, ICC_EOIR1_EL1, ptimer);
	b.icc_write(0, ICC_DIR_EL1, spurious);
	CHECK_EQUAL(b.own_read(0, GICR_ISACTIVER0), bit(vtimer) | bit(ptimer));
	b.icc_write(0, ICC_DIR_EL1, vtimer);
	CHECK_EQUAL(b.own_read(0, GICR_ISACTIVER0), bit(ptimer));
	CHECK(b.line(0));
	CHECK_EQUAL(b.icc_read(0, ICC_IAR1_EL1), vtimer);
}

// The lowest priority value wins, among equals the lowest INTID (the model's choice).
void test_priorities()
{
	bench b;

	b.boot(0);
	b.own_write(0, GICR_ISENABLER0, 0xffffffff);
	b.own_write(0, GICR_ISPENDR0, bit(17) | bit(22) | bit(ptimer) | bit(5));
	CHECK_EQUAL(b.icc_read(0, ICC_HPPIR1_EL1), 5);
	set_priority(b, 0, 22, 0x88);
	CHECK_EQUAL(b.icc_read(0, ICC_HPPIR1_EL1), 22);
	set_priority(b, 0, ptimer, 0x80);
	CHECK_EQUAL(b.icc_read(0, ICC_HPPIR1_EL1), ptimer);
	set_priority(b, 0, 17, 0x87);  // the lower three bits are not there: 0x80, a tie with 30
	CHECK_EQUAL(b.icc_read(0, ICC_HPPIR1_EL1), 17);
	// The mask lets through what is strictly above it.
	b.icc_write(0, ICC_PMR_EL1, 0x80);
	CHECK(!b.line(0));
	b.icc_write(0, ICC_PMR_EL1, 0x88);
	CHECK(b.line(0));
	CHECK_EQUAL(b.icc_read(0, ICC_IAR1_EL1), 17);
	b.icc_write(0, ICC_EOIR1_EL1, 17);
	CHECK_EQUAL(b.icc_read(0, ICC_IAR1_EL1), ptimer);
	b.icc_write(0, ICC_EOIR1_EL1, ptimer);
	CHECK_EQUAL(b.icc_read(0, ICC_IAR1_EL1), spurious);  // 22 has 0x88
	// The lowest priority there is never passes any mask.
	set_priority(b, 0, 22, 0xff);
	set_priority(b, 0, 5, 0xff);
	b.icc_write(0, ICC_PMR_EL1, 0xff);
	CHECK(!b.line(0));
}

// Only a higher priority than the running one interrupts it; drops happen in reverse order.
void test_preemption()
{
	bench b;

	b.boot(0);
	b.own_write(0, GICR_ISENABLER0, 0xffffffff);
	set_priority(b, 0, 20, 0x90);
	set_priority(b, 0, 21, 0x40);
	b.own_write(0, GICR_ISPENDR0, bit(16));
	CHECK_EQUAL(b.icc_read(0, ICC_IAR1_EL1), 16);
	b.own_write(0, GICR_ISPENDR0, bit(17));  // 0xa0 as well
	CHECK(!b.line(0));
	CHECK_EQUAL(b.icc_read(0, ICC_IAR1_EL1), spurious);
	b.own_write(0, GICR_ISPENDR0, bit(20));
	CHECK(b.line(0));
	CHECK_EQUAL(b.icc_read(0, ICC_IAR1_EL1), 20);
	CHECK_EQUAL(b.icc_read(0, ICC_RPR_EL1), 0x90);
	b.own_write(0, GICR_ISPENDR0, bit(21));
	CHECK_EQUAL(b.icc_read(0, ICC_IAR1_EL1), 21);
	CHECK_EQUAL(b.icc_read(0, ICC_RPR_EL1), 0x40);
	CHECK_EQUAL(b.icc_read(0, gic_offset(ICC_AP1R_EL1)), 1u << 20 | 1u << 18 | 1u << 8);
	b.icc_write(0, ICC_EOIR1_EL1, 21);
	CHECK_EQUAL(b.icc_read(0, ICC_RPR_EL1), 0x90);
	b.icc_write(0, ICC_EOIR1_EL1, 20);
	CHECK_EQUAL(b.icc_read(0, ICC_RPR_EL1), 0xa0);
	CHECK(!b.line(0));
	b.icc_write(0, ICC_EOIR1_EL1, 16);
	CHECK_EQUAL(b.icc_read(0, ICC_RPR_EL1), 0xff);
	CHECK(b.line(0));
	CHECK_EQUAL(b.icc_read(0, ICC_IAR1_EL1), 17);
}

// The accesses of kernel chip callbacks, one after the other, on a CPU that forwards its virtual timer to a guest.
void test_kernel_sequences()
{
	bench b;

	b.boot(0);
	b.icc_write(0, ICC_CTLR_EL1, 2);
	b.own_write(0, GICR_ISENABLER0, bit(vtimer));   // unmask
	b.own_write(0, GICR_ISACTIVER0, bit(vtimer));   // active, set, with the read-back
	CHECK_EQUAL(b.own_read(0, GICR_ISACTIVER0), bit(vtimer));
	// Up to v5.17 a read of CTLR instead; neither RWP nor UWP: one is enough.
	CHECK_EQUAL(b.own_read(0, GICR_CTLR), 0);
	b.ppi(0, vtimer, true);
	CHECK(!b.line(0));
	b.own_write(0, GICR_ICACTIVER0, bit(vtimer));   // active, clear
	CHECK(b.line(0));
	CHECK_EQUAL(b.icc_read(0, ICC_IAR1_EL1), vtimer);  // host takes it, leaves it active for the guest
	b.icc_write(0, ICC_EOIR1_EL1, vtimer);
	CHECK(!b.line(0));
	b.own_write(0, GICR_ICENABLER0, bit(vtimer));   // mask
	CHECK_EQUAL(b.own_read(0, GICR_CTLR) >> 3 & 1, 0);  // disables take no time in this bench
	b.icc_write(0, ICC_DIR_EL1, vtimer);            // guest deactivates
	CHECK_EQUAL(b.own_read(0, GICR_ISACTIVER0), 0);
	CHECK(!b.line(0));
	CHECK_EQUAL(b.own_read(0, GICR_ICFGR1), 0);     // timers are level-sensitive: nothing to configure
}
