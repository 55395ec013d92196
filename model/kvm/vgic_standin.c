// SPDX-License-Identifier: Apache-2.0
/*
 * Guest interrupts as far as sleeping and waking need them: a set of pending interrupts a vCPU, under its ap_list_lock, with the
 * locks and the request of an injection (vgic_queue_irq_unlock). The guest takes what is pending when it is entered, at the cost
 * of an acknowledge and an end. No list registers, priorities or enables.
 */
#include "model/kernel/unmodelled.h"
#include "model/kvm/kvm.h"

void vgic_standin_queue(struct cpu *cpu, struct kvm_vcpu *vcpu, struct vgic_irq *irq, uint32_t number)
{
	struct kernel *kernel = vcpu->kvm->kernel;
	bool flags;
	FUNCTION_NAMED(cpu, "vgic_queue_irq_unlock");

	flags = raw_spin_lock_irqsave(kernel, cpu, &vcpu->ap_list_lock, "vgic_queue_irq_unlock");
	raw_spin_lock(kernel, cpu, &irq->irq_lock, "vgic_queue_irq_unlock");
	line_own(cpu, vcpu->ap_list_lock.line);
	vcpu->pending_interrupts |= 1ull << number;
	raw_spin_unlock(cpu, &irq->irq_lock);
	raw_spin_unlock_irqrestore(cpu, &vcpu->ap_list_lock, flags);
	kvm_make_request(cpu, KVM_REQ_IRQ_PENDING, vcpu);
	kvm_vcpu_kick(cpu, vcpu);
}

bool kvm_vgic_vcpu_pending_irq(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	bool flags, pending;
	FUNCTION(cpu);

	flags = raw_spin_lock_irqsave(vcpu->kvm->kernel, cpu, &vcpu->ap_list_lock, __func__);
	cpu_load_store(cpu, 2);
	pending = vcpu->pending_interrupts != 0;
	raw_spin_unlock_irqrestore(cpu, &vcpu->ap_list_lock, flags);
	return pending;
}

void access_gic_sgi(struct cpu *cpu, struct kvm_vcpu *vcpu, uint32_t target, uint32_t sgi)
{
	struct kvm_vcpu *to = vcpu->kvm->vcpus[target];
	struct kernel *kernel = vcpu->kvm->kernel;
	bool flags;
	FUNCTION(cpu);

	if (vcpu->kvm->vgic_v5)
		unmodelled("an IPI between vCPUs with a GICv5");
	cpu_load_store(cpu, 8);
	flags = raw_spin_lock_irqsave(kernel, cpu, &to->sgi_irq.irq_lock, "vgic_v3_dispatch_sgi");
	cpu_load_store(cpu, 2);
	raw_spin_unlock_irqrestore(cpu, &to->sgi_irq.irq_lock, flags);
	vgic_standin_queue(cpu, to, &to->sgi_irq, sgi);
}

#define PPI_VIRTUAL_TIMER 27u

/* The guest's end of the timer's interrupt deactivates the host's (HW bit); the level is gone because its handler saw to it. */
static void end_of_timer(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	vcpu->vtimer_irq.line_level = false;
	vcpu->vtimer.level = false;
	cpu_sysreg_write(cpu, SYS_ICC_DIR_EL1, PPI_VIRTUAL_TIMER);
}

void guest_take_interrupts(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	struct guest_program *guest = &vcpu->guest;

	if (!vcpu->pending_interrupts)
		return;
	for (uint32_t number = 0; number < 32; number++) {
		if (!(vcpu->pending_interrupts >> number & 1))
			continue;
		cpu_sysreg_read(cpu, SYS_ICV_IAR1_EL1);
		line_own(cpu, vcpu->ap_list_lock.line);
		vcpu->pending_interrupts &= ~(1ull << number);
		if (guest->interrupt)
			guest->interrupt(cpu, guest->context, number);
		cpu_sysreg_write(cpu, SYS_ICV_EOIR1_EL1, number);
		if (number == PPI_VIRTUAL_TIMER)
			end_of_timer(cpu, vcpu);
	}
	if (guest->step.operation == GUEST_WFI)
		guest_step_over(cpu, vcpu);
}
