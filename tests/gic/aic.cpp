// SPDX-License-Identifier: Apache-2.0
// Apple's AIC: guest timers' FIQ and its gate, fast IPIs. Expected from the Linux driver, for lack of a specification.
#include "model/gic/aic.hpp"

#include "other_bench.hpp"

namespace {

constexpr uint32_t vtimer = 27, ptimer = 30;

struct apple : other_bench {
	apple() : other_bench(8), model("gic", config(), bus)
	{
		start(model);
	}

	static convoy::aic_config config()
	{
		convoy::aic_config c;

		c.cpus = 8;
		c.line_latency = ns(3);
		c.ipi_latency = ns(50);
		return c;
	}

	convoy::aic model;
};

}

// The EL2 physical timer is the host's: no bit of the gate concerns it.
void test_aic_host_timer()
{
	apple b;

	b.model.boot(0);
	b.ppi(2, 26, true);
	CHECK(b.lines[2]);
	CHECK(!b.lines[0]);
	b.write(2, SYS_IMP_APL_VM_TMR_FIQ_ENA_EL2, 3);
	b.write(2, SYS_IMP_APL_VM_TMR_FIQ_ENA_EL2, 0);
	CHECK(b.lines[2]);
	b.ppi(2, 26, false);
	CHECK(!b.lines[2]);
}

void test_aic_timer_gate()
{
	apple b;

	b.model.boot(1u << vtimer);
	CHECK_EQUAL(b.read(0, SYS_IMP_APL_VM_TMR_FIQ_ENA_EL2), 1);
	b.ppi(0, ptimer, true);
	CHECK(!b.lines[0]);
	b.ppi(0, vtimer, true);
	CHECK(b.lines[0]);
	CHECK(!b.lines[1]);
	CHECK_EQUAL(b.since[0].value(), ns(3).value());
	b.write(0, SYS_IMP_APL_VM_TMR_FIQ_ENA_EL2, 0);
	CHECK(!b.lines[0]);
	b.write(0, SYS_IMP_APL_VM_TMR_FIQ_ENA_EL2, 2);
	CHECK(b.lines[0]);
	b.ppi(0, ptimer, false);
	CHECK(!b.lines[0]);
	CHECK_EQUAL(b.gic->frame_address(GIC_FRAME_REDISTRIBUTOR, { 0 }), 0);
	CHECK_EQUAL(b.mmio_read(3, b.gic->frame_address(GIC_FRAME_DISTRIBUTOR, { 3 }) + 0x2004), 0);  // AIC_EVENT: no device
	CHECK_EQUAL(b.status, tlm::TLM_OK_RESPONSE);
}

// Local: a CPU of the own cluster; global: cluster and CPU. Write one to the status clears it.
void test_aic_ipi()
{
	apple b;

	b.write(5, SYS_IMP_APL_IPI_RR_LOCAL_EL1, 2);
	bench::advance(ns(49));
	CHECK(!b.lines[6]);
	bench::advance(ns(2));
	CHECK(b.lines[6]);
	CHECK(!b.lines[2]);
	CHECK_EQUAL(b.read(6, SYS_IMP_APL_IPI_SR_EL1), 1);
	b.write(6, SYS_IMP_APL_IPI_SR_EL1, 0);
	CHECK(b.lines[6]);
	b.write(6, SYS_IMP_APL_IPI_SR_EL1, 1);
	CHECK(!b.lines[6]);
	b.write(5, SYS_IMP_APL_IPI_RR_GLOBAL_EL1, 0u << 16 | 3);
	bench::advance(ns(51));
	CHECK(b.lines[3]);
	b.write(5, SYS_IMP_APL_IPI_RR_GLOBAL_EL1, 9u << 16 | 3);  // nobody there
	bench::advance(ns(51));
	CHECK(b.gic->must_catch_up(SYS_IMP_APL_IPI_RR_GLOBAL_EL1));
}

// Guests have list registers; the end of an interrupt asks for maintenance, which is one more source of the host's input.
void test_aic_guest()
{
	apple b;

	b.write(2, SYS_ICH_VMCR_EL2, 0xf0ull << 24 | 2);
	b.write(2, SYS_ICH_HCR_EL2, 1);
	b.write(2, SYS_ICH_LR1_EL2, 1ull << 62 | 1ull << 60 | 1ull << 41 | vtimer);
	CHECK(b.vlines[2]);
	CHECK(!b.vlines[3]);
	CHECK_EQUAL(b.read(2, SYS_ICV_IAR1_EL1), vtimer);
	CHECK(!b.lines[2]);
	b.write(2, SYS_ICV_EOIR1_EL1, vtimer);
	CHECK(b.lines[2]);
	CHECK_EQUAL(b.read(2, SYS_ICH_MISR_EL2), 1);
	b.write(2, SYS_ICH_HCR_EL2, 0);
	CHECK(!b.lines[2]);
}
