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

// What was private work until now, then `reason` until `to`.
void core::advance(ps_t to, account_reason reason)
{
	charge_run();
	local_ = to;
	charge(reason);
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
			uint64_t *data, unsigned int bytes)
{
	const sc_time issued = sc_time::from_value(when * 1000);
	// This core's instant lies `id` fs into its picosecond; requests are stamped with the picosecond itself.
	sc_time delay = issued > sc_time_stamp() ? issued - sc_time_stamp() : sc_core::SC_ZERO_TIME;

	payload_.set_command(command);
	payload_.set_address(address);
	payload_.set_data_ptr(reinterpret_cast<unsigned char *>(data));
	payload_.set_data_length(bytes);
	payload_.set_streaming_width(bytes);
	payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
	socket->b_transport(payload_, delay);
	return delay;
}

// Asks the home node for a line; returns when it is here. The caller waits.
ps_t core::transfer(line_id line, tlm::tlm_command command, ps_t when)
{
	uint64_t unused = 0;
	const sc_time delay = transport(line_socket, when, command, line.n * line_bytes, &unused, 4);

	return (sc_time_stamp() + delay).value() / 1000;
}

// Software that touches nothing but quiet lines and its own device frames must let the others have their turn now and
// then.
void core::limit_run_ahead()
{
	if (local_ > sc_time_stamp().value() / 1000 + run_ahead_limit)
		catch_up();
}

// True: done, because nobody else can see the line. False: simulated time has caught up.
bool core::access_quietly(line_id line, bool own)
{
	counters.line_accesses++;
	waiting_for_ = ACCOUNT_LINE;
	limit_run_ahead();
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
		const ps_t done = transfer(line, own ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND, local_);
		wait_until(done);
		advance(done, ACCOUNT_LINE);
	}
	spend(config_.line_hit);  // private: it may run ahead
}

// When this returns simulated time is the instant at which the operation is carried out; the result's way back is
// time this core spends by itself.
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
	const ps_t carried_out = transfer(line, tlm::TLM_IGNORE_COMMAND, local_);
	const ps_t way_back = far_extension_.way_back;
	wait_until(carried_out);
	advance(carried_out + way_back, ACCOUNT_LINE);
}

void core::watch_line(line_id line)
{
	waiting_for_ = ACCOUNT_SPIN;
	catch_up();
	ps_t taken = lines_.watch(id_, line, local_);

	if (taken == never) {
		wait(line_event_);
		advance(sc_time_stamp().value() / 1000, ACCOUNT_SPIN);
	} else if (taken > local_) {
		advance(taken + config_.wfe_wake, ACCOUNT_SPIN);
	}
}

void core::line_taken(ps_t when)
{
	const sc_time awake = instant(when + config_.wfe_wake);

	line_event_.notify(awake > sc_time_stamp() ? awake - sc_time_stamp() : sc_core::SC_ZERO_TIME);
}

void core::irq_line(cpu_id, bool asserted, sc_time when)
{
	irq_.change(when.value() / 1000, asserted);
	irq_event_.notify(sc_core::SC_ZERO_TIME);
}

void core::virq_line(cpu_id, bool asserted, sc_time when)
{
	virq_.change(when.value() / 1000, asserted);
	irq_event_.notify(sc_core::SC_ZERO_TIME);
}

// One wait covers the way to the guest and the time in it. An interrupt ends the guest at its instant, or at once if
// it was pending at entry; what the GIC tells meanwhile can bring that forward or take it back. Of a physical and a
// virtual interrupt at the same instant the physical one wins: it leaves the guest.
guest_exit core::run_guest(ps_t budget, bool masked)
{
	const ps_t entered = local_;
	const ps_t end = local_ + budget;

	charge_run();
	waiting_for_ = ACCOUNT_GUEST;
	counters.catch_ups++;
	for (;;) {
		const ps_t interrupt = masked ? irq_.next(entered) : std::min(irq_.next(entered), virq_.next(entered));
		const ps_t stop = std::min(interrupt, end);

		if (instant(stop) > sc_time_stamp()) {
			wait(instant(stop) - sc_time_stamp(), irq_event_);
			continue;
		}
		advance(stop, ACCOUNT_GUEST);
		// One that was pending at entry comes before the first instruction, also of a guest that has nothing to do.
		if (irq_.pending(stop) && (stop < end || stop == entered))
			return GUEST_EXIT_IRQ;
		return !masked && virq_.pending(stop) && (stop < end || stop == entered) ? GUEST_INTERRUPT : GUEST_EXIT_TRAP;
	}
}

// Until one of the inputs is asserted; returns at the instant of that.
void core::wait_for_input(bool also_virtual, account_reason reason)
{
	waiting_for_ = reason;
	catch_up();
	for (;;) {
		const ps_t stop = also_virtual ? std::min(irq_.next(local_), virq_.next(local_)) : irq_.next(local_);

		if (stop == never)
			wait(irq_event_);
		else if (instant(stop) > sc_time_stamp())
			wait(instant(stop) - sc_time_stamp(), irq_event_);
		else
			break;
	}
	advance(std::max(local_, ps_t(sc_time_stamp().value() / 1000)), reason);
}

guest_exit core::guest_wait()
{
	wait_for_input(true, ACCOUNT_IDLE);
	return irq_.pending(local_) ? GUEST_EXIT_IRQ : GUEST_INTERRUPT;
}

// The way back from the idle state is paid only where there was one: not with an interrupt pending already.
void core::wait_for_interrupt()
{
	const ps_t from = local_;

	wait_for_input(false, ACCOUNT_IDLE);
	irq_.pending(local_);
	if (local_ > from)
		advance(local_ + config_.idle_exit, ACCOUNT_IDLE);
}

void core::close_account(ps_t end)
{
	charge_run();
	if (charged_ < end)
		advance(end, waiting_for_);
}

}
