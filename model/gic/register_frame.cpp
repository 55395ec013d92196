// SPDX-License-Identifier: Apache-2.0
// See register_frame.hpp.
#include "model/gic/register_frame.hpp"

#include <algorithm>
#include <cstring>

#include "model/bus/cpu_extension.hpp"

namespace convoy {

using sc_core::sc_time;

register_frame::register_frame(sc_core::sc_module_name name, sc_time service, handler access)
	: sc_module(name), socket("socket"), service_(service), access_(std::move(access))
{
	socket.register_b_transport(this, &register_frame::b_transport);
}

tlm::tlm_response_status register_frame::access(tlm::tlm_generic_payload &transaction)
{
	const unsigned int bytes = transaction.get_data_length();
	cpu_extension *from = nullptr;

	transaction.get_extension(from);
	if (transaction.get_byte_enable_ptr())
		return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
	if (!from || (bytes != 1 && bytes != 4 && bytes != 8) || transaction.get_address() % bytes || transaction.get_streaming_width() < bytes)
		return tlm::TLM_BURST_ERROR_RESPONSE;
	register_access request = { transaction.is_write(), uint32_t(transaction.get_address()), bytes, 0, from->cpu, busy_until_ };
	uint32_t word = 0;

	if (request.write && bytes == 1) {
		request.value = *transaction.get_data_ptr();
	} else if (request.write && bytes == 4) {
		std::memcpy(&word, transaction.get_data_ptr(), 4);
		request.value = word;
	} else if (request.write) {
		std::memcpy(&request.value, transaction.get_data_ptr(), 8);
	}
	if (!access_(request))
		return tlm::TLM_BURST_ERROR_RESPONSE;
	word = uint32_t(request.value);
	if (!request.write && bytes == 1)
		*transaction.get_data_ptr() = uint8_t(request.value);
	else if (!request.write)
		std::memcpy(transaction.get_data_ptr(), bytes == 4 ? static_cast<void *>(&word) : &request.value, bytes);
	return tlm::TLM_OK_RESPONSE;
}

void register_frame::b_transport(tlm::tlm_generic_payload &transaction, sc_time &delay)
{
	const sc_time &now = sc_core::sc_time_stamp();

	accesses_++;
	if (now + delay < busy_until_)
		queued_ += busy_until_ - (now + delay);
	busy_until_ = std::max(now + delay, busy_until_) + service_;
	transaction.set_response_status(access(transaction));
	delay = busy_until_ - now;
}

}
