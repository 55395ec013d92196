// SPDX-License-Identifier: Apache-2.0
/*
 * vCPU threads as tasks of the modelled scheduler: shared by the workloads wfi-wake, timer-tick and overcommit.
 *
 * One VM; the thread of vCPU n starts on CPU n modulo workload.cpus and stays there if workload.pinned, else it may go to any of
 * these CPUs. A thread does the VMM's work and KVM_RUN in a loop; what the guest does is its program.
 */
#ifndef CONVOY_WORKLOADS_SCHEDULED_H
#define CONVOY_WORKLOADS_SCHEDULED_H

#include "workloads/workload.h"

struct scheduled_vcpu {
	struct workload *workload;
	struct kvm_vcpu vcpu;
	struct task_struct task;
	struct guest_flag flag;        /* something to do; see struct guest_flag */
	ps_t raised_at;
	uint64_t round;
	int phase;                     /* of the guest's program */
};

/* The VM and its vCPUs, in order. The caller gives each a program, then calls scheduled_start. */
struct scheduled_vcpu *scheduled_vm(struct workload *workload);
void scheduled_start(struct workload *workload, struct scheduled_vcpu *vcpus);
/* Work of the guest in this round: mean guest_work, varied. */
ps_t scheduled_guest_work(const struct scheduled_vcpu *self);

#endif
