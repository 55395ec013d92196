// SPDX-License-Identifier: Apache-2.0
/*
 * Blocking in v4.15 to v4.19 (virt/kvm/kvm_main.c, virt/kvm/arm/arch_timer.c): no put of the vGIC; the virtual timer is saved
 * and the background timer started before the sleep, by kvm_timer_schedule(), and the other way round after it. The waiter
 * stands in a simple wait queue under its raw lock.
 * Not modelled: timers of earlier kernels, where no timer is loaded when a vCPU blocks.
 */
#include "model/kvm/kvm.h"

static void prepare_to_swait(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	struct kernel *kernel = vcpu->kvm->kernel;
	bool flags;
	FUNCTION(cpu);

	flags = raw_spin_lock_irqsave(kernel, cpu, &vcpu->halt.wait_lock, __func__);
	line_own(cpu, vcpu->wait_line);
	vcpu->halt.waiting = current_task(kernel, cpu);
	raw_spin_unlock_irqrestore(cpu, &vcpu->halt.wait_lock, flags);
}

static void finish_swait(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	bool flags;
	FUNCTION(cpu);

	flags = raw_spin_lock_irqsave(vcpu->kvm->kernel, cpu, &vcpu->halt.wait_lock, __func__);
	line_own(cpu, vcpu->wait_line);
	vcpu->halt.waiting = NULL;
	raw_spin_unlock_irqrestore(cpu, &vcpu->halt.wait_lock, flags);
}

static void prepare(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	kvm_timer_schedule(cpu, vcpu);
	prepare_to_swait(cpu, vcpu);
}

static void finish(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	finish_swait(cpu, vcpu);
	kvm_timer_unschedule(cpu, vcpu);
}

static bool swake_up(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	bool flags, woken;
	FUNCTION(cpu);

	cpu_barrier(cpu, BARRIER_DMB);
	line_read(cpu, vcpu->wait_line);  /* swq_has_sleeper() */
	if (!vcpu->halt.waiting)
		return false;
	flags = raw_spin_lock_irqsave(vcpu->kvm->kernel, cpu, &vcpu->halt.wait_lock, __func__);
	woken = vcpu->halt.waiting && wake_up_process(cpu, vcpu->halt.waiting);
	raw_spin_unlock_irqrestore(cpu, &vcpu->halt.wait_lock, flags);
	return woken;
}

const struct block_ops block_timer_schedule = {
	.name = "timer-schedule",
	.wfi = kvm_vcpu_halt,
	.prepare = prepare,
	.finish = finish,
	.wake = swake_up,
};
