// SPDX-License-Identifier: Apache-2.0
// What stands behind the opaque types of model/machine.h; shared by the files that implement it.
#ifndef CONVOY_MODEL_CPU_MACHINE_STATE_HPP
#define CONVOY_MODEL_CPU_MACHINE_STATE_HPP

#include <deque>
#include <memory>
#include <vector>

#include "model/bus/interconnect.hpp"
#include "model/cpu/core.hpp"
#include "model/gic/gic_model.hpp"
#include "model/machine.h"

struct cpu {
	convoy::core *core;        // where the thread runs, or ran last
	struct machine *machine;

	// see machine_threads.cpp
	bool running = true;
	bool guest_masked = false;
	uint32_t account_stack = 0;  // while it stands still
	sc_core::sc_event resumed;
	task_body body = nullptr;
	void *argument = nullptr;
};

struct machine {
	explicit machine(const host_config &c)
		: config(c), mesh(config), accounts(account_new(config.cpus)), lines("lines", config),
		  bus("bus", config.cpus,
		      [this](cpu_id cpu, uint32_t crosspoint) {
			      return sc_core::sc_time::from_value(
				      1000 * mesh.latency(mesh.of_cpu(cpu), convoy::crosspoint{ crosspoint }));
		      })
	{
	}

	host_config config;
	convoy::mesh mesh;
	struct account *accounts;
	convoy::coherence lines;
	convoy::interconnect bus;
	std::unique_ptr<convoy::gic_model> gic;
	std::vector<std::unique_ptr<convoy::core>> cores;
	std::deque<cpu> handles;  // first threads by CPU, then all others
	void (*interrupt)(struct cpu *cpu, void *context) = nullptr;
	void *interrupt_context = nullptr;
};

#endif
