// SPDX-License-Identifier: Apache-2.0
/*
 * A guest executes WFI, its vCPU blocks, something wakes it: what each step takes, in the three shapes that kernels have had. Without halt polling.
 * Newest shape (v5.17 and later): put of the vGIC, the checks, the sleep with a whole put under the run queue's lock, the wake-up, a whole load without it,
 * load of the vGIC.
 */
#include "tests/step/sched_bench.h"

static const struct guest_step wfi[] = { { 0, GUEST_WFI, 0 }, { 0, GUEST_MMIO_READ_USER, 0 } };
static const struct guest_step timer_wfi[] = { { 0, GUEST_TIMER_SET, 400 }, { 0, GUEST_WFI, 0 }, { 0, GUEST_MMIO_READ_USER, 0 } };

static bool other_cpu_interrupts(struct sched_bench *bench, struct cpu *cpu)
{
	(void)cpu;
	if (bench->idled != 1)
		return false;
	interrupt_from_other_cpu(bench);
	host_interrupt(bench, IPI_RESCHEDULE);
	return true;
}

static void block_and_wake(struct sched_bench *bench, const struct kernel_config *config)
{
	sched_bench_start(bench, config, wfi);
	bench->while_idle = other_cpu_interrupts;
	sched_bench_run(bench);
	assert_true(bench->finished);
	assert_int_equal(bench->idled, 2);
}

/* Everything between the trap and the next entry, C1 to C11, and its order. */
static void shape_with_vgic_put(void **state)
{
	const struct kernel_config config = recent_kernel();
	struct sched_bench bench;
	struct machine *m;

	(void)state;
	block_and_wake(&bench, &config);
	m = bench.b.machine;
	/* C2 put of the vGIC, C5 again inside the sleep; C9 load inside the wake-up, C11 load: besides the one of KVM_RUN */
	EXPECT(1, m, .function = "kvm_vgic_put", .within = "kvm_vcpu_wfi", .without = "kvm_sched_out");
	EXPECT(1, m, .function = "kvm_vgic_put", .within = "kvm_sched_out");
	EXPECT(1, m, .function = "kvm_vgic_load", .within = "kvm_sched_in");
	EXPECT(1, m, .function = "kvm_vgic_load", .within = "kvm_vcpu_wfi", .without = "kvm_sched_in");
	EXPECT(1, m, .function = "kvm_vcpu_block");
	EXPECT(0, m, .function = "halt_poll");
	EXPECT_BEFORE(m, FILTER(.function = "kvm_vgic_put", .without = "kvm_arch_vcpu_put"), FILTER(.function = "kvm_sched_out"));
	EXPECT_BEFORE(m, FILTER(.within = "kvm_sched_out"), FILTER(.within = "kvm_sched_in"));
	EXPECT_BEFORE(m, FILTER(.within = "kvm_sched_in"), FILTER(.function = "kvm_vgic_load", .within = "kvm_vcpu_wfi", .without = "kvm_sched_in"));
	/* a whole put and a whole load: the counts of load.c and put.c */
	EXPECT(21 , m, .kind = REQUEST_SYSREG_READ, .class = CLASS(ORDINARY), .within = "kvm_sched_out");
	EXPECT(5, m, .kind = REQUEST_SYSREG_WRITE, .class = CLASS(ORDINARY), .within = "kvm_sched_out");
	EXPECT(4, m, .kind = REQUEST_SYSREG_READ, .class = CLASS(ORDINARY), .within = "kvm_sched_in");
	EXPECT(28, m, .kind = REQUEST_SYSREG_WRITE, .class = CLASS(ORDINARY), .within = "kvm_sched_in");
	/* recipe C: the load takes both global locks, the put none */
	EXPECT(2, m, .kind = REQUEST_LINE_ATOMIC, .line = DESC_LOCK, .within = "kvm_sched_in");
	EXPECT(0, m, .line = DESC_LOCK, .within = "kvm_sched_out");
	EXPECT(2, m, .kind = REQUEST_MMIO_WRITE, .within = "kvm_sched_in");
	assert_int_equal(locks_taken(&bench.b, VTIMER_LOCK_CLASS), 2);
	/* C4: the checks before the sleep and after it, each ap_list_lock once with interrupts off */
	EXPECT(2, m, .function = "kvm_vgic_vcpu_pending_irq", .within = "kvm_vcpu_block");
	EXPECT(2, m, .kind = REQUEST_LINE_ATOMIC, .line = "vgic ap_list", .within = "kvm_vgic_vcpu_pending_irq");
	EXPECT(0, m, .kind = REQUEST_LINE_ATOMIC, .line = "vgic ap_list", .within = "kvm_vgic_vcpu_pending_irq", .irqs = IRQS_ON);
	/* the counter: at the beginning and at the end; no timer is armed, so no hrtimer */
	EXPECT(2, m, .kind = REQUEST_SYSREG_READ, .class = CLASS(COUNTER), .within = "kvm_vcpu_halt");
	EXPECT(1, m, .function = "kvm_timer_blocking");
	assert_int_equal(locks_taken(&bench.b, HRTIMER_LOCK_CLASS), 0);
	/* rcuwait: no lock */
	assert_int_equal(locks_taken(&bench.b, WQ_LOCK_CLASS), 0);
	sched_bench_stop(&bench);
}

/* C5 and C9: the put with the run queue's lock held and interrupts off, the load with neither. */
static void locks_around_put_and_load(void **state)
{
	const struct kernel_config config = recent_kernel();
	struct sched_bench bench;
	size_t took, gave, out, in;
	struct machine *m;

	(void)state;
	block_and_wake(&bench, &config);
	m = bench.b.machine;
	EXPECT(0, m, .within = "kvm_sched_out", .irqs = IRQS_ON);
	out = FIRST(m, .function = "kvm_sched_out");
	in = FIRST(m, .function = "kvm_sched_in");
	took = LAST(m, .kind = REQUEST_LINE_ATOMIC, .line = "rq", .instance = INSTANCE(BENCH_CPU), .until = out);
	gave = FIRST(m, .kind = REQUEST_LINE_RELEASE, .line = "rq", .instance = INSTANCE(BENCH_CPU), .from = took);
	assert_true(took < out && gave > LAST(m, .within = "kvm_sched_out"));
	/* the last thing done to the run queue before the load is its unlock, and interrupts are on */
	took = LAST(m, .kind = REQUEST_LINE_ATOMIC, .line = "rq", .instance = INSTANCE(BENCH_CPU), .until = in);
	gave = LAST(m, .kind = REQUEST_LINE_RELEASE, .line = "rq", .instance = INSTANCE(BENCH_CPU), .until = in);
	assert_true(took < gave);
	assert_true(recording_at(m, in)->irqs_on);
	EXPECT(0, m, .line = "rq", .kind = REQUEST_LINE_ATOMIC, .within = "kvm_sched_in");
	sched_bench_stop(&bench);
}

/* C8b: who interrupts takes pi_lock and the run queue's lock of the sleeper's CPU, and sends one IPI: DSB, ICC_SGI1R_EL1, ISB. */
static void wake_up_by_injection(void **state)
{
	const struct kernel_config config = recent_kernel();
	struct sched_bench bench;
	struct machine *m;

	(void)state;
	block_and_wake(&bench, &config);
	m = bench.b.machine;
	EXPECT(1, m, .function = "try_to_wake_up");
	assert_int_equal(locks_taken(&bench.b, PI_LOCK_CLASS), 1);
	EXPECT(1, m, .kind = REQUEST_LINE_ATOMIC, .line = "task_struct pi_lock", .within = "rcuwait_wake_up");
	EXPECT(1, m, .kind = REQUEST_LINE_ATOMIC, .line = "rq", .within = "ttwu_queue");
	EXPECT(0, m, .within = "ttwu_queue", .irqs = IRQS_ON);
	EXPECT(1, m, .kind = REQUEST_SYSREG_WRITE, .reg = REG(ICC_SGI1R_EL1));
	EXPECT(1, m, .kind = REQUEST_BARRIER, .barrier = BARRIER(DSB), .within = "gic_ipi_send_mask");
	EXPECT(1, m, .kind = REQUEST_BARRIER, .barrier = BARRIER(ISB), .within = "gic_ipi_send_mask");
	/* I5: the request is made before the sleeper is looked for */
	EXPECT_BEFORE(m, FILTER(.kind = REQUEST_LINE_ATOMIC, .line = "vcpu requests", .until = LAST(m, .function = "kvm_vcpu_kick")),
		      FILTER(.function = "kvm_vcpu_kick"));
	EXPECT(1, m, .kind = REQUEST_LINE_READ, .line = "vcpu wait", .within = "rcuwait_wake_up");
	sched_bench_stop(&bench);
}

static bool timer_expires(struct sched_bench *bench, struct cpu *cpu)
{
	if (bench->idled != 1)
		return false;
	while (cpu_now(cpu) < cpu_sysreg_read(cpu, SYS_CNTHP_CVAL_EL2))
		cpu_spend(cpu, 0);
	host_interrupt(bench, HOST_TIMER_PPI);
	return true;
}

/*
 * C6 and C8a: with an armed timer the put starts the background timer, under the run queue's lock, and programs the host's timer (CVAL, CTL); its
 * interrupt wakes the vCPU; the load finds it idle without a lock, gives the level to the guest and makes the host's interrupt active.
 */
static void background_timer(void **state)
{
	const struct kernel_config config = recent_kernel();
	struct sched_bench bench;
	struct machine *m;

	(void)state;
	sched_bench_start(&bench, &config, timer_wfi);
	bench.while_idle = timer_expires;
	sched_bench_run(&bench);
	assert_true(bench.finished);
	m = bench.b.machine;
	EXPECT(1, m, .kind = REQUEST_LINE_ATOMIC, .line = "hrtimer_cpu_base", .within = "kvm_timer_blocking");
	EXPECT(0, m, .within = "kvm_timer_blocking", .irqs = IRQS_ON);
	EXPECT(1, m, .kind = REQUEST_SYSREG_WRITE, .reg = REG(CNTHP_CVAL_EL2), .within = "kvm_timer_blocking");
	EXPECT(1, m, .kind = REQUEST_SYSREG_WRITE, .reg = REG(CNTHP_CTL_EL2), .within = "kvm_timer_blocking");
	EXPECT(2, m, .kind = REQUEST_SYSREG_READ, .class = CLASS(COUNTER), .within = "kvm_timer_blocking");
	EXPECT_BEFORE(m, FILTER(.within = "timer_save_state", .without = "vcpu_put"), FILTER(.within = "kvm_timer_blocking"));
	/* expiry: cpu_base->lock before and after the function, which runs without it; same CPU, so no IPI */
	EXPECT(2, m, .kind = REQUEST_LINE_ATOMIC, .line = "hrtimer_cpu_base", .within = "hrtimer_interrupt");
	EXPECT(1, m, .function = "kvm_bg_timer_expire", .within = "hrtimer_interrupt");
	EXPECT(0, m, .within = "kvm_bg_timer_expire", .irqs = IRQS_ON);
	EXPECT(1, m, .function = "try_to_wake_up", .within = "kvm_bg_timer_expire");
	EXPECT(0, m, .reg = REG(ICC_SGI1R_EL1));
	/* C9 */
	EXPECT(0, m, .line = "hrtimer_cpu_base", .within = "kvm_timer_unblocking");
	EXPECT(1, m, .kind = REQUEST_LINE_READ, .line = "vcpu bg_timer", .within = "kvm_timer_unblocking", .without = "vcpu_load");
	EXPECT(1, m, .kind = REQUEST_MMIO_WRITE, .address = bench.b.own_redistributor + GICR_ISACTIVER0, .within = "kvm_sched_in");
	assert_int_equal(locks_taken(&bench.b, HRTIMER_LOCK_CLASS), 3);
	sched_bench_stop(&bench);
}

/* v5.1 to v5.16: no put and no load of the vGIC but those of the thread. */
static void shape_with_put(void **state)
{
	struct kernel_config config = recent_kernel();
	struct sched_bench bench;
	struct machine *m;

	(void)state;
	config.block = BLOCK_PUT;
	block_and_wake(&bench, &config);
	m = bench.b.machine;
	EXPECT(0, m, .function = "kvm_vgic_put", .within = "kvm_handle_wfx", .without = "kvm_sched_out");
	EXPECT(0, m, .function = "kvm_vgic_load", .within = "kvm_handle_wfx", .without = "kvm_sched_in");
	EXPECT(1, m, .function = "kvm_timer_blocking", .within = "kvm_sched_out");
	EXPECT(1, m, .reg = REG(ICH_VMCR_EL2), .within = "kvm_handle_wfx", .without = "kvm_vcpu_block");
	sched_bench_stop(&bench);
}

/* v4.15 to v4.19: the virtual timer saved before the sleep (2 reads, 1 write, ISB) and restored after it; a wait queue with a lock. */
static void shape_with_timer_schedule(void **state)
{
	struct kernel_config config = recent_kernel();
	struct sched_bench bench;
	struct machine *m;

	(void)state;
	config.block = BLOCK_TIMER_SCHEDULE;
	block_and_wake(&bench, &config);
	m = bench.b.machine;
	EXPECT(0, m, .function = "kvm_vgic_put", .within = "kvm_handle_wfx", .without = "kvm_sched_out");
	EXPECT(2, m, .kind = REQUEST_SYSREG_READ, .class = CLASS(TIMER), .within = "kvm_timer_schedule");
	EXPECT(1, m, .kind = REQUEST_SYSREG_WRITE, .reg = REG(CNTV_CTL_EL0), .within = "kvm_timer_schedule");
	EXPECT(1, m, .kind = REQUEST_BARRIER, .barrier = BARRIER(ISB), .within = "kvm_timer_schedule");
	EXPECT(1, m, .function = "kvm_timer_blocking", .within = "kvm_timer_schedule");
	EXPECT(0, m, .function = "kvm_timer_blocking", .within = "kvm_sched_out");
	/* saved once, before the sleep; restored once: by the load of the thread that slept, so kvm_timer_unschedule finds it there */
	EXPECT(0, m, .kind = REQUEST_SYSREG_READ, .reg = REG(CNTV_CTL_EL0), .within = "kvm_sched_out");
	EXPECT(1, m, .kind = REQUEST_SYSREG_WRITE, .reg = REG(CNTV_CTL_EL0), .within = "kvm_sched_in");
	EXPECT(0, m, .kind = REQUEST_SYSREG_WRITE, .reg = REG(CNTV_CTL_EL0), .within = "kvm_timer_unschedule");
	assert_int_equal(locks_taken(&bench.b, WQ_LOCK_CLASS), 3);  /* prepare, wake, finish */
	EXPECT_BEFORE(m, FILTER(.within = "kvm_timer_schedule"), FILTER(.function = "prepare_to_swait"));
	EXPECT_BEFORE(m, FILTER(.function = "finish_swait"), FILTER(.within = "kvm_timer_unschedule"));
	sched_bench_stop(&bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shape_with_vgic_put), cmocka_unit_test(locks_around_put_and_load), cmocka_unit_test(wake_up_by_injection),
		cmocka_unit_test(background_timer),    cmocka_unit_test(shape_with_put),            cmocka_unit_test(shape_with_timer_schedule),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
