// SPDX-License-Identifier: Apache-2.0
/*
 * The world switch with VHE (arch/arm64/kvm/hyp/vhe/switch.c): EL1 state is already the guest's since vcpu_load (up to
 * v4.16 it is switched here, at every entry and exit).
 *
 * Entry 3 reads + 7 writes, exit 6 reads + 5 writes of ordinary registers, about 62 general register slots moved by
 * pairs each way, one exception and one ERET. `dsb nshst` before the entry (RAS) waits for device writes that are
 * still out. Stage 2 at entry (to v6.6) adds 2 writes; EL1 context at every switch 4 reads + 26 writes and 21 reads + 5 writes.
 * What the timer policy does comes on top. Not modelled: MTE, SVE, pseudo-NMI; each adds steps on cores that have it.
 */
#include "model/kvm/hyp_entry.h"
#include "model/kvm/sysreg_sr.h"

static void load_stage2(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	line_read(cpu, vcpu->kvm->vmid_line);
	cpu_sysreg_write(cpu, SYS_VTCR_EL2, 0);
	cpu_sysreg_write(cpu, SYS_VTTBR_EL2, 0);
}

enum guest_exit __kvm_vcpu_run_vhe(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	const struct kernel_config *config = &vcpu->kvm->kernel->config;
	enum guest_exit why;
	bool flags;
	FUNCTION_NAMED(cpu, "__kvm_vcpu_run");

	flags = irq_save(cpu);  /* local_daif_mask */
	cpu_sysreg_read(cpu, SYS_MDSCR_EL1);
	if (!config->stage2_at_load)
		load_stage2(cpu, vcpu);
	if (!config->sysregs_at_load)
		sysreg_switch_to_guest_vhe(cpu, vcpu);
	cpu_sysreg_write(cpu, SYS_HCR_EL2, 0);    /* __activate_traps */
	cpu_sysreg_write(cpu, SYS_CPACR_EL1, 0);
	cpu_sysreg_write(cpu, SYS_VBAR_EL1, 0);
	cpu_sysreg_write(cpu, SYS_MDSCR_EL1, 0);  /* sysreg_restore_guest_state_vhe */
	cpu_sysreg_write(cpu, SYS_ELR_EL2, 0);
	cpu_sysreg_write(cpu, SYS_SPSR_EL2, 0);
	timer_hyp_enter(cpu, vcpu);
	debug_switch_to_guest(cpu, vcpu);
	why = hyp_run_guest(cpu, vcpu);
	timer_hyp_exit(cpu, vcpu);
	cpu_sysreg_read(cpu, SYS_MDSCR_EL1);      /* sysreg_save_guest_state_vhe */
	cpu_sysreg_read(cpu, SYS_ELR_EL2);
	if (!config->sysregs_at_load)
		sysreg_switch_to_host_vhe(cpu, vcpu);
	cpu_sysreg_write(cpu, SYS_HCR_EL2, 0);    /* __deactivate_traps */
	cpu_sysreg_write(cpu, SYS_CPACR_EL1, 0);
	cpu_sysreg_write(cpu, SYS_VBAR_EL1, 0);
	cpu_sysreg_write(cpu, SYS_MDSCR_EL1, 0);  /* sysreg_restore_host_state_vhe */
	debug_switch_to_host(cpu, vcpu);
	irq_restore(cpu, flags);
	cpu_barrier(cpu, BARRIER_ISB);
	return why;
}
