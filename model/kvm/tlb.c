// SPDX-License-Identifier: Apache-2.0
/*
 * Two vCPUs of a VM share its VMID, so a CPU that ran another one last flushes its own TLB and instruction cache before it runs
 * this one: __kvm_flush_cpu_context() (arch/arm64/kvm/hyp/vhe/tlb.c; nVHE by a hypervisor call). The flush itself is the lump
 * host.cpu.tlb_flush. A CPU that ran none of them yet is taken as clean.
 */
#include "model/kvm/kvm.h"

static void enter_vmid_context(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	line_read(cpu, vcpu->kvm->vmid_line);
	cpu_sysreg_write(cpu, SYS_VTCR_EL2, 0);
	cpu_sysreg_write(cpu, SYS_VTTBR_EL2, 0);
	if (vcpu->kvm->kernel->config.vhe)
		cpu_sysreg_write(cpu, SYS_HCR_EL2, 0);  /* TGE off */
	cpu_barrier(cpu, BARRIER_ISB);
}

static void exit_vmid_context(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	cpu_sysreg_write(cpu, vcpu->kvm->kernel->config.vhe ? SYS_HCR_EL2 : SYS_VTTBR_EL2, 0);
	cpu_barrier(cpu, BARRIER_ISB);
}

static void kvm_flush_cpu_context(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	const struct kernel_config *config = &vcpu->kvm->kernel->config;
	FUNCTION_NAMED(cpu, "__kvm_flush_cpu_context");

	if (!config->vhe)
		hyp_call_enter(cpu);
	enter_vmid_context(cpu, vcpu);
	cpu_spend(cpu, config->tlb_flush);
	cpu_barrier(cpu, BARRIER_ISB);
	exit_vmid_context(cpu, vcpu);
	if (!config->vhe)
		hyp_call_return(cpu);
}

void kvm_flush_if_other_vcpu_ran(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	struct kvm_vcpu **last = &vcpu->kvm->last_vcpu_ran[cpu_number(cpu).n];

	if (*last && *last != vcpu)
		kvm_flush_cpu_context(cpu, vcpu);
	*last = vcpu;
}
