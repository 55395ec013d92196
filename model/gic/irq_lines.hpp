// SPDX-License-Identifier: Apache-2.0
/*
 * The interrupt lines of all CPUs: takes changes from the register state and tells the CPUs, with a time.
 * Owned by gicv3; the frames tell it when they have changed something.
 */
#ifndef CONVOY_MODEL_GIC_IRQ_LINES_HPP
#define CONVOY_MODEL_GIC_IRQ_LINES_HPP

#include <vector>

#include <systemc>

#include "model/gic/cpu_irq_if.hpp"
#include "model/gic/gic.h"

namespace convoy {

class irq_lines {
public:
	// `latency`: from the change of state to the CPU's input.
	irq_lines(struct gic *gic, uint32_t cpus, sc_core::sc_time latency) : gic_(gic), latency_(latency), line_(cpus) {}

	void connect(cpu_id cpu, cpu_irq_if *input) { line_.at(cpu.n).input = input; }

	// Tells every line that changed through something that happened at `when`, absolute.
	void publish(const sc_core::sc_time &when) { tell(when, nullptr); }
	// Likewise, through a register of the CPU interface of `cpu`, which is part of the CPU: what that takes off its own
	// line is off at once. Otherwise the CPU would still see the interrupt that it has just acknowledged.
	void publish_own(cpu_id cpu, const sc_core::sc_time &when) { tell(when, &cpu); }

private:
	void tell(const sc_core::sc_time &when, const cpu_id *own);

	struct line {
		cpu_irq_if *input = nullptr;  // nobody listens: the change is lost, as on an open wire
		sc_core::sc_time last;        // of the last change
	};

	struct gic *gic_;
	const sc_core::sc_time latency_;
	std::vector<line> line_;
};

}

#endif
