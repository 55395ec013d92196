// SPDX-License-Identifier: Apache-2.0
/*
 * Timer registers at load and put (v4.15 and later): v4.15 to v4.19, v5.1 to v6.3, v6.4 and later, and hosts with CNTPOFF_EL2.
 * load.c and put.c count a recent load and put as a whole; here is what differs between the generations. Expected:
 * virt/kvm/arm/arch_timer.c of v4.19.71, arch/arm64/kvm/arch_timer.c of v5.10 and v6.17, hyp/vhe/switch.c of v6.16.
 */
#include "tests/step/timer_bench.h"

/* One exit and entry: nothing of the timer with VHE; nVHE: CNTHCTL_EL2 read and written each way. */
static void world_switch(void **state)
{
	(void)state;
	for (int vhe = 0; vhe < 2; vhe++) {
		for (int first = 0; first < 2; first++) {
			const struct kernel_config config = first ? first_load_put_kernel(vhe) : vhe ? recent_kernel() : recent_nvhe_kernel();
			struct timer_turn t;

			turn_start(&t, &config, true, GUEST_HYPERCALL, NULL);
			EXPECT(vhe ? 0 : 4, t.b.machine, .class = CLASS(TIMER), IN_TURN(t));
			EXPECT(vhe ? 0 : 1, t.b.machine, .kind = REQUEST_SYSREG_READ, .reg = REG(CNTHCTL_EL2), .within = "__timer_enable_traps", IN_TURN(t));
			EXPECT(vhe ? 0 : 1, t.b.machine, .kind = REQUEST_SYSREG_WRITE, .reg = REG(CNTHCTL_EL2), .within = "__timer_disable_traps", IN_TURN(t));
			EXPECT(0, t.b.machine, .line = DESC_LOCK, IN_TURN(t));
			EXPECT(0, t.b.machine, .line = "vgic_irq vtimer", IN_TURN(t));
			bench_stop(&t.b);
		}
	}
}

static const enum sysreg first_load_writes[] = { SYS_CNTVOFF_EL2, SYS_CNTV_CVAL_EL0, SYS_CNTV_CTL_EL0 };

/* v4.19: no level for the virtual timer, its irq_lock once, one descriptor; the physical timer's level last. */
static void first_load(void **state)
{
	(void)state;
	for (int vhe = 0; vhe < 2; vhe++) {
		const struct kernel_config config = first_load_put_kernel(vhe);
		struct step_bench b;

		bench_start(&b, &config, true);
		vcpu_load(b.cpu, &b.vcpu);
		EXPECT(1, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = "vgic_irq vtimer");
		EXPECT(0, b.machine, .kind = REQUEST_FUNCTION, .function = "kvm_vgic_inject_irq");
		EXPECT(0, b.machine, .line = "vgic_irq ptimer");
		EXPECT(1, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = DESC_LOCK, .instance = VTIMER_DESC);
		EXPECT(0, b.machine, .line = DESC_LOCK, .instance = PTIMER_DESC);
		EXPECT(1, b.machine, .kind = REQUEST_MMIO_WRITE);
		EXPECT_REGISTERS(b.machine, first_load_writes, .kind = REQUEST_SYSREG_WRITE, .class = CLASS(TIMER));
		EXPECT(0, b.machine, .kind = REQUEST_SYSREG_READ, .class = CLASS(TIMER));
		EXPECT(1, b.machine, .kind = REQUEST_BARRIER, .barrier = BARRIER(ISB), .within = "kvm_timer_vcpu_load");
		EXPECT(vhe ? 0 : 1, b.machine, .kind = REQUEST_EXCEPTION_ENTRY, .within = "kvm_timer_vcpu_load");
		EXPECT_BEFORE(b.machine, FILTER(.line = "vgic_irq vtimer"), FILTER(.line = DESC_LOCK));
		EXPECT_BEFORE(b.machine, FILTER(.line = DESC_LOCK), FILTER(.reg = REG(CNTVOFF_EL2)));
		EXPECT_BEFORE(b.machine, FILTER(.reg = REG(CNTVOFF_EL2)), FILTER(.reg = REG(CNTV_CVAL_EL0)));
		EXPECT_BEFORE(b.machine, FILTER(.reg = REG(CNTV_CTL_EL0)), FILTER(.within = "timer_emulate"));
		bench_stop(&b);
	}
}

/*
 * v4.19: whether the host's interrupt starts active is the vGIC's word (kvm_vgic_map_is_active), not the level that the timer's
 * interrupt had when it last came: otherwise a guest that slept on its timer would get no second interrupt.
 */
static void first_load_after_a_tick(void **state)
{
	const struct kernel_config config = first_load_put_kernel(true);
	struct step_bench b;

	(void)state;
	bench_start(&b, &config, true);
	b.vcpu.vtimer.level = true;
	vcpu_load(b.cpu, &b.vcpu);
	EXPECT(1, b.machine, .kind = REQUEST_MMIO_WRITE, .address = b.own_redistributor + 0x10380);  /* GICR_ICACTIVER0 */
	EXPECT(1, b.machine, .kind = REQUEST_MMIO_WRITE);
	bench_stop(&b);
}

/* v4.19: 2 reads, 1 write, an ISB; CNTVOFF_EL2 := 0 without VHE alone. */
static void first_put(void **state)
{
	(void)state;
	for (int vhe = 0; vhe < 2; vhe++) {
		const struct kernel_config config = first_load_put_kernel(vhe);
		struct step_bench b;

		bench_start(&b, &config, true);
		vcpu_load(b.cpu, &b.vcpu);
		recording_clear(b.machine);
		vcpu_put(b.cpu, &b.vcpu);
		EXPECT(2, b.machine, .kind = REQUEST_SYSREG_READ, .class = CLASS(TIMER));
		EXPECT(vhe ? 1 : 2, b.machine, .kind = REQUEST_SYSREG_WRITE, .class = CLASS(TIMER));
		EXPECT(vhe ? 0 : 1, b.machine, .kind = REQUEST_SYSREG_WRITE, .reg = REG(CNTVOFF_EL2));
		EXPECT(1, b.machine, .kind = REQUEST_BARRIER, .barrier = BARRIER(ISB), .within = "kvm_timer_vcpu_put");
		EXPECT(0, b.machine, .line = DESC_LOCK);
		EXPECT(0, b.machine, .kind = REQUEST_MMIO_WRITE);
		bench_stop(&b);
	}
}

/* The totals of a recent load: VHE two descriptor locks, two device writes, 5 timer registers; nVHE one, one, 3 with a hypervisor call. */
static void recent_totals(void **state)
{
	(void)state;
	for (int vhe = 0; vhe < 2; vhe++) {
		const struct kernel_config config = vhe ? recent_kernel() : recent_nvhe_kernel();
		struct step_bench b;

		bench_start(&b, &config, true);
		vcpu_load(b.cpu, &b.vcpu);
		EXPECT(vhe ? 2 : 1, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = DESC_LOCK);
		EXPECT(vhe ? 2 : 1, b.machine, .kind = REQUEST_MMIO_WRITE);
		EXPECT(0, b.machine, .kind = REQUEST_MMIO_READ);
		EXPECT(vhe ? 5 : 3, b.machine, .kind = REQUEST_SYSREG_WRITE, .class = CLASS(TIMER));
		EXPECT(vhe ? 1 : 0, b.machine, .kind = REQUEST_SYSREG_READ, .class = CLASS(TIMER));
		EXPECT(vhe ? 2 : 1, b.machine, .kind = REQUEST_BARRIER, .barrier = BARRIER(ISB), .within = "kvm_timer_vcpu_load");
		EXPECT(vhe ? 0 : 1, b.machine, .kind = REQUEST_EXCEPTION_ENTRY, .within = "kvm_timer_vcpu_load");
		assert_int_equal(locks_taken(&b, IRQ_LOCK_CLASS), vhe ? 4 : 2);
		bench_stop(&b);
	}
}

/* v5.1 to v6.3 set the traps once at boot. */
static void traps_at_boot(void **state)
{
	struct kernel_config config = recent_kernel();
	struct step_bench b;

	(void)state;
	config.timer_traps = TIMER_TRAPS_BOOT;
	bench_start(&b, &config, true);
	vcpu_load(b.cpu, &b.vcpu);
	EXPECT(0, b.machine, .reg = REG(CNTHCTL_EL2));
	bench_stop(&b);
}

static void offset(struct timer_turn *turn)
{
	turn->b.vcpu.ptimer.offset = 1000;
}

/*
 * FEAT_ECV, VHE, v6.6: CNTPOFF_EL2 at load and put; each entry writes CVAL with an ISB; each exit reads CVAL and the offset, and writes CVAL with
 * an ISB only when there is an offset.
 */
static void cntpoff(void **state)
{
	(void)state;
	for (int shifted = 0; shifted < 2; shifted++) {
		struct kernel_config config = recent_kernel();
		struct timer_turn t;

		config.cntpoff = true;
		turn_start(&t, &config, true, GUEST_HYPERCALL, shifted ? offset : NULL);
		EXPECT(2, t.b.machine, .kind = REQUEST_SYSREG_READ, .class = CLASS(TIMER), IN_TURN(t));
		assert_int_equal(READS(t, CNTP_CVAL_EL0), 1);
		assert_int_equal(READS(t, CNTPOFF_EL2), 1);
		assert_int_equal(WRITES(t, CNTP_CVAL_EL0), shifted ? 2 : 1);
		EXPECT(shifted ? 2 : 1, t.b.machine, .kind = REQUEST_SYSREG_WRITE, .class = CLASS(TIMER), IN_TURN(t));
		EXPECT(1, t.b.machine, .kind = REQUEST_SYSREG_WRITE, .reg = REG(CNTPOFF_EL2), .within = "kvm_timer_vcpu_load");
		EXPECT(6, t.b.machine, .kind = REQUEST_SYSREG_WRITE, .class = CLASS(TIMER), .within = "kvm_timer_vcpu_load");
		EXPECT(4, t.b.machine, .kind = REQUEST_SYSREG_WRITE, .class = CLASS(TIMER), .within = "kvm_timer_vcpu_put");
		bench_stop(&t.b);
	}
}

/* The barriers of a turn, with and without CNTPOFF_EL2: one more at the entry, one more at the exit with an offset. */
static void cntpoff_barriers(void **state)
{
	size_t barriers[3];

	(void)state;
	for (int n = 0; n < 3; n++) {
		struct kernel_config config = recent_kernel();
		struct timer_turn t;

		config.cntpoff = n > 0;
		turn_start(&t, &config, true, GUEST_HYPERCALL, n == 2 ? offset : NULL);
		barriers[n] = recorded(t.b.machine, &FILTER(.kind = REQUEST_BARRIER, .barrier = BARRIER(ISB), IN_TURN(t)));
		bench_stop(&t.b);
	}
	assert_int_equal(barriers[1] - barriers[0], 1);
	assert_int_equal(barriers[2] - barriers[0], 2);
}

/* Older kernels and nVHE do not use it. */
static void cntpoff_not_used(void **state)
{
	(void)state;
	for (int n = 0; n < 2; n++) {
		struct kernel_config config = n ? recent_nvhe_kernel() : recent_kernel();
		struct timer_turn t;

		config.cntpoff = true;
		if (!n)
			config.timer_traps = TIMER_TRAPS_BOOT;
		turn_start(&t, &config, true, GUEST_HYPERCALL, NULL);
		EXPECT(0, t.b.machine, .reg = REG(CNTPOFF_EL2));
		EXPECT(0, t.b.machine, .reg = REG(CNTP_CVAL_EL0), IN_TURN(t));
		bench_stop(&t.b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(world_switch),
		cmocka_unit_test(first_load),
		cmocka_unit_test(first_load_after_a_tick),
		cmocka_unit_test(first_put),
		cmocka_unit_test(recent_totals),
		cmocka_unit_test(traps_at_boot),
		cmocka_unit_test(cntpoff),
		cmocka_unit_test(cntpoff_barriers),
		cmocka_unit_test(cntpoff_not_used),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
