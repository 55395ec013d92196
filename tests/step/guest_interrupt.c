// SPDX-License-Identifier: Apache-2.0
/*
 * A virtual interrupt in a guest: no exit; the guest's exception, acknowledge with its barrier, handler, end, return; the rest of its work afterwards.
 */
#include "tests/step/vgic_bench.h"

static const enum guest_exit interrupt_then_trap[] = { GUEST_INTERRUPT, GUEST_EXIT_TRAP };
static uint32_t taken, handled_at;

static void handler(struct cpu *cpu, void *context, uint32_t interrupt)
{
	(void)context;
	taken = interrupt;
	handled_at = (uint32_t)cpu_now(cpu);
}

static void takes_it(void **state)
{
	(void)state;
	for (int split = 0; split <= 1; split++) {
		const struct kernel_config config = recent_kernel();
		struct step_bench b;
		size_t from, until;

		bench_start(&b, &config, true);
		taken = 0;
		b.vcpu.guest.interrupt = handler;
		b.vcpu.guest.split_eoi = split;
		recording_script_guest(b.machine, interrupt_then_trap, 2);
		recording_set_sysreg(b.cpu, SYS_ICV_IAR1_EL1, VTIMER_PPI);
		kvm_run_ioctl(b.cpu, &b.vcpu);
		assert_int_equal(taken, VTIMER_PPI);
		EXPECT(2, b.machine, .kind = REQUEST_RUN_GUEST);
		from = FIRST(b.machine, .kind = REQUEST_RUN_GUEST);
		until = LAST(b.machine, .kind = REQUEST_RUN_GUEST);
		EXPECT(1, b.machine, .kind = REQUEST_EXCEPTION_ENTRY, .from = from, .until = until);
		EXPECT(1, b.machine, .kind = REQUEST_EXCEPTION_RETURN, .from = from, .until = until);
		EXPECT(1, b.machine, .kind = REQUEST_SYSREG_READ, .from = from, .until = until);
		EXPECT(1 + split, b.machine, .kind = REQUEST_SYSREG_WRITE, .from = from, .until = until);
		EXPECT(1, b.machine, .kind = REQUEST_BARRIER, .barrier = BARRIER(DSB), .from = from, .until = until);
		EXPECT(1 + split, b.machine, .kind = REQUEST_BARRIER, .barrier = BARRIER(ISB), .from = from, .until = until);
		EXPECT(split, b.machine, .kind = REQUEST_SYSREG_WRITE, .reg = REG(ICV_DIR_EL1));
		assert_int_equal(written(&b, SYS_ICV_EOIR1_EL1), VTIMER_PPI);
		assert_true(handled_at > FIRST(b.machine, .reg = REG(ICV_IAR1_EL1)));
		assert_true(handled_at <= FIRST(b.machine, .reg = REG(ICV_EOIR1_EL1)));
		/* with EOImode 1 the guest's VMCR says so (VEOIM) */
		assert_int_equal(written(&b, SYS_ICH_VMCR_EL2) >> 9 & 1, split);
		bench_stop(&b);
	}
}

/* Gone before it was acknowledged: nothing to handle, nothing to end. */
static void spurious(void **state)
{
	const struct kernel_config config = recent_kernel();
	struct step_bench b;

	(void)state;
	bench_start(&b, &config, true);
	taken = 0;
	b.vcpu.guest.interrupt = handler;
	recording_script_guest(b.machine, interrupt_then_trap, 2);
	recording_set_sysreg(b.cpu, SYS_ICV_IAR1_EL1, 1023);
	kvm_run_ioctl(b.cpu, &b.vcpu);
	assert_int_equal(taken, 0);
	EXPECT(0, b.machine, .reg = REG(ICV_EOIR1_EL1));
	bench_stop(&b);
}

/* Enabling, and activating, a mapped interrupt through the vGIC's registers: the host's interrupt under its descriptor's lock, inside irq_lock. */
static void registers_of_the_own_timer(void **state)
{
	const struct kernel_config config = recent_kernel();
	struct step_bench b;

	(void)state;
	bench_start(&b, &config, true);
	b.vcpu.vtimer.loaded = true;
	dispatch_mmio_write(b.cpu, &b.vcpu, VGIC_ICENABLER, VTIMER_PPI);
	assert_false(vtimer_of(&b.vcpu)->enabled);
	EXPECT(1, b.machine, .kind = REQUEST_LINE_ATOMIC);
	recording_clear(b.machine);
	dispatch_mmio_write(b.cpu, &b.vcpu, VGIC_ISENABLER, VTIMER_PPI);
	assert_true(vtimer_of(&b.vcpu)->enabled);
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_READ, .reg = REG(CNTV_CTL_EL0));
	EXPECT(1, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = DESC_LOCK, .instance = VTIMER_DESC);
	EXPECT(1, b.machine, .kind = REQUEST_MMIO_WRITE, .address = b.own_redistributor + GICR_ICACTIVER0);
	EXPECT_BEFORE(b.machine, FILTER(.kind = REQUEST_LINE_ATOMIC, .line = VTIMER_LINE), FILTER(.line = DESC_LOCK));
	EXPECT_BEFORE(b.machine, FILTER(.line = DESC_LOCK), FILTER(.kind = REQUEST_LINE_RELEASE, .line = VTIMER_LINE));
	recording_clear(b.machine);
	dispatch_mmio_write(b.cpu, &b.vcpu, VGIC_ISACTIVER, VTIMER_PPI);
	EXPECT(1, b.machine, .kind = REQUEST_MMIO_WRITE, .address = b.own_redistributor + GICR_ISACTIVER0);
	assert_ptr_equal(vtimer_of(&b.vcpu)->vcpu, &b.vcpu);
	recording_clear(b.machine);
	dispatch_mmio_write(b.cpu, &b.vcpu, VGIC_ICACTIVER, VTIMER_PPI);
	EXPECT(1, b.machine, .kind = REQUEST_MMIO_WRITE, .address = b.own_redistributor + GICR_ICACTIVER0);
	/* an SGI has nothing in the host */
	recording_clear(b.machine);
	dispatch_mmio_write(b.cpu, &b.vcpu, VGIC_ISENABLER, 3);
	dispatch_mmio_write(b.cpu, &b.vcpu, VGIC_ISACTIVER, 3);
	EXPECT(0, b.machine, .line = DESC_LOCK);
	bench_stop(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(takes_it),
		cmocka_unit_test(spurious),
		cmocka_unit_test(registers_of_the_own_timer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
