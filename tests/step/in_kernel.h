// SPDX-License-Identifier: Apache-2.0
/*
 * One exit that the kernel answers, and the entry after it: the guest makes three hypercalls (or three of another operation), then reads a device
 * of the VMM. The second of them is looked at: nothing of the load and of the put is in it.
 */
#ifndef CONVOY_TESTS_STEP_IN_KERNEL_H
#define CONVOY_TESTS_STEP_IN_KERNEL_H

#include "tests/step/step_bench.h"

struct in_kernel {
	struct step_bench bench;
	unsigned int completed;
	size_t from, until;  /* from the guest's run that ends with the second operation to the next run */
};

static inline void in_kernel_completed(struct cpu *cpu, void *context)
{
	struct in_kernel *run = context;

	(void)cpu;
	if (++run->completed == 3)
		run->bench.vcpu.guest.step.operation = GUEST_MMIO_READ_USER;
}

/* KVM_RUN from beginning to end; prepare, if any, changes the vCPU before. */
static inline void in_kernel_run(struct in_kernel *run, const struct kernel_config *config, enum guest_operation operation,
				 void (*prepare)(struct kvm_vcpu *vcpu))
{
	struct step_bench *b = &run->bench;

	bench_start(b, config, true);
	run->completed = 0;
	b->vcpu.guest = (struct guest_program){ .step = { 1000, operation, 0 }, .completed = in_kernel_completed, .context = run };
	if (prepare)
		prepare(&b->vcpu);
	kvm_run_ioctl(b->cpu, &b->vcpu);
	assert_int_equal(run->completed, 3);
	run->from = FIRST(b->machine, .kind = REQUEST_RUN_GUEST);
	run->from = FIRST(b->machine, .kind = REQUEST_RUN_GUEST, .from = run->from + 1);
	run->until = FIRST(b->machine, .kind = REQUEST_RUN_GUEST, .from = run->from + 1);
}

/* Of ordinary registers, in that exit and entry. */
static inline size_t in_kernel_reads(const struct in_kernel *run)
{
	return recorded(run->bench.machine, &FILTER(.kind = REQUEST_SYSREG_READ, .class = CLASS(ORDINARY), .from = run->from, .until = run->until));
}

static inline size_t in_kernel_writes(const struct in_kernel *run)
{
	return recorded(run->bench.machine, &FILTER(.kind = REQUEST_SYSREG_WRITE, .class = CLASS(ORDINARY), .from = run->from, .until = run->until));
}

#endif
