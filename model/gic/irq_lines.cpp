// SPDX-License-Identifier: Apache-2.0
// See irq_lines.hpp.
#include "model/gic/irq_lines.hpp"

#include <algorithm>

namespace convoy {

void irq_lines::publish(const sc_core::sc_time &when)
{
	cpu_id cpu;
	bool asserted;

	while (gic_next_line_change(gic_, &cpu, &asserted)) {
		line &l = line_[cpu.n];

		// Frames have queues of their own: what one does later may be told before what another does earlier.
		l.last = std::max(l.last, when + latency_);
		if (l.input)
			l.input->irq_line(cpu, asserted, l.last);
	}
}

}
