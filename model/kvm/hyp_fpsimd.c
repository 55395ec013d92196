// SPDX-License-Identifier: Apache-2.0
/*
 * Whose FP registers are in the core (arch/arm64/kvm/fpsimd.c, hyp/include/hyp/switch.h).
 *
 * States, from load to put: `fp_host_live` the host's are, and must be stored before anybody else's come in;
 * `fp_guest_owns` the guest's are. A guest that uses FP traps at its first use after a load, is given the registers
 * inside the hypervisor, and keeps them over all exits that the kernel handles, until put stores them. The host's go
 * out at that trap (to about v6.13) or at every load (later). One store or load of the whole state is the lump
 * host.cpu.fp_save.
 * Not modelled: SVE beyond that lump (ZCR_EL1, ZCR_EL2), the host's own state coming back at its return to user space, AArch32.
 */
#include "model/kvm/hyp_entry.h"

void kvm_arch_vcpu_load_fp(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	const struct kernel_config *config = &vcpu->kvm->kernel->config;
	FUNCTION(cpu);

	vcpu->fp_guest_owns = false;
	vcpu->fp_host_live = !config->host_fp_at_load;
	if (config->host_fp_at_load)
		cpu_spend(cpu, config->fp_save);
	else
		cpu_sysreg_read(cpu, SYS_CPACR_EL1);
	cpu_load_store(cpu, 2);  /* flags */
}

/* Trap open in CPTR_EL2, on VHE in CPACR_EL1; written once more when the owner is known. */
void kvm_hyp_handle_fpsimd(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	const struct kernel_config *config = &vcpu->kvm->kernel->config;
	const enum sysreg trap = config->vhe ? SYS_CPACR_EL1 : SYS_CPTR_EL2;
	FUNCTION(cpu);

	cpu_sysreg_write(cpu, trap, 0);
	cpu_barrier(cpu, BARRIER_ISB);
	if (vcpu->fp_host_live)
		cpu_spend(cpu, config->fp_save);
	cpu_spend(cpu, config->fp_save);
	cpu_sysreg_read(cpu, SYS_HCR_EL2);
	vcpu->fp_host_live = false;
	vcpu->fp_guest_owns = true;
	cpu_load_store(cpu, 2);
	cpu_sysreg_write(cpu, trap, 0);
}

void kvm_arch_vcpu_put_fp(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	bool flags;
	FUNCTION(cpu);

	flags = irq_save(cpu);
	if (vcpu->fp_guest_owns)
		cpu_spend(cpu, vcpu->kvm->kernel->config.fp_save);
	vcpu->fp_guest_owns = false;
	cpu_load_store(cpu, 2);
	irq_restore(cpu, flags);
}
