// SPDX-License-Identifier: Apache-2.0
/*
 * The vGIC of kernels up to v4.6: one lock of the VM for every injection and flush, pending interrupts or not; sync takes it for interrupts that have
 * left their list register; no lock of an interrupt or a vCPU's list.
 */
#include "tests/step/vgic_bench.h"

#define DIST "vgic_dist"

static struct kernel_config old_kernel(void)
{
	struct kernel_config config = recent_kernel();

	config.vgic_lock_per_vm = true;
	config.vmcr = VMCR_EVERY_SWITCH;
	return config;
}

static void injection_and_flush_take_the_lock(void **state)
{
	const struct kernel_config config = old_kernel();
	struct step_bench b;

	(void)state;
	bench_start(&b, &config, true);
	kvm_vgic_inject_irq(b.cpu, &b.vcpu, ppi_of(&b.vcpu, VGIC_PPI_PMU), false);  /* the PMU, at every entry */
	EXPECT(1, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = DIST);
	kvm_vgic_map_is_active(b.cpu, &b.vcpu, vtimer_of(&b.vcpu));
	EXPECT(1, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = DIST);  /* a look */
	kvm_vgic_flush_hwstate(b.cpu, &b.vcpu);
	EXPECT(2, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = DIST);
	kvm_vgic_sync_hwstate(b.cpu, &b.vcpu);
	EXPECT(2, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = DIST);
	EXPECT(2, b.machine, .kind = REQUEST_LINE_ATOMIC);
	/* all list registers each way, in use or not */
	for (uint32_t n = 0; n < 4; n++) {
		EXPECT(1, b.machine, .kind = REQUEST_SYSREG_WRITE, .reg = REG(ICH_LR0_EL2) + (int)n);
		EXPECT(1, b.machine, .kind = REQUEST_SYSREG_READ, .reg = REG(ICH_LR0_EL2) + (int)n);
	}
	bench_stop(&b);
}

/* Into a free list register, which keeps it over exits until the guest has ended it. */
static void life_of_an_interrupt(void **state)
{
	const struct kernel_config config = old_kernel();
	struct step_bench b;

	(void)state;
	bench_start(&b, &config, true);
	kvm_vgic_inject_irq(b.cpu, &b.vcpu, vtimer_of(&b.vcpu), true);
	assert_true(b.vcpu.requests & KVM_REQ_IRQ_PENDING);
	kvm_vgic_flush_hwstate(b.cpu, &b.vcpu);
	assert_int_equal(written(&b, SYS_ICH_LR0_EL2), VTIMER_LR);
	kvm_vgic_sync_hwstate(b.cpu, &b.vcpu);  /* not taken */
	kvm_vgic_flush_hwstate(b.cpu, &b.vcpu);
	assert_int_equal(written(&b, SYS_ICH_LR0_EL2), VTIMER_LR);
	assert_int_equal(written(&b, SYS_ICH_LR1_EL2), 0);
	recording_set_sysreg(b.cpu, SYS_ICH_LR0_EL2, (VTIMER_LR & ~LR_PENDING) | LR_ACTIVE);
	kvm_vgic_sync_hwstate(b.cpu, &b.vcpu);
	assert_true(kvm_vgic_map_is_active(b.cpu, &b.vcpu, vtimer_of(&b.vcpu)));
	recording_set_sysreg(b.cpu, SYS_ICH_LR0_EL2, VTIMER_LR & ~LR_PENDING);
	kvm_vgic_sync_hwstate(b.cpu, &b.vcpu);
	assert_false(kvm_vgic_map_is_active(b.cpu, &b.vcpu, vtimer_of(&b.vcpu)));
	assert_int_equal(b.vcpu.vgic.lr[0], 0);
	kvm_vgic_inject_irq(b.cpu, &b.vcpu, vtimer_of(&b.vcpu), false);
	kvm_vgic_inject_irq(b.cpu, &b.vcpu, vtimer_of(&b.vcpu), true);
	kvm_vgic_flush_hwstate(b.cpu, &b.vcpu);
	assert_int_equal(written(&b, SYS_ICH_LR0_EL2), VTIMER_LR);
	EXPECT(0, b.machine, .line = AP_LIST);
	EXPECT(0, b.machine, .line = VTIMER_LINE);
	bench_stop(&b);
}

static void sgi(void **state)
{
	const struct kernel_config config = old_kernel();
	struct kvm_vcpu other;
	struct step_bench b;

	(void)state;
	bench_start(&b, &config, true);
	other_vcpu(&b, &other, true);
	recording_clear(b.machine);
	access_gic_sgi(b.cpu, &b.vcpu, 1, 3);
	EXPECT(1, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = DIST);
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_WRITE, .reg = REG(ICC_SGI1R_EL1));
	kvm_vgic_flush_hwstate(b.cpu, &other);
	assert_int_equal(written(&b, SYS_ICH_LR0_EL2), 3 | LR_PRIORITY(0xa0) | LR_GROUP1 | LR_PENDING);
	bench_stop(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(injection_and_flush_take_the_lock),
		cmocka_unit_test(life_of_an_interrupt),
		cmocka_unit_test(sgi),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
