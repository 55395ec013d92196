// SPDX-License-Identifier: Apache-2.0
/*
 * arch/arm64/kvm/handle_exit.c and mmio.c, for the two exits that occur here: an MMIO access that nobody in the
 * kernel claims (data abort -> io_mem_abort -> exit to userspace, finished by kvm_handle_mmio_return at the next
 * KVM_RUN), and a host interrupt. The decoding work is the lump kernel.work.handle_exit.
 */
#include "model/kvm/kvm.h"

bool handle_exit(struct cpu *cpu, struct kvm_vcpu *vcpu, enum guest_exit why)
{
	FUNCTION(cpu);

	if (why == GUEST_EXIT_IRQ)
		return true;  /* taken in the run loop already */
	cpu_spend(cpu, vcpu->kvm->kernel->config.work_handle_exit);
	vcpu->mmio_pending = true;
	return false;
}

void kvm_handle_mmio_return(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	FUNCTION(cpu);

	cpu_load_store(cpu, 12);
	vcpu->mmio_pending = false;
}
