// SPDX-License-Identifier: Apache-2.0
/*
 * Guests on hosts with other interrupt controllers, on the whole machine: a GICv5's direct injection of the timer, an IPI by an LPI,
 * Apple's gate of the guest timers, a vPE's pending table. Registers and values as the architecture and the kernel have them.
 */
#include "tests/line/bench.h"

#define VTIMER 27
#define VALID (1ull << 32)
#define TYPE_PPI (1ull << 29)
#define TYPE_LPI (2ull << 29)
#define IPIS 16

static uint32_t finished;

static void start(const struct host_config *host, task_body body)
{
	struct machine *machine = bench_machine(host);

	for (uint32_t n = 0; n < host->cpus; n++)
		task_create(machine, (cpu_id){ n }, body, machine);
	machine_run_until(machine, 100 * PS_PER_MS);
	CHECK_EQUAL(finished, host->cpus);
}

/* The timer expires while the guest runs: its own interrupt, at that instant, without an exit; it ends the timer, and goes on. */
static void direct_body(struct cpu *cpu, void *argument)
{
	(void)argument;
	cpu_sysreg_write(cpu, SYS_ICC_PPI_ENABLER0_EL1, 0);  /* masked at the host, as KVM does at load */
	cpu_sysreg_write(cpu, SYS_ICH_VMCR_EL2, 1 | 31ull << 27);
	cpu_sysreg_write(cpu, SYS_ICH_PPI_ENABLER0_EL2, 1ull << VTIMER);
	cpu_sysreg_write(cpu, SYS_ICH_PPI_DVIR0_EL2, 1ull << VTIMER);
	cpu_sysreg_write(cpu, SYS_CNTV_CVAL_EL0, 20 * US / 1000);
	cpu_sysreg_write(cpu, SYS_CNTV_CTL_EL0, 1);
	CHECK_EQUAL(cpu_run_guest(cpu, 100 * US), GUEST_INTERRUPT);
	CHECK_EQUAL(cpu_now(cpu), 20 * US + 30 * NS);
	CHECK_EQUAL(cpu_sysreg_read(cpu, SYS_ICV_CDIA), VALID | TYPE_PPI | VTIMER);
	cpu_sysreg_write(cpu, SYS_CNTV_CTL_EL0, 0);
	cpu_sysreg_write(cpu, SYS_ICV_CDEOI, 0);
	cpu_sysreg_write(cpu, SYS_ICV_CDDI, TYPE_PPI | VTIMER);
	CHECK_EQUAL(cpu_run_guest(cpu, 10 * US), GUEST_EXIT_TRAP);
	CHECK_EQUAL(cpu_now(cpu), 30 * US + 30 * NS);

	/* without DVI, and enabled at the host: the host's */
	cpu_sysreg_write(cpu, SYS_ICH_PPI_DVIR0_EL2, 0);
	cpu_sysreg_write(cpu, SYS_ICC_PPI_ENABLER0_EL1, 1ull << VTIMER);
	cpu_sysreg_write(cpu, SYS_CNTV_CTL_EL0, 1);
	cpu_spend(cpu, 1 * US);
	CHECK_EQUAL(cpu_run_guest(cpu, 10 * US), GUEST_EXIT_IRQ);
	CHECK_EQUAL(cpu_sysreg_read(cpu, SYS_GICR_CDIA), VALID | TYPE_PPI | VTIMER);
	finished++;
}

void test_gicv5_direct_injection(void)
{
	struct host_config host = bench_host(2);

	host.gic = HOST_GIC_V5;
	host.line_latency = 30 * NS;
	start(&host, direct_body);
}

static void lpi_body(struct cpu *cpu, void *argument)
{
	(void)argument;
	if (cpu_number(cpu).n == 1) {
		cpu_spend(cpu, 10 * US);
		cpu_sysreg_write(cpu, SYS_GIC_CDPEND, VALID | TYPE_LPI | (IPIS * 0 + 3));
	} else {
		cpu_wait_for_interrupt(cpu);
		CHECK_EQUAL(cpu_now(cpu), 10 * US + 200 * NS + 30 * NS);
		CHECK_EQUAL(cpu_sysreg_read(cpu, SYS_GICR_CDIA), VALID | TYPE_LPI | 3);
	}
	finished++;
}

void test_gicv5_ipi(void)
{
	struct host_config host = bench_host(2);

	host.gic = HOST_GIC_V5;
	host.line_latency = 30 * NS;
	host.sgi_latency = 200 * NS;
	start(&host, lpi_body);
}

/* The timer's FIQ leaves the guest while its gate is open, and waits while it is closed. */
static void gate_body(struct cpu *cpu, void *argument)
{
	(void)argument;
	cpu_sysreg_write(cpu, SYS_IMP_APL_VM_TMR_FIQ_ENA_EL2, 1);
	cpu_sysreg_write(cpu, SYS_CNTV_CVAL_EL0, 20 * US / 1000);
	cpu_sysreg_write(cpu, SYS_CNTV_CTL_EL0, 1);
	CHECK_EQUAL(cpu_run_guest(cpu, 100 * US), GUEST_EXIT_IRQ);
	CHECK_EQUAL(cpu_now(cpu), 20 * US + 30 * NS);
	cpu_sysreg_write(cpu, SYS_IMP_APL_VM_TMR_FIQ_ENA_EL2, 0);
	cpu_spend(cpu, 1 * US);
	CHECK_EQUAL(cpu_run_guest(cpu, 10 * US), GUEST_EXIT_TRAP);
	cpu_sysreg_write(cpu, SYS_IMP_APL_VM_TMR_FIQ_ENA_EL2, 1);
	CHECK_EQUAL(cpu_run_guest(cpu, 10 * US), GUEST_EXIT_IRQ);
	CHECK_EQUAL(cpu_now(cpu), 31 * US + 30 * NS);
	finished++;
}

void test_aic_guest_timer(void)
{
	struct host_config host = bench_host(2);

	host.gic = HOST_GIC_AIC;
	host.line_latency = 30 * NS;
	start(&host, gate_body);
}

/* Dirty as software sees it: by 64-bit reads, until the scan is over. */
static void dirty_body(struct cpu *cpu, void *argument)
{
	struct machine *machine = argument;
	const uint64_t vpendbaser = gic_frame_address(machine, GIC_FRAME_REDISTRIBUTOR, cpu_number(cpu)) + 0x20078;
	const uint64_t resident = 1ull << 63 | cpu_number(cpu).n, dirty = 1ull << 60;
	uint32_t looks = 1;

	mmio_write64(cpu, vpendbaser, resident);
	CHECK_EQUAL(mmio_read64(cpu, vpendbaser), resident | dirty);
	while (mmio_read64(cpu, vpendbaser) & dirty)
		looks++;
	CHECK_EQUAL(looks, 9);  /* at 0, 120, … 960 ns after it was written */
	CHECK_EQUAL(mmio_read64(cpu, vpendbaser), resident);
	finished++;
}

void test_gicv4_dirty(void)
{
	struct host_config host = bench_host(2);

	host.gic = HOST_GIC_V4_1;
	host.vpt_scan = 1 * US;
	start(&host, dirty_body);
}
