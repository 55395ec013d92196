// SPDX-License-Identifier: Apache-2.0
/*
 * The core's store buffer and its device accesses: what leaves in program order while the core goes on; see core.hpp.
 *
 * An entry is posted only when something has to be waited for: a release of a quiet line, or a device write with
 * nothing before it, is carried out where it is issued. Ordering follows the Arm ARM: a store-release is observed
 * after everything before it (B2.3, "Load-Acquire, Store-Release"); that a device write also waits for earlier
 * releases is the in-order store buffer assumed here, not the architecture.
 */
#include <algorithm>
#include <cassert>

#include "model/cpu/core.hpp"

namespace convoy {

using sc_core::sc_time;
using sc_core::sc_time_stamp;

void core::line_release(line_id line, store_action store, void *object)
{
	counters.line_accesses++;
	spend(config_.line_hit);
	const posted_store posted = { local_, store, object, line, 0, 0, 0 };

	if (!store_buffer_.empty() || !perform_quietly(posted, ready(posted)))
		post(posted);
}

void core::post(const posted_store &posted)
{
	store_buffer_.push_back(posted);
	if (store_buffer_.size() == 1)
		posted_event_.notify(sc_core::SC_ZERO_TIME);
}

// The earliest moment at which a store may leave, once everything before it has left.
ps_t core::ready(const posted_store &posted) const
{
	ps_t when = std::max(posted.issued, releases_done_);

	if (posted.store && config_.release_waits)
		when = std::max(when, device_writes_done_);
	return when;
}

// A release of a line that nobody else can see needs no simulated time to pass.
bool core::perform_quietly(const posted_store &posted, ps_t when)
{
	if (!lines_.use_quiet(id_, posted.line, true, when))
		return false;
	posted.store(posted.object, when);
	releases_done_ = when;
	return true;
}

void core::perform(const posted_store &posted)
{
	ps_t when = ready(posted);

	wait_until(when);
	if (!posted.store) {
		send_device_write(posted, when);
		return;
	}
	if (perform_quietly(posted, when))
		return;
	if (!lines_.owns(id_, posted.line, when)) {
		when = transfer(posted.line, tlm::TLM_WRITE_COMMAND, when);
		wait_until(when);
	}
	posted.store(posted.object, when);
	releases_done_ = when;
}

void core::drain()
{
	for (;;) {
		if (store_buffer_.empty())
			wait(posted_event_);
		perform(store_buffer_.front());
		store_buffer_.pop_front();
		if (store_buffer_.empty())
			drained_event_.notify();
	}
}

// What an acquire waits for. The part until the device answers is the device's, the rest is the line's.
void core::wait_for_releases()
{
	if (!store_buffer_.empty()) {
		waiting_for_ = ACCOUNT_LINE;
		while (!store_buffer_.empty())
			wait(drained_event_);
	}
	if (releases_done_ > local_) {
		const ps_t device = std::min(releases_done_, device_writes_done_);
		if (device > local_)
			advance(device, ACCOUNT_DEVICE);
		advance(releases_done_, ACCOUNT_LINE);
	}
}

void core::wait_for_device_writes()
{
	wait_for_releases();
	if (device_writes_done_ > local_)
		advance(device_writes_done_, ACCOUNT_DEVICE);
}

uint64_t core::device_read(uint64_t address, unsigned int bytes)
{
	uint64_t value = 0;

	counters.device_reads++;
	waiting_for_ = ACCOUNT_DEVICE;
	wait_for_releases();  // what is still in the store buffer goes first
	limit_run_ahead();
	if (bus_.must_catch_up(id_, address))
		catch_up();
	const sc_time delay = transport(device_socket, local_, tlm::TLM_READ_COMMAND, address, &value, bytes);
	assert(payload_.is_response_ok() && "device read outside every frame");
	advance(std::max(ps_t((sc_time_stamp() + delay).value() / 1000) + config_.device_read, device_writes_done_), ACCOUNT_DEVICE);
	return value;
}

void core::device_write(uint64_t address, uint64_t value, unsigned int bytes)
{
	const posted_store posted = { local_, nullptr, nullptr, {}, address, value, bytes };

	counters.device_writes++;
	waiting_for_ = ACCOUNT_DEVICE;
	if (!store_buffer_.empty()) {
		post(posted);
	} else {
		limit_run_ahead();
		if (bus_.must_catch_up(id_, address))
			catch_up();
		send_device_write(posted, ready(posted));
	}
	advance(local_ + config_.write_issue, ACCOUNT_DEVICE);
}

void core::send_device_write(const posted_store &write, ps_t when)
{
	uint64_t value = write.value;
	const sc_time delay = transport(device_socket, when, tlm::TLM_WRITE_COMMAND, write.address, &value, write.bytes);

	assert(payload_.is_response_ok() && "device write outside every frame");
	device_writes_done_ = std::max(device_writes_done_,
				       ps_t((sc_time_stamp() + delay).value() / 1000) + config_.write_completion);
}

}
