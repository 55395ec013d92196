// SPDX-License-Identifier: Apache-2.0
/*
 * Does vcpu_load take exactly the right steps? VHE and nVHE, GICv3, guest timers idle unless said otherwise.
 * Counts: kvm_arch_vcpu_load, kvm_timer_vcpu_load and kvm_vcpu_load_vhe of v6.16 to v6.18; kvm_vgic_load of the same with 5 priority bits.
 */
#include "tests/step/step_bench.h"

static void load(struct step_bench *bench, const struct kernel_config *config)
{
	bench_start(bench, config, true);
	vcpu_load(bench->cpu, &bench->vcpu);
}

/* set_timer_irq_phys_active for both direct timers (v5.1 and later): one descriptor lock and one device write each. */
static void vhe_takes_each_descriptor_lock_once(void **state)
{
	const struct kernel_config config = recent_kernel();
	struct step_bench b;

	(void)state;
	load(&b, &config);
	EXPECT(1, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = DESC_LOCK, .instance = VTIMER_DESC, .irqs = IRQS_OFF);
	EXPECT(1, b.machine, .kind = REQUEST_LINE_RELEASE, .line = DESC_LOCK, .instance = VTIMER_DESC, .irqs = IRQS_OFF);
	EXPECT(1, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = DESC_LOCK, .instance = PTIMER_DESC, .irqs = IRQS_OFF);
	EXPECT(1, b.machine, .kind = REQUEST_LINE_RELEASE, .line = DESC_LOCK, .instance = PTIMER_DESC, .irqs = IRQS_OFF);
	EXPECT(2, b.machine, .line = DESC_LOCK, .kind = REQUEST_LINE_ATOMIC);
	assert_int_equal(locks_taken(&b, VTIMER_LOCK_CLASS), 1);
	assert_int_equal(locks_taken(&b, PTIMER_LOCK_CLASS), 1);

	EXPECT(2, b.machine, .kind = REQUEST_MMIO_WRITE);
	EXPECT(2, b.machine, .kind = REQUEST_MMIO_WRITE, .address = b.own_redistributor + GICR_ICACTIVER0);
	EXPECT(0, b.machine, .kind = REQUEST_MMIO_READ);
	assert_int_equal(recording_at(b.machine, FIRST(b.machine, .kind = REQUEST_MMIO_WRITE))->value, 1u << VTIMER_PPI);
	assert_int_equal(recording_at(b.machine, LAST(b.machine, .kind = REQUEST_MMIO_WRITE))->value, 1u << PTIMER_PPI);
	bench_stop(&b);
}

/* kvm_vgic_inject_irq and kvm_vgic_map_is_active, once each for either timer; then only the compare-and-swap of active_vmids. */
static void vhe_takes_own_locks_and_no_others(void **state)
{
	const struct kernel_config config = recent_kernel();
	struct step_bench b;

	(void)state;
	load(&b, &config);
	EXPECT(2, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = "vgic_irq vtimer");
	EXPECT(2, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = "vgic_irq ptimer");
	EXPECT(1, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = "active_vmids", .order = ORDER(RELAXED));
	EXPECT(4 + 2 + 1, b.machine, .kind = REQUEST_LINE_ATOMIC);
	EXPECT(4 + 2, b.machine, .kind = REQUEST_LINE_RELEASE);
	EXPECT(0, b.machine, .kind = REQUEST_LINE_WAIT);
	assert_int_equal(locks_taken(&b, IRQ_LOCK_CLASS), 4);
	assert_int_equal(locks_taken(&b, AP_LIST_LOCK_CLASS), 0);
	bench_stop(&b);
}

/* kvm_vcpu_load_vhe: __sysreg_restore_el1_state and friends, traps, stage 2. */
static const enum sysreg vhe_load_writes[] = {
	SYS_TPIDR_EL0, SYS_TPIDRRO_EL0, SYS_VMPIDR_EL2, SYS_SCTLR_EL1, SYS_TCR_EL1, SYS_CPACR_EL1, SYS_TTBR0_EL1, SYS_TTBR1_EL1,
	SYS_ESR_EL1, SYS_AFSR0_EL1, SYS_AFSR1_EL1, SYS_FAR_EL1, SYS_MAIR_EL1, SYS_VBAR_EL1, SYS_CONTEXTIDR_EL1, SYS_AMAIR_EL1,
	SYS_CNTKCTL_EL1, SYS_PAR_EL1, SYS_TPIDR_EL1, SYS_SP_EL1, SYS_ELR_EL1, SYS_SPSR_EL1, SYS_HSTR_EL2, SYS_PMSELR_EL0,
	SYS_PMUSERENR_EL0, SYS_MDCR_EL2, SYS_VTCR_EL2, SYS_VTTBR_EL2,
};
static const enum sysreg vhe_load_reads[] = { SYS_TPIDR_EL0, SYS_TPIDRRO_EL0, SYS_PMUSERENR_EL0, SYS_MDCR_EL2 };
static const enum sysreg vhe_load_timer_writes[] = {
	SYS_CNTVOFF_EL2, SYS_CNTV_CVAL_EL0, SYS_CNTV_CTL_EL0, SYS_CNTP_CVAL_EL0, SYS_CNTP_CTL_EL0,
};

static void vhe_register_traffic(void **state)
{
	const struct kernel_config config = recent_kernel();
	struct step_bench b;

	(void)state;
	load(&b, &config);
	EXPECT(28, b.machine, .kind = REQUEST_SYSREG_WRITE, .class = CLASS(ORDINARY));
	EXPECT_REGISTERS(b.machine, vhe_load_writes, .kind = REQUEST_SYSREG_WRITE, .class = CLASS(ORDINARY));
	EXPECT(4, b.machine, .kind = REQUEST_SYSREG_READ, .class = CLASS(ORDINARY));
	EXPECT_REGISTERS(b.machine, vhe_load_reads, .kind = REQUEST_SYSREG_READ, .class = CLASS(ORDINARY));
	EXPECT(5, b.machine, .kind = REQUEST_SYSREG_WRITE, .class = CLASS(TIMER));
	EXPECT_REGISTERS(b.machine, vhe_load_timer_writes, .kind = REQUEST_SYSREG_WRITE, .class = CLASS(TIMER));
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_READ, .class = CLASS(TIMER));
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_READ, .reg = REG(CNTHCTL_EL2), .within = "timer_set_traps");
	EXPECT(0, b.machine, .kind = REQUEST_SYSREG_READ, .class = CLASS(COUNTER));
	EXPECT(2, b.machine, .kind = REQUEST_SYSREG_READ, .class = CLASS(ICH));
	EXPECT(4, b.machine, .kind = REQUEST_SYSREG_WRITE, .class = CLASS(ICH));
	EXPECT(2, b.machine, .kind = REQUEST_BARRIER, .barrier = BARRIER(ISB), .within = "kvm_timer_vcpu_load");
	EXPECT(0, b.machine, .kind = REQUEST_BARRIER, .barrier = BARRIER(DSB));
	EXPECT(0, b.machine, .kind = REQUEST_EXCEPTION_ENTRY);
	EXPECT(0, b.machine, .kind = REQUEST_EXCEPTION_RETURN);
	bench_stop(&b);
}

/* vgic_v3_load: VMCR written, VTR read, one active-priority register a group with 5 priority bits, two with 6, four with 7. */
static void vgic_priority_registers(void **state)
{
	(void)state;
	for (uint32_t bits = 5; bits <= 7; bits++) {
		struct kernel_config config = recent_kernel();
		const size_t each = bits == 5 ? 1 : bits == 6 ? 2 : 4;
		struct step_bench b;

		config.gic_priority_bits = bits;
		load(&b, &config);
		EXPECT(1, b.machine, .kind = REQUEST_SYSREG_WRITE, .reg = REG(ICH_VMCR_EL2), .within = "kvm_vgic_load");
		EXPECT(1, b.machine, .kind = REQUEST_SYSREG_READ, .reg = REG(ICH_VTR_EL2), .within = "kvm_vgic_load");
		EXPECT(1, b.machine, .kind = REQUEST_SYSREG_READ, .reg = REG(ICC_SRE_EL2), .within = "kvm_vgic_load");
		EXPECT(1, b.machine, .kind = REQUEST_SYSREG_WRITE, .reg = REG(ICC_SRE_EL2), .within = "kvm_vgic_load");
		EXPECT(2 + 2 * each, b.machine, .kind = REQUEST_SYSREG_WRITE, .class = CLASS(ICH));
		EXPECT(1, b.machine, .kind = REQUEST_SYSREG_WRITE, .reg = REG(ICH_AP0R0_EL2));
		EXPECT(bits == 7, b.machine, .kind = REQUEST_SYSREG_WRITE, .reg = REG(ICH_AP1R3_EL2));
		bench_stop(&b);
	}
}

/* kvm_timer_vcpu_load of v6.17, step by step. */
static void order_of_the_timer_steps(void **state)
{
	const struct kernel_config config = recent_kernel();
	struct step_bench b;

	(void)state;
	load(&b, &config);
	/* virtual timer: vgic, then descriptor; then the physical timer */
	EXPECT_BEFORE(b.machine, FILTER(.line = "vgic_irq vtimer"), FILTER(.line = DESC_LOCK, .instance = VTIMER_DESC));
	EXPECT_BEFORE(b.machine, FILTER(.line = DESC_LOCK, .instance = VTIMER_DESC), FILTER(.line = "vgic_irq ptimer"));
	EXPECT_BEFORE(b.machine, FILTER(.line = "vgic_irq ptimer"), FILTER(.line = DESC_LOCK, .instance = PTIMER_DESC));
	EXPECT_BEFORE(b.machine, FILTER(.within = "kvm_vgic_inject_irq", .line = "vgic_irq vtimer"),
		      FILTER(.within = "kvm_vgic_map_is_active", .line = "vgic_irq vtimer"));
	/* registers only after both interrupts' states are set */
	EXPECT_BEFORE(b.machine, FILTER(.line = DESC_LOCK), FILTER(.within = "timer_restore_state"));
	EXPECT_BEFORE(b.machine, FILTER(.kind = REQUEST_SYSREG_WRITE, .reg = REG(CNTVOFF_EL2)),
		      FILTER(.kind = REQUEST_SYSREG_WRITE, .reg = REG(CNTV_CVAL_EL0)));
	EXPECT_BEFORE(b.machine, FILTER(.reg = REG(CNTV_CTL_EL0)), FILTER(.reg = REG(CNTP_CVAL_EL0)));
	EXPECT_BEFORE(b.machine, FILTER(.reg = REG(CNTP_CVAL_EL0)), FILTER(.reg = REG(CNTP_CTL_EL0)));
	EXPECT(1, b.machine, .kind = REQUEST_BARRIER, .barrier = BARRIER(ISB), .from = FIRST(b.machine, .reg = REG(CNTV_CVAL_EL0)),
	       .until = FIRST(b.machine, .reg = REG(CNTV_CTL_EL0)));
	EXPECT(1, b.machine, .kind = REQUEST_BARRIER, .barrier = BARRIER(ISB), .from = FIRST(b.machine, .reg = REG(CNTP_CVAL_EL0)),
	       .until = FIRST(b.machine, .reg = REG(CNTP_CTL_EL0)));
	EXPECT(5, b.machine, .kind = REQUEST_SYSREG_WRITE, .class = CLASS(TIMER), .irqs = IRQS_OFF);
	EXPECT_BEFORE(b.machine, FILTER(.within = "timer_restore_state"), FILTER(.within = "timer_set_traps"));
	/* and the rest of kvm_arch_vcpu_load around it */
	EXPECT_BEFORE(b.machine, FILTER(.line = "active_vmids"), FILTER(.within = "kvm_timer_vcpu_load"));
	EXPECT_BEFORE(b.machine, FILTER(.within = "kvm_timer_vcpu_load"), FILTER(.within = "kvm_vcpu_load_vhe"));
	EXPECT_BEFORE(b.machine, FILTER(.within = "kvm_vgic_load"), FILTER(.within = "kvm_vcpu_load_vhe"));
	bench_stop(&b);
}

/* kvm_arch_vcpu_load: the timer first since v6.15, the vgic first before. */
static void load_order(void **state)
{
	struct kernel_config config = recent_kernel();
	struct step_bench b;

	(void)state;
	load(&b, &config);
	EXPECT_BEFORE(b.machine, FILTER(.within = "kvm_timer_vcpu_load"), FILTER(.within = "kvm_vgic_load"));
	bench_stop(&b);
	config.timer_before_vgic = false;
	load(&b, &config);
	EXPECT_BEFORE(b.machine, FILTER(.within = "kvm_vgic_load"), FILTER(.within = "kvm_timer_vcpu_load"));
	bench_stop(&b);
}

/* Stage 2 at every entry up to v6.6; CNTHCTL_EL2 set once at boot up to v6.3. */
static void older_vhe_kernels(void **state)
{
	struct kernel_config config = recent_kernel();
	struct step_bench b;

	(void)state;
	config.stage2_at_load = false;
	config.timer_traps = TIMER_TRAPS_BOOT;
	load(&b, &config);
	EXPECT(26, b.machine, .kind = REQUEST_SYSREG_WRITE, .class = CLASS(ORDINARY));
	EXPECT(0, b.machine, .reg = REG(VTTBR_EL2));
	EXPECT(0, b.machine, .reg = REG(VTCR_EL2));
	EXPECT(0, b.machine, .reg = REG(CNTHCTL_EL2));
	EXPECT(5, b.machine, .class = CLASS(TIMER));
	bench_stop(&b);
}

static void expect_one_direct_timer(const struct step_bench *b)
{
	EXPECT(1, b->machine, .kind = REQUEST_LINE_ATOMIC, .line = DESC_LOCK, .instance = VTIMER_DESC);
	EXPECT(0, b->machine, .line = DESC_LOCK, .instance = PTIMER_DESC);
	EXPECT(2, b->machine, .kind = REQUEST_LINE_ATOMIC, .line = "vgic_irq vtimer");
	EXPECT(1, b->machine, .kind = REQUEST_MMIO_WRITE);
	EXPECT(1, b->machine, .kind = REQUEST_MMIO_WRITE, .address = b->own_redistributor + GICR_ICACTIVER0);
	EXPECT(0, b->machine, .kind = REQUEST_MMIO_READ);
	EXPECT(0, b->machine, .reg = REG(CNTP_CVAL_EL0));
	EXPECT(0, b->machine, .reg = REG(CNTP_CTL_EL0));
	assert_int_equal(locks_taken(b, VTIMER_LOCK_CLASS), 1);
	assert_int_equal(locks_taken(b, PTIMER_LOCK_CLASS), 0);
}

/* The guest's physical timer on an hrtimer: every VHE kernel up to v5.0. */
static void ptimer_on_hrtimer(void **state)
{
	struct kernel_config config = recent_kernel();
	struct step_bench b;

	(void)state;
	config.ptimer_direct_on_vhe = false;
	load(&b, &config);
	expect_one_direct_timer(&b);
	EXPECT(3, b.machine, .kind = REQUEST_SYSREG_WRITE, .class = CLASS(TIMER));
	EXPECT(1, b.machine, .kind = REQUEST_BARRIER, .barrier = BARRIER(ISB), .within = "kvm_timer_vcpu_load");
	EXPECT(0, b.machine, .kind = REQUEST_EXCEPTION_ENTRY);
	bench_stop(&b);
}

/* nVHE: one lock, one device write, CNTVOFF_EL2 by hypervisor call, CVAL and CTL; one call for VMCR and the priorities. */
static void nvhe(void **state)
{
	const struct kernel_config config = recent_nvhe_kernel();
	struct step_bench b;

	(void)state;
	load(&b, &config);
	expect_one_direct_timer(&b);
	EXPECT(1, b.machine, .kind = REQUEST_EXCEPTION_ENTRY, .within = "kvm_timer_vcpu_load");
	EXPECT(1, b.machine, .kind = REQUEST_EXCEPTION_RETURN, .within = "kvm_timer_vcpu_load");
	EXPECT(1, b.machine, .reg = REG(CNTVOFF_EL2), .kind = REQUEST_SYSREG_WRITE,
	       .from = FIRST(b.machine, .kind = REQUEST_EXCEPTION_ENTRY, .within = "kvm_timer_vcpu_load"),
	       .until = FIRST(b.machine, .kind = REQUEST_EXCEPTION_RETURN, .within = "kvm_timer_vcpu_load"));
	EXPECT(3, b.machine, .class = CLASS(TIMER));
	EXPECT(1, b.machine, .kind = REQUEST_BARRIER, .barrier = BARRIER(ISB), .within = "kvm_timer_vcpu_load");
	EXPECT(1, b.machine, .kind = REQUEST_EXCEPTION_ENTRY, .within = "kvm_vgic_load");
	EXPECT(2, b.machine, .kind = REQUEST_EXCEPTION_ENTRY);
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_READ, .class = CLASS(ICH));  /* VTR */
	EXPECT(3, b.machine, .kind = REQUEST_SYSREG_WRITE, .class = CLASS(ICH)); /* VMCR, AP0R0, AP1R0; ICC_SRE_EL2 at every switch */
	EXPECT(0, b.machine, .class = CLASS(ORDINARY));
	bench_stop(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(vhe_takes_each_descriptor_lock_once),
		cmocka_unit_test(vhe_takes_own_locks_and_no_others),
		cmocka_unit_test(vhe_register_traffic),
		cmocka_unit_test(vgic_priority_registers),
		cmocka_unit_test(order_of_the_timer_steps),
		cmocka_unit_test(load_order),
		cmocka_unit_test(older_vhe_kernels),
		cmocka_unit_test(ptimer_on_hrtimer),
		cmocka_unit_test(nvhe),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
