// SPDX-License-Identifier: Apache-2.0
/*
 * SGIs on their way: sent, not yet pending at their target. They arrive in order of their time, those of one instant in
 * the order in which they were sent.
 *
 * An SGI arrives when simulated time does, or when its target looks at its own interface at that time or later, because it
 * is ahead of simulated time. The wake-up stands one unit of time before the arrival, where no CPU acts, so that a CPU which
 * acts at that very instant always finds it arrived.
 */
#ifndef CONVOY_MODEL_GIC_SGI_QUEUE_HPP
#define CONVOY_MODEL_GIC_SGI_QUEUE_HPP

#include <functional>
#include <map>

#include <systemc>

#include "base/ids.h"

namespace convoy {

struct sgi {
	cpu_id from, to;
	uint32_t interrupt;
};

class sgi_queue : public sc_core::sc_module {
public:
	using arrival = std::function<void(const sgi &, const sc_core::sc_time &when)>;

	SC_HAS_PROCESS(sgi_queue);
	sgi_queue(sc_core::sc_module_name name, arrival arrive);

	// Arrives at `when`, absolute and not before sc_time_stamp().
	void send(const sgi &sgi, const sc_core::sc_time &when);
	// All for `to` that have arrived by `when`.
	void settle(cpu_id to, const sc_core::sc_time &when);

private:
	void arrivals();
	void wake_up();

	const arrival arrive_;
	std::multimap<sc_core::sc_time, sgi> on_their_way_;  // equal times keep their order
	sc_core::sc_event next_;
};

}

#endif
