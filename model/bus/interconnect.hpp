// SPDX-License-Identifier: Apache-2.0
/*
 * The device interconnect: from a CPU and an address to a target, with the latency of the way.
 *
 * TIMING CONTRACT (loosely timed, b_transport only, never waits):
 *   in      `delay` = when the CPU issues the request, relative to sc_time_stamp(); the CPU may be
 *           ahead of simulated time
 *   here    + latency of the way from the requester to the target's crosspoint
 *   target  + waiting in its queue + its service time; `delay` is then the end of service
 *   here    + the same latency for the way back
 *   out     `delay` = when the acknowledgement, or the data, is back at the CPU, relative to
 *           sc_time_stamp()
 * Latency that does not depend on the place (getting out of the core, reads against writes) is the
 * core's to add.
 *
 * A posted write is this same call: the CPU goes on after issuing and keeps the returned instant for
 * whatever must wait for it. Registers change during the call, not at that instant.
 *
 * ORDER. A target serves requests in the order of the calls. Requests of one CPU to one target
 * therefore stay in program order (Device-nGnRE), and one with a shorter way that is issued later waits
 * behind one issued earlier: an arrival counts as no earlier than the arrival before it at the same
 * target.
 *
 * SOLE-USER RULE. Calls are in the order of simulated time only if CPUs call at their own time. A
 * target that one CPU alone has used so far may be accessed ahead of simulated time, because nobody can
 * see the difference. So:
 *   - before each access, the CPU asks must_catch_up(cpu, address); when true it first lets simulated
 *     time reach its local time. True when another CPU has used the target.
 *   - when a second CPU touches a target for the first time, the former sole user may have been there
 *     at a later time already. The newcomer's arrival then counts as no earlier than that last access:
 *     nothing is served out of order, and the error (the newcomer is late by at most the run-ahead of
 *     the other) happens once in the life of a target.
 *   - from then on the target is shared for good. Accesses to a shared target that come ahead of
 *     simulated time nevertheless are counted (early_accesses): a correct CPU model leaves that at 0.
 * Input wires of a target (interrupt inputs) are no users; see model/gic/gic_frame.hpp.
 *
 * ERRORS. No target at the address, or an access across the end of one: TLM_ADDRESS_ERROR_RESPONSE,
 * `delay` unchanged. No cpu_extension, or a CPU the interconnect was not built for:
 * TLM_GENERIC_ERROR_RESPONSE, `delay` unchanged.
 *
 * Sockets: any number of CPUs bind to `cpu_socket`; each attach() adds a target, which sees addresses
 * relative to its base. transport_dbg goes straight to the target, without time, user tracking or
 * extension.
 *
 * Not modelled: bandwidth and arbitration of the links (queues are at the targets), bursts, DMI, the
 * non-blocking interface.
 */
#ifndef CONVOY_MODEL_BUS_INTERCONNECT_HPP
#define CONVOY_MODEL_BUS_INTERCONNECT_HPP

#include <cstdint>
#include <functional>
#include <vector>

#include <systemc>
#include <tlm>
#include <tlm_utils/multi_passthrough_initiator_socket.h>
#include <tlm_utils/multi_passthrough_target_socket.h>

#include "base/ids.h"
#include "model/bus/cpu_extension.hpp"

namespace convoy {

class interconnect : public sc_core::sc_module {
public:
	// One way, from a CPU to a crosspoint. Called during elaboration only, once for each CPU and crosspoint in
	// use.
	using path_latency = std::function<sc_core::sc_time(cpu_id, uint32_t crosspoint)>;

	tlm_utils::multi_passthrough_target_socket<interconnect> cpu_socket;

	interconnect(sc_core::sc_module_name name, uint32_t cpus, path_latency path);

	// Before the end of elaboration: binds a target that answers addresses base … base+size-1 and sits
	// at `crosspoint`. Throws std::invalid_argument when the window is empty, wraps around or overlaps
	// another.
	void attach(tlm::tlm_target_socket<> &socket, uint64_t base, uint64_t size, uint32_t crosspoint);

	// True: let simulated time reach the CPU's local time before accessing `address`. False where there
	// is no target.
	bool must_catch_up(cpu_id cpu, uint64_t address) const;

	// One way from a CPU to the target at `address`, which there must be.
	sc_core::sc_time path(cpu_id cpu, uint64_t address) const;

	// Accesses to shared targets that broke the sole-user rule.
	uint64_t early_accesses() const { return early_accesses_; }

private:
	static constexpr uint32_t nobody = UINT32_MAX;
	static constexpr uint32_t everybody = UINT32_MAX - 1;
	static constexpr uint32_t no_target = UINT32_MAX;

	struct target {
		uint64_t base, last;  // first and last address
		uint32_t socket;      // index into to_targets_
		uint32_t place;       // index into places_
		uint32_t user;        // nobody, a CPU, everybody
		sc_core::sc_time last_arrival;
	};

	uint32_t place_of(uint32_t crosspoint);
	uint32_t search(uint64_t address) const;
	uint32_t find(uint32_t cpu, uint64_t address) const;
	void b_transport(int, tlm::tlm_generic_payload &transaction, sc_core::sc_time &delay);
	unsigned int transport_dbg(int, tlm::tlm_generic_payload &transaction);

	tlm_utils::multi_passthrough_initiator_socket<interconnect> to_targets_;
	const path_latency path_;
	std::vector<target> targets_;             // by address
	mutable std::vector<uint32_t> last_found_;  // by CPU: where it went last; mostly its own redistributor
	std::vector<uint32_t> places_;            // crosspoints in use
	std::vector<sc_core::sc_time> latency_;   // [place][cpu]
	uint64_t early_accesses_ = 0;
};

}

#endif
