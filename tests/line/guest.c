// SPDX-License-Identifier: Apache-2.0
/*
 * Guests and idle CPUs end at the very instant of a physical interrupt. The interrupt is the EL1 virtual timer's, PPI 27: CNTV_CVAL_EL0 in ticks of
 * 1 ns, level-sensitive (Arm ARM D12); delivery by the redistributor and the CPU interface (IHI 0069). The machine starts as a host kernel with KVM
 * leaves the GIC: the timers' PPIs enabled, CPU interfaces open, EOImode 1 (ICC_EOIR1_EL1 drops the priority, ICC_DIR_EL1 deactivates).
 */
#include "tests/line/bench.h"

#define PPI 27
#define GICR_ICENABLER0 0x10180
#define CTL_ENABLE 1
#define CTL_IMASK 2
#define SPURIOUS 1023

static struct machine *machine;
static uint32_t finished;

static void start(uint32_t cpus, task_body body, void *argument)
{
	const struct host_config host = bench_host(cpus);

	machine = bench_machine(&host);
	for (uint32_t n = 0; n < cpus; n++)
		task_create(machine, (cpu_id){ n }, body, argument);
	machine_run_until(machine, 100 * PS_PER_MS);
	CHECK_EQUAL(finished, cpus);
}

/* The timer's condition holds from `when`, whole nanoseconds. */
static void arm(struct cpu *cpu, ps_t when)
{
	cpu_sysreg_write(cpu, SYS_CNTV_CVAL_EL0, when / NS);
	cpu_sysreg_write(cpu, SYS_CNTV_CTL_EL0, CTL_ENABLE);
}

/* The handler: acknowledge, make the level go away, drop the priority, deactivate. */
static void handle(struct cpu *cpu)
{
	CHECK_EQUAL(cpu_sysreg_read(cpu, SYS_ICC_IAR1_EL1), PPI);
	cpu_sysreg_write(cpu, SYS_CNTV_CTL_EL0, 0);
	cpu_sysreg_write(cpu, SYS_ICC_EOIR1_EL1, PPI);
	cpu_sysreg_write(cpu, SYS_ICC_DIR_EL1, PPI);
	CHECK_EQUAL(cpu_sysreg_read(cpu, SYS_ICC_IAR1_EL1), SPURIOUS);
}

static void timer_body(struct cpu *cpu, void *argument)
{
	(void)argument;
	spend_until(cpu, 10 * US);

	/* nothing armed: the whole budget */
	CHECK_EQUAL(cpu_run_guest(cpu, 5 * US), GUEST_EXIT_TRAP);
	CHECK_EQUAL(cpu_now(cpu), 15 * US);

	/* in the middle */
	arm(cpu, 18 * US + 123 * NS);
	CHECK_EQUAL(cpu_run_guest(cpu, 5 * US), GUEST_EXIT_IRQ);
	CHECK_EQUAL(cpu_now(cpu), 18 * US + 123 * NS);
	handle(cpu);
	CHECK_EQUAL(cpu_run_guest(cpu, 5 * US), GUEST_EXIT_TRAP);
	CHECK_EQUAL(cpu_now(cpu), 23 * US + 123 * NS);

	/* expired while the CPU did other things: at once */
	arm(cpu, 24 * US);
	spend_until(cpu, 30 * US);
	CHECK_EQUAL(cpu_run_guest(cpu, 5 * US), GUEST_EXIT_IRQ);
	CHECK_EQUAL(cpu_now(cpu), 30 * US);
	handle(cpu);

	/* armed in the past */
	arm(cpu, 1 * US);
	CHECK_EQUAL(cpu_run_guest(cpu, 5 * US), GUEST_EXIT_IRQ);
	CHECK_EQUAL(cpu_now(cpu), 30 * US);
	handle(cpu);

	/* after the budget's end; disarmed in time */
	arm(cpu, 36 * US);
	CHECK_EQUAL(cpu_run_guest(cpu, 5 * US), GUEST_EXIT_TRAP);
	CHECK_EQUAL(cpu_now(cpu), 35 * US);
	cpu_sysreg_write(cpu, SYS_CNTV_CTL_EL0, 0);
	CHECK_EQUAL(cpu_run_guest(cpu, 5 * US), GUEST_EXIT_TRAP);
	CHECK_EQUAL(cpu_now(cpu), 40 * US);

	/* masked at the timer; masked by priority: the condition shows, nothing comes */
	cpu_sysreg_write(cpu, SYS_CNTV_CTL_EL0, CTL_ENABLE | CTL_IMASK);
	CHECK_EQUAL(cpu_run_guest(cpu, 5 * US), GUEST_EXIT_TRAP);
	CHECK_EQUAL(cpu_sysreg_read(cpu, SYS_CNTV_CTL_EL0), CTL_ENABLE | CTL_IMASK | 4);
	cpu_sysreg_write(cpu, SYS_ICC_PMR_EL1, 0xa0);
	cpu_sysreg_write(cpu, SYS_CNTV_CTL_EL0, CTL_ENABLE);
	CHECK_EQUAL(cpu_run_guest(cpu, 5 * US), GUEST_EXIT_TRAP);
	CHECK_EQUAL(cpu_now(cpu), 50 * US);
	cpu_sysreg_write(cpu, SYS_ICC_PMR_EL1, 0xf0);
	CHECK_EQUAL(cpu_run_guest(cpu, 5 * US), GUEST_EXIT_IRQ);
	CHECK_EQUAL(cpu_now(cpu), 50 * US);
	handle(cpu);

	/* CNTVOFF_EL2 shifts the virtual timer */
	cpu_sysreg_write(cpu, SYS_CNTVOFF_EL2, 3000);
	arm(cpu, 51 * US);
	CHECK_EQUAL(cpu_run_guest(cpu, 10 * US), GUEST_EXIT_IRQ);
	CHECK_EQUAL(cpu_now(cpu), 54 * US);
	handle(cpu);
	finished++;
}

void test_timer_ends_the_guest(void)
{
	start(2, timer_body, NULL);
}

/* Random deadlines and budgets: the exit is at the deadline if that lies before the budget's end, and never before the entry. */
static void random_body(struct cpu *cpu, void *argument)
{
	const uint64_t seed = *(const uint64_t *)argument + cpu_number(cpu).n * 1000;
	uint32_t interrupts = 0;

	spend_until(cpu, 10 * US);
	for (uint32_t n = 0; n < 200; n++) {
		const ps_t deadline = (cpu_now(cpu) / NS + bench_draw(seed, "deadline", n, 0, 4000)) * NS;
		ps_t entry, end, expected;
		enum guest_exit why;

		arm(cpu, deadline);
		cpu_spend(cpu, bench_draw(seed, "work", n, 0, 2 * US));
		entry = cpu_now(cpu);
		end = entry + bench_draw(seed, "budget", n, 0, 2 * US);
		expected = deadline > entry ? deadline : entry;
		why = cpu_run_guest(cpu, end - entry);
		bench_context("seed %llu, CPU %u, round %u", (unsigned long long)seed, cpu_number(cpu).n, n);
		CHECK_EQUAL(why, expected < end ? GUEST_EXIT_IRQ : GUEST_EXIT_TRAP);
		CHECK_EQUAL(cpu_now(cpu), expected < end ? expected : end);
		if (why == GUEST_EXIT_IRQ) {
			interrupts++;
			handle(cpu);
		} else {
			cpu_sysreg_write(cpu, SYS_CNTV_CTL_EL0, 0);
		}
	}
	CHECK_BETWEEN(interrupts, 20, 180);
	finished++;
}

static void random_run(const void *argument, void *result)
{
	uint64_t seed = *(const uint64_t *)argument;

	(void)result;
	start(4, random_body, &seed);
}

void test_random_timers_and_guests(void)
{
	for (uint64_t seed = 1; seed <= 10; seed++)
		in_child(random_run, &seed, NULL, 0);
}

static void wfi_body(struct cpu *cpu, void *argument)
{
	(void)argument;
	spend_until(cpu, 10 * US);
	for (uint32_t n = 1; n <= 20; n++) {
		const ps_t deadline = 10 * US + n * (2 * US + cpu_number(cpu).n * 17 * NS);

		arm(cpu, deadline);
		cpu_wait_for_interrupt(cpu);
		CHECK_EQUAL(cpu_now(cpu), deadline);
		handle(cpu);
	}
	/* pending already: at once */
	arm(cpu, 60 * US);
	spend_until(cpu, 70 * US);
	cpu_wait_for_interrupt(cpu);
	CHECK_EQUAL(cpu_now(cpu), 70 * US);
	handle(cpu);
	finished++;
}

void test_wfi(void)
{
	start(4, wfi_body, NULL);
}

/*
 * While the interrupt is active it interrupts nobody, however high its level is, also after the priority drop: so a host leaves a guest's timer. Deactivated
 * with the level still high it comes again. Disabled in the redistributor it does not.
 */
static void active_body(struct cpu *cpu, void *argument)
{
	(void)argument;
	spend_until(cpu, 10 * US);
	arm(cpu, 11 * US);
	CHECK_EQUAL(cpu_run_guest(cpu, 5 * US), GUEST_EXIT_IRQ);
	CHECK_EQUAL(cpu_now(cpu), 11 * US);
	CHECK_EQUAL(cpu_sysreg_read(cpu, SYS_ICC_IAR1_EL1), PPI);
	CHECK_EQUAL(cpu_run_guest(cpu, 4 * US), GUEST_EXIT_TRAP);
	CHECK_EQUAL(cpu_now(cpu), 15 * US);
	cpu_sysreg_write(cpu, SYS_ICC_EOIR1_EL1, PPI);
	CHECK_EQUAL(cpu_run_guest(cpu, 4 * US), GUEST_EXIT_TRAP);
	CHECK_EQUAL(cpu_now(cpu), 19 * US);
	cpu_sysreg_write(cpu, SYS_ICC_DIR_EL1, PPI);
	CHECK_EQUAL(cpu_run_guest(cpu, 4 * US), GUEST_EXIT_IRQ);
	CHECK_EQUAL(cpu_now(cpu), 19 * US);
	handle(cpu);
	mmio_write(cpu, gic_frame_address(machine, GIC_FRAME_REDISTRIBUTOR, cpu_number(cpu)) + GICR_ICENABLER0, 1u << PPI);
	cpu_barrier(cpu, BARRIER_DSB);
	arm(cpu, 11 * US);
	CHECK_EQUAL(cpu_run_guest(cpu, 4 * US), GUEST_EXIT_TRAP);
	finished++;
}

void test_acknowledged_interrupt(void)
{
	start(1, active_body, NULL);
}
