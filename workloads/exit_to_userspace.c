// SPDX-License-Identifier: Apache-2.0
/*
 * exit-to-userspace: N vCPU threads, each pinned to its own CPU, each running from its own guest page, exit to the
 * VMM in a loop.
 *
 * A round: private work of the VMM and of the generic kernel beyond the modelled steps (mean vmm_work, varied), then
 * ioctl(KVM_RUN): load, entry, guest_work in the guest, exit, put, back. Every draw is numbered by (vCPU, round): the
 * same in every variant.
 */
#include <stdlib.h>

#include "base/random.h"
#include "model/kvm/kvm.h"
#include "workloads/workload.h"

struct vcpu_thread {
	struct workload *workload;
	struct kvm_vcpu vcpu;
};

static void vcpu_thread_run(struct cpu *cpu, void *argument)
{
	struct vcpu_thread *thread = argument;
	struct workload *workload = thread->workload;
	const struct workload_config *config = &workload->config;
	const uint64_t stream = random_stream("vmm work") + thread->vcpu.id.n;
	FUNCTION_NAMED(cpu, "vcpu thread");

	cpu_spend(cpu, workload_start_delay(workload, thread->vcpu.id.n, 2 * config->vmm_work));
	for (uint64_t round = 0;; round++) {
		workload_vmm_work(workload, cpu,
				  variation_draw(&config->variation, config->vmm_work, config->seed, stream, round));
		kvm_run_ioctl(cpu, &thread->vcpu);
		workload_count(workload, thread->vcpu.id.n, cpu_now(cpu));
	}
}

void exit_to_userspace_start(struct workload *workload)
{
	const uint32_t vcpus = workload->config.vcpus;
	struct kvm *kvm = malloc(sizeof(*kvm));
	struct vcpu_thread *threads = calloc(vcpus, sizeof(*threads));

	if (!kvm || !threads)
		abort();
	kvm_init(kvm, workload->kernel, workload->config.irqchip_in_kernel, 0);
	for (uint32_t n = 0; n < vcpus; n++) {
		threads[n].workload = workload;
		workload_vcpu_init(workload, &threads[n].vcpu, kvm, n);
		threads[n].vcpu.guest.step = (struct guest_step){ .work = workload->config.guest_work, .operation = GUEST_MMIO_READ_USER };
		task_create(workload->kernel->machine, (cpu_id){ n }, vcpu_thread_run, &threads[n]);
	}
}
