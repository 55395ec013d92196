// SPDX-License-Identifier: Apache-2.0
// See irq_lines.hpp.
#include "model/gic/irq_lines.hpp"

#include <algorithm>

namespace convoy {

void irq_lines::tell(const sc_core::sc_time &when, const cpu_id *own)
{
	cpu_id cpu;
	bool asserted;

	while (gic_next_line_change(gic_, &cpu, &asserted)) {
		line &l = line_[cpu.n];
		const bool at_once = own && own->n == cpu.n && !asserted;

		// Frames have queues of their own: what one does later may be told before what another does earlier.
		l.last = std::max(l.last, at_once ? when : when + latency_);
		if (l.input)
			l.input->irq_line(cpu, asserted, l.last);
	}
}

}
