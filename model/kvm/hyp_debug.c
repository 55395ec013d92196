// SPDX-License-Identifier: Apache-2.0
/*
 * Debug registers (arch/arm64/kvm/hyp/include/hyp/debug-sr.h, nvhe/debug-sr.c). Nothing is switched unless the guest
 * debugs itself (workload.debug); then every breakpoint and watchpoint, value and control, and MDCCINT_EL1 are saved
 * for one side and restored for the other, both at entry and at exit.
 *
 * nVHE hosts that profile (host.cpu.spe) stop and drain the statistical profiling buffer before the guest. Not
 * modelled: the trace buffer (TRBE), debugging by the VMM.
 */
#include "model/kvm/hyp_entry.h"

static void save_pairs(struct cpu *cpu, enum sysreg value, enum sysreg control, uint32_t count)
{
	for (uint32_t n = 0; n < count; n++) {
		cpu_sysreg_read(cpu, (enum sysreg)(value + n));
		cpu_sysreg_read(cpu, (enum sysreg)(control + n));
	}
	cpu_load_store(cpu, count);
}

static void restore_pairs(struct cpu *cpu, enum sysreg value, enum sysreg control, uint32_t count)
{
	for (uint32_t n = 0; n < count; n++) {
		cpu_sysreg_write(cpu, (enum sysreg)(value + n), 0);
		cpu_sysreg_write(cpu, (enum sysreg)(control + n), 0);
	}
	cpu_load_store(cpu, count);
}

/* One side's registers out, the other side's in. */
static void debug_switch(struct cpu *cpu, const struct kvm_vcpu *vcpu)
{
	const struct kernel_config *config = &vcpu->kvm->kernel->config;

	save_pairs(cpu, SYS_DBGBVR0_EL1, SYS_DBGBCR0_EL1, config->breakpoints);
	save_pairs(cpu, SYS_DBGWVR0_EL1, SYS_DBGWCR0_EL1, config->watchpoints);
	cpu_sysreg_read(cpu, SYS_MDCCINT_EL1);
	restore_pairs(cpu, SYS_DBGBVR0_EL1, SYS_DBGBCR0_EL1, config->breakpoints);
	restore_pairs(cpu, SYS_DBGWVR0_EL1, SYS_DBGWCR0_EL1, config->watchpoints);
	cpu_sysreg_write(cpu, SYS_MDCCINT_EL1, 0);
}

void debug_switch_to_guest(struct cpu *cpu, const struct kvm_vcpu *vcpu)
{
	FUNCTION_NAMED(cpu, "__debug_switch_to_guest");

	if (vcpu->uses_debug)
		debug_switch(cpu, vcpu);
}

void debug_switch_to_host(struct cpu *cpu, const struct kvm_vcpu *vcpu)
{
	FUNCTION_NAMED(cpu, "__debug_switch_to_host");

	if (vcpu->uses_debug)
		debug_switch(cpu, vcpu);
}

void debug_save_host_buffers_nvhe(struct cpu *cpu, const struct kernel_config *config)
{
	FUNCTION_NAMED(cpu, "__debug_save_host_buffers_nvhe");

	if (!config->spe)
		return;
	cpu_sysreg_read(cpu, SYS_PMSIDR_EL1);
	cpu_sysreg_read(cpu, SYS_PMBLIMITR_EL1);
	cpu_sysreg_read(cpu, SYS_PMSCR_EL1);
	cpu_sysreg_write(cpu, SYS_PMSCR_EL1, 0);
	cpu_barrier(cpu, BARRIER_DSB);  /* psb csync, dsb nsh: the samples are in memory */
}

void debug_restore_host_buffers_nvhe(struct cpu *cpu, const struct kernel_config *config)
{
	FUNCTION_NAMED(cpu, "__debug_restore_host_buffers_nvhe");

	if (config->spe)
		cpu_sysreg_write(cpu, SYS_PMSCR_EL1, 0);
}
