// SPDX-License-Identifier: Apache-2.0
/*
 * A guest's access of its physical timer: who traps, and what the handler then does. Expected: sys_regs.c of v4.19.71 (memory and one counter
 * read), kvm_arm_timer_write_sysreg of v5.10 (put and load), of v6.3 and later (one timer, commit fc6ee952cf00).
 */
#include "tests/step/timer_bench.h"

#define HANDLER "access_arch_timer"

static void offset(struct timer_turn *turn)
{
	turn->b.vcpu.ptimer.offset = 1000;
}

/* v5.0 and before: memory and one counter read; no timer register, no lock. */
static void memory(void **state)
{
	(void)state;
	for (int vhe = 0; vhe < 2; vhe++) {
		const struct kernel_config config = first_load_put_kernel(vhe);
		struct timer_turn t;

		turn_start(&t, &config, true, GUEST_TIMER_WRITE, NULL);
		EXPECT(1, t.b.machine, .kind = REQUEST_SYSREG_READ, .class = CLASS(COUNTER), .within = HANDLER, IN_TURN(t));
		EXPECT(0, t.b.machine, .class = CLASS(TIMER), .within = HANDLER, IN_TURN(t));
		EXPECT(0, t.b.machine, .line = DESC_LOCK, IN_TURN(t));
		bench_stop(&t.b);
	}
}

/* v5.1 to v6.2, nVHE: a whole put and load, so the descriptor lock and the device write of a load, at every access. */
static void put_and_load(void **state)
{
	static const enum guest_operation operations[] = { GUEST_TIMER_READ, GUEST_TIMER_WRITE };

	(void)state;
	for (size_t n = 0; n < 2; n++) {
		struct kernel_config config = recent_nvhe_kernel();
		struct timer_turn t;

		config.timer_trap = TIMER_TRAP_PUT_LOAD;
		turn_start(&t, &config, true, operations[n], NULL);
		EXPECT(1, t.b.machine, .kind = REQUEST_LINE_ATOMIC, .line = DESC_LOCK, .within = HANDLER, IN_TURN(t));
		EXPECT(1, t.b.machine, .kind = REQUEST_MMIO_WRITE, .within = HANDLER, IN_TURN(t));
		EXPECT(2, t.b.machine, .kind = REQUEST_LINE_ATOMIC, .line = "vgic_irq vtimer", .within = HANDLER, IN_TURN(t));
		EXPECT(2, t.b.machine, .kind = REQUEST_SYSREG_READ, .class = CLASS(TIMER), .within = HANDLER, IN_TURN(t));
		EXPECT(2 + 3, t.b.machine, .kind = REQUEST_SYSREG_WRITE, .class = CLASS(TIMER), .within = HANDLER, IN_TURN(t));
		EXPECT(2, t.b.machine, .kind = REQUEST_EXCEPTION_ENTRY, .within = HANDLER, IN_TURN(t));
		assert_int_equal(locks_taken(&t.b, VTIMER_LOCK_CLASS), 1 + 3);
		bench_stop(&t.b);
	}
}

static const enum sysreg one_timer_writes[] = { SYS_CNTP_CTL_EL0, SYS_CNTP_CVAL_EL0, SYS_CNTP_CTL_EL0 };

/* v6.3, VHE with an offset that only software can apply: that timer alone, 2 reads and 1 write with an ISB, 2 writes with an ISB. */
static void one_timer(void **state)
{
	const struct kernel_config config = recent_kernel();
	struct timer_turn t;

	(void)state;
	turn_start(&t, &config, true, GUEST_TIMER_WRITE, offset);
	EXPECT(2, t.b.machine, .kind = REQUEST_SYSREG_READ, .class = CLASS(TIMER), .within = HANDLER, IN_TURN(t));
	EXPECT_REGISTERS(t.b.machine, one_timer_writes, .kind = REQUEST_SYSREG_WRITE, .class = CLASS(TIMER), .within = HANDLER, IN_TURN(t));
	EXPECT(2, t.b.machine, .kind = REQUEST_BARRIER, .barrier = BARRIER(ISB), .within = HANDLER, IN_TURN(t));
	EXPECT(0, t.b.machine, .line = DESC_LOCK, IN_TURN(t));
	EXPECT(0, t.b.machine, .kind = REQUEST_MMIO_WRITE, IN_TURN(t));
	bench_stop(&t.b);
}

/* v6.3, nVHE: the physical timer is emulated, so memory again; a write looks whether an hrtimer is needed. */
static void one_emulated_timer(void **state)
{
	const struct kernel_config config = recent_nvhe_kernel();
	struct timer_turn t;

	(void)state;
	turn_start(&t, &config, true, GUEST_TIMER_WRITE, NULL);
	EXPECT(0, t.b.machine, .class = CLASS(TIMER), .within = HANDLER, IN_TURN(t));
	EXPECT(1, t.b.machine, .kind = REQUEST_FUNCTION, .function = "timer_emulate", .within = HANDLER, IN_TURN(t));
	EXPECT(0, t.b.machine, .line = DESC_LOCK, IN_TURN(t));
	bench_stop(&t.b);
}

/* VHE without an offset, or with CNTPOFF_EL2: no trap at all, the guest's own register. */
static void no_trap(void **state)
{
	(void)state;
	for (int ecv = 0; ecv < 2; ecv++) {
		struct kernel_config config = recent_kernel();
		struct step_bench b;

		config.cntpoff = ecv;
		bench_start(&b, &config, true);
		b.vcpu.ptimer.offset = ecv ? 1000 : 0;
		assert_false(timer_access_traps(&b.vcpu));
		b.vcpu.ptimer.offset = 1000;
		assert_int_equal(timer_access_traps(&b.vcpu), !ecv);
		bench_stop(&b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(memory),
		cmocka_unit_test(put_and_load),
		cmocka_unit_test(one_timer),
		cmocka_unit_test(one_emulated_timer),
		cmocka_unit_test(no_trap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
