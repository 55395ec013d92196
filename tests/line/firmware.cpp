// SPDX-License-Identifier: Apache-2.0
// Firmware's part of starting the GIC. ICC_IGRPEN1_EL1 is not among the registers of model/machine.h, so software cannot write it.
#include <cassert>

#include <systemc>

#include "model/gic/gicv3.hpp"

extern "C" void bench_enable_group1(uint32_t cpus);

extern "C" void bench_enable_group1(uint32_t cpus)
{
	auto *gic = dynamic_cast<convoy::gicv3 *>(sc_core::sc_find_object("gic"));

	assert(gic && "the machine's GIC");
	for (uint32_t n = 0; n < cpus; n++)
		gic->icc_write({ n }, ICC_IGRPEN1_EL1, 1, sc_core::SC_ZERO_TIME);
}
