// SPDX-License-Identifier: Apache-2.0
// GICv4.0 and v4.1: residency of vPEs, Dirty, PendingLast, direct injection and doorbells (IHI 0069, VLPI_base frame).
#include "model/gic/gicv4.hpp"

#include "other_bench.hpp"

namespace {

constexpr uint64_t vpe_valid = 1ull << 63, doorbell = 1ull << 62, pending_last = 1ull << 61, dirty = 1ull << 60;

struct v4 : other_bench {
	explicit v4(bool v4_1, uint32_t cpus = 2) : other_bench(cpus), model("gic", config(v4_1, cpus), bus)
	{
		start(model);
		model.boot(0);
	}

	static convoy::gicv4_config config(bool v4_1, uint32_t cpus)
	{
		convoy::gicv4_config c;

		c.base.cpus = cpus;
		c.v4_1 = v4_1;
		c.vpes = 8;
		c.vpt_scan = ns(1000);
		return c;
	}

	uint64_t vpendbaser(uint32_t cpu) { return mmio_read(cpu, frame(cpu) + GICR_VPENDBASER, 8); }
	void set_vpendbaser(uint32_t cpu, uint64_t value) { mmio_write(cpu, frame(cpu) + GICR_VPENDBASER, value, 8); }
	uint64_t frame(uint32_t cpu) const { return gic->frame_address(GIC_FRAME_REDISTRIBUTOR, { cpu }) + 0x20000; }
	void lpi(uint32_t vpe)
	{
		mmio_write(0, convoy::its_translation_base + convoy::gits_translater, vpe);
		bench::advance(ns(1));
	}

	void enable_doorbell(uint32_t vpe, bool enabled)
	{
		mmio_write(0, gic->frame_address(GIC_FRAME_ITS, { 0 }) + 0x10000 + 4 * vpe, enabled);
		bench::advance(ns(100));
	}

	convoy::gicv4 model;
};

}

void test_v4_frames()
{
	v4 b(true);

	CHECK_EQUAL(b.gic->frame_address(GIC_FRAME_REDISTRIBUTOR, { 1 }) - b.gic->frame_address(GIC_FRAME_REDISTRIBUTOR, { 0 }), 0x40000);
	b.mmio_write(1, b.frame(1) + GICR_VPROPBASER, 0x1234000, 8);
	CHECK_EQUAL(b.status, tlm::TLM_OK_RESPONSE);
	CHECK_EQUAL(b.mmio_read(1, b.frame(1) + GICR_VPROPBASER, 8), 0x1234000);
	CHECK_EQUAL(b.mmio_read(0, b.frame(0) + GICR_VPROPBASER, 8), 0);
	CHECK_EQUAL(b.mmio_read(0, b.frame(0) + 0x100, 8), 0);
}

// GICv4.1: Dirty while the table is read, though Valid; after clearing only if something changed.
void test_v4_dirty()
{
	v4 b(true);

	CHECK_EQUAL(b.vpendbaser(0), 0);
	b.set_vpendbaser(0, vpe_valid | 3);
	CHECK_EQUAL(b.vpendbaser(0), vpe_valid | dirty | 3);
	bench::advance(ns(999));
	CHECK_EQUAL(b.vpendbaser(0) & dirty, dirty);
	bench::advance(ns(2));
	CHECK_EQUAL(b.vpendbaser(0), vpe_valid | 3);
	b.set_vpendbaser(0, 3);
	CHECK_EQUAL(b.vpendbaser(0), 3);  // nothing to write back

	b.set_vpendbaser(0, vpe_valid | 3);
	bench::advance(ns(1001));
	b.lpi(3);
	b.set_vpendbaser(0, 3);
	CHECK_EQUAL(b.vpendbaser(0), pending_last | dirty | 3);
	bench::advance(ns(1001));
	CHECK_EQUAL(b.vpendbaser(0), pending_last | 3);
}

// GICv4.0 says nothing while Valid is set.
void test_v4_no_dirty_in_v4_0()
{
	v4 b(false);

	b.set_vpendbaser(0, vpe_valid | 3ull << 16);
	CHECK_EQUAL(b.vpendbaser(0) & dirty, 0);
	b.lpi(3);
	CHECK(b.vlines[0]);
	b.set_vpendbaser(0, 3ull << 16);
	CHECK(!b.vlines[0]);
	CHECK_EQUAL(b.vpendbaser(0) & (pending_last | dirty), pending_last | dirty);
}

// An LPI for the resident vPE is the guest's at once; one that came before shows when the table has been read.
void test_v4_direct_injection()
{
	v4 b(true);

	b.lpi(5);
	CHECK(!b.vlines[0] && !b.lines[0]);
	b.set_vpendbaser(0, vpe_valid | 5);
	CHECK(!b.vlines[0]);
	bench::advance(ns(1001));
	CHECK(b.vlines[0]);
	CHECK(!b.lines[0]);
	CHECK_EQUAL(b.read(0, SYS_ICV_IAR1_EL1), 8192);
	CHECK(!b.vlines[0]);
	b.lpi(5);
	CHECK(b.vlines[0]);
	b.lpi(4);  // another vPE's
	CHECK(!b.vlines[1]);
	CHECK_EQUAL(b.read(0, SYS_ICV_IAR1_EL1), 8192);
	CHECK(!b.vlines[0]);
}

// Not resident: a doorbell if one was asked for (GICv4.1), once, at the CPU where the vPE was; gone when it is made resident.
void test_v4_doorbell()
{
	v4 b(true);

	b.set_vpendbaser(1, vpe_valid | 2);
	bench::advance(ns(1001));
	b.set_vpendbaser(1, 2);
	b.lpi(2);
	CHECK(!b.lines[0] && !b.lines[1]);  // nobody asked

	b.set_vpendbaser(1, vpe_valid | 2);
	bench::advance(ns(1001));
	CHECK_EQUAL(b.read(1, SYS_ICV_IAR1_EL1), 8192);
	b.set_vpendbaser(1, doorbell | 2);
	bench::advance(ns(1001));
	b.lpi(2);
	CHECK(b.lines[1]);
	CHECK(!b.lines[0]);
	CHECK_EQUAL(b.read(1, SYS_ICC_IAR1_EL1), 8192 + 2);
	CHECK(!b.lines[1]);
	b.lpi(2);
	CHECK(!b.lines[1]);  // one for each request
	CHECK_EQUAL(b.read(1, SYS_ICC_IAR1_EL1), 1023);

	b.set_vpendbaser(1, vpe_valid | 2);
	bench::advance(ns(1001));
	CHECK_EQUAL(b.read(1, SYS_ICV_IAR1_EL1), 8192);
	b.set_vpendbaser(1, doorbell | 2);
	bench::advance(ns(1001));
	b.lpi(2);
	CHECK(b.lines[1]);
	b.set_vpendbaser(0, vpe_valid | 2);  // moves before anybody took it
	CHECK(!b.lines[0]);
	CHECK_EQUAL(b.read(1, SYS_ICC_IAR1_EL1), 1023);
	CHECK(!b.lines[1]);
	bench::advance(ns(1001));
	CHECK(b.vlines[0]);
}

// GICv4.0: the default doorbell needs no request.
void test_v4_default_doorbell()
{
	v4 b(false);

	b.set_vpendbaser(1, vpe_valid | 6ull << 16);
	b.set_vpendbaser(1, 6ull << 16);
	b.lpi(6);
	CHECK(!b.lines[1]);  // pending, but not enabled in the LPI configuration table
	CHECK_EQUAL(b.read(1, SYS_ICC_IAR1_EL1), 1023);
	b.enable_doorbell(6, true);
	CHECK(b.lines[1]);
	CHECK_EQUAL(b.read(1, SYS_ICC_IAR1_EL1), 8192 + 6);
	CHECK(!b.lines[1]);
	b.lpi(6);  // another one without a request
	CHECK(b.lines[1]);
	b.enable_doorbell(6, false);
	CHECK(!b.lines[1]);
	b.enable_doorbell(6, true);
	CHECK(b.lines[1]);
	b.set_vpendbaser(1, vpe_valid | 6ull << 16);
	bench::advance(ns(100));
	CHECK(!b.lines[1]);  // resident: no doorbell
	CHECK(b.vlines[1]);
}
