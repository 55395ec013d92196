// SPDX-License-Identifier: Apache-2.0
/*
 * overcommit: more vCPUs than CPUs, none of which ever sleeps: each works in the guest (mean guest_work, varied), then does
 * workload.exit. The scheduler gives the CPUs to them in turn, so that to exits to userspace each preemption adds a put and a
 * load. A round is an operation.
 */
#include "workloads/scheduled.h"

static struct guest_step next(struct cpu *cpu, void *context)
{
	struct scheduled_vcpu *self = context;

	(void)cpu;
	self->round++;
	return (struct guest_step){ .work = scheduled_guest_work(self), .operation = self->workload->config.operation };
}

static void count_round(struct cpu *cpu, void *context)
{
	struct scheduled_vcpu *self = context;

	workload_count(self->workload, self->vcpu.id.n, cpu_now(cpu));
}

void overcommit_start(struct workload *workload)
{
	struct scheduled_vcpu *vcpus = scheduled_vm(workload);

	for (uint32_t n = 0; n < workload->config.vcpus; n++) {
		struct scheduled_vcpu *self = &vcpus[n];

		self->vcpu.guest = (struct guest_program){
			.step = { .work = scheduled_guest_work(self), .operation = workload->config.operation },
			.next = next, .completed = count_round, .context = self,
		};
	}
	scheduled_start(workload, vcpus);
}
