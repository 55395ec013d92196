// SPDX-License-Identifier: Apache-2.0
/*
 * A guest whose interrupt controller is the VMM's: what the timer then costs at each entry, exit and return to userspace.
 * Steps: kvm_vcpu_exit_request (kvm_timer_should_notify_user), kvm_timer_sync_user (unmask_vtimer_irq_user), kvm_timer_update_run; v6.16.
 */
#include "tests/step/step_bench.h"

static void run_once(struct step_bench *bench, const struct kernel_config *config)
{
	bench_start(bench, config, false);
	kvm_run_ioctl(bench->cpu, &bench->vcpu);
}

/* One exit to userspace: the load's two descriptor locks, and the virtual timer's once more after the exit. */
static void three_descriptor_locks(void **state)
{
	const struct kernel_config config = recent_kernel();
	struct step_bench b;

	(void)state;
	run_once(&b, &config);
	EXPECT(2, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = DESC_LOCK, .instance = VTIMER_DESC);
	EXPECT(1, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = DESC_LOCK, .instance = PTIMER_DESC);
	EXPECT(1, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = DESC_LOCK, .within = "kvm_timer_sync_user");
	EXPECT(1, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = DESC_LOCK, .within = "kvm_timer_sync_user", .instance = VTIMER_DESC);
	EXPECT(3, b.machine, .kind = REQUEST_MMIO_WRITE, .address = b.own_redistributor + GICR_ICACTIVER0);
	EXPECT(3, b.machine, .kind = REQUEST_MMIO_WRITE);
	EXPECT(0, b.machine, .kind = REQUEST_MMIO_READ);
	assert_int_equal(locks_taken(&b, VTIMER_LOCK_CLASS), 2);
	assert_int_equal(locks_taken(&b, PTIMER_LOCK_CLASS), 1);
	EXPECT_BEFORE(b.machine, FILTER(.kind = REQUEST_RUN_GUEST), FILTER(.within = "kvm_timer_sync_user"));
	EXPECT_BEFORE(b.machine, FILTER(.within = "kvm_timer_sync_user"), FILTER(.within = "handle_exit"));
	bench_stop(&b);
}

/* The vgic has nothing: no irq_lock, no list, none of its registers but the system-register enable. */
static void no_vgic(void **state)
{
	const struct kernel_config config = recent_kernel();
	struct step_bench b;

	(void)state;
	run_once(&b, &config);
	EXPECT(0, b.machine, .line = "vgic_irq vtimer");
	EXPECT(0, b.machine, .line = "vgic_irq ptimer");
	EXPECT(0, b.machine, .line = "vgic ap_list");
	assert_int_equal(locks_taken(&b, IRQ_LOCK_CLASS), 0);
	assert_int_equal(locks_taken(&b, AP_LIST_LOCK_CLASS), 0);
	EXPECT(2, b.machine, .kind = REQUEST_SYSREG_READ, .class = CLASS(ICH));
	EXPECT(2, b.machine, .kind = REQUEST_SYSREG_READ, .reg = REG(ICC_SRE_EL2));
	EXPECT(2, b.machine, .kind = REQUEST_SYSREG_WRITE, .class = CLASS(ICH));
	bench_stop(&b);
}

/* Nor where flush and sync always run for in-kernel vgics (v6.19). */
static void no_vgic_in_recent_kernels(void **state)
{
	struct kernel_config config = recent_kernel();
	struct step_bench b;

	(void)state;
	config.vgic_always = true;
	config.vmcr = VMCR_LOAD_AND_EXIT;
	run_once(&b, &config);
	EXPECT(0, b.machine, .line = "vgic ap_list");
	EXPECT(0, b.machine, .reg = REG(ICH_HCR_EL2));
	EXPECT(0, b.machine, .reg = REG(ICH_VMCR_EL2));
	bench_stop(&b);
}

/* kvm_timer_should_fire on loaded timers: both before the entry, the virtual one after the exit, both before userspace; and at put. */
static void levels_are_read(void **state)
{
	const struct kernel_config config = recent_kernel();
	struct step_bench b;
	size_t guest;

	(void)state;
	run_once(&b, &config);
	guest = FIRST(b.machine, .kind = REQUEST_RUN_GUEST);
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_READ, .reg = REG(CNTV_CTL_EL0), .until = guest);
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_READ, .reg = REG(CNTP_CTL_EL0), .until = guest);
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_READ, .reg = REG(CNTV_CTL_EL0), .within = "kvm_timer_sync_user");
	EXPECT(0, b.machine, .kind = REQUEST_SYSREG_READ, .reg = REG(CNTP_CTL_EL0), .within = "kvm_timer_sync_user");
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_READ, .reg = REG(CNTV_CTL_EL0), .within = "kvm_timer_update_run");
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_READ, .reg = REG(CNTP_CTL_EL0), .within = "kvm_timer_update_run");
	EXPECT(4, b.machine, .kind = REQUEST_SYSREG_READ, .reg = REG(CNTV_CTL_EL0));
	EXPECT(3, b.machine, .kind = REQUEST_SYSREG_READ, .reg = REG(CNTP_CTL_EL0));
	EXPECT_BEFORE(b.machine, FILTER(.within = "kvm_timer_update_run"), FILTER(.within = "vcpu_put"));
	bench_stop(&b);
}

/* In-kernel vgic: none of this. */
static void not_with_an_in_kernel_vgic(void **state)
{
	const struct kernel_config config = recent_kernel();
	struct step_bench b;

	(void)state;
	bench_start(&b, &config, true);
	kvm_run_ioctl(b.cpu, &b.vcpu);
	EXPECT(0, b.machine, .within = "kvm_timer_sync_user");
	EXPECT(0, b.machine, .within = "kvm_timer_update_run");
	EXPECT(0, b.machine, .within = "kvm_timer_should_notify_user");
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_READ, .reg = REG(CNTV_CTL_EL0));  /* put */
	bench_stop(&b);
}

/* Every exit, also those that the kernel handles and re-enters. */
static void once_more_for_each_exit(void **state)
{
	static const enum guest_exit exits[] = { GUEST_EXIT_IRQ, GUEST_EXIT_IRQ, GUEST_EXIT_IRQ, GUEST_EXIT_TRAP };
	const struct kernel_config config = recent_kernel();
	struct step_bench b;

	(void)state;
	bench_start(&b, &config, false);
	recording_script_guest(b.machine, exits, 4);
	kvm_run_ioctl(b.cpu, &b.vcpu);
	EXPECT(4, b.machine, .kind = REQUEST_RUN_GUEST);
	EXPECT(1 + 4, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = DESC_LOCK, .instance = VTIMER_DESC);
	EXPECT(1, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = DESC_LOCK, .instance = PTIMER_DESC);
	EXPECT(2 + 4, b.machine, .kind = REQUEST_MMIO_WRITE);
	bench_stop(&b);
}

/* Per-CPU calls: the same three device writes, no lock. */
static void per_cpu_call(void **state)
{
	struct kernel_config config = recent_kernel();
	struct step_bench b;

	(void)state;
	config.irq_state = IRQ_STATE_PER_CPU;
	run_once(&b, &config);
	EXPECT(0, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = DESC_LOCK);
	EXPECT(3, b.machine, .kind = REQUEST_MMIO_WRITE);
	bench_stop(&b);
}

static void timer_fires(struct cpu *cpu)
{
	recording_set_sysreg(cpu, SYS_CNTV_CVAL_EL0, 0);
	recording_set_sysreg(cpu, SYS_CNTV_CTL_EL0, 1);
}

/* While the virtual timer fires, its interrupt stays active: unmask_vtimer_irq_user does nothing. */
static void firing_timer_is_not_unmasked(void **state)
{
	const struct kernel_config config = recent_kernel();
	struct step_bench b;

	(void)state;
	bench_start(&b, &config, false);
	recording_in_guest(b.machine, timer_fires);
	kvm_run_ioctl(b.cpu, &b.vcpu);
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_READ, .reg = REG(CNTV_CTL_EL0), .within = "kvm_timer_sync_user");
	EXPECT(0, b.machine, .kind = REQUEST_LINE_ATOMIC, .within = "kvm_timer_sync_user");
	EXPECT(2, b.machine, .kind = REQUEST_MMIO_WRITE);
	bench_stop(&b);
}

/*
 * A level that differs from what userspace was last told (kvm_run's device_irq_level) sends the vCPU out before it enters the guest. Userspace
 * is told on the way out, so the next KVM_RUN enters.
 */
static void userspace_is_told_of_a_new_level(void **state)
{
	const struct kernel_config config = recent_kernel();
	struct step_bench b;

	(void)state;
	bench_start(&b, &config, false);
	b.vcpu.vtimer.ctl = 1;
	b.vcpu.vtimer.cval = 0;
	kvm_run_ioctl(b.cpu, &b.vcpu);
	EXPECT(0, b.machine, .kind = REQUEST_RUN_GUEST);
	EXPECT(1, b.machine, .function = "kvm_timer_update_run");
	recording_clear(b.machine);
	kvm_run_ioctl(b.cpu, &b.vcpu);
	EXPECT(1, b.machine, .kind = REQUEST_RUN_GUEST);
	bench_stop(&b);
}

/* kvm_vgic_load and kvm_vgic_put return at once on nVHE without an in-kernel vgic: the only hypervisor calls are for CNTVOFF_EL2 and the run. */
static void nvhe_hypervisor_calls(void **state)
{
	const struct kernel_config config = recent_nvhe_kernel();
	struct step_bench b;

	(void)state;
	run_once(&b, &config);
	EXPECT(0, b.machine, .kind = REQUEST_EXCEPTION_ENTRY, .within = "kvm_vgic_load");
	EXPECT(0, b.machine, .kind = REQUEST_EXCEPTION_ENTRY, .within = "kvm_vgic_put");
	EXPECT(1, b.machine, .kind = REQUEST_EXCEPTION_ENTRY, .within = "kvm_timer_vcpu_load");
	EXPECT(1, b.machine, .kind = REQUEST_EXCEPTION_ENTRY, .within = "kvm_timer_vcpu_put");
	bench_stop(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(three_descriptor_locks),
		cmocka_unit_test(no_vgic),
		cmocka_unit_test(no_vgic_in_recent_kernels),
		cmocka_unit_test(levels_are_read),
		cmocka_unit_test(not_with_an_in_kernel_vgic),
		cmocka_unit_test(once_more_for_each_exit),
		cmocka_unit_test(per_cpu_call),
		cmocka_unit_test(firing_timer_is_not_unmasked),
		cmocka_unit_test(userspace_is_told_of_a_new_level),
		cmocka_unit_test(nvhe_hypervisor_calls),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
