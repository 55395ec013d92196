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
	const struct guest_program *guest = &vcpu->guest;
	FUNCTION(cpu);

	if (why == GUEST_EXIT_IRQ)
		return true;
	cpu_spend(cpu, vcpu->kvm->kernel->config.work_handle_exit);
	if (guest->operation == GUEST_MMIO_READ_USER) {
		vcpu->mmio_pending = true;
		return false;
	}
	if (guest->operation == GUEST_HYPERCALL)
		handle_hvc(cpu, vcpu);
	else
		kvm_handle_guest_abort(cpu, vcpu);
	if (guest->completed)
		guest->completed(cpu, guest->context);
	return true;
}
