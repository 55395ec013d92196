// SPDX-License-Identifier: Apache-2.0
// See gic_frame.hpp. The C logic counts time in units of SystemC's resolution.
#include "model/gic/gic_frame.hpp"

#include <algorithm>
#include <cstring>

namespace convoy {

using sc_core::sc_time;
using sc_core::sc_time_stamp;

gic_frame::gic_frame(sc_core::sc_module_name name, struct gic *gic, irq_lines &lines, gic_target target, cpu_id cpu,
		     sc_time service)
	: sc_module(name), socket("socket"), gic_(gic), lines_(lines), target_(target), cpu_(cpu), service_(service)
{
	socket.register_b_transport(this, &gic_frame::b_transport);
	socket.register_transport_dbg(this, &gic_frame::transport_dbg);
	SC_METHOD(settle);
	sensitive << settle_event_;
	dont_initialize();
}

namespace {

uint64_t load(const unsigned char *data, unsigned int bytes)
{
	uint8_t b = 0;
	uint16_t h = 0;
	uint32_t w = 0;
	uint64_t d = 0;

	switch (bytes) {
	case 1:
		std::memcpy(&b, data, sizeof(b));
		return b;
	case 2:
		std::memcpy(&h, data, sizeof(h));
		return h;
	case 4:
		std::memcpy(&w, data, sizeof(w));
		return w;
	default:
		std::memcpy(&d, data, sizeof(d));
		return d;
	}
}

void store(unsigned char *data, unsigned int bytes, uint64_t value)
{
	const uint8_t b = uint8_t(value);
	const uint16_t h = uint16_t(value);
	const uint32_t w = uint32_t(value);

	switch (bytes) {
	case 1:
		std::memcpy(data, &b, sizeof(b));
		break;
	case 2:
		std::memcpy(data, &h, sizeof(h));
		break;
	case 4:
		std::memcpy(data, &w, sizeof(w));
		break;
	default:
		std::memcpy(data, &value, sizeof(value));
		break;
	}
}

}

tlm::tlm_response_status gic_frame::access(tlm::tlm_generic_payload &transaction, uint64_t now)
{
	const unsigned int bytes = transaction.get_data_length();
	const uint32_t offset = uint32_t(transaction.get_address());
	unsigned char *data = transaction.get_data_ptr();
	uint64_t value = 0;
	gic_status status;

	if (transaction.get_byte_enable_ptr())
		return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
	if (transaction.get_streaming_width() < bytes || bytes > 8)
		return tlm::TLM_BURST_ERROR_RESPONSE;
	switch (transaction.get_command()) {
	case tlm::TLM_READ_COMMAND:
		status = gic_read(gic_, target_, cpu_, offset, bytes, now, &value);
		if (status == GIC_OK)
			store(data, bytes, value);
		break;
	case tlm::TLM_WRITE_COMMAND:
		// Sizes that no register has are refused by the logic; only what it may accept is read.
		if (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8)
			value = load(data, bytes);
		status = gic_write(gic_, target_, cpu_, offset, bytes, now, value);
		break;
	default:
		return tlm::TLM_COMMAND_ERROR_RESPONSE;
	}
	return status == GIC_OK ? tlm::TLM_OK_RESPONSE : tlm::TLM_BURST_ERROR_RESPONSE;
}

void gic_frame::b_transport(tlm::tlm_generic_payload &transaction, sc_time &delay)
{
	const sc_time &now = sc_time_stamp();
	const sc_time arrival = now + delay;
	const sc_time end = std::max(arrival, busy_until_) + service_;

	accesses_++;
	if (first_)
		first_(end);
	if (arrival < busy_until_)
		queued_ += busy_until_ - arrival;
	busy_until_ = end;
	transaction.set_response_status(access(transaction, busy_until_.value()));
	lines_.publish(busy_until_);
	settle_later();
	delay = busy_until_ - now;
}

// A disable that has not taken effect yet may withdraw an interrupt when it does; nobody else would notice.
void gic_frame::settle_later()
{
	const uint64_t until = gic_rwp_until(gic_, target_, cpu_);
	const uint64_t now = sc_time_stamp().value();

	if (until == GIC_NEVER)
		return;
	// An earlier notification stays; settle() then asks for the rest.
	settle_event_.notify(sc_time::from_value(until > now ? until - now : 0));
}

void gic_frame::settle()
{
	gic_settle(gic_, target_, cpu_, sc_time_stamp().value());
	lines_.publish(sc_time_stamp());
	settle_later();
}

unsigned int gic_frame::transport_dbg(tlm::tlm_generic_payload &transaction)
{
	const uint64_t now = sc_time_stamp().value();
	const bool was_pending = gic_rwp_until(gic_, target_, cpu_) != GIC_NEVER;
	const tlm::tlm_response_status status = access(transaction, now);

	transaction.set_response_status(status);
	if (!was_pending)
		gic_settle(gic_, target_, cpu_, gic_rwp_until(gic_, target_, cpu_));
	settle_later();
	lines_.publish(sc_time_stamp());
	return status == tlm::TLM_OK_RESPONSE ? transaction.get_data_length() : 0;
}

void gic_frame::set_level(intid irq, bool level, const sc_time &when)
{
	const sc_time effective = std::max(when, busy_until_);

	gic_settle(gic_, target_, cpu_, effective.value());
	if (target_ == GIC_REDISTRIBUTOR)
		gic_set_ppi(gic_, cpu_, irq, level);
	else
		gic_set_spi(gic_, irq, level);
	lines_.publish(effective);
}

void gic_frame::sgi(uint32_t interrupt, const sc_time &when)
{
	const sc_time effective = std::max(when, busy_until_);

	gic_settle(gic_, target_, cpu_, effective.value());
	gic_sgi_arrives(gic_, cpu_, interrupt);
	lines_.publish(effective);
}

}
