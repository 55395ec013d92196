// SPDX-License-Identifier: Apache-2.0
/*
 * arch/arm64/kvm/handle_exit.c: from the reason of an exit to its handler. The decoding work of all of them is the lump
 * kernel.work.handle_exit. A host interrupt has been taken in the run loop already.
 *
 * An MMIO access that nobody in the kernel claims is this lump alone (data abort, io_mem_abort, exit to userspace); it is
 * finished by kvm_handle_mmio_return at the next KVM_RUN.
 */
#include "model/kvm/kvm.h"

bool handle_exit(struct cpu *cpu, struct kvm_vcpu *vcpu, enum guest_exit why)
{
	FUNCTION(cpu);

	if (why == GUEST_EXIT_IRQ)
		return true;
	cpu_spend(cpu, vcpu->kvm->kernel->config.work_handle_exit);
	switch (vcpu->guest.step.operation) {
	case GUEST_HYPERCALL:
		handle_hvc(cpu, vcpu);
		break;
	case GUEST_MMIO_READ_VGIC:
		kvm_handle_guest_abort(cpu, vcpu);
		break;
	case GUEST_MMIO_READ_USER:
		vcpu->mmio_pending = true;
		vcpu->in_step = false;
		return false;
	case GUEST_SGI:
		vgic_guest_sgi(cpu, vcpu);
		break;
	case GUEST_VGIC_WRITE:
		kvm_handle_guest_abort(cpu, vcpu);
		break;
	case GUEST_SYSREG:
	case GUEST_TIMER_READ:
	case GUEST_TIMER_WRITE:
		kvm_handle_sys_reg(cpu, vcpu);
		break;
	case GUEST_WFI:
		kvm_handle_wfx(cpu, vcpu);
		break;
	case GUEST_TIMER_SET:
	case GUEST_WORK:
	case GUEST_POLL:
	case GUEST_EOI:
	case GUEST_COUNTER:
	case GUEST_WORKAROUND:
		break;  /* no exit that comes this far */
	}
	guest_step_over(cpu, vcpu);
	return true;
}
