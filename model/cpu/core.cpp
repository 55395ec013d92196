// SPDX-License-Identifier: Apache-2.0
// The core's thread, local time and accesses; see core.hpp.
#include "model/cpu/core.hpp"

#include <algorithm>
#include <cassert>

namespace convoy {

using sc_core::sc_time;
using sc_core::sc_time_stamp;

namespace {
constexpr ps_t run_ahead_limit = 5 * PS_PER_US;
}

core::core(sc_core::sc_module_name name, cpu_id id, const host_config &config, struct account *account, coherence &lines,
	   interconnect &bus)
	: sc_module(name), line_socket("line_socket"), device_socket("device_socket"), id_(id), config_(config),
	  account_(account), lines_(lines), bus_(bus), timer_("timer"), extension_(id)
{
	payload_.set_extension(&extension_);
	payload_.set_extension(&far_extension_);
	payload_.set_streaming_width(4);
	payload_.set_byte_enable_ptr(nullptr);
	lines_.set_watcher(id, this);
	SC_THREAD(run);
	set_stack_size(64 * 1024);
	SC_THREAD(drain);
	set_stack_size(16 * 1024);
}

void core::start(struct cpu *handle, task_body body, void *argument)
{
	assert(!body_ && "one thread a CPU");
	handle_ = handle;
	body_ = body;
	argument_ = argument;
}

void core::run()
{
	if (body_) {
		wait_until(0);
		body_(handle_, argument_);
	}
	waiting_for_ = ACCOUNT_IDLE;
}

void core::charge(account_reason reason)
{
	account_charge(account_, id_, reason, local_ - charged_, local_);
	charged_ = local_;
}

void core::wait_until(ps_t when)
{
	const sc_time target = instant(when);

	if (target > sc_time_stamp())
		wait(target - sc_time_stamp());
}

// Lets simulated time reach this core's local time: whatever others did before it has then happened.
void core::catch_up()
{
	counters.catch_ups++;
	wait_until(local_);
}

sc_time core::transport(tlm_utils::simple_initiator_socket<core> &socket, ps_t when, tlm::tlm_command command, uint64_t address,
			uint32_t *data)
{
	const sc_time issued = sc_time::from_value(when * 1000);
	// This core's instant lies `id` fs into its picosecond; requests are stamped with the picosecond itself.
	sc_time delay = issued > sc_time_stamp() ? issued - sc_time_stamp() : sc_core::SC_ZERO_TIME;

	payload_.set_command(command);
	payload_.set_address(address);
	payload_.set_data_ptr(reinterpret_cast<unsigned char *>(data));
	payload_.set_data_length(4);
	payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
	socket->b_transport(payload_, delay);
	return delay;
}

// Asks the home node for a line; returns when it is here. The caller waits.
ps_t core::transfer(line_id line, tlm::tlm_command command, ps_t when)
{
	uint32_t unused = 0;
	const sc_time delay = transport(line_socket, when, command, line.n * line_bytes, &unused);

	return (sc_time_stamp() + delay).value() / 1000;
}

// True: done, because nobody else can see the line. False: simulated time has caught up.
bool core::access_quietly(line_id line, bool own)
{
	counters.line_accesses++;
	waiting_for_ = ACCOUNT_LINE;
	// Software that touches nothing but quiet lines must let the others have their turn now and then.
	if (local_ > sc_time_stamp().value() / 1000 + run_ahead_limit)
		catch_up();
	if (lines_.use_quiet(id_, line, own, local_)) {
		spend(config_.line_hit);
		return true;
	}
	catch_up();
	return false;
}

void core::line_access(line_id line, bool own)
{
	if (access_quietly(line, own))
		return;
	if (!(own ? lines_.owns(id_, line, local_) : lines_.has_copy(id_, line, local_))) {
		local_ = transfer(line, own ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND, local_);
		wait_until(local_);
		charge(ACCOUNT_LINE);
	}
	spend(config_.line_hit);  // private: it may run ahead
}

// When this returns simulated time is the instant at which the operation is carried out; the result's way back is time this core spends
// by itself.
void core::line_atomic(line_id line)
{
	spend(config_.atomic);
	if (!config_.far_atomics) {
		line_access(line, true);
		return;
	}
	if (access_quietly(line, true))
		return;
	if (lines_.owns(id_, line, local_)) {
		spend(config_.line_hit);
		return;
	}
	local_ = transfer(line, tlm::TLM_IGNORE_COMMAND, local_);
	wait_until(local_);
	local_ += far_extension_.way_back;
	charge(ACCOUNT_LINE);
}

void core::line_release(line_id line, store_action store, void *object)
{
	counters.line_accesses++;
	spend(config_.line_hit);
	const posted_store posted = { local_, store, object, line, 0, 0 };

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
		send_device_write(posted.address, posted.value, when);
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
		if (device > local_) {
			local_ = device;
			charge(ACCOUNT_DEVICE);
		}
		local_ = releases_done_;
		charge(ACCOUNT_LINE);
	}
}

void core::watch_line(line_id line)
{
	waiting_for_ = ACCOUNT_SPIN;
	catch_up();
	ps_t taken = lines_.watch(id_, line, local_);

	if (taken == never) {
		wait(line_event_);
		local_ = sc_time_stamp().value() / 1000;
	} else if (taken > local_) {
		local_ = taken + config_.wfe_wake;
	}
	charge(ACCOUNT_SPIN);
}

void core::line_taken(ps_t when)
{
	const sc_time awake = instant(when + config_.wfe_wake);

	line_event_.notify(awake > sc_time_stamp() ? awake - sc_time_stamp() : sc_core::SC_ZERO_TIME);
}

void core::wait_for_device_writes()
{
	wait_for_releases();
	if (device_writes_done_ > local_) {
		local_ = device_writes_done_;
		charge(ACCOUNT_DEVICE);
	}
}

uint32_t core::device_read(uint64_t address)
{
	uint32_t value = 0;

	counters.device_reads++;
	waiting_for_ = ACCOUNT_DEVICE;
	wait_for_releases();  // what is still in the store buffer goes first
	if (bus_.must_catch_up(id_, address))
		catch_up();
	const sc_time delay = transport(device_socket, local_, tlm::TLM_READ_COMMAND, address, &value);
	assert(payload_.is_response_ok() && "device read outside every frame");
	local_ = std::max(ps_t((sc_time_stamp() + delay).value() / 1000) + config_.device_read, device_writes_done_);
	charge(ACCOUNT_DEVICE);
	return value;
}

void core::device_write(uint64_t address, uint32_t value)
{
	const posted_store posted = { local_, nullptr, nullptr, {}, address, value };

	counters.device_writes++;
	waiting_for_ = ACCOUNT_DEVICE;
	if (!store_buffer_.empty()) {
		post(posted);
	} else {
		if (bus_.must_catch_up(id_, address))
			catch_up();
		send_device_write(address, value, ready(posted));
	}
	spend(config_.write_issue, ACCOUNT_DEVICE);
}

void core::send_device_write(uint64_t address, uint32_t value, ps_t when)
{
	const sc_time delay = transport(device_socket, when, tlm::TLM_WRITE_COMMAND, address, &value);

	assert(payload_.is_response_ok() && "device write outside every frame");
	device_writes_done_ = std::max(device_writes_done_,
				       ps_t((sc_time_stamp() + delay).value() / 1000) + config_.write_completion);
}

void core::irq_line(cpu_id, bool asserted, sc_time when)
{
	irq_asserted_ = asserted;
	irq_since_ = when.value() / 1000;
	if (!asserted) {
		irq_event_.cancel();
		return;
	}
	irq_event_.notify(when > sc_time_stamp() ? when - sc_time_stamp() : sc_core::SC_ZERO_TIME);
}

// One wait covers the way to the guest and the time in it; an interrupt ends the guest at its instant, or at once if it came before.
guest_exit core::run_guest(ps_t budget)
{
	const ps_t entered = local_;
	const ps_t end = local_ + budget;

	charge(ACCOUNT_RUN);
	waiting_for_ = ACCOUNT_GUEST;
	counters.catch_ups++;
	while (instant(end) > sc_time_stamp()) {
		if (irq_asserted_) {
			const ps_t taken = std::max(entered, irq_since_);
			if (taken >= end)
				break;
			wait_until(taken);
			if (irq_asserted_) {  // it may have been withdrawn meanwhile
				local_ = taken;
				charge(ACCOUNT_GUEST);
				return GUEST_EXIT_IRQ;
			}
			continue;
		}
		wait(instant(end) - sc_time_stamp(), irq_event_);
	}
	wait_until(end);
	local_ = end;
	charge(ACCOUNT_GUEST);
	return GUEST_EXIT_TRAP;
}

void core::wait_for_interrupt()
{
	waiting_for_ = ACCOUNT_IDLE;
	catch_up();
	while (!irq_asserted_ || irq_since_ > local_) {
		wait(irq_event_);
		local_ = std::max(local_, ps_t(sc_time_stamp().value() / 1000));
	}
	charge(ACCOUNT_IDLE);
}

void core::close_account(ps_t end)
{
	if (charged_ < end) {
		local_ = end;
		charge(waiting_for_);
	}
}

}
