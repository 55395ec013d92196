// SPDX-License-Identifier: Apache-2.0
// Decoding, paths and the sole-user rule; the contract is in interconnect.hpp.
#include "model/bus/interconnect.hpp"

#include <algorithm>
#include <cassert>
#include <sstream>
#include <stdexcept>

namespace convoy {

using sc_core::sc_time;
using sc_core::sc_time_stamp;

interconnect::interconnect(sc_core::sc_module_name name, uint32_t cpus, path_latency path)
	: sc_module(name), cpu_socket("cpu_socket"), to_targets_("to_targets"), path_(std::move(path)),
	  last_found_(cpus, no_target)
{
	cpu_socket.register_b_transport(this, &interconnect::b_transport);
	cpu_socket.register_transport_dbg(this, &interconnect::transport_dbg);
}

void interconnect::attach(tlm::tlm_target_socket<> &socket, uint64_t base, uint64_t size, uint32_t crosspoint)
{
	const uint64_t last = base + (size - 1);
	std::ostringstream text;

	text << "interconnect: target " << socket.name() << " at 0x" << std::hex << base;
	if (size == 0 || last < base)
		throw std::invalid_argument(text.str() + ": window is empty or passes the end of the address space");
	const auto place = std::upper_bound(targets_.begin(), targets_.end(), base,
					    [](uint64_t value, const target &t) { return value < t.base; });
	if ((place != targets_.end() && place->base <= last) || (place != targets_.begin() && (place - 1)->last >= base))
		throw std::invalid_argument(text.str() + ": window overlaps that of another target");
	targets_.insert(place, { base, last, uint32_t(targets_.size()), place_of(crosspoint), nobody, sc_core::SC_ZERO_TIME });
	std::fill(last_found_.begin(), last_found_.end(), no_target);  // they are positions, and those have moved
	to_targets_.bind(socket);
}

// Index of the crosspoint among those in use; on first use, asks for its latencies.
uint32_t interconnect::place_of(uint32_t crosspoint)
{
	const auto found = std::find(places_.begin(), places_.end(), crosspoint);

	if (found != places_.end())
		return uint32_t(found - places_.begin());
	places_.push_back(crosspoint);
	for (uint32_t cpu = 0; cpu < last_found_.size(); cpu++)
		latency_.push_back(path_(cpu_id{ cpu }, crosspoint));
	return uint32_t(places_.size() - 1);
}

uint32_t interconnect::search(uint64_t address) const
{
	const auto above = std::upper_bound(targets_.begin(), targets_.end(), address,
					    [](uint64_t value, const target &t) { return value < t.base; });

	if (above == targets_.begin() || address > (above - 1)->last)
		return no_target;
	return uint32_t(above - targets_.begin() - 1);
}

uint32_t interconnect::find(uint32_t cpu, uint64_t address) const
{
	const uint32_t last = last_found_[cpu];

	if (last != no_target && address >= targets_[last].base && address <= targets_[last].last)
		return last;
	return last_found_[cpu] = search(address);
}

bool interconnect::must_catch_up(cpu_id cpu, uint64_t address) const
{
	const uint32_t index = cpu.n < last_found_.size() ? find(cpu.n, address) : search(address);

	return index != no_target && targets_[index].user != nobody && targets_[index].user != cpu.n;
}

sc_time interconnect::path(cpu_id cpu, uint64_t address) const
{
	const uint32_t index = search(address);

	assert(index != no_target && cpu.n < last_found_.size());
	return latency_[targets_[index].place * last_found_.size() + cpu.n];
}

void interconnect::b_transport(int, tlm::tlm_generic_payload &transaction, sc_time &delay)
{
	const cpu_extension *extension = transaction.get_extension<cpu_extension>();

	if (!extension || extension->cpu.n >= last_found_.size()) {
		transaction.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
		return;
	}
	const uint32_t cpu = extension->cpu.n;
	const uint64_t address = transaction.get_address();
	const uint32_t index = find(cpu, address);

	// Written so that it holds for a window that ends with the address space.
	if (index == no_target || transaction.get_data_length() == 0 ||
	    targets_[index].last - address < transaction.get_data_length() - 1) {
		transaction.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
		return;
	}
	target &t = targets_[index];
	const sc_time &latency = latency_[t.place * last_found_.size() + cpu];

	if (t.user == nobody) {
		t.user = cpu;
	} else if (t.user != cpu) {
		t.user = everybody;
		if (delay > sc_core::SC_ZERO_TIME)
			early_accesses_++;
	}

	const sc_time &now = sc_time_stamp();
	t.last_arrival = std::max(t.last_arrival, now + delay + latency);
	delay = t.last_arrival - now;
	transaction.set_address(address - t.base);
	to_targets_[int(t.socket)]->b_transport(transaction, delay);
	transaction.set_address(address);
	delay += latency;
}

unsigned int interconnect::transport_dbg(int, tlm::tlm_generic_payload &transaction)
{
	const uint64_t address = transaction.get_address();
	const uint32_t index = search(address);
	unsigned int bytes;

	if (index == no_target || transaction.get_data_length() == 0 ||
	    targets_[index].last - address < transaction.get_data_length() - 1)
		return 0;
	transaction.set_address(address - targets_[index].base);
	bytes = to_targets_[int(targets_[index].socket)]->transport_dbg(transaction);
	transaction.set_address(address);
	return bytes;
}

}
