// SPDX-License-Identifier: Apache-2.0
/*
 * The scheduler takes the CPU away from a vCPU and gives it back: D1 to D7. The put runs with the run queue's lock and interrupts off, the load with neither; a CPU
 * that ran another vCPU of the VM meanwhile flushes its TLB.
 */
#include "tests/step/sched_bench.h"

static const struct guest_step work[] = { { 1000, GUEST_WORK, 0 }, { 1000, GUEST_WORK, 0 }, { 0, GUEST_MMIO_READ_USER, 0 } };
static const enum guest_exit interrupted[] = { GUEST_EXIT_IRQ, GUEST_EXIT_TRAP };

static struct sched_bench *running;
static struct task_struct rival;
static unsigned int rival_turns;
static void (*while_rival_runs)(struct sched_bench *bench, struct cpu *cpu);

static void rival_body(struct cpu *cpu, void *argument)
{
	struct sched_bench *bench = argument;

	for (;;) {
		rival_turns++;
		if (while_rival_runs)
			while_rival_runs(bench, cpu);
		set_current_state(bench->b.kernel, cpu, TASK_SLEEPING);
		schedule(bench->b.kernel, cpu);
	}
}

/* In the guest: a tick has found that the slice is over. */
static void slice_is_over(struct cpu *cpu)
{
	(void)cpu;
	if (running->task.need_resched || rival_turns)
		return;
	running->task.need_resched = true;
	host_interrupt(running, SPURIOUS_INTERRUPT);
}

static void preempt(struct sched_bench *bench, const struct kernel_config *config)
{
	running = bench;
	rival_turns = 0;
	sched_bench_start(bench, config, work);
	task_init(bench->b.kernel, &rival, "rival", 1, rival_body, bench);
	task_allow(&rival, BENCH_CPU, 1);
	task_start(&rival, BENCH_CPU);
	bench->b.kernel->sched->rqs[BENCH_CPU].ticking = true;  /* no tick of its own */
	recording_script_guest(bench->b.machine, interrupted, 2);
	recording_in_guest(bench->b.machine, slice_is_over);
	sched_bench_run(bench);
	assert_true(bench->finished);
	assert_int_equal(rival_turns, 1);
}

/* D1 to D6: one put and one load besides those of KVM_RUN, at the preemption point after the exit. */
static void steps(void **state)
{
	const struct kernel_config config = recent_kernel();
	struct sched_bench bench;
	struct machine *m;

	(void)state;
	while_rival_runs = NULL;
	preempt(&bench, &config);
	m = bench.b.machine;
	EXPECT(1, m, .function = "preempt_schedule");
	EXPECT(1, m, .function = "kvm_sched_out", .within = "preempt_schedule");
	EXPECT(1, m, .function = "kvm_sched_in", .within = "preempt_schedule");
	EXPECT_BEFORE(m, FILTER(.function = "kvm_vgic_sync_hwstate", .until = FIRST(m, .function = "preempt_schedule")), FILTER(.function = "preempt_schedule"));
	EXPECT(0, m, .within = "kvm_sched_out", .irqs = IRQS_ON);
	assert_true(recording_at(m, FIRST(m, .function = "kvm_sched_in"))->irqs_on);
	/* recipe D: put and load as such */
	EXPECT(21, m, .kind = REQUEST_SYSREG_READ, .class = CLASS(ORDINARY), .within = "kvm_sched_out");
	EXPECT(28, m, .kind = REQUEST_SYSREG_WRITE, .class = CLASS(ORDINARY), .within = "kvm_sched_in");
	EXPECT(5, m, .kind = REQUEST_SYSREG_READ, .class = CLASS(ICH), .within = "kvm_vgic_put", .until = LAST(m, .within = "kvm_sched_out"));
	EXPECT(0, m, .line = DESC_LOCK, .within = "kvm_sched_out");
	EXPECT(2, m, .kind = REQUEST_LINE_ATOMIC, .line = DESC_LOCK, .within = "kvm_sched_in");
	EXPECT(2, m, .kind = REQUEST_MMIO_WRITE, .within = "kvm_sched_in");
	EXPECT(0, m, .kind = REQUEST_MMIO_READ, .within = "kvm_sched_in");
	EXPECT(4, m, .kind = REQUEST_SYSREG_READ, .class = CLASS(TIMER), .within = "kvm_sched_out");
	/* not blocking: no background timer */
	EXPECT(0, m, .function = "kvm_timer_blocking");
	EXPECT(0, m, .function = "__kvm_flush_cpu_context");
	assert_int_equal(locks_taken(&bench.b, VTIMER_LOCK_CLASS), 2);
	sched_bench_stop(&bench);
}

/* The preempted vCPU goes on where it was: what is left of its work is done, no exit is handled twice. */
static void goes_on(void **state)
{
	const struct kernel_config config = recent_kernel();
	struct sched_bench bench;

	(void)state;
	while_rival_runs = NULL;
	preempt(&bench, &config);
	assert_int_equal(bench.step, 2);
	sched_bench_stop(&bench);
}

static void other_vcpu_was_here(struct sched_bench *bench, struct cpu *cpu)
{
	static struct kvm_vcpu other;

	bench->b.kvm.last_vcpu_ran[cpu_number(cpu).n] = &other;
}

/* L4: VTCR, VTTBR and HCR written, ISB, the flush, ISB, and back. */
static void other_vcpu_of_the_vm(void **state)
{
	const struct kernel_config config = recent_kernel();
	struct sched_bench bench;
	struct machine *m;

	(void)state;
	while_rival_runs = other_vcpu_was_here;
	preempt(&bench, &config);
	m = bench.b.machine;
	EXPECT(1, m, .function = "__kvm_flush_cpu_context", .within = "kvm_sched_in");
	EXPECT(1, m, .kind = REQUEST_SYSREG_WRITE, .reg = REG(VTCR_EL2), .within = "__kvm_flush_cpu_context");
	EXPECT(1, m, .kind = REQUEST_SYSREG_WRITE, .reg = REG(VTTBR_EL2), .within = "__kvm_flush_cpu_context");
	EXPECT(2, m, .kind = REQUEST_SYSREG_WRITE, .reg = REG(HCR_EL2), .within = "__kvm_flush_cpu_context");
	EXPECT(3, m, .kind = REQUEST_BARRIER, .barrier = BARRIER(ISB), .within = "__kvm_flush_cpu_context");
	EXPECT_BEFORE(m, FILTER(.within = "__kvm_flush_cpu_context"), FILTER(.function = "kvm_timer_vcpu_load", .within = "kvm_sched_in"));
	sched_bench_stop(&bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(steps), cmocka_unit_test(goes_on), cmocka_unit_test(other_vcpu_of_the_vm) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
