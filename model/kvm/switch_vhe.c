// SPDX-License-Identifier: Apache-2.0
/*
 * The world switch with VHE (arch/arm64/kvm/hyp/vhe/switch.c): EL1 state is already the guest's since vcpu_load.
 *
 * Entry 3 reads + 7 writes, exit 6 reads + 5 writes of ordinary registers, about 62 general register slots moved by
 * pairs each way, one exception and one ERET. `dsb nshst` before the entry (RAS) waits for device writes that are
 * still out. Not modelled: pointer authentication, MTE, SVE, debug state; each adds steps on cores that have
 * it.
 */
#include "model/kvm/hyp_entry.h"

static void load_stage2_at_entry(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	line_read(cpu, vcpu->kvm->vmid_line);
	cpu_sysreg_write(cpu, SYS_VTCR_EL2, 0);
	cpu_sysreg_write(cpu, SYS_VTTBR_EL2, 0);
}

enum guest_exit __kvm_vcpu_run_vhe(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	enum guest_exit why;
	bool flags;
	FUNCTION_NAMED(cpu, "__kvm_vcpu_run");

	flags = irq_save(cpu);  /* local_daif_mask */
	cpu_sysreg_read(cpu, SYS_MDSCR_EL1);
	if (!vcpu->kvm->kernel->config.stage2_at_load)
		load_stage2_at_entry(cpu, vcpu);
	cpu_sysreg_write(cpu, SYS_HCR_EL2, 0);    /* __activate_traps */
	cpu_sysreg_write(cpu, SYS_CPACR_EL1, 0);
	cpu_sysreg_write(cpu, SYS_VBAR_EL1, 0);
	cpu_sysreg_write(cpu, SYS_MDSCR_EL1, 0);  /* sysreg_restore_guest_state_vhe */
	cpu_sysreg_write(cpu, SYS_ELR_EL2, 0);
	cpu_sysreg_write(cpu, SYS_SPSR_EL2, 0);
	timer_hyp_enter(cpu, vcpu);
	guest_enter(cpu);
	why = guest_run(cpu, vcpu);
	guest_exit(cpu);
	fixup_guest_exit(cpu, vcpu, why);
	timer_hyp_exit(cpu, vcpu);
	cpu_sysreg_read(cpu, SYS_MDSCR_EL1);      /* sysreg_save_guest_state_vhe */
	cpu_sysreg_read(cpu, SYS_ELR_EL2);
	cpu_sysreg_write(cpu, SYS_HCR_EL2, 0);    /* __deactivate_traps */
	cpu_sysreg_write(cpu, SYS_CPACR_EL1, 0);
	cpu_sysreg_write(cpu, SYS_VBAR_EL1, 0);
	cpu_sysreg_write(cpu, SYS_MDSCR_EL1, 0);  /* sysreg_restore_host_state_vhe */
	irq_restore(cpu, flags);
	cpu_barrier(cpu, BARRIER_ISB);
	return why;
}
