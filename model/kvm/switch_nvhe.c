// SPDX-License-Identifier: Apache-2.0
/*
 * The world switch without VHE (arch/arm64/kvm/hyp/nvhe/switch.c): the host runs at EL1, so every entry and exit
 * changes the whole EL1 context, stage 2, traps and timer registers, inside a hypervisor call (made by the caller).
 *
 * About 50 reads and 65 writes of ordinary registers a round trip, plus ICC_SRE_EL2 read and written each way and what
 * the timer policy does (CNTHCTL_EL2 at least). Not modelled: as in switch_vhe.c, and host and guest-only perf events, pKVM;
 * ACTLR_EL1 and CSSELR_EL1, which older kernels switch too.
 */
#include "model/kvm/hyp_entry.h"
#include "model/kvm/sysreg_sr.h"

void hyp_call_enter(struct cpu *cpu)
{
	cpu_exception_entry(cpu);
	cpu_load_store(cpu, 16);  /* the host's registers, by pairs */
}

void hyp_call_return(struct cpu *cpu)
{
	cpu_load_store(cpu, 16);
	cpu_exception_return(cpu);
}

static void read_modify_write(struct cpu *cpu, enum sysreg reg)
{
	cpu_sysreg_write(cpu, reg, cpu_sysreg_read(cpu, reg));
}

static void save_context(struct cpu *cpu)
{
	sysreg_save_el1_state(cpu);
	cpu_sysreg_read(cpu, SYS_MDSCR_EL1);
	sysreg_save_user_state(cpu);
	cpu_sysreg_read(cpu, SYS_ELR_EL2);
}

static void restore_context(struct cpu *cpu)
{
	cpu_sysreg_write(cpu, SYS_VMPIDR_EL2, 0);
	sysreg_restore_el1_state(cpu);
	cpu_sysreg_write(cpu, SYS_MDSCR_EL1, 0);
	sysreg_restore_user_state(cpu);
	cpu_sysreg_write(cpu, SYS_ELR_EL2, 0);
	cpu_sysreg_write(cpu, SYS_SPSR_EL2, 0);
}

static void activate_traps(struct cpu *cpu, const struct kernel_config *config)
{
	FUNCTION_NAMED(cpu, "__activate_traps");

	cpu_sysreg_write(cpu, SYS_VTCR_EL2, 0);      /* __load_stage2 */
	cpu_sysreg_write(cpu, SYS_VTTBR_EL2, 0);
	cpu_sysreg_write(cpu, SYS_HCR_EL2, 0);
	activate_traps_common(cpu, config);
	cpu_sysreg_write(cpu, SYS_CPTR_EL2, 0);
	cpu_sysreg_write(cpu, SYS_VBAR_EL2, 0);
}

static void deactivate_traps(struct cpu *cpu, const struct kernel_config *config)
{
	FUNCTION_NAMED(cpu, "__deactivate_traps");

	deactivate_traps_common(cpu, config);
	cpu_sysreg_write(cpu, SYS_HCR_EL2, 0);
	cpu_sysreg_write(cpu, SYS_CPTR_EL2, 0);
	cpu_sysreg_write(cpu, SYS_VBAR_EL2, 0);
	cpu_sysreg_write(cpu, SYS_VTTBR_EL2, 0);     /* __load_host_stage2 */
}

/* GICv3: the traps, and what the vGIC has to restore and save here; nothing on GICv2 hosts. */
static void hyp_vgic_restore_state(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	FUNCTION_NAMED(cpu, "__hyp_vgic_restore_state");

	if (!vcpu->kvm->vgic_chip->in_hyp)
		return;
	if (vcpu->kvm->kernel->config.gic != GIC_V5)
		read_modify_write(cpu, SYS_ICC_SRE_EL2);
	hyp_vgic_restore_lrs(cpu, vcpu);
}

static void hyp_vgic_save_state(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	FUNCTION_NAMED(cpu, "__hyp_vgic_save_state");

	if (!vcpu->kvm->vgic_chip->in_hyp)
		return;
	hyp_vgic_save_lrs(cpu, vcpu);
	if (vcpu->kvm->kernel->config.gic != GIC_V5)
		read_modify_write(cpu, SYS_ICC_SRE_EL2);
}

/* v6.4 and later: walks that are under way with one context must not see the other's registers. */
static void finish_walks(struct cpu *cpu, const struct kernel_config *config)
{
	if (config->nvhe_dsb)
		cpu_barrier(cpu, BARRIER_DSB);
}

enum guest_exit __kvm_vcpu_run_nvhe(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	const struct kernel_config *config = &vcpu->kvm->kernel->config;
	enum guest_exit why;
	FUNCTION_NAMED(cpu, "__kvm_vcpu_run");

	if (vcpu->pmu.host_events)
		__pmu_switch(cpu, vcpu);             /* to the guest's events */
	save_context(cpu);                           /* the host's */
	cpu_sysreg_read(cpu, SYS_SPSR_EL2);          /* the guest's is read by fixup_guest_exit */
	debug_save_host_buffers_nvhe(cpu, config);
	finish_walks(cpu, config);
	line_read(cpu, vcpu->kvm->vmid_line);
	restore_context(cpu);                        /* the guest's */
	activate_traps(cpu, config);
	hyp_vgic_restore_state(cpu, vcpu);
	timer_hyp_enter(cpu, vcpu);
	debug_switch_to_guest(cpu, vcpu);
	why = hyp_run_guest(cpu, vcpu);
	save_context(cpu);                           /* the guest's */
	timer_hyp_exit(cpu, vcpu);
	hyp_vgic_save_state(cpu, vcpu);
	finish_walks(cpu, config);
	deactivate_traps(cpu, config);
	restore_context(cpu);                        /* the host's */
	debug_switch_to_host(cpu, vcpu);
	debug_restore_host_buffers_nvhe(cpu, config);
	if (vcpu->pmu.host_events)
		__pmu_switch(cpu, vcpu);             /* to the host's */
	cpu_barrier(cpu, BARRIER_ISB);
	return why;
}
