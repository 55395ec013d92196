// SPDX-License-Identifier: Apache-2.0
/*
 * Blocking from v5.1 on (virt/kvm/kvm_main.c, arch/arm64/kvm/arm.c), in two shapes: `put`, and `vgic-put-load`, in which
 * kvm_vcpu_wfi() puts the vGIC before the halt, so that what is pending shows in memory, and loads it after. In the sleep of
 * that shape vcpu_put puts it a second time: there is no guard. The waiter is an rcuwait: one pointer, no lock.
 */
#include "model/kvm/kvm.h"

static void prepare_to_rcuwait(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	FUNCTION(cpu);

	line_own(cpu, vcpu->wait_line);
	vcpu->halt.waiting = current_task(vcpu->kvm->kernel, cpu);
	cpu_barrier(cpu, BARRIER_DMB);
}

static void finish_rcuwait(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	FUNCTION(cpu);

	line_own(cpu, vcpu->wait_line);
	vcpu->halt.waiting = NULL;
}

static bool rcuwait_wake_up(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	struct task_struct *task;
	FUNCTION(cpu);

	cpu_barrier(cpu, BARRIER_DMB);
	line_read(cpu, vcpu->wait_line);
	task = vcpu->halt.waiting;
	return task && wake_up_process(cpu, task);
}

/* The priority mask is compared with in memory, see kvm_vgic_vmcr_sync(); v5.4 to v5.16. */
static void wfi_with_vmcr(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	if (vcpu->kvm->irqchip_in_kernel && vcpu->kvm->kernel->config.vhe) {
		FUNCTION_NAMED(cpu, "kvm_vgic_vmcr_sync");

		cpu_sysreg_read(cpu, SYS_ICH_VMCR_EL2);
	}
	kvm_vcpu_halt(cpu, vcpu);
}

static void kvm_vcpu_wfi(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	FUNCTION(cpu);

	cpu_load_store(cpu, 2);  /* preemption off, IN_WFI */
	vcpu->halt.in_wfi = true;
	kvm_vgic_put(cpu, vcpu);
	preempt_enable(vcpu->kvm->kernel, cpu);
	kvm_vcpu_halt(cpu, vcpu);
	cpu_load_store(cpu, 2);
	vcpu->halt.in_wfi = false;
	kvm_vgic_load(cpu, vcpu);
	preempt_enable(vcpu->kvm->kernel, cpu);
}

const struct block_ops block_put = {
	.name = "put",
	.wfi = wfi_with_vmcr,
	.prepare = prepare_to_rcuwait,
	.finish = finish_rcuwait,
	.wake = rcuwait_wake_up,
	.timer_at_put = true,
};

const struct block_ops block_vgic_put_load = {
	.name = "vgic-put-load",
	.wfi = kvm_vcpu_wfi,
	.prepare = prepare_to_rcuwait,
	.finish = finish_rcuwait,
	.wake = rcuwait_wake_up,
	.timer_at_put = true,
};
