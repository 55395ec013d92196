// SPDX-License-Identifier: Apache-2.0
/* See scheduled.h. */
#include "workloads/scheduled.h"

#include <stdlib.h>

#include "base/random.h"

static void vcpu_thread_run(struct cpu *cpu, void *argument)
{
	struct scheduled_vcpu *self = argument;
	const struct workload_config *config = &self->workload->config;
	const uint32_t n = self->vcpu.id.n;
	const uint64_t stream = random_stream("vmm work") + n;
	FUNCTION_NAMED(cpu, "vcpu thread");

	workload_vmm_work(self->workload, cpu, workload_start_delay(self->workload, n, 2 * (config->vmm_work + config->guest_work)));
	for (uint64_t run = 0;; run++) {
		workload_vmm_work(self->workload, cpu,
				  variation_draw(&config->variation, config->vmm_work, config->seed, stream, run));
		kvm_run_ioctl(cpu, &self->vcpu);
		if (self->vcpu.mmio_pending)
			workload_count(self->workload, n, cpu_now(cpu));
	}
}

ps_t scheduled_guest_work(const struct scheduled_vcpu *self)
{
	const struct workload_config *config = &self->workload->config;

	return variation_draw(&config->variation, config->guest_work, config->seed,
			      random_stream("guest work") + self->vcpu.id.n, self->round);
}

struct scheduled_vcpu *scheduled_vm(struct workload *workload)
{
	const struct workload_config *config = &workload->config;
	struct kvm *kvm = malloc(sizeof(*kvm));
	struct scheduled_vcpu *vcpus = calloc(config->vcpus, sizeof(*vcpus));

	if (!kvm || !vcpus)
		abort();
	sched_init(workload->kernel, config->cpus);
	kvm_init(kvm, workload->kernel, config->irqchip_in_kernel, 0);
	for (uint32_t n = 0; n < config->vcpus; n++) {
		vcpus[n].workload = workload;
		workload_vcpu_init(workload, &vcpus[n].vcpu, kvm, n);
		vcpus[n].flag.line = line_create(workload->kernel->machine, "guest flag", n);
	}
	return vcpus;
}

void scheduled_start(struct workload *workload, struct scheduled_vcpu *vcpus)
{
	const struct workload_config *config = &workload->config;

	for (uint32_t n = 0; n < config->vcpus; n++) {
		struct task_struct *task = &vcpus[n].task;

		task_init(workload->kernel, task, "vcpu", n, vcpu_thread_run, &vcpus[n]);
		if (config->pinned)
			task_allow(task, n % config->cpus, 1);
		task_start(task, n % config->cpus);
	}
}
