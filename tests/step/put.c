// SPDX-License-Identifier: Apache-2.0
/*
 * Does vcpu_put take exactly the right steps? Counts: kvm_arch_vcpu_put, kvm_timer_vcpu_put, kvm_vcpu_put_vhe of v6.16 to v6.18 and
 * kvm_vgic_put of the same with 5 priority bits; kvm_vgic_put of v6.19 where VMCR is read at every exit.
 */
#include "tests/step/step_bench.h"

/* Loads, then starts to record. */
static void loaded(struct step_bench *bench, const struct kernel_config *config)
{
	bench_start(bench, config, true);
	vcpu_load(bench->cpu, &bench->vcpu);
	recording_clear(bench->machine);
}

static void expect_no_lock_and_no_device(const struct step_bench *b)
{
	EXPECT(0, b->machine, .kind = REQUEST_LINE_ATOMIC);
	EXPECT(0, b->machine, .kind = REQUEST_LINE_RELEASE);
	EXPECT(0, b->machine, .kind = REQUEST_MMIO_READ);
	EXPECT(0, b->machine, .kind = REQUEST_MMIO_WRITE);
	EXPECT(0, b->machine, .line = DESC_LOCK);
	/* kvm_arm_vmid_clear_active: a plain store */
	EXPECT(1, b->machine, .kind = REQUEST_LINE_OWN);
	EXPECT(1, b->machine, .kind = REQUEST_LINE_OWN, .line = "active_vmids");
}

static const enum sysreg vhe_put_reads[] = {
	SYS_TPIDR_EL0, SYS_TPIDRRO_EL0, SYS_SCTLR_EL1, SYS_TCR_EL1, SYS_CPACR_EL1, SYS_TTBR0_EL1, SYS_TTBR1_EL1, SYS_ESR_EL1,
	SYS_AFSR0_EL1, SYS_AFSR1_EL1, SYS_FAR_EL1, SYS_MAIR_EL1, SYS_VBAR_EL1, SYS_CONTEXTIDR_EL1, SYS_AMAIR_EL1, SYS_CNTKCTL_EL1,
	SYS_PAR_EL1, SYS_TPIDR_EL1, SYS_SP_EL1, SYS_ELR_EL1, SYS_SPSR_EL1,
};
static const enum sysreg vhe_put_writes[] = { SYS_TPIDR_EL0, SYS_TPIDRRO_EL0, SYS_HSTR_EL2, SYS_PMUSERENR_EL0, SYS_MDCR_EL2 };
static const enum sysreg vhe_put_timer_reads[] = { SYS_CNTV_CTL_EL0, SYS_CNTV_CVAL_EL0, SYS_CNTP_CTL_EL0, SYS_CNTP_CVAL_EL0 };
static const enum sysreg vhe_put_timer_writes[] = { SYS_CNTV_CTL_EL0, SYS_CNTP_CTL_EL0, SYS_CNTVOFF_EL2 };

static void vhe(void **state)
{
	const struct kernel_config config = recent_kernel();
	struct step_bench b;

	(void)state;
	loaded(&b, &config);
	vcpu_put(b.cpu, &b.vcpu);
	expect_no_lock_and_no_device(&b);
	EXPECT(21, b.machine, .kind = REQUEST_SYSREG_READ, .class = CLASS(ORDINARY));
	EXPECT_REGISTERS(b.machine, vhe_put_reads, .kind = REQUEST_SYSREG_READ, .class = CLASS(ORDINARY));
	EXPECT(5, b.machine, .kind = REQUEST_SYSREG_WRITE, .class = CLASS(ORDINARY));
	EXPECT_REGISTERS(b.machine, vhe_put_writes, .kind = REQUEST_SYSREG_WRITE, .class = CLASS(ORDINARY));
	EXPECT_REGISTERS(b.machine, vhe_put_timer_reads, .kind = REQUEST_SYSREG_READ, .class = CLASS(TIMER));
	EXPECT_REGISTERS(b.machine, vhe_put_timer_writes, .kind = REQUEST_SYSREG_WRITE, .class = CLASS(TIMER));
	EXPECT(2, b.machine, .kind = REQUEST_BARRIER, .barrier = BARRIER(ISB));
	EXPECT(0, b.machine, .kind = REQUEST_BARRIER, .barrier = BARRIER(DSB));
	EXPECT(7, b.machine, .class = CLASS(TIMER), .irqs = IRQS_OFF);
	/* VMCR, VTR, AP0R0, AP1R0, ICC_SRE_EL2 read; ICC_SRE_EL2 written */
	EXPECT(5, b.machine, .kind = REQUEST_SYSREG_READ, .class = CLASS(ICH));
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_READ, .reg = REG(ICH_VMCR_EL2));
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_WRITE, .class = CLASS(ICH));
	EXPECT(0, b.machine, .kind = REQUEST_EXCEPTION_ENTRY);
	bench_stop(&b);
}

/* kvm_arch_vcpu_put: system registers, timer, vgic, VMID. timer_save_state: read both, disable, ISB. */
static void order(void **state)
{
	const struct kernel_config config = recent_kernel();
	struct step_bench b;

	(void)state;
	loaded(&b, &config);
	vcpu_put(b.cpu, &b.vcpu);
	EXPECT_BEFORE(b.machine, FILTER(.within = "kvm_vcpu_put_vhe"), FILTER(.within = "kvm_timer_vcpu_put"));
	EXPECT_BEFORE(b.machine, FILTER(.within = "kvm_timer_vcpu_put"), FILTER(.within = "kvm_vgic_put"));
	EXPECT_BEFORE(b.machine, FILTER(.within = "kvm_vgic_put"), FILTER(.line = "active_vmids"));
	EXPECT_BEFORE(b.machine, FILTER(.kind = REQUEST_SYSREG_READ, .reg = REG(CNTV_CVAL_EL0)),
		      FILTER(.kind = REQUEST_SYSREG_WRITE, .reg = REG(CNTV_CTL_EL0)));
	EXPECT_BEFORE(b.machine, FILTER(.reg = REG(CNTV_CTL_EL0)), FILTER(.reg = REG(CNTP_CTL_EL0)));
	EXPECT_BEFORE(b.machine, FILTER(.kind = REQUEST_SYSREG_READ, .reg = REG(CNTP_CVAL_EL0)),
		      FILTER(.kind = REQUEST_SYSREG_WRITE, .reg = REG(CNTP_CTL_EL0)));
	bench_stop(&b);
}

/* v6.19: VMCR is read at every exit and no longer at put. */
static void vmcr_read_at_exit(void **state)
{
	struct kernel_config config = recent_kernel();
	struct step_bench b;

	(void)state;
	config.vmcr = VMCR_LOAD_AND_EXIT;
	loaded(&b, &config);
	vcpu_put(b.cpu, &b.vcpu);
	EXPECT(4, b.machine, .kind = REQUEST_SYSREG_READ, .class = CLASS(ICH));
	EXPECT(0, b.machine, .reg = REG(ICH_VMCR_EL2));
	bench_stop(&b);
}

/* The guest's timer survives put and load; put leaves the hardware timer off (what the next vCPU or the host finds). */
static void timer_state_is_kept(void **state)
{
	const struct kernel_config config = recent_kernel();
	struct step_bench b;

	(void)state;
	loaded(&b, &config);
	recording_set_sysreg(b.cpu, SYS_CNTV_CVAL_EL0, UINT64_MAX);
	recording_set_sysreg(b.cpu, SYS_CNTV_CTL_EL0, 1);
	recording_set_sysreg(b.cpu, SYS_CNTP_CVAL_EL0, 12345);
	vcpu_put(b.cpu, &b.vcpu);
	assert_int_equal(cpu_sysreg_read(b.cpu, SYS_CNTV_CTL_EL0), 0);
	recording_set_sysreg(b.cpu, SYS_CNTV_CVAL_EL0, 1);
	recording_set_sysreg(b.cpu, SYS_CNTP_CVAL_EL0, 1);
	recording_clear(b.machine);
	vcpu_load(b.cpu, &b.vcpu);
	assert_true(recording_at(b.machine, FIRST(b.machine, .reg = REG(CNTV_CVAL_EL0)))->value == UINT64_MAX);
	assert_int_equal(recording_at(b.machine, FIRST(b.machine, .reg = REG(CNTV_CTL_EL0)))->value, 1);
	assert_int_equal(recording_at(b.machine, FIRST(b.machine, .reg = REG(CNTP_CVAL_EL0)))->value, 12345);
	/* kvm_timer_should_fire, enabled but not due: it needed the counter, once, for the virtual timer only */
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_READ, .class = CLASS(COUNTER));
	bench_stop(&b);
}

/* No memory of the last state since v4.15: the second load makes the same calls as the first. */
static void every_load_sets_the_state_again(void **state)
{
	const struct kernel_config config = recent_kernel();
	struct step_bench b;

	(void)state;
	bench_start(&b, &config, true);
	for (int n = 0; n < 5; n++) {
		vcpu_load(b.cpu, &b.vcpu);
		vcpu_put(b.cpu, &b.vcpu);
	}
	EXPECT(10, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = DESC_LOCK);
	EXPECT(10, b.machine, .kind = REQUEST_MMIO_WRITE);
	assert_int_equal(locks_taken(&b, VTIMER_LOCK_CLASS), 5);
	assert_int_equal(locks_taken(&b, PTIMER_LOCK_CLASS), 5);
	bench_stop(&b);
}

/* nVHE: virtual timer only, CNTVOFF_EL2 = 0 by hypervisor call; one call for the vgic; nothing of EL1. */
static void nvhe(void **state)
{
	const struct kernel_config config = recent_nvhe_kernel();
	struct step_bench b;

	(void)state;
	loaded(&b, &config);
	vcpu_put(b.cpu, &b.vcpu);
	expect_no_lock_and_no_device(&b);
	EXPECT(2, b.machine, .kind = REQUEST_SYSREG_READ, .class = CLASS(TIMER));
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_WRITE, .reg = REG(CNTV_CTL_EL0));
	EXPECT(2, b.machine, .kind = REQUEST_SYSREG_WRITE, .class = CLASS(TIMER));
	EXPECT(1, b.machine, .kind = REQUEST_BARRIER, .barrier = BARRIER(ISB));
	EXPECT(1, b.machine, .kind = REQUEST_EXCEPTION_ENTRY, .within = "kvm_timer_vcpu_put");
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_WRITE, .reg = REG(CNTVOFF_EL2),
	       .from = FIRST(b.machine, .kind = REQUEST_EXCEPTION_ENTRY, .within = "kvm_timer_vcpu_put"),
	       .until = FIRST(b.machine, .kind = REQUEST_EXCEPTION_RETURN, .within = "kvm_timer_vcpu_put"));
	EXPECT(1, b.machine, .kind = REQUEST_EXCEPTION_ENTRY, .within = "kvm_vgic_put");
	EXPECT(2, b.machine, .kind = REQUEST_EXCEPTION_ENTRY);
	EXPECT(4, b.machine, .kind = REQUEST_SYSREG_READ, .class = CLASS(ICH));
	EXPECT(0, b.machine, .kind = REQUEST_SYSREG_WRITE, .class = CLASS(ICH));
	EXPECT(0, b.machine, .class = CLASS(ORDINARY));
	bench_stop(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(vhe),
		cmocka_unit_test(order),
		cmocka_unit_test(vmcr_read_at_exit),
		cmocka_unit_test(timer_state_is_kept),
		cmocka_unit_test(every_load_sets_the_state_again),
		cmocka_unit_test(nvhe),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
