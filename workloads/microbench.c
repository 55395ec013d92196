// SPDX-License-Identifier: Apache-2.0
/*
 * microbench: N vCPUs, each pinned to its own CPU, repeat one operation: the guest micro-benchmarks of kvm-unit-tests
 * under the names that their users know, and a few more.
 *
 *   hyp_call        HVC with an unknown function number, answered in the kernel
 *   mmio_read_vgic  read of GICD_IIDR, emulated in the kernel
 *   mmio_read_user  read of a device register of the VMM
 *   eoi             end of a spurious interrupt: no exit
 *   sysreg          read of a trapped identification register, answered in the kernel
 *   counter         read of a trapped counter, answered in the hypervisor
 *   workaround      HVC of an SMCCC workaround, answered in the hypervisor's vector
 *   timer_read, timer_write   CNTP_CVAL_EL0: an exit where the host traps it
 *
 *   ipi, timer_10ms an interrupt to another vCPU, of the own timer: microbench_interrupts.c
 *
 * The guest reads devices with readl(), which ends in a dsb ld: part of the two MMIO operations. A round is one
 * operation. For mmio_read_user a round has the private work of exit-to-userspace (mean vmm_work, varied); the others
 * never leave KVM_RUN, and nothing in them varies.
 */
#include <stdlib.h>

#include "base/random.h"
#include "model/kvm/kvm.h"
#include "workloads/workload.h"

struct bench_thread {
	struct workload *workload;
	struct kvm_vcpu vcpu;
};

static void count_round(struct cpu *cpu, void *context)
{
	struct bench_thread *thread = context;

	workload_count(thread->workload, thread->vcpu.id.n, cpu_now(cpu));
}

static void bench_thread_run(struct cpu *cpu, void *argument)
{
	struct bench_thread *thread = argument;
	struct workload *workload = thread->workload;
	const struct workload_config *config = &workload->config;
	const uint64_t stream = random_stream("vmm work") + thread->vcpu.id.n;
	FUNCTION_NAMED(cpu, "vcpu thread");

	cpu_spend(cpu, workload_start_delay(workload, thread->vcpu.id.n, 2 * config->vmm_work));
	/* Nobody else uses this CPU's reader counts, so it has the line from their first use on, whatever a far atomic does. */
	line_own(cpu, thread->vcpu.srcu_line);
	for (uint64_t round = 0;; round++) {
		workload_vmm_work(workload, cpu,
				  variation_draw(&config->variation, config->vmm_work, config->seed, stream, round));
		kvm_run_ioctl(cpu, &thread->vcpu);
		count_round(cpu, thread);
	}
}

static void start_exits(struct workload *workload)
{
	const struct workload_config *config = &workload->config;
	struct kvm *kvm = malloc(sizeof(*kvm));
	struct bench_thread *threads = calloc(config->vcpus, sizeof(*threads));

	if (!kvm || !threads)
		abort();
	kvm_init(kvm, workload->kernel, config->irqchip_in_kernel, 0);
	for (uint32_t n = 0; n < config->vcpus; n++) {
		threads[n].workload = workload;
		workload_vcpu_init(workload, &threads[n].vcpu, kvm, n);
		threads[n].vcpu.guest = (struct guest_program){
			.step = { .work = config->guest_work, .operation = config->operation },
			.timestamps = config->timestamps, .read_barrier = true, .completed = count_round, .context = &threads[n],
		};
		task_create(workload->kernel->machine, (cpu_id){ n }, bench_thread_run, &threads[n]);
	}
}

void microbench_start(struct workload *workload)
{
	switch (workload->config.operation) {
	case GUEST_SGI:
		microbench_ipi_start(workload);
		break;
	case GUEST_TIMER_SET:
		microbench_timer_start(workload);
		break;
	default:
		start_exits(workload);
	}
}
