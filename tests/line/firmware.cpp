// SPDX-License-Identifier: Apache-2.0
// Firmware's part of starting the GIC: what a kernel finds done or does before it takes interrupts. Through the model's debug access, without time.
#include <cassert>

#include <systemc>
#include <tlm>

#include "model/gic/address_map.h"
#include "model/gic/gicv3.hpp"

extern "C" {
#include "tests/line/bench.h"
}

namespace {

constexpr uint32_t timers = 1u << 27 | 1u << 30;

}

// ICC_IGRPEN1_EL1 is not among the registers of model/machine.h, so the CPU interface is set up here as well.
extern "C" void bench_enable_timer_interrupts(struct machine *machine, uint32_t cpus)
{
	auto *gic = dynamic_cast<convoy::gicv3 *>(sc_core::sc_find_object("gic"));

	(void)machine;
	assert(gic && "the machine's GIC");
	for (uint32_t n = 0; n < cpus; n++) {
		gic->icc_write({ n }, ICC_PMR_EL1, 0xf0, sc_core::SC_ZERO_TIME);
		gic->icc_write({ n }, ICC_IGRPEN1_EL1, 1, sc_core::SC_ZERO_TIME);
	}
}
