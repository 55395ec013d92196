// SPDX-License-Identifier: Apache-2.0
/*
 * The host's interrupt of a guest timer on other interrupt controllers: none with an active state, GICv5, GICv3 guests on GICv5, Apple's AIC;
 * userspace irqchips; and the hrtimer that v3.x arms at exits. Expected: kvm_timer_vcpu_load_nogic and kvm_arch_timer_handler of v5.10,
 * kvm_timer_flush_hwstate_user of v4.14, kvm_timer_sync_hwstate of v3.18, timer_irq_set_irqchip_state of v5.14; GICv5 series of 2025.
 */
#include <stdlib.h>

#include "tests/step/timer_bench.h"

enum { GICD_ISENABLER0 = 0x100, GICD_ICENABLER0 = 0x180 };
#define ENABLED_LINE "irq_desc percpu_enabled"
#define LOAD "kvm_timer_vcpu_load"
#define PUT "kvm_timer_vcpu_put"

/* GICv2 with 4 kB of CPU interface. */
static struct kernel_config no_active_state(struct kernel_config config)
{
	config.gic = GIC_V2;
	config.gic_cpu_interface_4k = true;
	return config;
}

static uint64_t distributor(const struct step_bench *b, uint32_t offset)
{
	return gic_frame_address(b->machine, GIC_FRAME_DISTRIBUTOR, (cpu_id){ BENCH_CPU }) + offset;
}

static void fires(struct step_bench *b)
{
	b->vcpu.vtimer.ctl = 1;
	b->vcpu.vtimer.cval = 0;
	b->vcpu.told_vtimer = true;
}

/* load-put: the virtual timer's interrupt on at every load, off while its level is high; the physical timer's is left alone. */
static void every_load_enables(void **state)
{
	(void)state;
	for (int high = 0; high < 2; high++) {
		const struct kernel_config config = no_active_state(recent_kernel());
		struct step_bench b;

		bench_start(&b, &config, false);
		if (high)
			fires(&b);
		kvm_timer_vcpu_load(b.cpu, &b.vcpu);
		EXPECT(1, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = DESC_LOCK, .instance = VTIMER_DESC);
		EXPECT(0, b.machine, .line = DESC_LOCK, .instance = PTIMER_DESC);
		EXPECT(1, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = ENABLED_LINE);
		EXPECT(1, b.machine, .kind = REQUEST_MMIO_WRITE);
		EXPECT(1, b.machine, .kind = REQUEST_MMIO_WRITE, .address = distributor(&b, high ? GICD_ICENABLER0 : GICD_ISENABLER0));
		bench_stop(&b);
	}
}

/* After each exit the idle timer's interrupt is enabled once more; the handler disables it. */
static void exits_without_active_state(void **state)
{
	const struct kernel_config config = no_active_state(recent_kernel());
	struct step_bench b;

	(void)state;
	bench_start(&b, &config, false);
	kvm_run_ioctl(b.cpu, &b.vcpu);
	EXPECT(1, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = ENABLED_LINE, .within = "kvm_timer_sync_user");
	EXPECT(2, b.machine, .kind = REQUEST_MMIO_WRITE, .address = distributor(&b, GICD_ISENABLER0));
	vcpu_load(b.cpu, &b.vcpu);
	recording_clear(b.machine);
	recording_set_sysreg(b.cpu, SYS_CNTV_CTL_EL0, 1);
	assert_false(kvm_arch_timer_handler(b.cpu, b.kernel, (intid){ VTIMER_PPI }));
	EXPECT(1, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = DESC_LOCK, .instance = VTIMER_DESC);
	EXPECT(1, b.machine, .kind = REQUEST_MMIO_WRITE, .address = distributor(&b, GICD_ICENABLER0));
	bench_stop(&b);
}

/* Up to v4.14 a userspace irqchip costs that at every entry, on GICs with active state too, and nothing after the exit. */
static void every_entry_for_userspace(void **state)
{
	(void)state;
	for (int v3 = 0; v3 < 2; v3++) {
		const struct kernel_config config = v3 ? every_switch_kernel(false) : no_active_state(every_switch_kernel(false));
		struct timer_turn t;

		turn_start(&t, &config, false, GUEST_HYPERCALL, NULL);
		EXPECT(1, t.b.machine, .kind = REQUEST_LINE_ATOMIC, .line = DESC_LOCK, IN_TURN(t));
		EXPECT(1, t.b.machine, .kind = REQUEST_LINE_ATOMIC, .line = ENABLED_LINE, .within = "kvm_timer_flush_hwstate", IN_TURN(t));
		EXPECT(1, t.b.machine, .kind = REQUEST_MMIO_WRITE, IN_TURN(t));
		EXPECT(0, t.b.machine, .within = "kvm_timer_sync_user");
		/* the levels for userspace are those in memory: only the hypervisor reads CTL */
		assert_int_equal(READS(t, CNTV_CTL_EL0), 1);
		assert_int_equal(READS(t, CNTP_CTL_EL0), 0);
		bench_stop(&t.b);
	}
}

static struct kernel_config gicv5(bool lock)
{
	struct kernel_config config = recent_kernel();

	config.gic = GIC_V5;
	config.irq_state = lock ? IRQ_STATE_DESCRIPTOR_LOCK : IRQ_STATE_PER_CPU;
	return config;
}

/* A native GICv5 guest: masked at load, unmasked at put, each under its descriptor's lock: four for a load and a put. */
static void gicv5_native(void **state)
{
	(void)state;
	for (int lock = 0; lock < 2; lock++) {
		const struct kernel_config config = gicv5(lock);
		const char *const parts[] = { LOAD, PUT };
		struct step_bench b;

		bench_start(&b, &config, true);
		vcpu_load(b.cpu, &b.vcpu);
		vcpu_put(b.cpu, &b.vcpu);
		for (size_t n = 0; n < 2; n++) {
			EXPECT(lock ? 1 : 0, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = DESC_LOCK, .instance = VTIMER_DESC, .within = parts[n]);
			EXPECT(lock ? 1 : 0, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = DESC_LOCK, .instance = PTIMER_DESC, .within = parts[n]);
			EXPECT(2, b.machine, .kind = REQUEST_SYSREG_READ, .reg = REG(ICC_PPI_ENABLER0_EL1), .within = parts[n]);
			EXPECT(2, b.machine, .kind = REQUEST_SYSREG_WRITE, .reg = REG(ICC_PPI_ENABLER0_EL1), .within = parts[n]);
			EXPECT(2 + 2, b.machine, .kind = REQUEST_BARRIER, .barrier = BARRIER(ISB), .within = parts[n]);
		}
		EXPECT(lock ? 4 : 0, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = DESC_LOCK);
		EXPECT(0, b.machine, .kind = REQUEST_MMIO_WRITE);
		/* the vGIC is not asked: the guest has the interrupt itself */
		EXPECT(0, b.machine, .line = "vgic_irq vtimer", .within = LOAD);
		EXPECT(0, b.machine, .kind = REQUEST_FUNCTION, .function = "kvm_vgic_inject_irq");
		bench_stop(&b);
	}
}

/* A GICv3 guest there: an ordinary active state, one register write each, no barrier, at load alone. */
static void gicv5_compat(void **state)
{
	struct kernel_config config = gicv5(true);
	struct step_bench b;

	(void)state;
	config.guest_gic_v3 = true;
	bench_start(&b, &config, true);
	vcpu_load(b.cpu, &b.vcpu);
	vcpu_put(b.cpu, &b.vcpu);
	EXPECT(2, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = DESC_LOCK);
	EXPECT(2, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = DESC_LOCK, .within = LOAD);
	EXPECT(2, b.machine, .kind = REQUEST_SYSREG_WRITE, .reg = REG(ICC_PPI_CACTIVER0_EL1));
	EXPECT(0, b.machine, .reg = REG(ICC_PPI_ENABLER0_EL1));
	EXPECT(2, b.machine, .kind = REQUEST_BARRIER, .barrier = BARRIER(ISB), .within = LOAD);
	assert_int_equal(locks_taken(&b, IRQ_LOCK_CLASS), 4);
	bench_stop(&b);
}

/* Apple's AIC: the same calls at load, and the stacked chip masks or unmasks the guest timers' FIQs: register, ISB, no device. */
static void aic(void **state)
{
	struct kernel_config config = recent_kernel();
	struct step_bench b;

	(void)state;
	config.gic = GIC_AIC;
	bench_start(&b, &config, true);
	vcpu_load(b.cpu, &b.vcpu);
	EXPECT(2, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = DESC_LOCK);
	EXPECT(2, b.machine, .line = "irq_desc parent");
	EXPECT(2 + 2, b.machine, .kind = REQUEST_BARRIER, .barrier = BARRIER(ISB), .within = LOAD);
	EXPECT(0, b.machine, .kind = REQUEST_MMIO_WRITE);
	recording_clear(b.machine);
	vcpu_put(b.cpu, &b.vcpu);
	EXPECT(0, b.machine, .line = DESC_LOCK);
	bench_stop(&b);
}

#define BASE_LOCK "hrtimer_cpu_base"

static void timer_is_armed(struct cpu *cpu)
{
	recording_set_sysreg(cpu, SYS_CNTV_CVAL_EL0, UINT64_MAX / 4000);
	recording_set_sysreg(cpu, SYS_CNTV_CTL_EL0, 1);
}

static void with_hrtimers(struct timer_turn *turn)
{
	hrtimers_init(turn->b.kernel);
	soft_timers_init(&turn->b.vcpu);
	recording_in_guest(turn->b.machine, timer_is_armed);
}

/* v3.x, guest timer armed: at every exit two counter reads and an hrtimer under the CPU's base lock, cancelled before the next entry. */
static void first_kernels_arm_an_hrtimer(void **state)
{
	struct kernel_config config = every_switch_kernel(false);
	struct timer_turn t;

	(void)state;
	config.active_state = ACTIVE_STATE_NONE;
	turn_start(&t, &config, true, GUEST_HYPERCALL, with_hrtimers);
	EXPECT(2, t.b.machine, .kind = REQUEST_SYSREG_READ, .class = CLASS(COUNTER), .within = "kvm_timer_sync_hwstate", IN_TURN(t));
	EXPECT(1, t.b.machine, .kind = REQUEST_LINE_ATOMIC, .line = BASE_LOCK, .within = "kvm_timer_sync_hwstate", IN_TURN(t));
	EXPECT(1, t.b.machine, .kind = REQUEST_LINE_ATOMIC, .line = BASE_LOCK, .within = "kvm_timer_flush_hwstate", IN_TURN(t));
	EXPECT(1, t.b.machine, .kind = REQUEST_FUNCTION, .function = "hrtimer_start_range_ns", IN_TURN(t));
	EXPECT(0, t.b.machine, .line = DESC_LOCK);
	free(t.b.kernel->hrtimer_bases);
	bench_stop(&t.b);
}

/* Later ones leave the virtual timer to its active state: no hrtimer for it while the vCPU runs. */
static void later_kernels_do_not(void **state)
{
	const struct kernel_config config = every_switch_kernel(false);
	struct timer_turn t;

	(void)state;
	turn_start(&t, &config, true, GUEST_HYPERCALL, with_hrtimers);
	EXPECT(0, t.b.machine, .kind = REQUEST_FUNCTION, .function = "hrtimer_start_range_ns");
	EXPECT(0, t.b.machine, .kind = REQUEST_LINE_ATOMIC, .line = BASE_LOCK);
	/* enabled and not due: each of the two looks at its level needs the counter */
	EXPECT(2, t.b.machine, .kind = REQUEST_SYSREG_READ, .class = CLASS(COUNTER), IN_TURN(t));
	free(t.b.kernel->hrtimer_bases);
	bench_stop(&t.b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_load_enables),
		cmocka_unit_test(exits_without_active_state),
		cmocka_unit_test(every_entry_for_userspace),
		cmocka_unit_test(gicv5_native),
		cmocka_unit_test(gicv5_compat),
		cmocka_unit_test(aic),
		cmocka_unit_test(first_kernels_arm_an_hrtimer),
		cmocka_unit_test(later_kernels_do_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
