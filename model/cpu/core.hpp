// SPDX-License-Identifier: Apache-2.0
/*
 * One CPU core: an SC_THREAD that runs modelled software, with a local time that may be ahead of simulated time.
 *
 * States of the thread: running (host code executes, local >= simulated time), catching up or waiting for a
 * transaction, in WFE (waiting_for_ = spin), in the guest, idle in WFI. `charged_` is the local time up to which time
 * has been accounted; every advance goes through charge(), so nothing is counted twice or left out.
 *
 * Ties. Simulated time runs at 1 fs resolution; picosecond t of CPU n is t·1000 + n fs. So two CPUs that meet in one
 * picosecond take turns in the order of their numbers, whatever the scheduler does. Room for 1000 CPUs.
 *
 * Store buffer. Store-releases and device writes leave in program order, while the core goes on; a thread of its own
 * (drain) carries out those that have to wait. A release becomes visible after the device writes before it are
 * acknowledged; a device write is issued after the releases before it are visible. So a lock is held until its
 * unlocking store is visible, although the core has long left it. An acquire of the same core waits for its releases.
 *
 * Atomics are near if the core owns the line, else far if the host does them at the home node (host.cpu.far_atomics),
 * else near after fetching it.
 *
 * Ahead of time only where it is provably safe: private work, quiet lines (coherence.hpp), device frames with one
 * user.
 *
 * Not modelled: pipelines; every cost is a parameter of the host.
 */
#ifndef CONVOY_MODEL_CPU_CORE_HPP
#define CONVOY_MODEL_CPU_CORE_HPP

#include <deque>

#include <systemc>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>

#include "model/account/account.h"
#include "model/bus/cpu_extension.hpp"
#include "model/bus/interconnect.hpp"
#include "model/cpu/coherence.hpp"
#include "model/cpu/generic_timer.hpp"
#include "model/cpu/host_config.h"
#include "model/cpu/irq_input.hpp"
#include "model/cpu/machine_build.h"
#include "model/gic/cpu_irq_if.hpp"
#include "model/machine.h"

namespace convoy {

class core : public sc_core::sc_module, public line_watcher, public cpu_irq_if {
public:
	tlm_utils::simple_initiator_socket<core> line_socket;
	tlm_utils::simple_initiator_socket<core> device_socket;

	SC_HAS_PROCESS(core);
	core(sc_core::sc_module_name name, cpu_id id, const host_config &config, account *account, coherence &lines,
	     interconnect &bus);

	void start(struct cpu *handle, task_body body, void *argument);

	cpu_id id() const { return id_; }
	ps_t now() const { return local_; }
	struct account *accounts() const { return account_; }
	const host_config &config() const { return config_; }
	generic_timer &timer() { return timer_; }

	// Private work. It is charged when the function changes or something else is waited for.
	void spend(ps_t cost) { local_ += cost; }
	void charge_run()
	{
		if (local_ > charged_)
			charge(ACCOUNT_RUN);
	}
	void line_access(line_id line, bool own);
	void line_atomic(line_id line);
	void line_release(line_id line, store_action store, void *object);
	void watch_line(line_id line);
	void wait_for_releases();
	void wait_for_device_writes();
	// `bytes`: 4 or 8.
	uint64_t device_read(uint64_t address, unsigned int bytes);
	void device_write(uint64_t address, uint64_t value, unsigned int bytes);
	guest_exit run_guest(ps_t budget, bool masked);
	guest_exit guest_wait();
	void wait_for_interrupt();
	bool irq_pending() { return irq_.pending(local_); }
	// Lets simulated time reach this core's: for registers that touch what other CPUs see.
	void synchronise() { catch_up(); }
	void close_account(ps_t end);

	// line_watcher, cpu_irq_if
	void line_taken(ps_t when) override;
	void irq_line(cpu_id cpu, bool asserted, sc_core::sc_time when) override;
	void virq_line(cpu_id cpu, bool asserted, sc_core::sc_time when) override;

	uint64_t sysreg[SYSREG_COUNT] = {};
	bool interrupts_enabled = true;
	machine_counters counters = {};

private:
	struct posted_store {
		ps_t issued;
		store_action store;  // a store-release; null: a device write
		void *object;
		line_id line;
		uint64_t address, value;
		unsigned int bytes;
	};

	void run();
	void drain();
	void post(const posted_store &posted);
	ps_t ready(const posted_store &posted) const;
	bool perform_quietly(const posted_store &posted, ps_t when);
	void perform(const posted_store &posted);
	void send_device_write(const posted_store &write, ps_t when);
	sc_core::sc_time instant(ps_t when) const { return sc_core::sc_time::from_value(when * 1000 + id_.n); }
	void wait_until(ps_t when);
	void catch_up();
	void limit_run_ahead();
	void wait_for_input(bool also_virtual, account_reason reason);
	void charge(account_reason reason);
	void advance(ps_t to, account_reason reason);
	sc_core::sc_time transport(tlm_utils::simple_initiator_socket<core> &socket, ps_t when, tlm::tlm_command command,
				   uint64_t address, uint64_t *data, unsigned int bytes);
	bool access_quietly(line_id line, bool own);
	ps_t transfer(line_id line, tlm::tlm_command command, ps_t when);

	cpu_id id_;
	const host_config &config_;
	struct account *account_;
	coherence &lines_;
	interconnect &bus_;
	generic_timer timer_;
	struct cpu *handle_ = nullptr;
	task_body body_ = nullptr;
	void *argument_ = nullptr;

	ps_t local_ = 0, charged_ = 0;
	ps_t device_writes_done_ = 0;
	std::deque<posted_store> store_buffer_;
	ps_t releases_done_ = 0;  // when the last store-release that has happened became visible
	account_reason waiting_for_ = ACCOUNT_RUN;
	irq_input irq_, virq_;
	sc_core::sc_event line_event_, irq_event_, posted_event_, drained_event_;
	tlm::tlm_generic_payload payload_;
	cpu_extension extension_;
	far_extension far_extension_;
};

}

#endif
