// SPDX-License-Identifier: Apache-2.0
/*
 * kvm_vgic_flush_hwstate: an empty list to v6.18 and from v6.19; one pending timer interrupt (two irq_locks: depth and list register), more
 * interrupts than list registers, without VHE, and before v4.12 with VMCR and active priorities at every switch.
 */
#include "tests/step/vgic_bench.h"

static void empty_list(void **state)
{
	struct kernel_config config = recent_kernel();
	struct step_bench b;

	(void)state;
	bench_start(&b, &config, true);
	kvm_vgic_flush_hwstate(b.cpu, &b.vcpu);
	EXPECT(1, b.machine, .line = AP_LIST);
	EXPECT(1, b.machine, .kind = REQUEST_LINE_READ, .line = AP_LIST);
	EXPECT(0, b.machine, .class = CLASS(ICH));
	bench_stop(&b);

	config.vgic_always = true;
	config.vmcr = VMCR_LOAD_AND_EXIT;
	bench_start(&b, &config, true);
	kvm_vgic_flush_hwstate(b.cpu, &b.vcpu);
	EXPECT(1, b.machine, .kind = REQUEST_LINE_ATOMIC);
	EXPECT(1, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = AP_LIST);
	EXPECT(1, b.machine, .class = CLASS(ICH));
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_WRITE, .reg = REG(ICH_HCR_EL2));
	bench_stop(&b);
}

static void one_timer_interrupt(void **state)
{
	const struct kernel_config config = recent_kernel();
	struct step_bench b;

	(void)state;
	bench_start(&b, &config, true);
	vtimer_pending(&b);
	kvm_vgic_flush_hwstate(b.cpu, &b.vcpu);
	EXPECT(1 + 2, b.machine, .kind = REQUEST_LINE_ATOMIC);
	EXPECT(1, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = AP_LIST);
	EXPECT(2, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = VTIMER_LINE);
	EXPECT(2, b.machine, .class = CLASS(ICH));
	assert_int_equal(written(&b, SYS_ICH_HCR_EL2), 1);
	assert_int_equal(written(&b, SYS_ICH_LR0_EL2), VTIMER_LR);
	EXPECT_BEFORE(b.machine, FILTER(.kind = REQUEST_LINE_RELEASE, .line = AP_LIST), FILTER(.class = CLASS(ICH)));
	EXPECT(0, b.machine, .line = DESC_LOCK);
	EXPECT(0, b.machine, .class = CLASS(TIMER));
	assert_false(vtimer_of(&b.vcpu)->line_level);  /* only its rising edge is seen */
	assert_int_equal(b.vcpu.vgic.used_lrs, 1);
	bench_stop(&b);
}

/* A guest in its handler: active alone, whatever the level says: the physical interrupt keeps the pending half. */
static void active_interrupt(void **state)
{
	const struct kernel_config config = recent_kernel();
	struct step_bench b;

	(void)state;
	bench_start(&b, &config, true);
	vtimer_pending(&b);
	vtimer_of(&b.vcpu)->active = true;
	kvm_vgic_flush_hwstate(b.cpu, &b.vcpu);
	assert_int_equal(written(&b, SYS_ICH_LR0_EL2), (VTIMER_LR & ~LR_PENDING) | LR_ACTIVE);
	assert_true(vtimer_of(&b.vcpu)->line_level);
	bench_stop(&b);
}

/* Edge and level interrupts without a host interrupt behind them: the level asks for a maintenance interrupt at its end. */
static void other_interrupts(void **state)
{
	const struct kernel_config config = recent_kernel();
	struct step_bench b;

	(void)state;
	bench_start(&b, &config, true);
	b.vcpu.vgic.private_irqs[5].pending_latch = true;
	kvm_vgic_inject_irq(b.cpu, &b.vcpu, ppi_of(&b.vcpu, 5), true);
	kvm_vgic_inject_irq(b.cpu, &b.vcpu, ppi_of(&b.vcpu, VGIC_PPI_PMU), true);
	kvm_vgic_flush_hwstate(b.cpu, &b.vcpu);
	assert_int_equal(written(&b, SYS_ICH_LR0_EL2), 5 | LR_PRIORITY(0xa0) | LR_GROUP1 | LR_PENDING);
	assert_int_equal(written(&b, SYS_ICH_LR1_EL2), VGIC_PPI_PMU | LR_PRIORITY(0xa0) | LR_GROUP1 | LR_PENDING | LR_EOI);
	assert_false(b.vcpu.vgic.private_irqs[5].pending_latch);
	assert_true(b.vcpu.vgic.private_irqs[VGIC_PPI_PMU].line_level);
	bench_stop(&b);
}

/* Six SGIs, four list registers: the most urgent ones go in, underflow is asked for, both irq_locks at each comparison. */
static void more_than_fit(void **state)
{
	const struct kernel_config config = recent_kernel();
	struct step_bench b;

	(void)state;
	bench_start(&b, &config, true);
	for (uint32_t n = 0; n < 6; n++) {
		ppi_of(&b.vcpu, n)->priority = (uint8_t)(0xf0 - 0x10 * n);
		kvm_vgic_inject_irq(b.cpu, &b.vcpu, ppi_of(&b.vcpu, n), true);
	}
	recording_clear(b.machine);
	kvm_vgic_flush_hwstate(b.cpu, &b.vcpu);
	EXPECT(4 + 1, b.machine, .class = CLASS(ICH), .kind = REQUEST_SYSREG_WRITE);
	assert_int_equal(written(&b, SYS_ICH_HCR_EL2), 1 | 2);
	for (uint32_t n = 0; n < 4; n++)
		assert_int_equal(written(&b, (enum sysreg)(SYS_ICH_LR0_EL2 + n)) & 0xffffffff, 5 - n);
	const size_t compared = recorded(b.machine, &FILTER(.kind = REQUEST_FUNCTION, .function = "vgic_irq_cmp"));
	assert_true(compared >= 5);
	EXPECT(2 * compared, b.machine, .kind = REQUEST_LINE_ATOMIC, .within = "vgic_irq_cmp");
	EXPECT(1 + 6 + 2 * compared + 4, b.machine, .kind = REQUEST_LINE_ATOMIC);
	bench_stop(&b);
}

/* nVHE: the host fills the copies, EL2 writes the registers inside the world switch. */
static void without_vhe(void **state)
{
	const struct kernel_config config = recent_nvhe_kernel();
	struct step_bench b;

	(void)state;
	bench_start(&b, &config, true);
	vtimer_pending(&b);
	kvm_vgic_flush_hwstate(b.cpu, &b.vcpu);
	EXPECT(0, b.machine, .class = CLASS(ICH));
	recording_clear(b.machine);
	__kvm_vcpu_run_nvhe(b.cpu, &b.vcpu);
	EXPECT(2 + 2, b.machine, .class = CLASS(ICH), .within = "__hyp_vgic_restore_state");
	EXPECT(2, b.machine, .reg = REG(ICC_SRE_EL2), .within = "__hyp_vgic_restore_state");
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_WRITE, .reg = REG(ICH_LR0_EL2), .within = "__hyp_vgic_restore_state");
	/* ELRSR and the list register read, HCR and the list register written, SRE twice */
	EXPECT(4 + 2, b.machine, .class = CLASS(ICH), .within = "__hyp_vgic_save_state");
	bench_stop(&b);
}

/* Before v4.12: VMCR, VTR and one active-priority register a group at every entry, and nothing at load and put. */
static void vmcr_at_every_switch(void **state)
{
	struct kernel_config config = recent_kernel();
	struct step_bench b;

	(void)state;
	config.vmcr = VMCR_EVERY_SWITCH;
	bench_start(&b, &config, true);
	kvm_vgic_load(b.cpu, &b.vcpu);
	kvm_vgic_put(b.cpu, &b.vcpu);
	EXPECT(0, b.machine, .class = CLASS(ICH));
	kvm_vgic_flush_hwstate(b.cpu, &b.vcpu);
	EXPECT(3 + 1, b.machine, .kind = REQUEST_SYSREG_WRITE, .class = CLASS(ICH));  /* and ICC_SRE_EL2 */
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_WRITE, .reg = REG(ICH_VMCR_EL2));
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_WRITE, .reg = REG(ICH_AP0R0_EL2));
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_WRITE, .reg = REG(ICH_AP1R0_EL2));
	recording_clear(b.machine);
	kvm_vgic_sync_hwstate(b.cpu, &b.vcpu);
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_READ, .reg = REG(ICH_VMCR_EL2));
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_READ, .reg = REG(ICH_AP1R0_EL2));
	bench_stop(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(empty_list),
		cmocka_unit_test(one_timer_interrupt),
		cmocka_unit_test(active_interrupt),
		cmocka_unit_test(other_interrupts),
		cmocka_unit_test(more_than_fit),
		cmocka_unit_test(without_vhe),
		cmocka_unit_test(vmcr_at_every_switch),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
