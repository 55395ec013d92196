// SPDX-License-Identifier: Apache-2.0
/*
 * A virtual interrupt reaches the guest at the very instant at which it is signalled, does not leave it, and is held back while the guest masks
 * interrupts; list registers and maintenance interrupt on the whole machine. IHI 0069, "Virtual interrupt handling"; the guest's accesses are ICV_*.
 */
#include "tests/line/bench.h"

#define VTIMER 27
#define MAINTENANCE 25
#define SPURIOUS 1023
#define GROUP1 (1ull << 60)
#define HW (1ull << 61)
#define PENDING (1ull << 62)
#define EOI (1ull << 41)
#define PRIORITY (0xa0ull << 48)

static uint32_t finished;

static void start(const struct host_config *host, task_body body)
{
	struct machine *machine = bench_machine(host);

	for (uint32_t n = 0; n < host->cpus; n++)
		task_create(machine, (cpu_id){ n }, body, machine);
	machine_run_until(machine, 100 * PS_PER_MS);
	CHECK_EQUAL(finished, host->cpus);
}

static void enter_virtual(struct cpu *cpu)
{
	spend_until(cpu, 10 * US);
	cpu_sysreg_write(cpu, SYS_ICH_VMCR_EL2, 0xf0000002);
	cpu_sysreg_write(cpu, SYS_ICH_HCR_EL2, 1);
}

static void guest_takes(struct cpu *cpu, uint32_t interrupt)
{
	CHECK_EQUAL(cpu_sysreg_read(cpu, SYS_ICV_IAR1_EL1), interrupt);
	CHECK_EQUAL(cpu_sysreg_read(cpu, SYS_ICV_IAR1_EL1), SPURIOUS);
	cpu_sysreg_write(cpu, SYS_ICV_EOIR1_EL1, interrupt);
}

static void virtual_body(struct cpu *cpu, void *argument)
{
	(void)argument;
	enter_virtual(cpu);
	CHECK_EQUAL(cpu_run_guest(cpu, 5 * US), GUEST_EXIT_TRAP);
	CHECK_EQUAL(cpu_now(cpu), 15 * US);

	/* pending at entry: at once, and again until the guest acknowledges */
	cpu_sysreg_write(cpu, SYS_ICH_LR0_EL2, PENDING | GROUP1 | PRIORITY | 48);
	CHECK_EQUAL(cpu_run_guest(cpu, 5 * US), GUEST_INTERRUPT);
	CHECK_EQUAL(cpu_now(cpu), 15 * US);
	CHECK_EQUAL(cpu_run_guest(cpu, 5 * US), GUEST_INTERRUPT);
	CHECK_EQUAL(cpu_run_guest(cpu, 0), GUEST_INTERRUPT);  /* also before a guest that has nothing to do */
	guest_takes(cpu, 48);
	CHECK_EQUAL(cpu_run_guest(cpu, 0), GUEST_EXIT_TRAP);
	CHECK_EQUAL(cpu_now(cpu), 15 * US);
	CHECK_EQUAL(cpu_run_guest(cpu, 5 * US), GUEST_EXIT_TRAP);
	CHECK_EQUAL(cpu_now(cpu), 20 * US);
	CHECK_EQUAL(cpu_sysreg_read(cpu, SYS_ICH_ELRSR_EL2), 0xf);

	/* masked by the guest: held back, not lost */
	cpu_sysreg_write(cpu, SYS_ICH_LR0_EL2, PENDING | GROUP1 | PRIORITY | 48);
	cpu_guest_mask(cpu, true);
	CHECK_EQUAL(cpu_run_guest(cpu, 5 * US), GUEST_EXIT_TRAP);
	CHECK_EQUAL(cpu_now(cpu), 25 * US);
	CHECK_EQUAL(cpu_guest_wait(cpu), GUEST_INTERRUPT);  /* WFI ends, masked or not */
	CHECK_EQUAL(cpu_now(cpu), 25 * US);
	cpu_guest_mask(cpu, false);
	CHECK_EQUAL(cpu_run_guest(cpu, 5 * US), GUEST_INTERRUPT);
	CHECK_EQUAL(cpu_now(cpu), 25 * US);
	guest_takes(cpu, 48);

	/* a physical one at the same instant goes first */
	cpu_sysreg_write(cpu, SYS_ICH_LR0_EL2, PENDING | GROUP1 | PRIORITY | 48);
	cpu_sysreg_write(cpu, SYS_CNTV_CVAL_EL0, 0);
	cpu_sysreg_write(cpu, SYS_CNTV_CTL_EL0, 1);
	CHECK_EQUAL(cpu_run_guest(cpu, 5 * US), GUEST_EXIT_IRQ);
	CHECK_EQUAL(cpu_sysreg_read(cpu, SYS_ICC_IAR1_EL1), VTIMER);
	cpu_sysreg_write(cpu, SYS_ICC_EOIR1_EL1, VTIMER);
	CHECK_EQUAL(cpu_run_guest(cpu, 5 * US), GUEST_INTERRUPT);
	cpu_sysreg_write(cpu, SYS_ICH_HCR_EL2, 0);  /* the interface off: nothing is signalled */
	CHECK_EQUAL(cpu_run_guest(cpu, 5 * US), GUEST_EXIT_TRAP);
	CHECK_EQUAL(cpu_now(cpu), 30 * US);
	finished++;
}

void test_virtual_interrupt(void)
{
	const struct host_config host = bench_host(2);

	start(&host, virtual_body);
}

/* As KVM forwards its timer: active at the distributor, the guest's end deactivates it, and a level that is still high comes again. */
static void forwarded_body(struct cpu *cpu, void *argument)
{
	(void)argument;
	enter_virtual(cpu);
	cpu_sysreg_write(cpu, SYS_CNTV_CVAL_EL0, 0);
	cpu_sysreg_write(cpu, SYS_CNTV_CTL_EL0, 1);
	CHECK_EQUAL(cpu_run_guest(cpu, 5 * US), GUEST_EXIT_IRQ);
	CHECK_EQUAL(cpu_sysreg_read(cpu, SYS_ICC_IAR1_EL1), VTIMER);
	cpu_sysreg_write(cpu, SYS_ICC_EOIR1_EL1, VTIMER);
	cpu_sysreg_write(cpu, SYS_ICH_LR0_EL2, PENDING | HW | GROUP1 | PRIORITY | (uint64_t)VTIMER << 32 | VTIMER);
	CHECK_EQUAL(cpu_run_guest(cpu, 5 * US), GUEST_INTERRUPT);
	CHECK_EQUAL(cpu_now(cpu), 10 * US);
	CHECK_EQUAL(cpu_sysreg_read(cpu, SYS_ICV_IAR1_EL1), VTIMER);
	CHECK_EQUAL(cpu_run_guest(cpu, 5 * US), GUEST_EXIT_TRAP);
	CHECK_EQUAL(cpu_now(cpu), 15 * US);
	cpu_sysreg_write(cpu, SYS_ICV_EOIR1_EL1, VTIMER);
	CHECK_EQUAL(cpu_run_guest(cpu, 5 * US), GUEST_EXIT_IRQ);
	CHECK_EQUAL(cpu_now(cpu), 15 * US);
	finished++;
}

void test_forwarded_interrupt(void)
{
	const struct host_config host = bench_host(2);

	start(&host, forwarded_body);
}

/* The guest's end of an interrupt with the EOI bit leaves the guest: PPI 25, level, until the list register is rewritten; line_latency later. */
static void maintenance_body(struct cpu *cpu, void *argument)
{
	(void)argument;
	enter_virtual(cpu);
	cpu_sysreg_write(cpu, SYS_ICH_LR3_EL2, PENDING | EOI | GROUP1 | PRIORITY | 60);
	CHECK_EQUAL(cpu_run_guest(cpu, 5 * US), GUEST_INTERRUPT);
	guest_takes(cpu, 60);
	CHECK_EQUAL(cpu_run_guest(cpu, 5 * US), GUEST_EXIT_IRQ);
	CHECK_EQUAL(cpu_now(cpu), 10 * US + 30 * NS);
	CHECK_EQUAL(cpu_sysreg_read(cpu, SYS_ICC_IAR1_EL1), MAINTENANCE);
	CHECK_EQUAL(cpu_sysreg_read(cpu, SYS_ICH_EISR_EL2), 1 << 3);
	cpu_sysreg_write(cpu, SYS_ICH_LR3_EL2, 0);
	cpu_sysreg_write(cpu, SYS_ICC_EOIR1_EL1, MAINTENANCE);
	cpu_sysreg_write(cpu, SYS_ICC_DIR_EL1, MAINTENANCE);
	cpu_spend(cpu, 1 * US);
	CHECK_EQUAL(cpu_run_guest(cpu, 5 * US), GUEST_EXIT_TRAP);

	/* underflow: asked for while a list register is free, it interrupts at once */
	cpu_sysreg_write(cpu, SYS_ICH_HCR_EL2, 1 | 1 << 1);
	CHECK_EQUAL(cpu_run_guest(cpu, 5 * US), GUEST_EXIT_IRQ);
	CHECK_EQUAL(cpu_sysreg_read(cpu, SYS_ICC_IAR1_EL1), MAINTENANCE);
	finished++;
}

void test_maintenance_interrupt(void)
{
	struct host_config host = bench_host(2);

	host.line_latency = 30 * NS;
	start(&host, maintenance_body);
}
