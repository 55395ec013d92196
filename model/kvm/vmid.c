// SPDX-License-Identifier: Apache-2.0
/*
 * The VM's identifier in the TLBs (arch/arm64/kvm/vmid.c; before about v5.17 update_vttbr in arm.c).
 *
 * Two ways to notice that the VM's VMID is of an old generation. Up to about v5.17: the global generation is compared
 * with the VM's at every turn of the run loop; nothing at load and put. Later: at load, with a relaxed compare-and-swap
 * on this CPU's active_vmids, whose entry put clears; nothing in the loop. The lines of the generation and of the VM's
 * VMID are only read, so every CPU keeps a copy.
 * Not modelled: a miss and the roll-over (global lock, broadcast invalidation). Every VM has its VMID from the start,
 * and a host has more VMIDs than it runs VMs.
 */
#include "model/kvm/kvm.h"

void update_vmid(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	if (vcpu->kvm->kernel->config.active_vmids)
		return;
	FUNCTION(cpu);

	line_read(cpu, vcpu->kvm->vmid_generation_line);
	line_read(cpu, vcpu->kvm->vmid_line);
}

void kvm_arm_vmid_update(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	if (!vcpu->kvm->kernel->config.active_vmids)
		return;
	FUNCTION(cpu);

	line_read(cpu, vcpu->kvm->vmid_line);
	line_read(cpu, vcpu->kvm->vmid_generation_line);
	line_atomic(cpu, vcpu->active_vmid_line, ORDER_RELAXED);
}

void kvm_arm_vmid_clear_active(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	if (vcpu->kvm->kernel->config.active_vmids)
		line_own(cpu, vcpu->active_vmid_line);  /* plain atomic store */
}
