// SPDX-License-Identifier: Apache-2.0
/*
 * Preempt notifiers (virt/kvm/kvm_main.c): what the scheduler does to a thread that has a vCPU loaded. kvm_sched_out runs under
 * the run queue's lock with interrupts masked, so the whole put lengthens that hold; kvm_sched_in runs without it.
 */
#include "model/kvm/kvm.h"

static void kvm_sched_out(struct cpu *cpu, void *context, bool preempted)
{
	struct kvm_vcpu *vcpu = context;
	FUNCTION(cpu);

	(void)preempted;
	cpu_load_store(cpu, 2);  /* vcpu->preempted, vcpu->ready */
	kvm_arch_vcpu_put(cpu, vcpu);
	vcpu->kvm->kernel->running_vcpu[cpu_number(cpu).n] = NULL;
}

static void kvm_sched_in(struct cpu *cpu, void *context)
{
	struct kvm_vcpu *vcpu = context;
	FUNCTION(cpu);

	cpu_load_store(cpu, 2);
	vcpu->kvm->kernel->running_vcpu[cpu_number(cpu).n] = vcpu;
	kvm_arch_vcpu_load(cpu, vcpu);
}

void preempt_notifier_register(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	struct task_struct *task = current_task(vcpu->kvm->kernel, cpu);

	if (!task)
		return;
	vcpu->halt.task = task;
	vcpu->halt.notifier = (struct preempt_notifier){ .sched_out = kvm_sched_out, .sched_in = kvm_sched_in, .context = vcpu };
	task->notifier = &vcpu->halt.notifier;
}

void preempt_notifier_unregister(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	(void)cpu;
	if (!vcpu->halt.task)
		return;
	vcpu->halt.task->notifier = NULL;
	vcpu->halt.task = NULL;
}
