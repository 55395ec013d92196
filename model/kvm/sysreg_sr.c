// SPDX-License-Identifier: Apache-2.0
/*
 * Register state of a vCPU (arch/arm64/kvm/hyp: sysreg-sr.h, vhe/sysreg-sr.c; traps from hyp/switch.h).
 *
 * VHE at load: 4 reads + 28 writes; at put: 21 reads + 5 writes (stage 2 at load, no optional features).
 * Not modelled: AArch32 guests, MTE, permission indirection, CSSELR_EL1 (to about v6.5): each adds registers.
 */
#include "model/kvm/sysreg_sr.h"

#include "model/kvm/hyp_entry.h"

static const enum sysreg el1_state[] = {
	SYS_SCTLR_EL1, SYS_CPACR_EL1, SYS_TTBR0_EL1, SYS_TTBR1_EL1, SYS_TCR_EL1, SYS_ESR_EL1, SYS_AFSR0_EL1,
	SYS_AFSR1_EL1, SYS_FAR_EL1, SYS_MAIR_EL1, SYS_VBAR_EL1, SYS_CONTEXTIDR_EL1, SYS_AMAIR_EL1, SYS_CNTKCTL_EL1,
	SYS_PAR_EL1, SYS_TPIDR_EL1, SYS_SP_EL1, SYS_ELR_EL1, SYS_SPSR_EL1,
};

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

void sysreg_save_el1_state(struct cpu *cpu)
{
	for (size_t n = 0; n < COUNT(el1_state); n++)
		cpu_sysreg_read(cpu, el1_state[n]);
	cpu_load_store(cpu, COUNT(el1_state));
}

void sysreg_restore_el1_state(struct cpu *cpu)
{
	for (size_t n = 0; n < COUNT(el1_state); n++)
		cpu_sysreg_write(cpu, el1_state[n], 0);
	cpu_load_store(cpu, COUNT(el1_state));
}

void sysreg_save_user_state(struct cpu *cpu)
{
	cpu_sysreg_read(cpu, SYS_TPIDR_EL0);
	cpu_sysreg_read(cpu, SYS_TPIDRRO_EL0);
	cpu_load_store(cpu, 2);
}

void sysreg_restore_user_state(struct cpu *cpu)
{
	cpu_sysreg_write(cpu, SYS_TPIDR_EL0, 0);
	cpu_sysreg_write(cpu, SYS_TPIDRRO_EL0, 0);
	cpu_load_store(cpu, 2);
}

void sysreg_switch_to_guest_vhe(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	bool flags;

	sysreg_save_user_state(cpu);
	sysreg_restore_user_state(cpu);
	cpu_sysreg_write(cpu, SYS_VMPIDR_EL2, vcpu->id.n);
	sysreg_restore_el1_state(cpu);
	flags = irq_save(cpu);
	activate_traps_common(cpu, &vcpu->kvm->kernel->config);
	irq_restore(cpu, flags);
}

void sysreg_switch_to_host_vhe(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	bool flags;

	sysreg_save_el1_state(cpu);
	sysreg_save_user_state(cpu);
	sysreg_restore_user_state(cpu);
	flags = irq_save(cpu);
	deactivate_traps_common(cpu, &vcpu->kvm->kernel->config);
	irq_restore(cpu, flags);
}

void kvm_vcpu_load_vhe(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	const struct kernel_config *config = &vcpu->kvm->kernel->config;
	FUNCTION(cpu);

	if (config->sysregs_at_load)
		sysreg_switch_to_guest_vhe(cpu, vcpu);
	if (config->stage2_at_load) {
		line_read(cpu, vcpu->kvm->vmid_line);
		cpu_sysreg_write(cpu, SYS_VTCR_EL2, 0);
		cpu_sysreg_write(cpu, SYS_VTTBR_EL2, 0);
	}
}

void kvm_vcpu_put_vhe(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	FUNCTION(cpu);

	if (vcpu->kvm->kernel->config.sysregs_at_load)
		sysreg_switch_to_host_vhe(cpu, vcpu);
}
