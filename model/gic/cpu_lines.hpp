// SPDX-License-Identifier: Apache-2.0
/*
 * Interrupt lines from a controller to the CPUs, physical and virtual, for controllers whose state is not struct gic: keeps each
 * line's times from going back, drops repetitions.
 */
#ifndef CONVOY_MODEL_GIC_CPU_LINES_HPP
#define CONVOY_MODEL_GIC_CPU_LINES_HPP

#include <algorithm>
#include <vector>

#include <systemc>

#include "model/gic/cpu_irq_if.hpp"

namespace convoy {

class cpu_lines {
public:
	explicit cpu_lines(uint32_t cpus) : cpus_(cpus) {}

	void connect(cpu_id cpu, cpu_irq_if *input) { cpus_.at(cpu.n).input = input; }

	// The line is `asserted` from `when` on, absolute.
	void tell(cpu_id cpu, bool is_virtual, bool asserted, const sc_core::sc_time &when)
	{
		line &l = cpus_[cpu.n].lines[is_virtual];

		if (l.asserted == asserted)
			return;
		l.asserted = asserted;
		l.last = std::max(l.last, when);
		cpu_irq_if *input = cpus_[cpu.n].input;
		if (input && is_virtual)
			input->virq_line(cpu, asserted, l.last);
		else if (input)
			input->irq_line(cpu, asserted, l.last);
	}

private:
	struct line {
		bool asserted = false;
		sc_core::sc_time last;
	};
	struct cpu_inputs {
		cpu_irq_if *input = nullptr;
		line lines[2];
	};

	std::vector<cpu_inputs> cpus_;
};

}

#endif
