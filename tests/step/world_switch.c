// SPDX-License-Identifier: Apache-2.0
/*
 * Does the world switch take exactly the right steps? VHE: __kvm_vcpu_run of v6.14 to v6.18 with __guest_enter, __guest_exit and
 * fixup_guest_exit; no pointer authentication, MTE, SVE, debug, CNTPOFF. nVHE: the same function of v6.4 and later (hyp/nvhe/switch.c).
 */
#include "tests/step/step_bench.h"

static const enum guest_exit interrupted[] = { GUEST_EXIT_IRQ };

/* One world switch; returns where in the record the guest ran. */
static size_t world_switch(struct step_bench *bench, const struct kernel_config *config, enum guest_exit why)
{
	bench_start(bench, config, true);
	if (why == GUEST_EXIT_IRQ)
		recording_script_guest(bench->machine, interrupted, 1);
	if (config->vhe)
		assert_int_equal(__kvm_vcpu_run_vhe(bench->cpu, &bench->vcpu), why);
	else
		assert_int_equal(__kvm_vcpu_run_nvhe(bench->cpu, &bench->vcpu), why);
	EXPECT(1, bench->machine, .kind = REQUEST_RUN_GUEST);
	return FIRST(bench->machine, .kind = REQUEST_RUN_GUEST);
}

static const enum sysreg vhe_entry_reads[] = { SYS_MDSCR_EL1, SYS_SP_EL0, SYS_ISR_EL1 };
static const enum sysreg vhe_entry_writes[] = {
	SYS_HCR_EL2, SYS_CPACR_EL1, SYS_VBAR_EL1, SYS_MDSCR_EL1, SYS_ELR_EL2, SYS_SPSR_EL2, SYS_SP_EL0,
};
static const enum sysreg vhe_exit_reads[] = {  /* a data abort: the syndrome twice, FAR and HPFAR */
	SYS_ESR_EL2, SYS_ESR_EL2, SYS_SP_EL0, SYS_SPSR_EL2, SYS_MDSCR_EL1, SYS_ELR_EL2, SYS_FAR_EL2, SYS_HPFAR_EL2,
};
static const enum sysreg vhe_irq_exit_reads[] = { SYS_ESR_EL2, SYS_SP_EL0, SYS_SPSR_EL2, SYS_MDSCR_EL1, SYS_ELR_EL2 };
static const enum sysreg vhe_exit_writes[] = { SYS_SP_EL0, SYS_HCR_EL2, SYS_CPACR_EL1, SYS_VBAR_EL1, SYS_MDSCR_EL1 };

static void vhe_entry(void **state)
{
	const struct kernel_config config = recent_kernel();
	struct step_bench b;
	size_t guest;

	(void)state;
	guest = world_switch(&b, &config, GUEST_EXIT_TRAP);
	EXPECT(3, b.machine, .kind = REQUEST_SYSREG_READ, .until = guest);
	EXPECT_REGISTERS(b.machine, vhe_entry_reads, .kind = REQUEST_SYSREG_READ, .until = guest);
	EXPECT(7, b.machine, .kind = REQUEST_SYSREG_WRITE, .until = guest);
	EXPECT_REGISTERS(b.machine, vhe_entry_writes, .kind = REQUEST_SYSREG_WRITE, .until = guest);
	EXPECT(1, b.machine, .kind = REQUEST_BARRIER, .barrier = BARRIER(DSB), .until = guest);
	EXPECT(1, b.machine, .kind = REQUEST_BARRIER, .barrier = BARRIER(ISB), .until = guest);
	/* the guest's state is complete before the last look for a pending interrupt; then ERET */
	EXPECT_BEFORE(b.machine, FILTER(.reg = REG(SPSR_EL2), .until = guest), FILTER(.reg = REG(ISR_EL1)));
	EXPECT_BEFORE(b.machine, FILTER(.kind = REQUEST_BARRIER, .barrier = BARRIER(DSB)), FILTER(.reg = REG(ISR_EL1)));
	EXPECT(1, b.machine, .kind = REQUEST_EXCEPTION_RETURN);
	assert_int_equal(FIRST(b.machine, .kind = REQUEST_EXCEPTION_RETURN), guest - 1);
	EXPECT(0, b.machine, .kind = REQUEST_SYSREG_WRITE, .irqs = IRQS_ON);
	bench_stop(&b);
}

static void vhe_exit(void **state)
{
	const struct kernel_config config = recent_kernel();
	struct step_bench b;
	size_t guest;

	(void)state;
	guest = world_switch(&b, &config, GUEST_EXIT_TRAP);
	EXPECT(6 + 2, b.machine, .kind = REQUEST_SYSREG_READ, .from = guest);
	EXPECT_REGISTERS(b.machine, vhe_exit_reads, .kind = REQUEST_SYSREG_READ, .from = guest);
	EXPECT(5, b.machine, .kind = REQUEST_SYSREG_WRITE, .from = guest);
	EXPECT_REGISTERS(b.machine, vhe_exit_writes, .kind = REQUEST_SYSREG_WRITE, .from = guest);
	EXPECT(1, b.machine, .kind = REQUEST_EXCEPTION_ENTRY);
	assert_int_equal(FIRST(b.machine, .kind = REQUEST_EXCEPTION_ENTRY), FIRST(b.machine, .kind = REQUEST_FUNCTION, .from = guest) + 1);
	EXPECT(0, b.machine, .kind = REQUEST_BARRIER, .barrier = BARRIER(DSB), .from = guest);
	/* 62 register slots each way, moved by pairs */
	assert_int_equal(SUM(b.machine, .kind = REQUEST_LOAD_STORE, .until = guest), 62 / 2);
	assert_int_equal(SUM(b.machine, .kind = REQUEST_LOAD_STORE, .from = guest), 62 / 2);
	bench_stop(&b);
}

/* fixup_guest_exit reads no syndrome after an interrupt. */
static void vhe_exit_by_interrupt(void **state)
{
	const struct kernel_config config = recent_kernel();
	struct step_bench b;
	size_t guest;

	(void)state;
	guest = world_switch(&b, &config, GUEST_EXIT_IRQ);
	EXPECT_REGISTERS(b.machine, vhe_irq_exit_reads, .kind = REQUEST_SYSREG_READ, .without = "el1_interrupt", .from = guest);
	EXPECT_REGISTERS(b.machine, vhe_exit_writes, .kind = REQUEST_SYSREG_WRITE, .without = "el1_interrupt", .from = guest);
	bench_stop(&b);
}

/* Nothing of timers, GIC, locks or devices (v4.15 and later, no CNTPOFF). */
static void vhe_touches_nothing_shared(void **state)
{
	const struct kernel_config config = recent_kernel();
	struct step_bench b;

	(void)state;
	world_switch(&b, &config, GUEST_EXIT_TRAP);
	EXPECT(0, b.machine, .class = CLASS(TIMER));
	EXPECT(0, b.machine, .class = CLASS(COUNTER));
	EXPECT(0, b.machine, .class = CLASS(ICH));
	EXPECT(0, b.machine, .kind = REQUEST_LINE_ATOMIC);
	EXPECT(0, b.machine, .kind = REQUEST_LINE_OWN);
	EXPECT(0, b.machine, .kind = REQUEST_LINE_RELEASE);
	EXPECT(0, b.machine, .kind = REQUEST_MMIO_WRITE);
	EXPECT(0, b.machine, .kind = REQUEST_MMIO_READ);
	bench_stop(&b);
}

/* Up to v6.6: VTCR_EL2 and VTTBR_EL2 at every entry. */
static void vhe_stage2_at_entry(void **state)
{
	struct kernel_config config = recent_kernel();
	struct step_bench b;
	size_t guest;

	(void)state;
	config.stage2_at_load = false;
	guest = world_switch(&b, &config, GUEST_EXIT_TRAP);
	EXPECT(7 + 2, b.machine, .kind = REQUEST_SYSREG_WRITE, .until = guest);
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_WRITE, .reg = REG(VTCR_EL2), .until = guest);
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_WRITE, .reg = REG(VTTBR_EL2), .until = guest);
	EXPECT(0, b.machine, .reg = REG(VTTBR_EL2), .from = guest);
	bench_stop(&b);
}

#define EL1_STATE                                                                                                              \
	SYS_SCTLR_EL1, SYS_CPACR_EL1, SYS_TTBR0_EL1, SYS_TTBR1_EL1, SYS_TCR_EL1, SYS_ESR_EL1, SYS_AFSR0_EL1, SYS_AFSR1_EL1,    \
	SYS_FAR_EL1, SYS_MAIR_EL1, SYS_VBAR_EL1, SYS_CONTEXTIDR_EL1, SYS_AMAIR_EL1, SYS_CNTKCTL_EL1, SYS_PAR_EL1,              \
	SYS_TPIDR_EL1, SYS_SP_EL1, SYS_ELR_EL1, SYS_SPSR_EL1
#define SAVED_CONTEXT EL1_STATE, SYS_MDSCR_EL1, SYS_TPIDR_EL0, SYS_TPIDRRO_EL0, SYS_ELR_EL2, SYS_SPSR_EL2
#define RESTORED_CONTEXT SAVED_CONTEXT, SYS_VMPIDR_EL2

/* Save the host, restore the guest, stage 2, traps; then __guest_enter as on VHE. */
static const enum sysreg nvhe_entry_reads[] = { SAVED_CONTEXT, SYS_PMUSERENR_EL0, SYS_MDCR_EL2, SYS_SP_EL0, SYS_ISR_EL1 };
static const enum sysreg nvhe_entry_writes[] = {
	RESTORED_CONTEXT, SYS_VTCR_EL2, SYS_VTTBR_EL2, SYS_HCR_EL2, SYS_HSTR_EL2, SYS_PMSELR_EL0, SYS_PMUSERENR_EL0, SYS_MDCR_EL2,
	SYS_CPTR_EL2, SYS_VBAR_EL2, SYS_SP_EL0,
};
/* The vector, __guest_exit and fixup_guest_exit as on VHE (a data abort); save the guest. */
static const enum sysreg nvhe_exit_reads[] = {
	SYS_ESR_EL2, SYS_SP_EL0, SYS_ESR_EL2, SYS_FAR_EL2, SYS_HPFAR_EL2, SAVED_CONTEXT,
};
static const enum sysreg nvhe_exit_writes[] = {
	SYS_SP_EL0, SYS_MDCR_EL2, SYS_HSTR_EL2, SYS_PMUSERENR_EL0, SYS_HCR_EL2, SYS_CPTR_EL2, SYS_VBAR_EL2, SYS_VTTBR_EL2,
	RESTORED_CONTEXT,
};

static void nvhe_entry(void **state)
{
	const struct kernel_config config = recent_nvhe_kernel();
	struct step_bench b;
	size_t guest;

	(void)state;
	guest = world_switch(&b, &config, GUEST_EXIT_TRAP);
	EXPECT_REGISTERS(b.machine, nvhe_entry_reads, .kind = REQUEST_SYSREG_READ, .class = CLASS(ORDINARY), .until = guest);
	EXPECT_REGISTERS(b.machine, nvhe_entry_writes, .kind = REQUEST_SYSREG_WRITE, .class = CLASS(ORDINARY), .until = guest);
	bench_stop(&b);
}

static void nvhe_exit(void **state)
{
	const struct kernel_config config = recent_nvhe_kernel();
	struct step_bench b;
	size_t guest;

	(void)state;
	guest = world_switch(&b, &config, GUEST_EXIT_TRAP);
	EXPECT_REGISTERS(b.machine, nvhe_exit_reads, .kind = REQUEST_SYSREG_READ, .class = CLASS(ORDINARY), .from = guest);
	EXPECT_REGISTERS(b.machine, nvhe_exit_writes, .kind = REQUEST_SYSREG_WRITE, .class = CLASS(ORDINARY), .from = guest);
	bench_stop(&b);
}

/* CNTHCTL_EL2 (__timer_enable_traps, __timer_disable_traps) and ICC_SRE_EL2 (vgic traps): read and written each way. */
static void nvhe_timer_and_vgic_traps(void **state)
{
	const struct kernel_config config = recent_nvhe_kernel();
	struct step_bench b;
	size_t guest;

	(void)state;
	guest = world_switch(&b, &config, GUEST_EXIT_TRAP);
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_READ, .reg = REG(CNTHCTL_EL2), .until = guest);
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_WRITE, .reg = REG(CNTHCTL_EL2), .until = guest);
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_READ, .reg = REG(CNTHCTL_EL2), .from = guest);
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_WRITE, .reg = REG(CNTHCTL_EL2), .from = guest);
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_READ, .reg = REG(ICC_SRE_EL2), .until = guest);
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_WRITE, .reg = REG(ICC_SRE_EL2), .until = guest);
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_READ, .reg = REG(ICC_SRE_EL2), .from = guest);
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_WRITE, .reg = REG(ICC_SRE_EL2), .from = guest);
	EXPECT(4, b.machine, .class = CLASS(TIMER));
	EXPECT(4, b.machine, .class = CLASS(ICH));
	EXPECT(0, b.machine, .kind = REQUEST_LINE_ATOMIC);
	EXPECT(0, b.machine, .kind = REQUEST_MMIO_WRITE);
	/* dsb(nsh) after saving the host and before restoring it */
	EXPECT_BEFORE(b.machine, FILTER(.kind = REQUEST_SYSREG_READ, .reg = REG(SPSR_EL1), .until = guest),
		      FILTER(.kind = REQUEST_BARRIER, .barrier = BARRIER(DSB)));
	EXPECT_BEFORE(b.machine, FILTER(.kind = REQUEST_BARRIER, .barrier = BARRIER(DSB), .from = guest),
		      FILTER(.kind = REQUEST_SYSREG_WRITE, .reg = REG(SPSR_EL1), .from = guest));
	bench_stop(&b);
}

/* v6.19 always runs flush and sync; on nVHE their registers are the world switch's: ICH_HCR_EL2 each way, ICH_VMCR_EL2 at the exit. */
static void nvhe_vgic_always(void **state)
{
	struct kernel_config config = recent_nvhe_kernel();
	struct step_bench b;

	(void)state;
	config.vgic_always = true;
	config.vmcr = VMCR_LOAD_AND_EXIT;
	bench_start(&b, &config, true);
	kvm_run_ioctl(b.cpu, &b.vcpu);
	EXPECT(2, b.machine, .kind = REQUEST_SYSREG_WRITE, .reg = REG(ICH_HCR_EL2));
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_READ, .reg = REG(ICH_VMCR_EL2));
	bench_stop(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(vhe_entry),
		cmocka_unit_test(vhe_exit),
		cmocka_unit_test(vhe_exit_by_interrupt),
		cmocka_unit_test(vhe_touches_nothing_shared),
		cmocka_unit_test(vhe_stage2_at_entry),
		cmocka_unit_test(nvhe_entry),
		cmocka_unit_test(nvhe_exit),
		cmocka_unit_test(nvhe_timer_and_vgic_traps),
		cmocka_unit_test(nvhe_vgic_always),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
