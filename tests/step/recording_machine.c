// SPDX-License-Identifier: Apache-2.0
/* The machine that writes requests down; see recording_machine.h. */
#include "tests/step/recording_state.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

/* Not where any real model puts it: software must ask. A redistributor takes two 64 KiB frames (IHI 0069). */
#define REDISTRIBUTORS 0x7000000000ull
#define REDISTRIBUTOR_STRIDE 0x40000ull
#define OTHER_FRAMES 0x6000000000ull
#define OTHER_FRAME_STRIDE 0x100000ull

#define CTL_ENABLE 1u
#define CTL_ISTATUS 4u

static void *grown(void *memory, size_t bytes)
{
	memory = realloc(memory, bytes);
	if (!memory)
		abort();
	return memory;
}

struct machine *recording_machine_new(uint32_t cpus)
{
	struct machine *machine = calloc(1, sizeof(*machine));

	if (!machine)
		abort();
	machine->cpus = calloc(cpus, sizeof(*machine->cpus));
	if (!machine->cpus)
		abort();
	machine->cpu_count = cpus;
	for (uint32_t n = 0; n < cpus; n++) {
		machine->cpus[n].machine = machine;
		machine->cpus[n].number = n;
		machine->cpus[n].irqs_on = true;
	}
	return machine;
}

void recording_machine_free(struct machine *machine)
{
	recording_threads_free(machine);
	free(machine->cpus);
	free(machine->lines);
	free(machine->log);
	free(machine);
}

struct cpu *recording_cpu(struct machine *machine, uint32_t number)
{
	assert_true(number < machine->cpu_count);
	return &machine->cpus[number];
}

size_t recording_length(const struct machine *machine)
{
	return machine->length;
}

const struct request *recording_at(const struct machine *machine, size_t n)
{
	assert_true(n < machine->length);
	return &machine->log[n];
}

void recording_clear(struct machine *machine)
{
	machine->length = 0;
}

/* The CPU on which a thread is: its interrupt mask and its registers. */
static struct cpu *core_of(const struct cpu *cpu)
{
	return &cpu->machine->cpus[cpu->number];
}

static uint64_t *registers(const struct cpu *cpu)
{
	return core_of(cpu)->sysreg;
}

static struct request *record(struct cpu *cpu, enum request_kind kind)
{
	struct machine *machine = cpu->machine;
	struct request *request;

	if (machine->length == machine->capacity) {
		machine->capacity = machine->capacity ? 2 * machine->capacity : 256;
		machine->log = grown(machine->log, machine->capacity * sizeof(*machine->log));
	}
	request = &machine->log[machine->length++];
	*request = (struct request){ .kind = kind, .cpu = cpu->number, .irqs_on = core_of(cpu)->irqs_on, .depth = cpu->depth };
	for (uint32_t n = 0; n < cpu->depth; n++)
		request->stack[n] = cpu->stack[n];
	return request;
}

static struct request *record_line(struct cpu *cpu, enum request_kind kind, line_id line)
{
	struct request *request = record(cpu, kind);

	if (line.n >= cpu->machine->line_count)
		fail_msg("line %u was never created", line.n);
	request->line = cpu->machine->lines[line.n].name;
	request->instance = cpu->machine->lines[line.n].instance;
	return request;
}

cpu_id cpu_number(const struct cpu *cpu)
{
	return (cpu_id){ cpu->number };
}

ps_t cpu_now(const struct cpu *cpu)
{
	return cpu->machine->length;
}

struct machine *cpu_machine(const struct cpu *cpu)
{
	return cpu->machine;
}

void cpu_spend(struct cpu *cpu, ps_t cost)
{
	record(cpu, REQUEST_SPEND)->value = cost;
}

void cpu_load_store(struct cpu *cpu, unsigned int count)
{
	record(cpu, REQUEST_LOAD_STORE)->value = count;
}

void cpu_exception_entry(struct cpu *cpu)
{
	record(cpu, REQUEST_EXCEPTION_ENTRY);
}

void cpu_exception_return(struct cpu *cpu)
{
	record(cpu, REQUEST_EXCEPTION_RETURN);
}

static uint64_t timer_control(const struct cpu *cpu, enum sysreg ctl, enum sysreg cval)
{
	const bool met = (registers(cpu)[ctl] & CTL_ENABLE) && cpu_now(cpu) >= registers(cpu)[cval];

	return registers(cpu)[ctl] | (met ? CTL_ISTATUS : 0);
}

uint64_t cpu_sysreg_read(struct cpu *cpu, enum sysreg reg)
{
	struct request *request = record(cpu, REQUEST_SYSREG_READ);

	request->reg = reg;
	if (reg == SYS_CNTHP_CTL_EL2)
		request->value = timer_control(cpu, reg, SYS_CNTHP_CVAL_EL2);
	else if (reg == SYS_CNTV_CTL_EL0)
		request->value = timer_control(cpu, reg, SYS_CNTV_CVAL_EL0);
	else if (reg == SYS_CNTP_CTL_EL0)
		request->value = timer_control(cpu, reg, SYS_CNTP_CVAL_EL0);
	else if (sysreg_class_of(reg) == SYSREG_COUNTER)
		request->value = cpu_now(cpu);
	else
		request->value = registers(cpu)[reg];
	return request->value;
}

void cpu_sysreg_write(struct cpu *cpu, enum sysreg reg, uint64_t value)
{
	struct request *request = record(cpu, REQUEST_SYSREG_WRITE);

	request->reg = reg;
	request->value = value;
	registers(cpu)[reg] = value;
}

void cpu_barrier(struct cpu *cpu, enum barrier barrier)
{
	record(cpu, REQUEST_BARRIER)->barrier = barrier;
}

bool irq_save(struct cpu *cpu)
{
	const bool were_enabled = core_of(cpu)->irqs_on;

	record(cpu, REQUEST_IRQ_SAVE)->value = were_enabled;
	core_of(cpu)->irqs_on = false;
	return were_enabled;
}

void irq_restore(struct cpu *cpu, bool were_enabled)
{
	record(cpu, REQUEST_IRQ_RESTORE)->value = were_enabled;
	core_of(cpu)->irqs_on = were_enabled;
	if (were_enabled && cpu->machine->irq_asserted && cpu->machine->interrupt) {
		cpu->machine->irq_asserted = false;
		core_of(cpu)->irqs_on = false;
		cpu->machine->interrupt(cpu, cpu->machine->interrupt_context);
		core_of(cpu)->irqs_on = true;
	}
}

line_id line_create(struct machine *machine, const char *name, uint32_t instance)
{
	machine->lines = grown(machine->lines, (machine->line_count + 1) * sizeof(*machine->lines));
	machine->lines[machine->line_count] = (struct line){ name, instance };
	return (line_id){ machine->line_count++ };
}

static void line_comes(struct machine *machine, const struct request *request)
{
	if (machine->when_a_line_comes)
		machine->when_a_line_comes(machine->line_context, request);
}

void line_read(struct cpu *cpu, line_id line)
{
	line_comes(cpu->machine, record_line(cpu, REQUEST_LINE_READ, line));
}

void line_own(struct cpu *cpu, line_id line)
{
	line_comes(cpu->machine, record_line(cpu, REQUEST_LINE_OWN, line));
}

void line_atomic(struct cpu *cpu, line_id line, enum order order)
{
	struct request *request = record_line(cpu, REQUEST_LINE_ATOMIC, line);

	request->order = order;
	line_comes(cpu->machine, request);
}

void line_release(struct cpu *cpu, line_id line, store_action store, void *object)
{
	record_line(cpu, REQUEST_LINE_RELEASE, line);
	store(object, cpu_now(cpu));
}

void line_wait(struct cpu *cpu, line_id line)
{
	struct machine *machine = cpu->machine;

	record_line(cpu, REQUEST_LINE_WAIT, line);
	if (!machine->while_waiting || !machine->while_waiting(machine->waiting_context, line))
		fail_msg("CPU %u waits for line \"%s\" (%u), and nobody would ever wake it", cpu->number,
			 machine->lines[line.n].name, machine->lines[line.n].instance);
}

uint32_t mmio_read(struct cpu *cpu, uint64_t address)
{
	struct machine *machine = cpu->machine;
	struct request *request = record(cpu, REQUEST_MMIO_READ);

	request->address = address;
	if (address == machine->answer_address && machine->answer_times) {
		machine->answer_times--;
		request->value = machine->answer_value;
	}
	return (uint32_t)request->value;
}

void mmio_write(struct cpu *cpu, uint64_t address, uint32_t value)
{
	struct request *request = record(cpu, REQUEST_MMIO_WRITE);

	request->address = address;
	request->value = value;
}

uint64_t mmio_read64(struct cpu *cpu, uint64_t address)
{
	return mmio_read(cpu, address);
}

void mmio_write64(struct cpu *cpu, uint64_t address, uint64_t value)
{
	struct request *request = record(cpu, REQUEST_MMIO_WRITE);

	request->address = address;
	request->value = value;
}

uint64_t gic_frame_address(const struct machine *machine, enum gic_interface frame, cpu_id cpu)
{
	assert_true(cpu.n < machine->cpu_count);
	if (frame == GIC_FRAME_REDISTRIBUTOR)
		return REDISTRIBUTORS + cpu.n * REDISTRIBUTOR_STRIDE;
	return OTHER_FRAMES + frame * OTHER_FRAME_STRIDE;
}

void machine_on_interrupt(struct machine *machine, void (*handler)(struct cpu *cpu, void *context), void *context)
{
	machine->interrupt = handler;
	machine->interrupt_context = context;
}

enum guest_exit cpu_run_guest(struct cpu *cpu, ps_t budget)
{
	struct machine *machine = cpu->machine;
	enum guest_exit why = GUEST_EXIT_TRAP;

	(void)budget;
	if (machine->exit_count) {
		why = *machine->exits++;
		machine->exit_count--;
	}
	record(cpu, REQUEST_RUN_GUEST)->value = why;
	machine->irq_asserted |= why == GUEST_EXIT_IRQ;
	if (machine->in_guest)
		machine->in_guest(cpu);
	return why;
}

enum guest_exit cpu_guest_wait(struct cpu *cpu)
{
	record(cpu, REQUEST_GUEST_WAIT);
	return cpu_run_guest(cpu, 0);
}

void cpu_guest_mask(struct cpu *cpu, bool masked)
{
	(void)cpu;
	(void)masked;
}

void cpu_wait_for_interrupt(struct cpu *cpu)
{
	record(cpu, REQUEST_WAIT_FOR_INTERRUPT);
	recording_idle(cpu);
}

/* Comes back at once if `next` was never created with a body, as tests of one thread want it. */
void thread_switch(struct cpu *self, struct cpu *next)
{
	record(self, REQUEST_THREAD_SWITCH);
	recording_switch(self, next);
}

void function_enter(struct cpu *cpu, struct function *function)
{
	if (cpu->depth == RECORDED_STACK)
		fail_msg("more than %u functions deep at %s", RECORDED_STACK, function->name);
	cpu->stack[cpu->depth++] = function->name;
	record(cpu, REQUEST_FUNCTION);
}

void function_leave(struct cpu **cpu)
{
	if ((*cpu)->depth == 0)
		fail_msg("left a function that was never entered");
	(*cpu)->depth--;
}
