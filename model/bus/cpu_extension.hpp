// SPDX-License-Identifier: Apache-2.0
/*
 * Payload extension: the CPU that makes the request.
 *
 * Contract.
 *  - Who sets it: the initiator, before b_transport, on every payload that enters an interconnect or a
 *    coherence fabric of this model. It may stay attached for as long as the payload is used again by
 *    the same CPU.
 *  - Who owns it: the initiator, which outlives the call. The payload only points at it; nobody else
 *    frees it. (An initiator that clears the pointer before freeing the payload needs no memory
 *    manager.)
 *  - Who reads it: anything on the way. Nobody changes it on the way, and it keeps its meaning through
 *    every hop.
 *  - What it means: the CPU whose program order the request belongs to, 0 … host.cpus-1. It says
 *    nothing about the route.
 *  - When it is missing: an interconnect answers TLM_GENERIC_ERROR_RESPONSE. transport_dbg needs none.
 */
#ifndef CONVOY_MODEL_BUS_CPU_EXTENSION_HPP
#define CONVOY_MODEL_BUS_CPU_EXTENSION_HPP

#include <tlm>

#include "base/ids.h"

namespace convoy {

struct cpu_extension : tlm::tlm_extension<cpu_extension> {
	explicit cpu_extension(cpu_id id) : cpu(id) {}

	tlm::tlm_extension_base *clone() const override { return new cpu_extension(cpu); }
	void copy_from(const tlm::tlm_extension_base &other) override
	{
		cpu = static_cast<const cpu_extension &>(other).cpu;
	}

	cpu_id cpu;
};

}

#endif
