// SPDX-License-Identifier: Apache-2.0
/*
 * What list registers say after an exit. Mapped timer interrupts: one that comes back pending has its line sampled, and if the line is low KVM itself
 * deactivates the host's interrupt, under the descriptor's lock inside irq_lock; likewise one that comes back deactivated with the recorded level high.
 * On Apple's cores the state is set whenever the guest is not in its handler.
 */
#include "tests/step/vgic_bench.h"

/* Flush, then the guest leaves `lr` behind. */
static void exit_with(struct step_bench *b, uint64_t lr)
{
	kvm_vgic_flush_hwstate(b->cpu, &b->vcpu);
	recording_set_sysreg(b->cpu, SYS_ICH_LR0_EL2, lr);
	recording_set_sysreg(b->cpu, SYS_ICH_ELRSR_EL2, lr & (LR_PENDING | LR_ACTIVE) ? 0 : 1);
	recording_clear(b->machine);
	kvm_vgic_sync_hwstate(b->cpu, &b->vcpu);
}

static void vcpu_with_pending_timer(struct step_bench *b, const struct kernel_config *config, bool line)
{
	bench_start(b, config, true);
	vtimer_pending(b);
	b->vcpu.vtimer.loaded = true;
	recording_set_sysreg(b->cpu, SYS_CNTV_CTL_EL0, line ? 1 : 0);
}

static void expect_deactivated_by_kvm(const struct step_bench *b)
{
	EXPECT(1, b->machine, .kind = REQUEST_LINE_ATOMIC, .line = DESC_LOCK, .instance = VTIMER_DESC);
	EXPECT(1, b->machine, .kind = REQUEST_MMIO_WRITE);
	EXPECT(1, b->machine, .kind = REQUEST_MMIO_WRITE, .address = b->own_redistributor + GICR_ICACTIVER0);
	/* nested: the fold's irq_lock is given back after the descriptor's */
	EXPECT_BEFORE(b->machine, FILTER(.kind = REQUEST_LINE_ATOMIC, .line = VTIMER_LINE, .within = "vgic_v3_fold_lr_state"),
		      FILTER(.line = DESC_LOCK));
	EXPECT_BEFORE(b->machine, FILTER(.line = DESC_LOCK),
		      FILTER(.kind = REQUEST_LINE_RELEASE, .line = VTIMER_LINE, .within = "vgic_v3_fold_lr_state"));
}

static void still_pending(void **state)
{
	const struct kernel_config config = recent_kernel();
	struct step_bench b;

	(void)state;
	vcpu_with_pending_timer(&b, &config, false);
	exit_with(&b, VTIMER_LR);
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_READ, .reg = REG(CNTV_CTL_EL0));
	expect_deactivated_by_kvm(&b);
	assert_false(vtimer_of(&b.vcpu)->line_level);
	assert_null(b.vcpu.vgic.ap_list);
	bench_stop(&b);

	/* the line is still high: it stays listed, and nobody is asked to deactivate anything */
	vcpu_with_pending_timer(&b, &config, true);
	exit_with(&b, VTIMER_LR);
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_READ, .reg = REG(CNTV_CTL_EL0));
	EXPECT(0, b.machine, .line = DESC_LOCK);
	assert_true(vtimer_of(&b.vcpu)->line_level);
	assert_ptr_equal(b.vcpu.vgic.ap_list, vtimer_of(&b.vcpu));
	recording_clear(b.machine);
	kvm_vgic_flush_hwstate(b.cpu, &b.vcpu);
	assert_int_equal(written(&b, SYS_ICH_LR0_EL2), VTIMER_LR);
	bench_stop(&b);
}

static void taken_and_ended(void **state)
{
	const struct kernel_config config = recent_kernel();
	struct step_bench b;

	(void)state;
	vcpu_with_pending_timer(&b, &config, false);
	exit_with(&b, VTIMER_LR & ~LR_PENDING);
	EXPECT(0, b.machine, .line = DESC_LOCK);
	EXPECT(0, b.machine, .class = CLASS(TIMER));
	assert_null(b.vcpu.vgic.ap_list);
	bench_stop(&b);
}

/* Loaded again, and the level injected again, while the guest was in its handler; then the guest ended the interrupt. */
static void deactivated_with_the_level_high(void **state)
{
	const struct kernel_config config = recent_kernel();

	(void)state;
	for (int line = 0; line <= 1; line++) {
		struct step_bench b;

		vcpu_with_pending_timer(&b, &config, line);
		exit_with(&b, (VTIMER_LR & ~LR_PENDING) | LR_ACTIVE);
		assert_true(vtimer_of(&b.vcpu)->active);
		EXPECT(0, b.machine, .class = CLASS(TIMER));
		kvm_vgic_inject_irq(b.cpu, &b.vcpu, vtimer_of(&b.vcpu), true);
		exit_with(&b, VTIMER_LR & ~LR_PENDING);
		EXPECT(1, b.machine, .kind = REQUEST_SYSREG_READ, .reg = REG(CNTV_CTL_EL0));
		if (line)
			EXPECT(0, b.machine, .line = DESC_LOCK);
		else
			expect_deactivated_by_kvm(&b);
		assert_int_equal(vtimer_of(&b.vcpu)->line_level, line);
		bench_stop(&b);
	}
}

/* No HW bit; the guest's end sets the state of the host's interrupt, whatever the line says, and never while the guest is in its handler. */
static void hosts_that_sample(void **state)
{
	struct kernel_config config = recent_kernel();
	struct step_bench b;

	(void)state;
	config.gic = GIC_AIC;
	vcpu_with_pending_timer(&b, &config, false);
	kvm_vgic_flush_hwstate(b.cpu, &b.vcpu);
	assert_int_equal(written(&b, SYS_ICH_LR0_EL2), VTIMER_PPI | LR_PRIORITY(0xa0) | LR_GROUP1 | LR_EOI | LR_PENDING);
	recording_set_sysreg(b.cpu, SYS_ICH_LR0_EL2, VTIMER_PPI | LR_ACTIVE);
	recording_clear(b.machine);
	kvm_vgic_sync_hwstate(b.cpu, &b.vcpu);
	EXPECT(0, b.machine, .line = DESC_LOCK);
	exit_with(&b, VTIMER_PPI);
	EXPECT(1, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = DESC_LOCK, .instance = VTIMER_DESC);
	EXPECT(0, b.machine, .class = CLASS(TIMER));
	EXPECT_BEFORE(b.machine, FILTER(.line = DESC_LOCK),
		      FILTER(.kind = REQUEST_LINE_RELEASE, .line = VTIMER_LINE, .within = "vgic_v3_fold_lr_state"));
	bench_stop(&b);
}

/* An edge that the guest did not take is pending again; one that it took and that came again meanwhile is both. */
static void edges(void **state)
{
	const struct kernel_config config = recent_kernel();
	struct step_bench b;
	struct vgic_irq *sgi;

	(void)state;
	bench_start(&b, &config, true);
	sgi = ppi_of(&b.vcpu, 4);
	kvm_vgic_inject_irq(b.cpu, &b.vcpu, sgi, true);
	exit_with(&b, 4 | LR_PENDING);
	assert_true(sgi->pending_latch);
	assert_ptr_equal(b.vcpu.vgic.ap_list, sgi);
	exit_with(&b, 4 | LR_PENDING | LR_ACTIVE);
	assert_true(sgi->pending_latch && sgi->active);
	exit_with(&b, 4);
	assert_false(sgi->pending_latch || sgi->active);
	assert_null(b.vcpu.vgic.ap_list);
	EXPECT(0, b.machine, .line = DESC_LOCK);
	bench_stop(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(still_pending),
		cmocka_unit_test(taken_and_ended),
		cmocka_unit_test(deactivated_with_the_level_high),
		cmocka_unit_test(hosts_that_sample),
		cmocka_unit_test(edges),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
