// SPDX-License-Identifier: Apache-2.0
/*
 * kvm_vgic_sync_hwstate, and a whole entry and exit with one timer interrupt pending: ap_list_lock twice, irq_lock four times, no descriptor lock,
 * ICH_HCR_EL2 and the list register written twice, ICH_ELRSR_EL2 and, unless empty, the list register read. Then what leaves the list, and what
 * goes to another vCPU's.
 */
#include "tests/step/vgic_bench.h"

static void entry_and_exit(void **state)
{
	const struct kernel_config config = recent_kernel();

	(void)state;
	for (int empty = 0; empty <= 1; empty++) {
		struct step_bench b;

		bench_start(&b, &config, true);
		vtimer_pending(&b);
		kvm_vgic_flush_hwstate(b.cpu, &b.vcpu);
		recording_set_sysreg(b.cpu, SYS_ICH_ELRSR_EL2, empty ? 1 : 0);
		if (!empty)
			recording_set_sysreg(b.cpu, SYS_ICH_LR0_EL2, (VTIMER_LR & ~LR_PENDING) | LR_ACTIVE);
		kvm_vgic_sync_hwstate(b.cpu, &b.vcpu);
		EXPECT(2, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = AP_LIST);
		EXPECT(4, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = VTIMER_LINE);
		EXPECT(6, b.machine, .kind = REQUEST_LINE_ATOMIC);
		EXPECT(4, b.machine, .kind = REQUEST_SYSREG_WRITE, .class = CLASS(ICH));
		EXPECT(empty ? 1 : 2, b.machine, .kind = REQUEST_SYSREG_READ, .class = CLASS(ICH));
		EXPECT(0, b.machine, .line = DESC_LOCK);
		EXPECT(0, b.machine, .kind = REQUEST_MMIO_WRITE);
		assert_int_equal(written(&b, SYS_ICH_HCR_EL2), 0);
		assert_int_equal(written(&b, SYS_ICH_LR0_EL2), 0);
		assert_int_equal(vtimer_of(&b.vcpu)->active, !empty);
		/* done: off the list; in its handler: still on it */
		assert_ptr_equal(b.vcpu.vgic.ap_list, empty ? NULL : vtimer_of(&b.vcpu));
		assert_ptr_equal(vtimer_of(&b.vcpu)->vcpu, empty ? NULL : &b.vcpu);
		assert_int_equal(b.vcpu.vgic.used_lrs, 0);
		bench_stop(&b);
	}
}

static void empty_list(void **state)
{
	struct kernel_config config = recent_kernel();
	struct step_bench b;

	(void)state;
	bench_start(&b, &config, true);
	kvm_vgic_sync_hwstate(b.cpu, &b.vcpu);
	EXPECT(1, b.machine, .kind = REQUEST_LINE_READ, .line = AP_LIST);
	EXPECT(0, b.machine, .kind = REQUEST_LINE_ATOMIC);
	EXPECT(0, b.machine, .class = CLASS(ICH));
	bench_stop(&b);

	config.vgic_always = true;
	config.vmcr = VMCR_LOAD_AND_EXIT;
	bench_start(&b, &config, true);
	kvm_vgic_sync_hwstate(b.cpu, &b.vcpu);
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_READ, .reg = REG(ICH_VMCR_EL2));
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_WRITE, .reg = REG(ICH_HCR_EL2));
	EXPECT(1, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = AP_LIST);
	EXPECT(1, b.machine, .kind = REQUEST_LINE_ATOMIC);
	bench_stop(&b);
}

/* v6.19 and later with an interrupt: VMCR at every exit besides. */
static void recent_exit_with_an_interrupt(void **state)
{
	struct kernel_config config = recent_kernel();
	struct step_bench b;

	(void)state;
	config.vgic_always = true;
	config.vmcr = VMCR_LOAD_AND_EXIT;
	bench_start(&b, &config, true);
	vtimer_pending(&b);
	kvm_vgic_flush_hwstate(b.cpu, &b.vcpu);
	recording_set_sysreg(b.cpu, SYS_ICH_ELRSR_EL2, 1);
	kvm_vgic_sync_hwstate(b.cpu, &b.vcpu);
	EXPECT(1 + 1, b.machine, .kind = REQUEST_SYSREG_READ, .class = CLASS(ICH));
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_READ, .reg = REG(ICH_VMCR_EL2));
	EXPECT(4, b.machine, .kind = REQUEST_SYSREG_WRITE, .class = CLASS(ICH));
	bench_stop(&b);
}

/* The guest gave an SPI a new target while it was listed here: both lists' locks, lower vCPU first, then irq_lock; the new one is told and kicked. */
static void migration(void **state)
{
	const struct kernel_config config = recent_kernel();
	struct kvm_vcpu other;
	struct step_bench b;
	struct vgic_irq *spi;
	size_t pair, at;

	(void)state;
	bench_start(&b, &config, true);
	other_vcpu(&b, &other, true);
	spi = &b.kvm.vgic.spis[3];
	spi->enabled = true;
	kvm_vgic_inject_irq(b.cpu, &b.vcpu, spi, true);
	assert_ptr_equal(spi->vcpu, &b.vcpu);
	spi->target_vcpu = &other;
	recording_clear(b.machine);
	kvm_vgic_sync_hwstate(b.cpu, &b.vcpu);
	assert_ptr_equal(spi->vcpu, &other);
	assert_null(b.vcpu.vgic.ap_list);
	assert_ptr_equal(other.vgic.ap_list, spi);
	/* the look, the pair, the look after it */
	EXPECT(3, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = AP_LIST, .instance = INSTANCE(BENCH_VCPU));
	EXPECT(1, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = AP_LIST, .instance = INSTANCE(OTHER_VCPU));
	EXPECT(2, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = "vgic_irq SPI");
	at = FIRST(b.machine, .kind = REQUEST_LINE_ATOMIC, .line = AP_LIST, .instance = INSTANCE(BENCH_VCPU));
	pair = FIRST(b.machine, .kind = REQUEST_LINE_ATOMIC, .line = AP_LIST, .instance = INSTANCE(BENCH_VCPU), .from = at + 1);
	assert_true(pair < FIRST(b.machine, .kind = REQUEST_LINE_ATOMIC, .line = AP_LIST, .instance = INSTANCE(OTHER_VCPU)));
	assert_true(other.requests & KVM_REQ_IRQ_PENDING);
	assert_int_equal(other.mode, EXITING_GUEST_MODE);
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_WRITE, .reg = REG(ICC_SGI1R_EL1));
	bench_stop(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(entry_and_exit),
		cmocka_unit_test(empty_list),
		cmocka_unit_test(recent_exit_with_an_interrupt),
		cmocka_unit_test(migration),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
