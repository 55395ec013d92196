// SPDX-License-Identifier: Apache-2.0
/* The interrupt lines from the GIC to a CPU: physical, and virtual for the guest that runs on it. */
#ifndef CONVOY_MODEL_GIC_CPU_IRQ_IF_HPP
#define CONVOY_MODEL_GIC_CPU_IRQ_IF_HPP

#include <systemc>

#include "base/ids.h"

namespace convoy {

class cpu_irq_if {
public:
	/*
	 * The line of `cpu` changed at `when`: absolute simulated time, possibly later than sc_time_stamp()
	 * because an access that is served in the future changed it. Called only on changes, so `asserted`
	 * alternates, and for one CPU `when` never goes back; but several changes may be told before the
	 * first of them is reached.
	 */
	virtual void irq_line(cpu_id cpu, bool asserted, sc_core::sc_time when) = 0;
	/* The same of the virtual interrupt line (vIRQ): what the guest takes unless it masks interrupts. */
	virtual void virq_line(cpu_id cpu, bool asserted, sc_core::sc_time when) = 0;

protected:
	~cpu_irq_if() = default;
};

}

#endif
