// SPDX-License-Identifier: Apache-2.0
/*
 * Timer registers in every world switch (to v4.14): what one exit and one entry touch, in the hypervisor and in the host around it.
 * Expected: hyp/timer-sr.c and virt/kvm/arm/arch_timer.c of v4.8 to v4.14; hyp.S and arch_timer.c of v3.18; commit 9b4a3004439d.
 */
#include "tests/step/timer_bench.h"

#define ENTER "__timer_restore_state"
#define LEAVE "__timer_save_state"

static const enum sysreg entry_writes[] = { SYS_CNTVOFF_EL2, SYS_CNTV_CVAL_EL0, SYS_CNTV_CTL_EL0 };
static const enum sysreg exit_reads[] = { SYS_CNTV_CTL_EL0, SYS_CNTV_CVAL_EL0 };
static const enum sysreg exit_writes[] = { SYS_CNTV_CTL_EL0, SYS_CNTVOFF_EL2 };

/* VHE: 3 writes and an ISB in, 2 reads and 2 writes out, and no other timer register. */
static void vhe_sum(void **state)
{
	const struct kernel_config config = every_switch_kernel(true);
	struct timer_turn t;

	(void)state;
	turn_start(&t, &config, true, GUEST_HYPERCALL, NULL);
	EXPECT_REGISTERS(t.b.machine, entry_writes, .kind = REQUEST_SYSREG_WRITE, .within = ENTER, IN_TURN(t));
	EXPECT(0, t.b.machine, .kind = REQUEST_SYSREG_READ, .within = ENTER, IN_TURN(t));
	EXPECT(1, t.b.machine, .kind = REQUEST_BARRIER, .barrier = BARRIER(ISB), .within = ENTER, IN_TURN(t));
	EXPECT_REGISTERS(t.b.machine, exit_reads, .kind = REQUEST_SYSREG_READ, .within = LEAVE, IN_TURN(t));
	EXPECT_REGISTERS(t.b.machine, exit_writes, .kind = REQUEST_SYSREG_WRITE, .within = LEAVE, IN_TURN(t));
	EXPECT(0, t.b.machine, .kind = REQUEST_BARRIER, .within = LEAVE, IN_TURN(t));
	EXPECT(2 + 5, t.b.machine, .class = CLASS(TIMER), IN_TURN(t));
	EXPECT(0, t.b.machine, .class = CLASS(COUNTER), IN_TURN(t));
	bench_stop(&t.b);
}

/* nVHE, and VHE before the timer code knew it: CNTHCTL_EL2 read and written each way on top. */
static void trap_register_each_way(void **state)
{
	(void)state;
	for (int vhe = 0; vhe < 2; vhe++) {
		struct kernel_config config = every_switch_kernel(vhe);
		struct timer_turn t;

		config.timer_traps = vhe ? TIMER_TRAPS_SWITCH : TIMER_TRAPS_BOOT;
		turn_start(&t, &config, true, GUEST_HYPERCALL, NULL);
		EXPECT(1, t.b.machine, .kind = REQUEST_SYSREG_READ, .reg = REG(CNTHCTL_EL2), .within = ENTER, IN_TURN(t));
		EXPECT(1, t.b.machine, .kind = REQUEST_SYSREG_WRITE, .reg = REG(CNTHCTL_EL2), .within = ENTER, IN_TURN(t));
		EXPECT(1, t.b.machine, .kind = REQUEST_SYSREG_READ, .reg = REG(CNTHCTL_EL2), .within = LEAVE, IN_TURN(t));
		EXPECT(1, t.b.machine, .kind = REQUEST_SYSREG_WRITE, .reg = REG(CNTHCTL_EL2), .within = LEAVE, IN_TURN(t));
		EXPECT(7 + 4, t.b.machine, .class = CLASS(TIMER), IN_TURN(t));
		bench_stop(&t.b);
	}
}

/* Inside the hypervisor: traps and offset before the registers, CTL last; on the way out CTL is cleared after it was read. */
static void order(void **state)
{
	const struct kernel_config config = every_switch_kernel(false);
	struct timer_turn t;

	(void)state;
	turn_start(&t, &config, true, GUEST_HYPERCALL, NULL);
	EXPECT_BEFORE(t.b.machine, FILTER(.reg = REG(CNTHCTL_EL2), .within = ENTER, IN_TURN(t)),
		      FILTER(.reg = REG(CNTVOFF_EL2), .within = ENTER, IN_TURN(t)));
	EXPECT_BEFORE(t.b.machine, FILTER(.reg = REG(CNTV_CVAL_EL0), .within = ENTER, IN_TURN(t)),
		      FILTER(.kind = REQUEST_BARRIER, .within = ENTER, IN_TURN(t)));
	EXPECT_BEFORE(t.b.machine, FILTER(.kind = REQUEST_BARRIER, .within = ENTER, IN_TURN(t)),
		      FILTER(.reg = REG(CNTV_CTL_EL0), .within = ENTER, IN_TURN(t)));
	EXPECT_BEFORE(t.b.machine, FILTER(.reg = REG(CNTV_CVAL_EL0), .within = LEAVE, IN_TURN(t)),
		      FILTER(.kind = REQUEST_SYSREG_WRITE, .reg = REG(CNTV_CTL_EL0), .within = LEAVE, IN_TURN(t)));
	EXPECT_BEFORE(t.b.machine, FILTER(.within = LEAVE, IN_TURN(t)), FILTER(.within = "kvm_timer_sync_hwstate", IN_TURN(t)));
	EXPECT_BEFORE(t.b.machine, FILTER(.within = "kvm_timer_sync_hwstate", IN_TURN(t)),
		      FILTER(.within = "kvm_vgic_sync_hwstate", IN_TURN(t)));
	EXPECT_BEFORE(t.b.machine, FILTER(.within = "kvm_timer_flush_hwstate", IN_TURN(t)),
		      FILTER(.within = "kvm_vgic_flush_hwstate", IN_TURN(t)));
	bench_stop(&t.b);
}

/* The host's part: both levels looked at before and after, the vGIC asked once; with interrupts on, all from memory. */
static void host_part(void **state)
{
	const struct kernel_config config = every_switch_kernel(false);
	struct timer_turn t;

	(void)state;
	turn_start(&t, &config, true, GUEST_HYPERCALL, NULL);
	EXPECT(2, t.b.machine, .kind = REQUEST_FUNCTION, .function = "kvm_timer_should_fire", .within = "kvm_timer_sync_hwstate", IN_TURN(t));
	EXPECT(3, t.b.machine, .kind = REQUEST_FUNCTION, .function = "kvm_timer_should_fire", .within = "kvm_timer_flush_hwstate", IN_TURN(t));
	EXPECT(0, t.b.machine, .kind = REQUEST_FUNCTION, .function = "kvm_vgic_inject_irq", IN_TURN(t));
	EXPECT(1, t.b.machine, .kind = REQUEST_LINE_ATOMIC, .line = "vgic_irq vtimer", IN_TURN(t));
	EXPECT(1, t.b.machine, .kind = REQUEST_LINE_ATOMIC, .line = "vgic_irq vtimer", .within = "kvm_vgic_map_is_active", IN_TURN(t));
	EXPECT(0, t.b.machine, .kind = REQUEST_LOAD_STORE, .function = NULL, .within = "kvm_timer_update_state", .irqs = IRQS_OFF, IN_TURN(t));
	EXPECT(0, t.b.machine, .kind = REQUEST_SYSREG_READ, .within = "kvm_timer_sync_hwstate", IN_TURN(t));
	bench_stop(&t.b);
}

/* Once written clear, clear is not written again: no descriptor lock and no device in a hypercall; a put forgets it. */
static void cached_clear(void **state)
{
	const struct kernel_config config = every_switch_kernel(false);
	struct timer_turn t;

	(void)state;
	turn_start(&t, &config, true, GUEST_HYPERCALL, NULL);
	EXPECT(0, t.b.machine, .line = DESC_LOCK, IN_TURN(t));
	EXPECT(0, t.b.machine, .kind = REQUEST_MMIO_WRITE, IN_TURN(t));
	assert_int_equal(locks_taken(&t.b, VTIMER_LOCK_CLASS), 1);
	assert_int_equal(locks_taken(&t.b, PTIMER_LOCK_CLASS), 0);
	EXPECT(1, t.b.machine, .kind = REQUEST_MMIO_WRITE, .address = t.b.own_redistributor + GICR_ICACTIVER0);
	kvm_run_ioctl(t.b.cpu, &t.b.vcpu);
	assert_int_equal(locks_taken(&t.b, VTIMER_LOCK_CLASS), 2);
	bench_stop(&t.b);
}

/* About v4.2 to v4.4: written at every entry. The per-CPU call leaves out the lock. */
static void every_entry(void **state)
{
	(void)state;
	for (int per_cpu = 0; per_cpu < 2; per_cpu++) {
		struct kernel_config config = every_switch_kernel(false);
		struct timer_turn t;

		config.active_state = ACTIVE_STATE_EVERY_ENTRY;
		config.irq_state = per_cpu ? IRQ_STATE_PER_CPU : IRQ_STATE_DESCRIPTOR_LOCK;
		turn_start(&t, &config, true, GUEST_HYPERCALL, NULL);
		EXPECT(per_cpu ? 0 : 1, t.b.machine, .kind = REQUEST_LINE_ATOMIC, .line = DESC_LOCK, .instance = VTIMER_DESC, IN_TURN(t));
		EXPECT(1, t.b.machine, .kind = REQUEST_MMIO_WRITE, IN_TURN(t));
		EXPECT(4, t.b.machine, .kind = REQUEST_MMIO_WRITE, .within = "kvm_timer_flush_hwstate");
		bench_stop(&t.b);
	}
}

static void interrupt_is_active(struct timer_turn *turn)
{
	turn->b.vcpu.vtimer.guest_irq->active = true;
}

/* The guest's timer interrupt is active: set and read back at every entry, cached or not. */
static void active_interrupt(void **state)
{
	const struct kernel_config config = every_switch_kernel(true);
	struct timer_turn t;

	(void)state;
	turn_start(&t, &config, true, GUEST_HYPERCALL, interrupt_is_active);
	EXPECT(1, t.b.machine, .kind = REQUEST_LINE_ATOMIC, .line = DESC_LOCK, IN_TURN(t));
	EXPECT(1, t.b.machine, .kind = REQUEST_MMIO_WRITE, .address = t.b.own_redistributor + GICR_ISACTIVER0, IN_TURN(t));
	EXPECT(1, t.b.machine, .kind = REQUEST_MMIO_READ, .address = t.b.own_redistributor + GICR_ISACTIVER0, IN_TURN(t));
	bench_stop(&t.b);
}

/* Load touches no timer and no interrupt; put only forgets the cached state. */
static void nothing_at_load_and_put(void **state)
{
	(void)state;
	for (int vhe = 0; vhe < 2; vhe++) {
		const struct kernel_config config = every_switch_kernel(vhe);
		struct step_bench b;

		bench_start(&b, &config, true);
		vcpu_load(b.cpu, &b.vcpu);
		vcpu_put(b.cpu, &b.vcpu);
		EXPECT(0, b.machine, .class = CLASS(TIMER));
		EXPECT(0, b.machine, .line = DESC_LOCK);
		EXPECT(0, b.machine, .line = "vgic_irq vtimer");
		EXPECT(0, b.machine, .kind = REQUEST_MMIO_WRITE);
		bench_stop(&b);
	}
}

/* v3.x: no active state at all; an ISB between the two reads of the exit; the hrtimer is looked at before the entry. */
static void first_kernels(void **state)
{
	struct kernel_config config = every_switch_kernel(false);
	struct timer_turn t;

	(void)state;
	config.active_state = ACTIVE_STATE_NONE;
	turn_start(&t, &config, true, GUEST_HYPERCALL, NULL);
	EXPECT(0, t.b.machine, .line = DESC_LOCK);
	EXPECT(0, t.b.machine, .kind = REQUEST_MMIO_WRITE);
	EXPECT(0, t.b.machine, .line = "vgic_irq vtimer", IN_TURN(t));
	EXPECT(1, t.b.machine, .kind = REQUEST_BARRIER, .barrier = BARRIER(ISB), .within = LEAVE, IN_TURN(t));
	EXPECT_BEFORE(t.b.machine, FILTER(.kind = REQUEST_SYSREG_READ, .reg = REG(CNTV_CTL_EL0), .within = LEAVE, IN_TURN(t)),
		      FILTER(.kind = REQUEST_BARRIER, .within = LEAVE, IN_TURN(t)));
	EXPECT(3 + 3, t.b.machine, .within = LEAVE, .class = CLASS(TIMER), IN_TURN(t));
	EXPECT(1 + 4, t.b.machine, .within = ENTER, .class = CLASS(TIMER), IN_TURN(t));
	EXPECT(1, t.b.machine, .kind = REQUEST_FUNCTION, .function = "soft_timer_cancel", .within = "kvm_timer_flush_hwstate", IN_TURN(t));
	EXPECT(0, t.b.machine, .kind = REQUEST_FUNCTION, .function = "soft_timer_start", IN_TURN(t));
	bench_stop(&t.b);
}

/* Inside the series alone: the same registers, but by the host with interrupts off; CNTVOFF_EL2 by a hypervisor call each way on nVHE. */
static void host_loop(void **state)
{
	(void)state;
	for (int vhe = 0; vhe < 2; vhe++) {
		struct kernel_config config = every_switch_kernel(vhe);
		struct timer_turn t;

		config.timer_regs = TIMER_REGS_HOST_EVERY_LOOP;
		turn_start(&t, &config, true, GUEST_HYPERCALL, NULL);
		EXPECT_REGISTERS(t.b.machine, entry_writes, .kind = REQUEST_SYSREG_WRITE, .within = "kvm_timer_flush_hwstate", IN_TURN(t));
		EXPECT_REGISTERS(t.b.machine, exit_reads, .kind = REQUEST_SYSREG_READ, .within = "kvm_timer_sync_hwstate", IN_TURN(t));
		EXPECT_REGISTERS(t.b.machine, exit_writes, .kind = REQUEST_SYSREG_WRITE, .within = "kvm_timer_sync_hwstate", IN_TURN(t));
		EXPECT(1, t.b.machine, .kind = REQUEST_BARRIER, .within = "kvm_timer_flush_hwstate", IN_TURN(t));
		EXPECT(vhe ? 0 : 2, t.b.machine, .kind = REQUEST_EXCEPTION_ENTRY, .within = "set_cntvoff", IN_TURN(t));
		EXPECT(vhe ? 0 : 4, t.b.machine, .reg = REG(CNTHCTL_EL2), IN_TURN(t));
		EXPECT(0, t.b.machine, .class = CLASS(TIMER), .irqs = IRQS_ON, IN_TURN(t));
		EXPECT(0, t.b.machine, .line = DESC_LOCK, IN_TURN(t));
		bench_stop(&t.b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(vhe_sum),
		cmocka_unit_test(trap_register_each_way),
		cmocka_unit_test(order),
		cmocka_unit_test(host_part),
		cmocka_unit_test(cached_clear),
		cmocka_unit_test(every_entry),
		cmocka_unit_test(active_interrupt),
		cmocka_unit_test(nothing_at_load_and_put),
		cmocka_unit_test(first_kernels),
		cmocka_unit_test(host_loop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
