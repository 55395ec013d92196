// SPDX-License-Identifier: Apache-2.0
/*
 * Threads: one runs on a CPU at a time, they change places at one instant, and each takes its function stack along, also to another CPU. Interrupts are
 * taken where software unmasks them, one after another, and end WFI of an idle CPU after host.cpu.idle_exit.
 */
#include <string.h>

#include "tests/line/bench.h"

#define PPI 27
#define CTL_ENABLE 1
#define END (200 * US)

static struct machine *machine;
static struct cpu *first[2], *second;
static ps_t left, came;
static uint32_t finished, interrupts;

static void work(struct cpu *cpu, ps_t amount)
{
	FUNCTION_NAMED(cpu, "work");

	cpu_spend(cpu, amount);
}

static void second_body(struct cpu *cpu, void *argument)
{
	FUNCTION_NAMED(cpu, "second");

	(void)argument;
	came = cpu_now(cpu);
	CHECK_EQUAL(cpu_number(cpu).n, 0);
	CHECK(!irq_save(cpu));  /* masked, as the other thread left it */
	for (uint32_t n = 0;; n++) {
		work(cpu, 3 * US);
		thread_switch(cpu, first[cpu_number(cpu).n]);
		CHECK_EQUAL(cpu_number(cpu).n, n + 1 > 1 ? 1 : 0);
	}
}

static void switching_body(struct cpu *cpu, void *argument)
{
	FUNCTION_NAMED(cpu, "first");

	(void)argument;
	first[0] = cpu;
	irq_save(cpu);
	work(cpu, 10 * US);
	left = cpu_now(cpu);
	thread_switch(cpu, second);
	CHECK_EQUAL(came, left);
	CHECK_EQUAL(cpu_now(cpu), left + 3 * US);
	thread_switch(cpu, second);
	CHECK_EQUAL(cpu_now(cpu), left + 6 * US);
	work(cpu, 1 * US);
	finished++;
	irq_restore(cpu, false);
}

/* CPU 1 takes the second thread over at 50 us, in the middle of its loop. */
static void adopting_body(struct cpu *cpu, void *argument)
{
	FUNCTION_NAMED(cpu, "adopter");

	(void)argument;
	first[1] = cpu;
	work(cpu, 50 * US);
	line_own(cpu, line_create(machine, "meet", 0));
	thread_switch(cpu, second);
	CHECK_EQUAL(cpu_now(cpu), 50 * US + 1 * NS + 3 * US);
	finished++;
}

struct share { const char *stack; ps_t amount; };
static const struct share shares[] = {
	{ "first;work", 11 * US }, { "second;work", 9 * US }, { "adopter;work", 50 * US }, { "first", 0 }, { "second", 0 }, { "second;first;work", 0 },
};
#define SHARES (sizeof(shares) / sizeof(shares[0]))

static void look_up(void *context, const char *stack, enum account_reason reason, ps_t amount)
{
	ps_t *seen = context;

	for (size_t n = 0; n < SHARES; n++) {
		if (reason == ACCOUNT_RUN && !strcmp(stack, shares[n].stack))
			seen[n] += amount;
	}
}

static void switching(const void *argument, void *result)
{
	const struct host_config host = bench_host(2);
	ps_t *seen = result;

	(void)argument;
	machine = bench_machine(&host);
	second = thread_create(machine, second_body, NULL);
	task_create(machine, (cpu_id){ 0 }, switching_body, NULL);
	task_create(machine, (cpu_id){ 1 }, adopting_body, NULL);
	machine_run_until(machine, END);
	machine_close_accounts(machine, END);
	CHECK_EQUAL(finished, 2);
	account_visit(machine_account(machine), look_up, seen);
	for (size_t n = 0; n < SHARES; n++) {
		bench_context("%s", shares[n].stack);
		CHECK_EQUAL(seen[n], shares[n].amount);
	}
	for (uint32_t n = 0; n < 2; n++)
		CHECK_EQUAL(account_cpu_total(machine_account(machine), (cpu_id){ n }), END);
}

void test_threads_change_places(void)
{
	ps_t seen[SHARES] = { 0 }, again[SHARES] = { 0 };

	in_child(switching, NULL, seen, sizeof(seen));
	in_child(switching, NULL, again, sizeof(again));
	CHECK(!memcmp(seen, again, sizeof(seen)));
}

static bool in_handler;

static void handle(struct cpu *cpu, void *context)
{
	uint32_t interrupt;

	(void)context;
	CHECK(!in_handler);
	in_handler = true;
	interrupt = (uint32_t)cpu_sysreg_read(cpu, SYS_ICC_IAR1_EL1);
	CHECK_EQUAL(interrupt, PPI);
	cpu_sysreg_write(cpu, SYS_CNTV_CTL_EL0, 0);
	/* nested: a second one is due, but masked until the handler is over */
	if (interrupts++ == 0) {
		bool flags = irq_save(cpu);

		cpu_sysreg_write(cpu, SYS_CNTV_CVAL_EL0, 0);
		cpu_sysreg_write(cpu, SYS_CNTV_CTL_EL0, CTL_ENABLE);
		CHECK(!flags);
		cpu_sysreg_write(cpu, SYS_ICC_EOIR1_EL1, interrupt);
		cpu_sysreg_write(cpu, SYS_ICC_DIR_EL1, interrupt);
		irq_restore(cpu, flags);
		CHECK_EQUAL(interrupts, 1);
	} else {
		cpu_sysreg_write(cpu, SYS_ICC_EOIR1_EL1, interrupt);
		cpu_sysreg_write(cpu, SYS_ICC_DIR_EL1, interrupt);
	}
	in_handler = false;
}

static void arm(struct cpu *cpu, ps_t when)
{
	cpu_sysreg_write(cpu, SYS_CNTV_CVAL_EL0, when / NS);
	cpu_sysreg_write(cpu, SYS_CNTV_CTL_EL0, CTL_ENABLE);
}

static void interrupted_body(struct cpu *cpu, void *argument)
{
	bool flags;

	(void)argument;
	spend_until(cpu, 10 * US);
	flags = irq_save(cpu);
	CHECK(flags);
	arm(cpu, 11 * US);
	spend_until(cpu, 12 * US);
	cpu_run_guest(cpu, 0);  /* lets simulated time come */
	CHECK_EQUAL(interrupts, 0);
	irq_restore(cpu, flags);
	CHECK_EQUAL(interrupts, 2);  /* the second was made pending in the first one's handler */

	/* idle, masked: awake idle_exit after the interrupt; taken when unmasked */
	irq_save(cpu);
	arm(cpu, 20 * US);
	cpu_wait_for_interrupt(cpu);
	CHECK_EQUAL(cpu_now(cpu), 20 * US + 700 * NS);
	CHECK_EQUAL(interrupts, 2);
	irq_restore(cpu, true);
	CHECK_EQUAL(interrupts, 3);

	/* pending already: there was no idle state to leave */
	irq_save(cpu);
	arm(cpu, 21 * US);
	spend_until(cpu, 30 * US);
	cpu_wait_for_interrupt(cpu);
	CHECK_EQUAL(cpu_now(cpu), 30 * US);
	irq_restore(cpu, true);
	CHECK_EQUAL(interrupts, 4);
	finished++;
}

void test_interrupts_are_taken_when_unmasked(void)
{
	struct host_config host = bench_host(1);

	host.idle_exit = 700 * NS;
	machine = bench_machine(&host);
	machine_on_interrupt(machine, handle, NULL);
	task_create(machine, (cpu_id){ 0 }, interrupted_body, NULL);
	machine_run_until(machine, END);
	CHECK_EQUAL(finished, 1);
}

#define HYP_PPI 26
#define PHYSICAL_PPI 30

static void expect(struct cpu *cpu, uint32_t ppi, enum sysreg ctl, ps_t when)
{
	CHECK_EQUAL(cpu_run_guest(cpu, 20 * US), GUEST_EXIT_IRQ);
	CHECK_EQUAL(cpu_now(cpu), when);
	CHECK_EQUAL(cpu_sysreg_read(cpu, SYS_ICC_IAR1_EL1), ppi);
	CHECK_EQUAL(cpu_sysreg_read(cpu, ctl), CTL_ENABLE | 4);
	cpu_sysreg_write(cpu, ctl, 0);
	cpu_sysreg_write(cpu, SYS_ICC_EOIR1_EL1, ppi);
	cpu_sysreg_write(cpu, SYS_ICC_DIR_EL1, ppi);
}

static void host_timer_body(struct cpu *cpu, void *argument)
{
	(void)argument;
	spend_until(cpu, 10 * US);
	cpu_sysreg_write(cpu, SYS_CNTHP_CVAL_EL2, 15 * US / NS);
	cpu_sysreg_write(cpu, SYS_CNTHP_CTL_EL2, CTL_ENABLE);
	/* neither offset touches the EL2 timer; CNTPOFF shifts CNTP, CNTVOFF does not */
	cpu_sysreg_write(cpu, SYS_CNTVOFF_EL2, 7000);
	cpu_sysreg_write(cpu, SYS_CNTPOFF_EL2, 2000);
	cpu_sysreg_write(cpu, SYS_CNTP_CVAL_EL0, 18 * US / NS);
	cpu_sysreg_write(cpu, SYS_CNTP_CTL_EL0, CTL_ENABLE);
	expect(cpu, HYP_PPI, SYS_CNTHP_CTL_EL2, 15 * US);
	expect(cpu, PHYSICAL_PPI, SYS_CNTP_CTL_EL0, 20 * US);
	CHECK_EQUAL(cpu_sysreg_read(cpu, SYS_CNTPCT_EL0), cpu_now(cpu) / NS);
	finished++;
}

void test_timers_of_the_host(void)
{
	const struct host_config host = bench_host(1);

	machine = bench_machine(&host);
	task_create(machine, (cpu_id){ 0 }, host_timer_body, NULL);
	machine_run_until(machine, END);
	CHECK_EQUAL(finished, 1);
}
