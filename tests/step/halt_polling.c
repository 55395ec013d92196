// SPDX-License-Identifier: Apache-2.0
/*
 * Halt polling (virt/kvm/kvm_main.c, Documentation/virt/kvm/halt-polling.rst): what a turn costs, how the time adapts, what ends it. A poll that succeeds
 * leaves out the sleep, so there is no put and no load but that of the vGIC.
 */
#include "tests/step/sched_bench.h"

#include <string.h>

static const struct guest_step wfi[] = { { 0, GUEST_WFI, 0 }, { 0, GUEST_MMIO_READ_USER, 0 } };

static unsigned int turns;

static void make_pending(struct kvm_vcpu *vcpu, struct vgic_irq *irq)
{
	irq->pending_latch = true;
	irq->vcpu = vcpu;
	irq->next = vcpu->vgic.ap_list;
	vcpu->vgic.ap_list = irq;
}

/* After so many looks of the poll another CPU makes an interrupt pending; the recording machine's hook sees the lock's line come. */
static void interrupt_at_last_turn(void *context, const struct request *request)
{
	struct sched_bench *bench = context;

	if (request->cpu != BENCH_CPU || request->kind != REQUEST_LINE_ATOMIC || strcmp(request->line, "vgic ap_list"))
		return;
	if (turns && --turns == 0)
		make_pending(&bench->b.vcpu, &bench->b.vcpu.vgic.private_irqs[GUEST_SGI_INTID]);
}

static void poll(struct sched_bench *bench, unsigned int looks)
{
	struct kernel_config config = recent_kernel();

	config.halt_poll = 500 * PS_PER_US;
	sched_bench_start(bench, &config, wfi);
	bench->b.vcpu.halt.poll_ns = 100000;  /* the counter of the recording machine counts requests: far away */
	turns = looks;
	recording_when_a_line_comes(bench->b.machine, interrupt_at_last_turn, bench);
	sched_bench_run(bench);
	assert_true(bench->finished);
}

/* C3: each turn the pending test, with ap_list_lock and interrupts off, and the counter; the last turn finds it. */
static void a_turn(void **state)
{
	struct sched_bench bench;
	struct machine *m;

	(void)state;
	poll(&bench, 5);
	m = bench.b.machine;
	EXPECT(5, m, .kind = REQUEST_LINE_ATOMIC, .line = "vgic ap_list", .within = "halt_poll");
	EXPECT(0, m, .kind = REQUEST_LINE_ATOMIC, .line = "vgic ap_list", .within = "halt_poll", .irqs = IRQS_ON);
	EXPECT(4, m, .kind = REQUEST_SYSREG_READ, .class = CLASS(COUNTER), .within = "halt_poll");
	EXPECT(4, m, .kind = REQUEST_LINE_READ, .line = "rq", .within = "halt_poll");
	/* nothing of the sleep: vGIC put and load, and that is all */
	EXPECT(0, m, .function = "kvm_vcpu_block");
	EXPECT(0, m, .function = "kvm_sched_out");
	EXPECT(1, m, .function = "kvm_vgic_put", .within = "kvm_vcpu_wfi");
	EXPECT(1, m, .function = "kvm_vgic_load", .within = "kvm_vcpu_wfi");
	EXPECT(0, m, .line = DESC_LOCK, .within = "kvm_handle_wfx");
	EXPECT(0, m, .class = CLASS(TIMER), .within = "kvm_handle_wfx");
	EXPECT(0, m, .kind = REQUEST_MMIO_WRITE, .within = "kvm_handle_wfx");
	assert_int_equal(locks_taken(&bench.b, VTIMER_LOCK_CLASS), 1);
	sched_bench_stop(&bench);
}

/* Two tasks on the CPU: the poll gives up at its first look at the run queue. */
static void not_alone(void **state)
{
	struct kernel_config config = recent_kernel();
	struct sched_bench bench;

	(void)state;
	config.halt_poll = 500 * PS_PER_US;
	sched_bench_start(&bench, &config, wfi);
	bench.b.vcpu.halt.poll_ns = 100000;
	bench.b.kernel->sched->rqs[BENCH_CPU].nr_running = 2;
	turns = 0;
	sched_bench_run(&bench);
	EXPECT(1, bench.b.machine, .kind = REQUEST_LINE_ATOMIC, .line = "vgic ap_list", .within = "halt_poll");
	EXPECT(1, bench.b.machine, .function = "kvm_vcpu_block");
	sched_bench_stop(&bench);
}

/* One halt of `halted` ns; returns how long the next one polls. */
static uint64_t after(uint64_t cap_us, uint64_t poll_ns, uint64_t halted)
{
	struct kernel_config config = recent_kernel();
	struct sched_bench bench;
	uint64_t next;

	config.halt_poll = cap_us * PS_PER_US;
	sched_bench_start(&bench, &config, wfi);
	bench.b.vcpu.halt.poll_ns = poll_ns;
	adjust_halt_poll(&bench.b.vcpu, halted);
	next = bench.b.vcpu.halt.poll_ns;
	sched_bench_stop(&bench);
	return next;
}

/* Grows from 10 us by doubling up to the cap, while halts are longer than the poll and not longer than the cap; falls to nothing after a longer one. */
static void adapts(void **state)
{
	(void)state;
	assert_int_equal(after(500, 0, 20000), 10000);
	assert_int_equal(after(500, 10000, 20000), 20000);
	assert_int_equal(after(500, 320000, 400000), 500000);
	assert_int_equal(after(500, 20000, 15000), 20000);   /* the poll was long enough */
	assert_int_equal(after(500, 20000, 600000), 0);      /* a long sleep */
	assert_int_equal(after(500, 0, 600000), 0);
	assert_int_equal(after(0, 0, 1000), 0);              /* off */
	assert_int_equal(after(5, 0, 1000), 5000);           /* a cap below the first value */
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(a_turn), cmocka_unit_test(not_alone), cmocka_unit_test(adapts) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
