// SPDX-License-Identifier: Apache-2.0
/*
 * What virtual CPU interfaces drive: the vIRQ line of each CPU, and its maintenance interrupt (PPI 25), which is an input
 * of the GIC like any other. Whoever changes a struct gic_virtual tells it afterwards.
 */
#ifndef CONVOY_MODEL_GIC_VIRTUAL_LINES_HPP
#define CONVOY_MODEL_GIC_VIRTUAL_LINES_HPP

#include <functional>
#include <vector>

#include <systemc>

#include "model/gic/cpu_irq_if.hpp"
#include "model/gic/gic_virtual.h"

namespace convoy {

class virtual_lines {
public:
	using maintenance_input = std::function<void(cpu_id, bool level, const sc_core::sc_time &when)>;

	// `latency`: from a change of the interface to the CPU's input; none where the interface is part of the CPU.
	virtual_lines(uint32_t cpus, sc_core::sc_time latency, maintenance_input input)
		: latency_(latency), maintenance_(std::move(input)), line_(cpus) {}

	void connect(cpu_id cpu, cpu_irq_if *input) { line_.at(cpu.n).input = input; }

	// The interface of `cpu` is now as it is because of something at `when`, absolute.
	void publish(cpu_id cpu, const gic_virtual &interface, const sc_core::sc_time &when);

private:
	struct line {
		cpu_irq_if *input = nullptr;
		bool virq = false, maintenance = false;  // as last told
		sc_core::sc_time last;
	};

	const sc_core::sc_time latency_;
	const maintenance_input maintenance_;
	std::vector<line> line_;
};

}

#endif
