// SPDX-License-Identifier: Apache-2.0
// See virtual_lines.hpp.
#include "model/gic/virtual_lines.hpp"

#include <algorithm>

namespace convoy {

void virtual_lines::publish(cpu_id cpu, const gic_virtual &interface, const sc_core::sc_time &when)
{
	line &l = line_[cpu.n];
	const bool virq = gic_virtual_line(&interface);
	const bool maintenance = gic_virtual_maintenance(&interface);

	if (virq != l.virq) {
		l.virq = virq;
		l.last = std::max(l.last, when + latency_);
		if (l.input)
			l.input->virq_line(cpu, virq, l.last);
	}
	if (maintenance != l.maintenance) {
		l.maintenance = maintenance;
		maintenance_(cpu, maintenance, when);
	}
}

}
