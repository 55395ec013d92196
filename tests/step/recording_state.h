// SPDX-License-Identifier: Apache-2.0
/* What stands behind the recording machine's opaque types; shared by its two files. */
#ifndef CONVOY_TESTS_STEP_RECORDING_STATE_H
#define CONVOY_TESTS_STEP_RECORDING_STATE_H

#include <ucontext.h>

#include "tests/step/recording_machine.h"

struct cpu {
	struct machine *machine;
	uint32_t number;
	bool irqs_on;
	uint64_t sysreg[SYSREG_COUNT];
	const char *stack[RECORDED_STACK];
	uint32_t depth;
	/* recording_threads.c */
	task_body body;
	void *argument;
	ucontext_t context;
	void *stack_memory;
	struct cpu *next_thread;
};

struct line {
	const char *name;
	uint32_t instance;
};

struct machine {
	struct cpu *cpus;
	uint32_t cpu_count;
	struct line *lines;
	uint32_t line_count;
	struct request *log;
	size_t length, capacity;

	const enum guest_exit *exits;
	size_t exit_count;
	void (*in_guest)(struct cpu *cpu);
	bool irq_asserted;
	void (*interrupt)(struct cpu *cpu, void *context);
	void *interrupt_context;
	uint64_t answer_address;
	uint32_t answer_value;
	unsigned int answer_times;
	bool (*while_waiting)(void *context, line_id line);
	void *waiting_context;
	void (*when_a_line_comes)(void *context, const struct request *request);
	void *line_context;
	struct cpu *threads;        /* that were created, last first */
	struct cpu *running;        /* by recording_run */
	ucontext_t caller;
	bool (*while_idle)(void *context, struct cpu *cpu);
	void *idle_context;
};

/* recording_threads.c */
void recording_idle(struct cpu *cpu);
void recording_switch(struct cpu *self, struct cpu *next);
void recording_threads_free(struct machine *machine);

#endif
