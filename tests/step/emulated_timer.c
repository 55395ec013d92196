// SPDX-License-Identifier: Apache-2.0
/*
 * A guest's physical timer without VHE is emulated by an hrtimer: armed at load, cancelled at put, its level to the guest when it is due. The host's own timer is CNTP then.
 */
#include "tests/step/sched_bench.h"

static const struct guest_step work[] = { { 1000, GUEST_WORK, 0 }, { 0, GUEST_MMIO_READ_USER, 0 } };

static void arm(struct sched_bench *bench, uint64_t cval)
{
	const struct kernel_config config = recent_nvhe_kernel();

	sched_bench_start(bench, &config, work);
	bench->b.vcpu.ptimer.ctl = 1;
	bench->b.vcpu.ptimer.cval = cval;
}

/* Far away: one hrtimer started at load (ktime_get, cpu_base->lock, CNTP_CVAL and CTL), cancelled at put. */
static void armed_at_load(void **state)
{
	struct sched_bench bench;
	struct machine *m;

	(void)state;
	arm(&bench, 1000000);
	sched_bench_run(&bench);
	assert_true(bench.finished);
	m = bench.b.machine;
	EXPECT(1, m, .function = "soft_timer_start", .within = "kvm_timer_vcpu_load");
	EXPECT(1, m, .kind = REQUEST_LINE_ATOMIC, .line = "hrtimer_cpu_base", .within = "kvm_timer_vcpu_load");
	EXPECT(1, m, .kind = REQUEST_SYSREG_WRITE, .reg = REG(CNTP_CVAL_EL0));
	EXPECT(1, m, .kind = REQUEST_SYSREG_WRITE, .reg = REG(CNTP_CTL_EL0));
	EXPECT(1, m, .kind = REQUEST_LINE_ATOMIC, .line = "hrtimer_cpu_base", .within = "kvm_timer_vcpu_put");
	EXPECT(1, m, .function = "hrtimer_cancel", .within = "kvm_timer_vcpu_put");
	assert_false(bench.b.vcpu.ptimer.hrtimer.hrtimer.queued);
	sched_bench_stop(&bench);
}

/* Due while the guest runs: the function tells the vGIC, in hard-irq context, on the vCPU's own CPU: no IPI. */
static void due(void **state)
{
	static const enum guest_exit interrupted[] = { GUEST_EXIT_IRQ, GUEST_EXIT_TRAP };
	struct sched_bench bench;
	struct machine *m;

	(void)state;
	arm(&bench, 200);
	recording_script_guest(bench.b.machine, interrupted, 2);
	recording_set_sysreg(bench.b.cpu, SYS_ICC_IAR1_EL1, 30);
	sched_bench_run(&bench);
	assert_true(bench.finished);
	m = bench.b.machine;
	EXPECT(1, m, .function = "kvm_hrtimer_expire", .within = "hrtimer_interrupt");
	EXPECT(1, m, .function = "kvm_vgic_inject_irq", .within = "kvm_hrtimer_expire");
	EXPECT(0, m, .within = "kvm_hrtimer_expire", .irqs = IRQS_ON);
	EXPECT(0, m, .reg = REG(ICC_SGI1R_EL1));
	assert_true(bench.b.vcpu.ptimer.level);
	sched_bench_stop(&bench);
}

/* Off or masked: nothing is armed, the cancel at load and put is a look without a lock. */
static void off(void **state)
{
	struct sched_bench bench;

	(void)state;
	arm(&bench, 1000000);
	bench.b.vcpu.ptimer.ctl = 3;
	sched_bench_run(&bench);
	assert_true(bench.finished);
	assert_int_equal(locks_taken(&bench.b, HRTIMER_LOCK_CLASS), 0);
	EXPECT(0, bench.b.machine, .reg = REG(CNTP_CVAL_EL0));
	sched_bench_stop(&bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(armed_at_load), cmocka_unit_test(due), cmocka_unit_test(off) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
