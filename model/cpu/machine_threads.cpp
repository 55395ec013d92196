// SPDX-License-Identifier: Apache-2.0
/*
 * Threads of modelled software, see model/machine.h: each has a process of SystemC and a stack of its own; on a core one of
 * them runs at a time, the others stand still. The core's local time and its function stack's place in the accounts pass
 * from one to the next; a thread takes its function stack along.
 */
#include <cassert>

#define SC_INCLUDE_DYNAMIC_PROCESSES
#include "model/cpu/machine_state.hpp"

extern "C" {

void task_create(struct machine *machine, cpu_id cpu, task_body body, void *argument)
{
	machine->cores[cpu.n]->start(&machine->handles[cpu.n], body, argument);
}

struct cpu *thread_create(struct machine *machine, task_body body, void *argument)
{
	struct cpu &thread = machine->handles.emplace_back();
	sc_core::sc_spawn_options options;

	thread.core = nullptr;
	thread.machine = machine;
	thread.running = false;
	thread.body = body;
	thread.argument = argument;
	options.set_stack_size(64 * 1024);
	sc_core::sc_spawn(
		[&thread] {
			while (!thread.running)
				sc_core::wait(thread.resumed);
			thread.body(&thread, thread.argument);
			assert(false && "a thread that was created must not end");
		},
		sc_core::sc_gen_unique_name("thread"), &options);
	return &thread;
}

void thread_switch(struct cpu *self, struct cpu *next)
{
	convoy::core &core = *self->core;

	assert(self->running && !next->running);
	core.charge_run();
	self->account_stack = account_stack(core.accounts(), core.id());
	account_switch(core.accounts(), core.id(), next->account_stack);
	self->running = false;
	next->core = &core;
	next->running = true;
	next->resumed.notify(sc_core::SC_ZERO_TIME);
	while (!self->running)
		sc_core::wait(self->resumed);
}

}
