// SPDX-License-Identifier: Apache-2.0
// GICv5: what the architecture says of PPIs, their guest side, and LPIs from CPU to CPU (AES0070).
#include "model/gic/gicv5.hpp"

#include "other_bench.hpp"

namespace {

constexpr uint32_t vtimer = 27, ptimer = 30, sw_ppi = 3;
constexpr uint64_t valid = 1ull << 32, type_ppi = 1ull << 29, type_lpi = 2ull << 29;
constexpr uint64_t vmcr_on = 1 | 31ull << 27;

constexpr uint64_t bit(uint32_t ppi)
{
	return 1ull << ppi;
}

struct v5 : other_bench {
	explicit v5(uint32_t cpus = 1) : other_bench(cpus), model("gic", config(cpus), bus)
	{
		start(model);
		model.boot(0);
	}

	static convoy::gicv5_model_config config(uint32_t cpus)
	{
		convoy::gicv5_model_config c;

		c.cpus = cpus;
		c.irs_service = ns(5);
		c.line_latency = ns(2);
		c.sgi_latency = ns(100);
		c.way_to_irs = [](cpu_id cpu) { return ns(10.0 * cpu.n); };
		return c;
	}

	convoy::gicv5 model;
};

}

// Pending follows the wire; enable, acknowledge, priority drop, deactivation.
void test_v5_level_ppi()
{
	v5 b;

	CHECK_EQUAL(b.read(0, SYS_GICR_CDIA), 0);
	b.ppi(0, vtimer, true);
	CHECK_EQUAL(b.read(0, SYS_ICC_PPI_SPENDR0_EL1), bit(vtimer));
	CHECK(!b.lines[0]);
	b.write(0, SYS_ICC_PPI_ENABLER0_EL1, bit(vtimer));
	CHECK(b.lines[0]);
	b.ppi(0, vtimer, false);
	CHECK(!b.lines[0]);
	CHECK_EQUAL(b.since[0].value(), ns(2).value());
	CHECK_EQUAL(b.read(0, SYS_GICR_CDIA), 0);  // withdrawn before it was taken

	b.ppi(0, vtimer, true);
	CHECK_EQUAL(b.read(0, SYS_ICC_HPPIR_EL1), valid | type_ppi | vtimer);
	CHECK_EQUAL(b.read(0, SYS_GICR_CDIA), valid | type_ppi | vtimer);
	CHECK(!b.lines[0]);
	CHECK_EQUAL(b.read(0, SYS_ICC_PPI_SACTIVER0_EL1), bit(vtimer));
	b.write(0, SYS_GIC_CDEOI, 0);
	CHECK(!b.lines[0]);  // still active
	CHECK_EQUAL(b.read(0, SYS_ICC_APR_EL1), 0);
	b.write(0, SYS_GIC_CDDI, type_ppi | vtimer);
	CHECK(b.lines[0]);   // and the wire is still high
	b.write(0, SYS_ICC_PPI_ENABLER0_EL1, 0);
	CHECK(!b.lines[0]);
}

// An edge makes it pending until it is acknowledged; software can set and clear pending and active.
void test_v5_set_and_clear()
{
	v5 b;

	CHECK_EQUAL(b.read(0, SYS_ICC_PPI_HMR0_EL1) & bit(sw_ppi), 0);  // edge
	CHECK_EQUAL(b.read(0, SYS_ICC_PPI_HMR0_EL1) & bit(vtimer), bit(vtimer));
	b.write(0, SYS_ICC_PPI_ENABLER0_EL1, bit(sw_ppi));
	b.ppi(0, sw_ppi, true);
	b.ppi(0, sw_ppi, false);
	CHECK(b.lines[0]);
	CHECK_EQUAL(b.read(0, SYS_GICR_CDIA), valid | type_ppi | sw_ppi);
	CHECK_EQUAL(b.read(0, SYS_ICC_PPI_CPENDR0_EL1), 0);
	b.write(0, SYS_GIC_CDEOI, 0);
	b.write(0, SYS_GIC_CDDI, type_ppi | sw_ppi);
	CHECK(!b.lines[0]);

	b.write(0, SYS_ICC_PPI_SPENDR0_EL1, bit(sw_ppi));
	CHECK(b.lines[0]);
	b.write(0, SYS_ICC_PPI_SACTIVER0_EL1, bit(sw_ppi));
	CHECK(!b.lines[0]);
	CHECK_EQUAL(b.read(0, SYS_ICC_PPI_CACTIVER0_EL1), bit(sw_ppi));
	b.write(0, SYS_ICC_PPI_CACTIVER0_EL1, bit(sw_ppi));
	CHECK(b.lines[0]);
	b.write(0, SYS_ICC_PPI_CPENDR0_EL1, bit(sw_ppi));
	CHECK(!b.lines[0]);
	// the upper 64
	b.write(0, SYS_ICC_PPI_ENABLER1_EL1, bit(1));
	b.write(0, SYS_ICC_PPI_SPENDR1_EL1, bit(1));
	CHECK_EQUAL(b.read(0, SYS_GICR_CDIA), valid | type_ppi | 65);
}

// The lower number goes first; equal or lower than the running priority waits; ICC_PCR lets equal pass.
void test_v5_priorities()
{
	v5 b;

	b.write(0, SYS_ICC_PPI_ENABLER0_EL1, bit(vtimer) | bit(ptimer));
	b.write(0, SYS_ICC_PPI_PRIORITYR3_EL1, 8ull << 8 * (vtimer - 24) | 4ull << 8 * (ptimer - 24));
	b.ppi(0, vtimer, true);
	CHECK_EQUAL(b.read(0, SYS_GICR_CDIA), valid | type_ppi | vtimer);
	CHECK_EQUAL(b.read(0, SYS_ICC_APR_EL1), bit(8));
	b.ppi(0, ptimer, true);
	CHECK(b.lines[0]);  // preempts
	CHECK_EQUAL(b.read(0, SYS_GICR_CDIA), valid | type_ppi | ptimer);
	CHECK_EQUAL(b.read(0, SYS_ICC_APR_EL1), bit(8) | bit(4));
	b.write(0, SYS_GIC_CDEOI, 0);
	CHECK_EQUAL(b.read(0, SYS_ICC_APR_EL1), bit(8));
	b.write(0, SYS_GIC_CDDI, type_ppi | ptimer);
	CHECK(b.lines[0]);
	b.write(0, SYS_ICC_PCR_EL1, 4);
	CHECK(b.lines[0]);
	b.write(0, SYS_ICC_PCR_EL1, 3);
	CHECK(!b.lines[0]);
	b.write(0, SYS_ICC_PCR_EL1, 31);
	b.write(0, SYS_ICC_PPI_PRIORITYR3_EL1, 8ull << 8 * (vtimer - 24) | 8ull << 8 * (ptimer - 24));
	CHECK(!b.lines[0]);  // no higher than what runs
	b.write(0, SYS_ICC_CR0_EL1, 0);
	b.write(0, SYS_GIC_CDEOI, 0);
	CHECK(!b.lines[0]);  // interface off
	b.write(0, SYS_ICC_CR0_EL1, 1);
	CHECK(b.lines[0]);
}

// Direct virtual injection: the wire is the guest's pending state while DVI is set, whatever the host's side says.
void test_v5_direct_injection()
{
	v5 b;

	b.write(0, SYS_ICH_VMCR_EL2, vmcr_on);
	b.write(0, SYS_ICH_PPI_ENABLER0_EL2, bit(vtimer));
	b.ppi(0, vtimer, true);
	CHECK(!b.vlines[0]);
	b.write(0, SYS_ICH_PPI_DVIR0_EL2, bit(vtimer));
	CHECK(b.vlines[0]);
	CHECK(!b.lines[0]);  // masked at the host
	CHECK_EQUAL(b.read(0, SYS_ICH_PPI_PENDR0_EL2), bit(vtimer));
	b.ppi(0, vtimer, false);
	CHECK(!b.vlines[0]);
	b.ppi(0, vtimer, true);

	// the guest takes it
	CHECK_EQUAL(b.read(0, SYS_ICV_CDIA), valid | type_ppi | vtimer);
	CHECK(!b.vlines[0]);
	CHECK_EQUAL(b.read(0, SYS_ICH_PPI_ACTIVER0_EL2), bit(vtimer));
	CHECK_EQUAL(b.read(0, SYS_ICC_PPI_SACTIVER0_EL1), 0);  // two interrupts, each with its own active state
	CHECK(b.read(0, SYS_ICH_APR_EL2) != 0);
	b.write(0, SYS_ICV_CDEOI, 0);
	CHECK_EQUAL(b.read(0, SYS_ICH_APR_EL2), 0);
	b.write(0, SYS_ICV_CDDI, type_ppi | vtimer);
	CHECK(b.vlines[0]);  // the timer still fires
	b.write(0, SYS_ICH_PPI_DVIR0_EL2, 0);
	CHECK(!b.vlines[0]);
	CHECK_EQUAL(b.read(0, SYS_ICV_CDIA), 0);
}

// Without DVI the hypervisor's PENDR is the pending state; VMCR, VCTLR and the guest's priority mask gate the line.
void test_v5_virtual_ppis()
{
	v5 b;

	b.write(0, SYS_ICH_VMCR_EL2, vmcr_on);
	b.write(0, SYS_ICH_PPI_ENABLER0_EL2, bit(sw_ppi));
	b.write(0, SYS_ICH_PPI_PRIORITYR0_EL2, 7ull << 8 * sw_ppi);
	b.write(0, SYS_ICH_PPI_PENDR0_EL2, bit(sw_ppi));
	CHECK(b.vlines[0]);
	b.write(0, SYS_ICH_VMCR_EL2, vmcr_on & ~1ull);
	CHECK(!b.vlines[0]);
	b.write(0, SYS_ICH_VMCR_EL2, 1 | 6ull << 27);
	CHECK(!b.vlines[0]);
	b.write(0, SYS_ICH_VMCR_EL2, 1 | 7ull << 27);
	CHECK(b.vlines[0]);
	b.write(0, SYS_ICH_VCTLR_EL2, 3);  // V3: a GICv3 guest, whose interrupts come from list registers
	CHECK(!b.vlines[0]);
	b.write(0, SYS_ICH_VCTLR_EL2, 0);
	CHECK(!b.vlines[0]);
	b.write(0, SYS_ICH_VCTLR_EL2, 1);
	CHECK(b.vlines[0]);
	CHECK_EQUAL(b.read(0, SYS_ICV_CDIA), valid | type_ppi | sw_ppi);
	CHECK_EQUAL(b.read(0, SYS_ICH_PPI_PENDR0_EL2), 0);  // an edge, taken
}

// An IPI: pending at its target after both ways and the latency, once, whatever was sent meanwhile.
void test_v5_lpi()
{
	v5 b(4);
	const uint64_t lpi = type_lpi | (GICV5_IPIS * 3 + 5);

	b.write(1, SYS_GIC_CDPEND, valid | lpi);
	CHECK(b.gic->must_catch_up(SYS_GIC_CDPEND));
	CHECK(!b.gic->must_catch_up(SYS_ICC_PPI_ENABLER0_EL1));
	bench::advance(ns(139));
	CHECK(!b.lines[3]);
	bench::advance(ns(2));
	CHECK(b.lines[3]);
	CHECK_EQUAL(b.since[3].value(), ns(10 + 100 + 30 + 2).value());
	CHECK(!b.lines[1]);
	CHECK_EQUAL(b.read(3, SYS_GICR_CDIA), valid | lpi);
	b.write(3, SYS_GIC_CDEOI, 0);
	b.write(1, SYS_GIC_CDPEND, valid | lpi);
	bench::advance(ns(200));
	CHECK(!b.lines[3]);  // active
	b.write(3, SYS_GIC_CDDI, lpi);
	bench::advance(ns(50));
	CHECK(b.lines[3]);

	b.write(0, SYS_GIC_CDRCFG, lpi);
	CHECK_EQUAL(b.read(0, SYS_ICC_ICSR_EL1), 0x10ull << 11 | 3ull << 32 | 1u << 2 | 1u << 1);
	b.write(0, SYS_GIC_CDAFF, lpi | 2ull << 32);
	bench::advance(ns(50));
	CHECK(!b.lines[3]);
	CHECK(b.lines[2]);
	b.write(0, SYS_GIC_CDDIS, lpi);
	bench::advance(ns(50));
	CHECK(!b.lines[2]);
	b.write(0, SYS_GIC_CDRCFG, type_lpi | 0xffffff);
	CHECK_EQUAL(b.read(0, SYS_ICC_ICSR_EL1) & 1, 1);  // no such LPI
}

void test_v5_irs()
{
	v5 b(2);

	CHECK_EQUAL(b.gic->frame_address(GIC_FRAME_IRS, { 1 }), convoy::irs_base);
	CHECK_EQUAL(b.gic->frame_address(GIC_FRAME_REDISTRIBUTOR, { 1 }), 0);
	CHECK_EQUAL(b.mmio_read(0, convoy::irs_base + 0x80), 3);                // CR0: enabled, idle
	CHECK_EQUAL(b.mmio_read(0, convoy::irs_base + 0x04) >> 20 & 7, 4);      // IDR1: 5 priority bits
	b.mmio_write(0, convoy::irs_base + 0x140, 1);
	CHECK_EQUAL(b.mmio_read(0, convoy::irs_base + 0x144), 3);               // PE_STATUSR: idle, valid
	b.mmio_write(0, convoy::irs_base + 0x140, 2);
	CHECK_EQUAL(b.mmio_read(0, convoy::irs_base + 0x144), 1);
	b.mmio_write(0, convoy::irs_base + 0x80, 0);                            // off: no LPI reaches anybody
	b.write(0, SYS_GIC_CDPEND, valid | type_lpi | GICV5_IPIS);
	bench::advance(ns(300));
	CHECK(!b.lines[1]);
	b.mmio_write(0, convoy::irs_base + 0x80, 1);
	bench::advance(ns(10));
	CHECK(b.lines[1]);
	b.mmio_read(0, convoy::irs_base + 2, 4);
	CHECK_EQUAL(b.status, tlm::TLM_BURST_ERROR_RESPONSE);
}

// Compat mode: list registers and the GICv3 CPU interface while ICH_VCTLR_EL2.V3 is set.
void test_v5_compat()
{
	v5 b;
	constexpr uint64_t pending_group1 = 1ull << 62 | 1ull << 60, maintain = 1ull << 41;

	b.write(0, SYS_ICH_VCTLR_EL2, 3);
	b.write(0, SYS_ICH_VMCR_EL2, 0xf0ull << 24 | 2);
	b.write(0, SYS_ICH_HCR_EL2, 1);
	b.write(0, SYS_ICH_LR0_EL2, pending_group1 | maintain | 40);
	CHECK(b.vlines[0]);
	b.write(0, SYS_ICH_VCTLR_EL2, 1);
	CHECK(!b.vlines[0]);
	b.write(0, SYS_ICH_VCTLR_EL2, 3);
	CHECK(b.vlines[0]);
	CHECK_EQUAL(b.read(0, SYS_ICV_IAR1_EL1), 40);
	CHECK(!b.vlines[0]);
	b.write(0, SYS_ICC_PPI_ENABLER0_EL1, 1ull << 25);
	CHECK(!b.lines[0]);
	b.write(0, SYS_ICV_EOIR1_EL1, 40);
	CHECK(b.lines[0]);  // the maintenance interrupt
	CHECK_EQUAL(b.read(0, SYS_GICR_CDIA), valid | type_ppi | 25);
	b.write(0, SYS_ICH_HCR_EL2, 0);
	CHECK_EQUAL(b.read(0, SYS_ICC_PPI_SPENDR0_EL1), 0);
}

// Compat mode: the guest's end of an interrupt that stands for a host's PPI (ICH_LR<n>_EL2.HW) deactivates that PPI.
void test_v5_compat_deactivates()
{
	v5 b;
	constexpr uint64_t pending_group1 = 1ull << 62 | 1ull << 60, hw = 1ull << 61 | uint64_t(vtimer) << 32;

	b.write(0, SYS_ICC_PPI_ENABLER0_EL1, bit(vtimer));
	b.ppi(0, vtimer, true);
	CHECK_EQUAL(b.read(0, SYS_GICR_CDIA), valid | type_ppi | vtimer);
	b.write(0, SYS_GIC_CDEOI, 0);
	b.write(0, SYS_ICH_VCTLR_EL2, 3);
	b.write(0, SYS_ICH_VMCR_EL2, 0xf0ull << 24 | 2);
	b.write(0, SYS_ICH_HCR_EL2, 1);
	b.write(0, SYS_ICH_LR0_EL2, pending_group1 | hw | vtimer);
	CHECK_EQUAL(b.read(0, SYS_ICV_IAR1_EL1), vtimer);
	CHECK_EQUAL(b.read(0, SYS_ICC_PPI_SACTIVER0_EL1), bit(vtimer));
	CHECK(!b.lines[0]);
	b.write(0, SYS_ICV_EOIR1_EL1, vtimer);
	CHECK_EQUAL(b.read(0, SYS_ICC_PPI_SACTIVER0_EL1), 0);
	CHECK(b.lines[0]);  // the wire is still high
}
