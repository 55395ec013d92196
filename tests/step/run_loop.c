// SPDX-License-Identifier: Apache-2.0
/*
 * The run loop (kvm_arch_vcpu_ioctl_run of v6.16 to v6.18): what an exit that the kernel handles costs, and a whole round trip to userspace.
 */
#include "tests/step/step_bench.h"

#define HOST_INTERRUPT "el1_interrupt"

static const enum guest_exit interrupt_then_trap[] = { GUEST_EXIT_IRQ, GUEST_EXIT_TRAP };

/* KVM_RUN with an interrupt first: between the two runs of the guest lies one exit and one entry. */
static void two_entries(struct step_bench *bench, const struct kernel_config *config, size_t *first, size_t *second)
{
	bench_start(bench, config, true);
	recording_script_guest(bench->machine, interrupt_then_trap, 2);
	recording_set_sysreg(bench->cpu, SYS_ICC_IAR1_EL1, SPURIOUS_INTERRUPT);
	kvm_run_ioctl(bench->cpu, &bench->vcpu);
	EXPECT(2, bench->machine, .kind = REQUEST_RUN_GUEST);
	*first = FIRST(bench->machine, .kind = REQUEST_RUN_GUEST);
	*second = LAST(bench->machine, .kind = REQUEST_RUN_GUEST);
}

/* Since v4.15 an exit that is handled in the kernel touches no timer register, no lock, no device. What the host's interrupt itself costs stands apart. */
static void exit_and_reentry(void **state)
{
	const struct kernel_config config = recent_kernel();
	struct step_bench b;
	size_t from, until;

	(void)state;
	two_entries(&b, &config, &from, &until);
	EXPECT(0, b.machine, .class = CLASS(TIMER), .from = from, .until = until, .without = HOST_INTERRUPT);
	EXPECT(0, b.machine, .class = CLASS(COUNTER), .from = from, .until = until, .without = HOST_INTERRUPT);
	EXPECT(0, b.machine, .kind = REQUEST_MMIO_WRITE, .from = from, .until = until, .without = HOST_INTERRUPT);
	EXPECT(0, b.machine, .kind = REQUEST_MMIO_READ, .from = from, .until = until, .without = HOST_INTERRUPT);
	EXPECT(0, b.machine, .kind = REQUEST_LINE_ATOMIC, .from = from, .until = until, .without = HOST_INTERRUPT);
	EXPECT(0, b.machine, .kind = REQUEST_LINE_RELEASE, .from = from, .until = until, .without = HOST_INTERRUPT);
	EXPECT(0, b.machine, .line = DESC_LOCK, .from = from, .until = until, .without = HOST_INTERRUPT);
	/* 6 + 3 reads less the syndrome that an interrupt has not; 5 + 7 writes */
	EXPECT(5 + 3, b.machine, .kind = REQUEST_SYSREG_READ, .class = CLASS(ORDINARY), .from = from, .until = until, .without = HOST_INTERRUPT);
	EXPECT(5 + 7, b.machine, .kind = REQUEST_SYSREG_WRITE, .class = CLASS(ORDINARY), .from = from, .until = until, .without = HOST_INTERRUPT);
	EXPECT(1, b.machine, .kind = REQUEST_EXCEPTION_ENTRY, .from = from, .until = until, .without = HOST_INTERRUPT);
	EXPECT(1, b.machine, .kind = REQUEST_EXCEPTION_RETURN, .from = from, .until = until, .without = HOST_INTERRUPT);
	EXPECT(1, b.machine, .kind = REQUEST_BARRIER, .barrier = BARRIER(DSB), .from = from, .until = until, .without = HOST_INTERRUPT);
	EXPECT(1, b.machine, .kind = REQUEST_BARRIER, .barrier = BARRIER(DMB), .from = from, .until = until, .without = HOST_INTERRUPT);
	bench_stop(&b);
}

/* smp_store_mb(vcpu->mode, IN_GUEST_MODE) after the vgic flush, before the last look at requests; OUTSIDE_GUEST_MODE after the exit. */
static void mode_and_requests(void **state)
{
	const struct kernel_config config = recent_kernel();
	struct step_bench b;
	size_t guest;

	(void)state;
	bench_start(&b, &config, true);
	kvm_run_ioctl(b.cpu, &b.vcpu);
	guest = FIRST(b.machine, .kind = REQUEST_RUN_GUEST);
	EXPECT(1, b.machine, .kind = REQUEST_LINE_OWN, .line = "vcpu requests", .until = guest);
	EXPECT(1, b.machine, .kind = REQUEST_LINE_OWN, .line = "vcpu requests", .from = guest);
	EXPECT(2, b.machine, .kind = REQUEST_LINE_READ, .line = "vcpu requests", .until = guest);
	EXPECT_BEFORE(b.machine, FILTER(.within = "kvm_vgic_flush_hwstate"), FILTER(.kind = REQUEST_LINE_OWN, .line = "vcpu requests"));
	EXPECT_BEFORE(b.machine, FILTER(.kind = REQUEST_LINE_OWN, .line = "vcpu requests", .until = guest),
		      FILTER(.kind = REQUEST_BARRIER, .barrier = BARRIER(DMB)));
	EXPECT_BEFORE(b.machine, FILTER(.kind = REQUEST_BARRIER, .barrier = BARRIER(DMB)), FILTER(.within = "kvm_vcpu_exit_request"));
	EXPECT_BEFORE(b.machine, FILTER(.within = "kvm_vcpu_exit_request"), FILTER(.within = "__kvm_vcpu_run"));
	EXPECT_BEFORE(b.machine, FILTER(.kind = REQUEST_LINE_OWN, .line = "vcpu requests"), FILTER(.within = "kvm_vgic_sync_hwstate"));
	EXPECT_BEFORE(b.machine, FILTER(.within = "kvm_vgic_sync_hwstate"), FILTER(.within = "handle_exit"));
	/* interrupts are off from the flush to the sync */
	EXPECT(0, b.machine, .within = "__kvm_vcpu_run", .irqs = IRQS_ON);
	EXPECT(0, b.machine, .within = "kvm_vgic_flush_hwstate", .irqs = IRQS_ON);
	EXPECT(0, b.machine, .within = "kvm_vgic_sync_hwstate", .irqs = IRQS_ON);
	EXPECT(0, b.machine, .within = "handle_exit", .irqs = IRQS_OFF);
	bench_stop(&b);
}

/* After an interrupt exit the loop opens interrupts, ISB, and masks them again: one ISB more than after a trap. */
static void interrupt_exit_is_taken_in_the_loop(void **state)
{
	const struct kernel_config config = recent_kernel();
	struct step_bench b;
	size_t from, until;

	(void)state;
	two_entries(&b, &config, &from, &until);
	EXPECT(1, b.machine, .function = HOST_INTERRUPT, .from = from, .until = until);
	EXPECT(1, b.machine, .kind = REQUEST_BARRIER, .barrier = BARRIER(ISB), .from = from, .until = until,
	       .without = "__kvm_vcpu_run");
	bench_stop(&b);
}

/* What is acknowledged is what must be dropped: EOIR is written with the INTID that IAR returned (IHI 0069, ICC_EOIR1_EL1). */
static void interrupt_is_ended_by_its_number(void **state)
{
	const struct kernel_config config = recent_kernel();
	struct step_bench b;

	(void)state;
	bench_start(&b, &config, true);
	recording_script_guest(b.machine, interrupt_then_trap, 2);
	recording_set_sysreg(b.cpu, SYS_ICC_IAR1_EL1, VTIMER_PPI);
	kvm_run_ioctl(b.cpu, &b.vcpu);
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_READ, .reg = REG(ICC_IAR1_EL1));
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_WRITE, .reg = REG(ICC_EOIR1_EL1));
	assert_int_equal(recording_at(b.machine, FIRST(b.machine, .kind = REQUEST_SYSREG_WRITE, .reg = REG(ICC_EOIR1_EL1)))->value,
			 VTIMER_PPI);
	bench_stop(&b);
}

static struct step_bench *timer_bench;

static void guest_timer_fires(struct cpu *cpu)
{
	recording_set_sysreg(cpu, SYS_CNTV_CVAL_EL0, 0);
	recording_set_sysreg(cpu, SYS_CNTV_CTL_EL0, 1);
	recording_set_sysreg(cpu, SYS_ICC_IAR1_EL1, VTIMER_PPI);
	timer_bench->vcpu.vtimer.guest_irq->line_level = true;  /* as if the vgic had been told: a change of level is not modelled */
}

/*
 * The guest's timer as a host interrupt: acknowledged and its priority dropped (EOImode 1), one read of the timer's control, one injection; not
 * deactivated, because it belongs to the vCPU now, and no descriptor lock (handle_percpu_devid_irq, kvm_arch_timer_handler).
 */
static void guest_timer_interrupts(void **state)
{
	const struct kernel_config config = recent_kernel();
	struct step_bench b;

	(void)state;
	timer_bench = &b;
	bench_start(&b, &config, true);
	recording_script_guest(b.machine, interrupt_then_trap, 2);
	recording_in_guest(b.machine, guest_timer_fires);
	kvm_run_ioctl(b.cpu, &b.vcpu);
	EXPECT(1, b.machine, .function = HOST_INTERRUPT);
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_READ, .reg = REG(ICC_IAR1_EL1), .within = HOST_INTERRUPT);
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_WRITE, .reg = REG(ICC_EOIR1_EL1), .within = HOST_INTERRUPT);
	EXPECT(0, b.machine, .reg = REG(ICC_DIR_EL1));
	EXPECT(1, b.machine, .class = CLASS(TIMER), .within = HOST_INTERRUPT);
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_READ, .reg = REG(CNTV_CTL_EL0), .within = HOST_INTERRUPT);
	EXPECT(1, b.machine, .kind = REQUEST_LINE_ATOMIC, .within = HOST_INTERRUPT);
	EXPECT(1, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = "vgic_irq vtimer", .within = HOST_INTERRUPT);
	EXPECT(0, b.machine, .kind = REQUEST_MMIO_WRITE, .within = HOST_INTERRUPT);
	EXPECT_BEFORE(b.machine, FILTER(.reg = REG(ICC_IAR1_EL1)), FILTER(.reg = REG(ICC_EOIR1_EL1)));
	EXPECT_BEFORE(b.machine, FILTER(.reg = REG(ICC_EOIR1_EL1)), FILTER(.function = "kvm_arch_timer_handler"));
	bench_stop(&b);
}

/* Up to v6.18: one look at an empty list each way, no lock, no register. */
static void idle_vgic_skips(void **state)
{
	const struct kernel_config config = recent_kernel();
	struct step_bench b;

	(void)state;
	bench_start(&b, &config, true);
	kvm_run_ioctl(b.cpu, &b.vcpu);
	EXPECT(1, b.machine, .kind = REQUEST_LINE_READ, .line = "vgic ap_list", .within = "kvm_vgic_flush_hwstate");
	EXPECT(1, b.machine, .kind = REQUEST_LINE_READ, .line = "vgic ap_list", .within = "kvm_vgic_sync_hwstate");
	EXPECT(2, b.machine, .line = "vgic ap_list");
	EXPECT(0, b.machine, .class = CLASS(ICH), .within = "kvm_vgic_flush_hwstate");
	EXPECT(0, b.machine, .class = CLASS(ICH), .within = "kvm_vgic_sync_hwstate");
	assert_int_equal(locks_taken(&b, AP_LIST_LOCK_CLASS), 0);
	bench_stop(&b);
}

/* From v6.19: ap_list_lock twice a round trip, ICH_HCR_EL2 written each way, ICH_VMCR_EL2 read at the exit. */
static void idle_vgic_always_runs(void **state)
{
	struct kernel_config config = recent_kernel();
	struct step_bench b;
	size_t from, until;

	(void)state;
	config.vgic_always = true;
	config.vmcr = VMCR_LOAD_AND_EXIT;
	two_entries(&b, &config, &from, &until);
	EXPECT(2, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = "vgic ap_list", .from = from, .until = until);
	EXPECT(2, b.machine, .kind = REQUEST_LINE_RELEASE, .line = "vgic ap_list", .from = from, .until = until);
	EXPECT(2, b.machine, .kind = REQUEST_SYSREG_WRITE, .reg = REG(ICH_HCR_EL2), .from = from, .until = until);
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_READ, .reg = REG(ICH_VMCR_EL2), .from = from, .until = until);
	EXPECT(3, b.machine, .class = CLASS(ICH), .from = from, .until = until, .without = HOST_INTERRUPT);
	/* saved before the list is pruned, written after it is filled */
	EXPECT_BEFORE(b.machine, FILTER(.class = CLASS(ICH), .within = "kvm_vgic_sync_hwstate", .until = until),
		      FILTER(.line = "vgic ap_list", .within = "kvm_vgic_sync_hwstate"));
	EXPECT_BEFORE(b.machine, FILTER(.line = "vgic ap_list", .within = "kvm_vgic_flush_hwstate", .until = from),
		      FILTER(.class = CLASS(ICH), .within = "kvm_vgic_flush_hwstate"));
	assert_int_equal(locks_taken(&b, AP_LIST_LOCK_CLASS), 4);
	bench_stop(&b);
}

/* ICH_VMCR_EL2 at every exit is a switch of its own. */
static void vmcr_read_at_exit(void **state)
{
	struct kernel_config config = recent_kernel();
	struct step_bench b;

	(void)state;
	config.vmcr = VMCR_LOAD_AND_EXIT;
	bench_start(&b, &config, true);
	kvm_run_ioctl(b.cpu, &b.vcpu);
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_READ, .reg = REG(ICH_VMCR_EL2));
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_READ, .reg = REG(ICH_VMCR_EL2), .within = "kvm_vgic_sync_hwstate");
	assert_int_equal(locks_taken(&b, AP_LIST_LOCK_CLASS), 0);
	bench_stop(&b);
}

/* ioctl(KVM_RUN): SVC, file, mutex, load, one entry and exit, put, mutex, file, ERET. */
static void round_trip_to_userspace(void **state)
{
	const struct kernel_config config = recent_kernel();
	struct step_bench b;

	(void)state;
	bench_start(&b, &config, true);
	kvm_run_ioctl(b.cpu, &b.vcpu);
	EXPECT(2, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = "vcpu file");
	EXPECT(2, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = "vcpu mutex");
	EXPECT(1, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = "vcpu mutex", .order = ORDER(ACQUIRE));
	EXPECT(1, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = "vcpu mutex", .order = ORDER(RELEASE));
	EXPECT(2, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = DESC_LOCK);
	EXPECT(4, b.machine, .kind = REQUEST_LINE_ATOMIC, .within = "kvm_timer_vcpu_load", .without = "irq_set_irqchip_state");
	EXPECT(2 + 2 + 2 + 4 + 1, b.machine, .kind = REQUEST_LINE_ATOMIC);
	EXPECT(2, b.machine, .kind = REQUEST_MMIO_WRITE);
	EXPECT(0, b.machine, .kind = REQUEST_MMIO_READ);
	/* load 4 / 28, entry and exit 9 / 12 and a data abort's 2, put 21 / 5 */
	EXPECT(4 + 9 + 2 + 21, b.machine, .kind = REQUEST_SYSREG_READ, .class = CLASS(ORDINARY));
	EXPECT(28 + 12 + 5, b.machine, .kind = REQUEST_SYSREG_WRITE, .class = CLASS(ORDINARY));
	EXPECT(1 + 4, b.machine, .kind = REQUEST_SYSREG_READ, .class = CLASS(TIMER));
	EXPECT(5 + 3, b.machine, .kind = REQUEST_SYSREG_WRITE, .class = CLASS(TIMER));
	EXPECT(2 + 5, b.machine, .kind = REQUEST_SYSREG_READ, .class = CLASS(ICH));
	EXPECT(4 + 1, b.machine, .kind = REQUEST_SYSREG_WRITE, .class = CLASS(ICH));
	EXPECT(1 + 1, b.machine, .kind = REQUEST_EXCEPTION_ENTRY);   /* the SVC, the guest's exit */
	EXPECT(1 + 1, b.machine, .kind = REQUEST_EXCEPTION_RETURN);
	EXPECT(1, b.machine, .kind = REQUEST_RUN_GUEST);
	bench_stop(&b);
}

static void round_trip_order(void **state)
{
	const struct kernel_config config = recent_kernel();
	struct step_bench b;

	(void)state;
	bench_start(&b, &config, true);
	kvm_run_ioctl(b.cpu, &b.vcpu);
	EXPECT(0, b.machine, .function = "kvm_handle_mmio_return");  /* nothing to finish yet */
	recording_clear(b.machine);
	kvm_run_ioctl(b.cpu, &b.vcpu);
	EXPECT(1, b.machine, .function = "kvm_handle_mmio_return");
	EXPECT_BEFORE(b.machine, FILTER(.kind = REQUEST_LINE_ATOMIC, .order = ORDER(ACQUIRE), .line = "vcpu mutex"),
		      FILTER(.function = "kvm_handle_mmio_return"));
	EXPECT_BEFORE(b.machine, FILTER(.function = "kvm_handle_mmio_return"), FILTER(.within = "vcpu_load"));
	EXPECT_BEFORE(b.machine, FILTER(.within = "vcpu_load"), FILTER(.within = "__kvm_vcpu_run"));
	EXPECT_BEFORE(b.machine, FILTER(.within = "handle_exit"), FILTER(.within = "vcpu_put"));
	EXPECT_BEFORE(b.machine, FILTER(.within = "vcpu_put"), FILTER(.line = "vcpu mutex", .order = ORDER(RELEASE)));
	assert_true(LAST(b.machine, .line = "vcpu file") > LAST(b.machine, .line = "vcpu mutex"));
	assert_true(FIRST(b.machine, .line = "vcpu file") < FIRST(b.machine, .line = "vcpu mutex"));
	/* file and mutex are the vCPU's own */
	EXPECT(2, b.machine, .line = "vcpu file", .instance = INSTANCE(BENCH_VCPU));
	EXPECT(2, b.machine, .line = "vcpu mutex", .instance = INSTANCE(BENCH_VCPU));
	bench_stop(&b);
}

/* nVHE: one descriptor lock; SVC, CNTVOFF twice, vgic load and put, the run call, the guest's exit: seven exceptions. */
static void nvhe_round_trip(void **state)
{
	const struct kernel_config config = recent_nvhe_kernel();
	struct step_bench b;

	(void)state;
	bench_start(&b, &config, true);
	kvm_run_ioctl(b.cpu, &b.vcpu);
	EXPECT(1, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = DESC_LOCK);
	EXPECT(1, b.machine, .kind = REQUEST_MMIO_WRITE);
	EXPECT(7, b.machine, .kind = REQUEST_EXCEPTION_ENTRY);
	EXPECT(7, b.machine, .kind = REQUEST_EXCEPTION_RETURN);
	/* the guest's timer is never on the world switch's way but for its traps */
	EXPECT(0, b.machine, .reg = REG(CNTV_CTL_EL0), .within = "__kvm_vcpu_run");
	bench_stop(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(exit_and_reentry),
		cmocka_unit_test(mode_and_requests),
		cmocka_unit_test(interrupt_exit_is_taken_in_the_loop),
		cmocka_unit_test(interrupt_is_ended_by_its_number),
		cmocka_unit_test(guest_timer_interrupts),
		cmocka_unit_test(idle_vgic_skips),
		cmocka_unit_test(idle_vgic_always_runs),
		cmocka_unit_test(vmcr_read_at_exit),
		cmocka_unit_test(round_trip_to_userspace),
		cmocka_unit_test(round_trip_order),
		cmocka_unit_test(nvhe_round_trip),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
