// SPDX-License-Identifier: Apache-2.0
/*
 * One memory-mapped target of the GIC: the distributor, or the two frames of one redistributor. The
 * registers are C logic (gic.h); this adds the socket, a service time and a queue.
 *
 * TIMING. An access that arrives at `delay` after sc_time_stamp() starts when the accesses before it
 * are done and ends `service` later; that end is returned in `delay`, is when the register counts as
 * read or written, and stamps the interrupt lines it changes. No wait(). One access at a time, in order
 * of the calls; a refused access takes as long.
 *
 * INPUT WIRES are not users in the sense of the sole-user rule (model/bus/interconnect.hpp). A change
 * of an input at `when` takes effect no earlier than the end of the last access served: one that a CPU
 * made ahead of simulated time already saw the registers without it. So an interrupt may be late by at
 * most that CPU's run-ahead, never early; a CPU that needs its own timer's interrupt exactly catches up
 * before it touches its redistributor.
 *
 * RESPONSES. Size or alignment that the register does not allow, byte enables, streaming:
 * TLM_BURST_ERROR_RESPONSE or TLM_BYTE_ENABLE_ERROR_RESPONSE, nothing changes. Data are in host order,
 * as TLM says. transport_dbg reads and writes without time and, unless one is under way, without a
 * period of RWP; interrupt lines follow at sc_time_stamp().
 */
#ifndef CONVOY_MODEL_GIC_GIC_FRAME_HPP
#define CONVOY_MODEL_GIC_GIC_FRAME_HPP

#include <functional>

#include <systemc>
#include <tlm>
#include <tlm_utils/passthrough_target_socket.h>

#include "model/gic/gic.h"
#include "model/gic/irq_lines.hpp"

namespace convoy {

class gic_frame : public sc_core::sc_module {
public:
	tlm_utils::passthrough_target_socket<gic_frame> socket;

	SC_HAS_PROCESS(gic_frame);
	// `cpu`: whose redistributor; for the distributor any CPU.
	gic_frame(sc_core::sc_module_name name, struct gic *gic, irq_lines &lines, gic_target target, cpu_id cpu,
		  sc_core::sc_time service);

	// Level of a PPI input (redistributor) or SPI input (distributor) from `when` on, absolute and not
	// before sc_time_stamp().
	void set_level(intid irq, bool level, const sc_core::sc_time &when);

	// An SGI becomes pending (redistributor); like an input.
	void sgi(uint32_t interrupt, const sc_core::sc_time &when);

	// `first` is called before each access, with the end of its service: SGIs that arrive by then are told now.
	void before_access(std::function<void(const sc_core::sc_time &end)> first) { first_ = std::move(first); }

	uint64_t accesses() const { return accesses_; }
	sc_core::sc_time queued() const { return queued_; }  // sum of the accesses' waiting before service
	sc_core::sc_time busy_until() const { return busy_until_; }

private:
	void b_transport(tlm::tlm_generic_payload &transaction, sc_core::sc_time &delay);
	unsigned int transport_dbg(tlm::tlm_generic_payload &transaction);
	tlm::tlm_response_status access(tlm::tlm_generic_payload &transaction, uint64_t now);
	void settle();
	void settle_later();

	struct gic *gic_;
	irq_lines &lines_;
	const gic_target target_;
	const cpu_id cpu_;
	const sc_core::sc_time service_;

	sc_core::sc_time busy_until_, queued_;
	uint64_t accesses_ = 0;
	std::function<void(const sc_core::sc_time &end)> first_;
	sc_core::sc_event settle_event_;
};

}

#endif
