// SPDX-License-Identifier: Apache-2.0
/*
 * kvm_vgic_inject_irq: a level that stays as it is (one irq_lock, nothing else); queueing (irq_lock, ap_list_lock, irq_lock again, a request); an interrupt that is
 * listed already; and the kick: the own vCPU, one in the guest elsewhere, one that is not in its guest.
 */
#include "tests/step/vgic_bench.h"

#include <string.h>

static void unchanged_level(void **state)
{
	const struct kernel_config config = recent_kernel();
	struct step_bench b;

	(void)state;
	bench_start(&b, &config, true);
	kvm_vgic_inject_irq(b.cpu, &b.vcpu, vtimer_of(&b.vcpu), false);
	EXPECT(1, b.machine, .kind = REQUEST_LINE_ATOMIC);
	EXPECT(1, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = VTIMER_LINE);
	EXPECT(0, b.machine, .line = "vcpu requests");
	assert_null(b.vcpu.vgic.ap_list);
	bench_stop(&b);
}

/* Lock, unlock, both in order: three atomics; then the request's. Interrupts are off whenever a lock is held. */
static void queues(void **state)
{
	const struct kernel_config config = recent_kernel();
	struct step_bench b;

	(void)state;
	bench_start(&b, &config, true);
	b.kernel->running_vcpu[BENCH_CPU] = &b.vcpu;  /* from the timer's handler: this CPU's own vCPU */
	kvm_vgic_inject_irq(b.cpu, &b.vcpu, vtimer_of(&b.vcpu), true);
	EXPECT(3 + 1, b.machine, .kind = REQUEST_LINE_ATOMIC);
	EXPECT(2, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = VTIMER_LINE);
	EXPECT(1, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = AP_LIST);
	EXPECT(1, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = "vcpu requests");
	EXPECT(0, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = AP_LIST, .irqs = IRQS_ON);
	EXPECT(0, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = VTIMER_LINE, .irqs = IRQS_ON);
	EXPECT(0, b.machine, .kind = REQUEST_SYSREG_WRITE);
	assert_true(FIRST(b.machine, .kind = REQUEST_LINE_RELEASE, .line = VTIMER_LINE) < FIRST(b.machine, .kind = REQUEST_LINE_ATOMIC, .line = AP_LIST));
	assert_true(FIRST(b.machine, .kind = REQUEST_LINE_ATOMIC, .line = AP_LIST) < LAST(b.machine, .kind = REQUEST_LINE_ATOMIC, .line = VTIMER_LINE));
	assert_ptr_equal(b.vcpu.vgic.ap_list, vtimer_of(&b.vcpu));
	assert_ptr_equal(vtimer_of(&b.vcpu)->vcpu, &b.vcpu);
	assert_true(b.vcpu.requests & KVM_REQ_IRQ_PENDING);

	/* listed already: one lock, and the vCPU is told again; a level that falls changes nothing about the list */
	recording_clear(b.machine);
	kvm_vgic_inject_irq(b.cpu, &b.vcpu, vtimer_of(&b.vcpu), false);
	kvm_vgic_inject_irq(b.cpu, &b.vcpu, vtimer_of(&b.vcpu), true);
	EXPECT(0, b.machine, .line = AP_LIST);
	EXPECT(2, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = VTIMER_LINE);
	EXPECT(1, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = "vcpu requests");
	bench_stop(&b);
}

/* A disabled interrupt keeps its level and goes to nobody. */
static void disabled(void **state)
{
	const struct kernel_config config = recent_kernel();
	struct step_bench b;

	(void)state;
	bench_start(&b, &config, true);
	vtimer_of(&b.vcpu)->enabled = false;
	kvm_vgic_inject_irq(b.cpu, &b.vcpu, vtimer_of(&b.vcpu), true);
	EXPECT(1, b.machine, .kind = REQUEST_LINE_ATOMIC);
	assert_null(b.vcpu.vgic.ap_list);
	assert_true(vtimer_of(&b.vcpu)->line_level);
	bench_stop(&b);
}

/* To a list that is not empty: the line of its last entry, whose link changes. */
static void second_in_the_list(void **state)
{
	const struct kernel_config config = recent_kernel();
	struct step_bench b;

	(void)state;
	bench_start(&b, &config, true);
	vtimer_pending(&b);
	kvm_vgic_inject_irq(b.cpu, &b.vcpu, ppi_of(&b.vcpu, VGIC_PPI_PTIMER), true);
	EXPECT(1, b.machine, .kind = REQUEST_LINE_OWN, .line = VTIMER_LINE);
	assert_ptr_equal(b.vcpu.vgic.ap_list->next, ppi_of(&b.vcpu, VGIC_PPI_PTIMER));
	bench_stop(&b);
}

/* In its guest on another CPU: compare-and-swap of the mode, then the IPI: DSB, ICC_SGI1R_EL1, ISB. */
static void kick(void **state)
{
	const struct kernel_config config = recent_kernel();

	(void)state;
	for (int in_guest = 0; in_guest <= 1; in_guest++) {
		struct kvm_vcpu other;
		struct step_bench b;

		bench_start(&b, &config, true);
		other_vcpu(&b, &other, in_guest);
		recording_clear(b.machine);
		kvm_vgic_inject_irq(b.cpu, &other, vtimer_of(&other), true);
		EXPECT(3 + 1 + 1, b.machine, .kind = REQUEST_LINE_ATOMIC);
		EXPECT(2, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = "vcpu requests", .instance = INSTANCE(OTHER_VCPU));
		EXPECT(in_guest, b.machine, .kind = REQUEST_SYSREG_WRITE, .reg = REG(ICC_SGI1R_EL1));
		if (in_guest) {
			assert_int_equal(written(&b, SYS_ICC_SGI1R_EL1), 1u << OTHER_CPU);
			assert_int_equal(other.mode, EXITING_GUEST_MODE);
			EXPECT_BEFORE(b.machine, FILTER(.barrier = BARRIER(DSB), .kind = REQUEST_BARRIER), FILTER(.reg = REG(ICC_SGI1R_EL1)));
			/* once is enough */
			recording_clear(b.machine);
			kvm_vcpu_kick(b.cpu, &other);
			EXPECT(0, b.machine, .kind = REQUEST_SYSREG_WRITE);
		}
		bench_stop(&b);
	}
}

static unsigned int turns;

/* A request that comes after check_vcpu_requests: no entry, the loop turns once more. */
static void late_request(void *context, const struct request *request)
{
	struct step_bench *b = context;

	if (request->kind == REQUEST_LINE_OWN && request->line && !strcmp(request->line, "vcpu requests") && !b->vcpu.in_step && !turns++)
		b->vcpu.requests |= KVM_REQ_IRQ_PENDING;
}

static void request_before_the_entry(void **state)
{
	const struct kernel_config config = recent_kernel();
	struct step_bench b;

	(void)state;
	turns = 0;
	bench_start(&b, &config, true);
	recording_when_a_line_comes(b.machine, late_request, &b);
	kvm_run_ioctl(b.cpu, &b.vcpu);
	EXPECT(1, b.machine, .kind = REQUEST_RUN_GUEST);
	EXPECT(2, b.machine, .kind = REQUEST_FUNCTION, .function = "kvm_vgic_flush_hwstate");
	EXPECT(2, b.machine, .kind = REQUEST_FUNCTION, .function = "kvm_vgic_sync_hwstate");
	EXPECT(1, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = "vcpu requests");
	assert_int_equal(b.vcpu.requests, 0);
	bench_stop(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(unchanged_level),
		cmocka_unit_test(queues),
		cmocka_unit_test(disabled),
		cmocka_unit_test(second_in_the_list),
		cmocka_unit_test(kick),
		cmocka_unit_test(request_before_the_entry),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
