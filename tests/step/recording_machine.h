// SPDX-License-Identifier: Apache-2.0
/*
 * model/machine.h without time: a machine that writes down every request of modelled software, in order.
 *
 * Single-threaded: whoever calls is the CPU it says it is. A line_release runs its store at once. Registers keep the value last written;
 * CNTx_CTL_EL0 also shows ISTATUS (Arm ARM D12: enabled and counter >= CVAL). The counter and cpu_now() count requests.
 * What other CPUs, guests and devices do meanwhile is scripted by the functions at the end.
 *
 * Errors fail the running cmocka test with a message: waiting with nobody to wake the CPU, a line that was never created, a function left that
 * was not entered.
 *
 * Threads: recording_run() runs one CPU's first thread, and whatever threads it switches to, until that CPU is idle and nothing would wake it. Without
 * it, a test calls software itself as a CPU, and a thread_switch is written down and comes back at once.
 *
 * Not here: costs (a cpu_spend is written down with its amount), interrupts by themselves.
 */
#ifndef CONVOY_TESTS_STEP_RECORDING_MACHINE_H
#define CONVOY_TESTS_STEP_RECORDING_MACHINE_H

#include "model/machine.h"

enum request_kind {
	REQUEST_SPEND = 1,
	REQUEST_LOAD_STORE,
	REQUEST_EXCEPTION_ENTRY,
	REQUEST_EXCEPTION_RETURN,
	REQUEST_SYSREG_READ,
	REQUEST_SYSREG_WRITE,
	REQUEST_BARRIER,
	REQUEST_IRQ_SAVE,
	REQUEST_IRQ_RESTORE,
	REQUEST_LINE_READ,
	REQUEST_LINE_OWN,
	REQUEST_LINE_ATOMIC,
	REQUEST_LINE_RELEASE,
	REQUEST_LINE_WAIT,
	REQUEST_MMIO_READ,
	REQUEST_MMIO_WRITE,
	REQUEST_RUN_GUEST,
	REQUEST_WAIT_FOR_INTERRUPT,
	REQUEST_GUEST_WAIT,
	REQUEST_THREAD_SWITCH,
	REQUEST_FUNCTION
};

#define RECORDED_STACK 40

struct request {
	enum request_kind kind;
	uint32_t cpu;
	enum sysreg reg;
	enum barrier barrier;
	enum order order;
	const char *line;                  /* name and instance of the line */
	uint32_t instance;
	uint64_t address;                  /* mmio */
	uint64_t value;                    /* written or read; cost, count, budget; exit reason */
	bool irqs_on;
	const char *stack[RECORDED_STACK]; /* outermost first; REQUEST_FUNCTION: the new function is the last */
	uint32_t depth;
};

struct machine *recording_machine_new(uint32_t cpus);
void recording_machine_free(struct machine *machine);
struct cpu *recording_cpu(struct machine *machine, uint32_t number);

size_t recording_length(const struct machine *machine);
const struct request *recording_at(const struct machine *machine, size_t n);
void recording_clear(struct machine *machine);

/* Sets a register behind the software's back, e.g. as the guest did. */
void recording_set_sysreg(struct cpu *cpu, enum sysreg reg, uint64_t value);

/*
 * The next guest exits; after them, and without a script, every exit is a trap. GUEST_EXIT_IRQ leaves a host interrupt
 * pending. `exits` must outlive its use.
 */
void recording_script_guest(struct machine *machine, const enum guest_exit *exits, size_t count);
/* Called in the guest at every run of it. */
void recording_in_guest(struct machine *machine, void (*in_guest)(struct cpu *cpu));
/* A host interrupt is pending: taken once, where software enables interrupts next. */
void recording_assert_interrupt(struct machine *machine);
/* The next `times` reads of `address` return `value`; all other device reads return 0. */
void recording_answer_mmio(struct machine *machine, uint64_t address, uint32_t value, unsigned int times);
/* What other CPUs have done when a line arrives: called at every line_read, line_own and line_atomic, before the software looks. */
void recording_when_a_line_comes(struct machine *machine, void (*act)(void *context, const struct request *request), void *context);
/* What other CPUs do while one waits in line_wait; true: they took the line, so it wakes. Called once for each wait. */
void recording_while_waiting(struct machine *machine, bool (*act)(void *context, line_id line), void *context);

/* The first thread of this CPU goes on, from its beginning or from where it was idle; returns when it is idle again and stays so. */
void recording_run(struct machine *machine, uint32_t number);
/* What happens while a CPU is idle, each time; true: an interrupt is pending now. Else, and without this, recording_run returns. */
void recording_while_idle(struct machine *machine, bool (*act)(void *context, struct cpu *cpu), void *context);

#endif
