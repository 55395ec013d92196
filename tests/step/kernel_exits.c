// SPDX-License-Identifier: Apache-2.0
/*
 * Exits that the kernel handles itself: an unknown hypercall and a read of the vgic's GICD_IIDR, and the end of an interrupt, which is no exit.
 * Counts are those of one exit and one entry, VHE and nVHE, with nothing pending, v6.15 to v6.18 unless said otherwise.
 */
#include "tests/step/step_bench.h"

#define OPERATIONS 3  /* then the guest reads a device of the VMM, which ends KVM_RUN */

static unsigned int completed;

static void stop_after_some(struct cpu *cpu, void *context)
{
	struct step_bench *bench = context;

	(void)cpu;
	if (++completed == OPERATIONS)
		bench->vcpu.guest.step.operation = GUEST_MMIO_READ_USER;
}

/* KVM_RUN with OPERATIONS operations; *from and *until enclose the exit and entry of the second one. */
static void run(struct step_bench *bench, const struct kernel_config *config, enum guest_operation operation, size_t *from, size_t *until)
{
	bench_start(bench, config, true);
	completed = 0;
	bench->vcpu.guest = (struct guest_program){ .step = { 1000, operation, 0 }, .completed = stop_after_some, .context = bench };
	kvm_run_ioctl(bench->cpu, &bench->vcpu);
	assert_int_equal(completed, OPERATIONS);
	EXPECT(OPERATIONS + 1, bench->machine, .kind = REQUEST_RUN_GUEST);
	*from = FIRST(bench->machine, .kind = REQUEST_RUN_GUEST);
	*from = FIRST(bench->machine, .kind = REQUEST_RUN_GUEST, .from = *from + 1);
	*until = FIRST(bench->machine, .kind = REQUEST_RUN_GUEST, .from = *from + 1);
}

/* The whole point of handling an exit in the kernel: nothing of load and put. */
static void expect_no_timer_no_lock_no_device(const struct step_bench *b, size_t from, size_t until)
{
	EXPECT(0, b->machine, .class = CLASS(TIMER), .from = from, .until = until);
	EXPECT(0, b->machine, .class = CLASS(COUNTER), .from = from, .until = until);
	EXPECT(0, b->machine, .class = CLASS(ICH), .from = from, .until = until);
	EXPECT(0, b->machine, .line = DESC_LOCK, .from = from, .until = until);
	EXPECT(0, b->machine, .line = "vgic_irq vtimer", .from = from, .until = until);
	EXPECT(0, b->machine, .kind = REQUEST_LINE_RELEASE, .from = from, .until = until);
	EXPECT(0, b->machine, .kind = REQUEST_MMIO_READ, .from = from, .until = until);
	EXPECT(0, b->machine, .kind = REQUEST_MMIO_WRITE, .from = from, .until = until);
	EXPECT(1, b->machine, .kind = REQUEST_EXCEPTION_ENTRY, .from = from, .until = until);
	EXPECT(1, b->machine, .kind = REQUEST_EXCEPTION_RETURN, .from = from, .until = until);
	/* one load, one put, whatever the number of operations */
	assert_int_equal(locks_taken(b, VTIMER_LOCK_CLASS), 1);
	assert_int_equal(locks_taken(b, PTIMER_LOCK_CLASS), 1);
	EXPECT(21, b->machine, .kind = REQUEST_SYSREG_READ, .class = CLASS(ORDINARY), .within = "kvm_arch_vcpu_put");
}

/* Memory only: 9 reads, 12 writes of the world switch, no atomic, no barrier but the entry's DSB and the mode's DMB. */
static void hypercall(void **state)
{
	const struct kernel_config config = recent_kernel();
	struct step_bench b;
	size_t from, until;

	(void)state;
	run(&b, &config, GUEST_HYPERCALL, &from, &until);
	expect_no_timer_no_lock_no_device(&b, from, until);
	EXPECT(9, b.machine, .kind = REQUEST_SYSREG_READ, .class = CLASS(ORDINARY), .from = from, .until = until);
	EXPECT(12, b.machine, .kind = REQUEST_SYSREG_WRITE, .class = CLASS(ORDINARY), .from = from, .until = until);
	EXPECT(0, b.machine, .reg = REG(FAR_EL2), .from = from, .until = until);
	EXPECT(0, b.machine, .reg = REG(HPFAR_EL2), .from = from, .until = until);
	EXPECT(0, b.machine, .kind = REQUEST_LINE_ATOMIC, .from = from, .until = until);
	EXPECT(1, b.machine, .kind = REQUEST_BARRIER, .barrier = BARRIER(DSB), .from = from, .until = until);
	EXPECT(1, b.machine, .kind = REQUEST_BARRIER, .barrier = BARRIER(DMB), .from = from, .until = until);
	EXPECT(2, b.machine, .kind = REQUEST_BARRIER, .barrier = BARRIER(ISB), .from = from, .until = until);
	EXPECT(1, b.machine, .kind = REQUEST_FUNCTION, .function = "kvm_smccc_call_handler", .from = from, .until = until);
	EXPECT(0, b.machine, .kind = REQUEST_FUNCTION, .function = "kvm_io_bus_read", .from = from, .until = until);
	EXPECT(0, b.machine, .within = "handle_hvc", .irqs = IRQS_OFF);
	bench_stop(&b);
}

/* Up to v6.6 stage 2 is written at every entry. */
static void hypercall_with_stage2_at_entry(void **state)
{
	struct kernel_config config = recent_kernel();
	struct step_bench b;
	size_t from, until;

	(void)state;
	config.stage2_at_load = false;
	run(&b, &config, GUEST_HYPERCALL, &from, &until);
	EXPECT(12 + 2, b.machine, .kind = REQUEST_SYSREG_WRITE, .class = CLASS(ORDINARY), .from = from, .until = until);
	EXPECT(1, b.machine, .reg = REG(VTTBR_EL2), .from = from, .until = until);
	bench_stop(&b);
}

/*
 * A data abort: where it was (FAR, HPFAR) besides; memory slots and device bus under SRCU, whose two counts are on a line of this CPU; GICD_IIDR
 * belongs to no interrupt, so no irq_lock.
 */
static void read_of_the_vgic(void **state)
{
	const struct kernel_config config = recent_kernel();
	struct step_bench b;
	size_t from, until;

	(void)state;
	run(&b, &config, GUEST_MMIO_READ_VGIC, &from, &until);
	expect_no_timer_no_lock_no_device(&b, from, until);
	EXPECT(9 + 2, b.machine, .kind = REQUEST_SYSREG_READ, .class = CLASS(ORDINARY), .from = from, .until = until);
	EXPECT(12, b.machine, .kind = REQUEST_SYSREG_WRITE, .class = CLASS(ORDINARY), .from = from, .until = until);
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_READ, .reg = REG(FAR_EL2), .from = from, .until = until);
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_READ, .reg = REG(HPFAR_EL2), .from = from, .until = until);
	EXPECT(2, b.machine, .kind = REQUEST_LINE_ATOMIC, .from = from, .until = until);
	EXPECT(2, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = "kvm srcu", .order = ORDER(RELAXED), .from = from, .until = until);
	EXPECT(1 + 2, b.machine, .kind = REQUEST_BARRIER, .barrier = BARRIER(DMB), .from = from, .until = until);
	EXPECT(1, b.machine, .line = "kvm_io_bus", .from = from, .until = until);
	EXPECT(1, b.machine, .kind = REQUEST_LINE_READ, .line = "kvm_io_bus", .from = from, .until = until);
	EXPECT_BEFORE(b.machine, FILTER(.within = "srcu_read_lock", .from = from, .until = until),
		      FILTER(.line = "kvm_io_bus", .from = from, .until = until));
	EXPECT_BEFORE(b.machine, FILTER(.within = "kvm_io_bus_read", .from = from, .until = until),
		      FILTER(.within = "kvm_handle_mmio_return", .from = from, .until = until));
	EXPECT_BEFORE(b.machine, FILTER(.within = "kvm_handle_mmio_return", .from = from, .until = until),
		      FILTER(.within = "srcu_read_unlock", .from = from, .until = until));
	EXPECT(1, b.machine, .kind = REQUEST_FUNCTION, .function = "vgic_mmio_read_v3_misc", .from = from, .until = until);
	assert_int_equal(locks_taken(&b, IRQ_LOCK_CLASS), 4);  /* the load's */
	bench_stop(&b);
}

/* nVHE: two reads more for the abort, too, and never a descriptor lock. */
static void without_vhe(void **state)
{
	const struct kernel_config config = recent_nvhe_kernel();
	size_t from, until, reads[2];
	struct step_bench b;

	(void)state;
	for (int abort = 0; abort <= 1; abort++) {
		run(&b, &config, abort ? GUEST_MMIO_READ_VGIC : GUEST_HYPERCALL, &from, &until);
		reads[abort] = recorded(b.machine, &FILTER(.kind = REQUEST_SYSREG_READ, .class = CLASS(ORDINARY), .from = from, .until = until));
		EXPECT(0, b.machine, .line = DESC_LOCK, .from = from, .until = until);
		EXPECT(0, b.machine, .kind = REQUEST_MMIO_WRITE, .from = from, .until = until);
		EXPECT(2, b.machine, .kind = REQUEST_EXCEPTION_ENTRY, .from = from, .until = until);
		EXPECT(4, b.machine, .reg = REG(CNTHCTL_EL2), .from = from, .until = until);
		EXPECT(4, b.machine, .class = CLASS(TIMER), .from = from, .until = until);
		assert_int_equal(locks_taken(&b, VTIMER_LOCK_CLASS), 1);
		bench_stop(&b);
	}
	assert_int_equal(reads[1], reads[0] + 2);
}

/* The CPU interface answers: one write of the spurious INTID, one ISB, and the guest goes on. */
static void end_of_interrupt(void **state)
{
	const struct kernel_config config = recent_kernel();
	struct step_bench b;
	size_t from, until, at;

	(void)state;
	run(&b, &config, GUEST_EOI, &from, &until);
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_WRITE, .from = from, .until = until);
	at = FIRST(b.machine, .kind = REQUEST_SYSREG_WRITE, .reg = REG(ICC_EOIR1_EL1), .from = from, .until = until);
	assert_int_equal(recording_at(b.machine, at)->value, 1023);
	EXPECT(1, b.machine, .kind = REQUEST_BARRIER, .barrier = BARRIER(ISB), .from = at, .until = until);
	EXPECT(1, b.machine, .kind = REQUEST_BARRIER, .from = from, .until = until);
	EXPECT(0, b.machine, .kind = REQUEST_SYSREG_READ, .from = from, .until = until);
	EXPECT(0, b.machine, .kind = REQUEST_EXCEPTION_ENTRY, .from = from, .until = until);
	bench_stop(&b);
}

/* readl() of the guest: one barrier after each read that the kernel has answered, and nowhere else. */
static void read_barrier(void **state)
{
	const struct kernel_config config = recent_kernel();
	const enum guest_operation operations[] = { GUEST_MMIO_READ_VGIC, GUEST_HYPERCALL };
	struct step_bench b;

	(void)state;
	for (int n = 0; n < 2; n++) {
		bench_start(&b, &config, true);
		completed = 0;
		b.vcpu.guest = (struct guest_program){ .step = { 1000, operations[n], 0 }, .read_barrier = true, .completed = stop_after_some,
						       .context = &b };
		kvm_run_ioctl(b.cpu, &b.vcpu);
		EXPECT(n == 0 ? OPERATIONS : 0, b.machine, .kind = REQUEST_BARRIER, .barrier = BARRIER(DSB), .within = "__kvm_vcpu_run",
		       .without = "__guest_enter");
		bench_stop(&b);
	}
}

static void timestamps(void **state)
{
	const struct kernel_config config = recent_kernel();
	struct step_bench b;

	(void)state;
	bench_start(&b, &config, true);
	b.vcpu.guest.timestamps = true;
	kvm_run_ioctl(b.cpu, &b.vcpu);
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_READ, .class = CLASS(COUNTER));
	EXPECT_BEFORE(b.machine, FILTER(.kind = REQUEST_RUN_GUEST), FILTER(.reg = REG(CNTVCT_EL0)));
	bench_stop(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hypercall),
		cmocka_unit_test(hypercall_with_stage2_at_entry),
		cmocka_unit_test(read_of_the_vgic),
		cmocka_unit_test(without_vhe),
		cmocka_unit_test(end_of_interrupt),
		cmocka_unit_test(read_barrier),
		cmocka_unit_test(timestamps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
