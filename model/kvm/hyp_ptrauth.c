// SPDX-License-Identifier: Apache-2.0
/*
 * The five keys of pointer authentication, two registers each (asm/kvm_ptrauth.h). On cores that have it HCR_EL2 tells
 * at every entry and exit whether the guest uses it; only then are keys switched.
 * Not modelled: the trap at the guest's first use and the host keys saved there.
 */
#include "model/kvm/hyp_entry.h"

static const enum sysreg keys[] = {
	SYS_APIAKEYLO_EL1, SYS_APIAKEYHI_EL1, SYS_APIBKEYLO_EL1, SYS_APIBKEYHI_EL1, SYS_APDAKEYLO_EL1,
	SYS_APDAKEYHI_EL1, SYS_APDBKEYLO_EL1, SYS_APDBKEYHI_EL1, SYS_APGAKEYLO_EL1, SYS_APGAKEYHI_EL1,
};

#define KEYS (sizeof(keys) / sizeof(keys[0]))

static bool guest_uses_it(struct cpu *cpu, const struct kvm_vcpu *vcpu)
{
	if (!vcpu->kvm->kernel->config.pauth)
		return false;
	cpu_sysreg_read(cpu, SYS_HCR_EL2);
	return vcpu->uses_pauth;
}

static void write_keys(struct cpu *cpu)
{
	for (size_t n = 0; n < KEYS; n++)
		cpu_sysreg_write(cpu, keys[n], 0);
	cpu_load_store(cpu, KEYS / 2);
}

void ptrauth_switch_to_guest(struct cpu *cpu, const struct kvm_vcpu *vcpu)
{
	if (guest_uses_it(cpu, vcpu))
		write_keys(cpu);
}

void ptrauth_switch_to_host(struct cpu *cpu, const struct kvm_vcpu *vcpu)
{
	if (!guest_uses_it(cpu, vcpu))
		return;
	for (size_t n = 0; n < KEYS; n++)
		cpu_sysreg_read(cpu, keys[n]);
	cpu_load_store(cpu, KEYS / 2);
	write_keys(cpu);
	cpu_barrier(cpu, BARRIER_ISB);
}
