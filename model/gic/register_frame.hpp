// SPDX-License-Identifier: Apache-2.0
/*
 * A memory-mapped frame of few registers, for controllers that have no table of them: socket, service time, one queue. What
 * a register does is the owner's: a function that is called once for each access with its end of service.
 *
 * TIMING as model/gic/gic_frame.hpp. Sizes other than 1, 4 and 8 bytes, misaligned addresses, byte enables, or a refusal by
 * the owner: TLM error response. transport_dbg: not offered.
 */
#ifndef CONVOY_MODEL_GIC_REGISTER_FRAME_HPP
#define CONVOY_MODEL_GIC_REGISTER_FRAME_HPP

#include <functional>

#include <systemc>
#include <tlm>
#include <tlm_utils/passthrough_target_socket.h>

#include "base/ids.h"

namespace convoy {

struct register_access {
	bool write;
	uint32_t offset, bytes;
	uint64_t value;          // to write; the owner puts what was read here
	cpu_id cpu;              // who asks
	sc_core::sc_time when;   // end of service, absolute
};

class register_frame : public sc_core::sc_module {
public:
	tlm_utils::passthrough_target_socket<register_frame> socket;
	// False: no such access; TLM_BURST_ERROR_RESPONSE.
	using handler = std::function<bool(register_access &)>;

	register_frame(sc_core::sc_module_name name, sc_core::sc_time service, handler access);

	uint64_t accesses() const { return accesses_; }
	sc_core::sc_time queued() const { return queued_; }  // sum of the accesses' waiting before service

private:
	void b_transport(tlm::tlm_generic_payload &transaction, sc_core::sc_time &delay);
	tlm::tlm_response_status access(tlm::tlm_generic_payload &transaction);

	const sc_core::sc_time service_;
	const handler access_;
	sc_core::sc_time busy_until_, queued_;
	uint64_t accesses_ = 0;
};

}

#endif
