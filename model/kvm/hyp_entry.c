// SPDX-License-Identifier: Apache-2.0
/*
 * Entering and leaving a guest, register by register (arch/arm64/kvm/hyp/entry.S, hyp-entry.S), and the exits that
 * never reach the run loop (fixup_guest_exit in hyp/include/hyp/switch.h): for those the way is vector, register file
 * out, answer, register file in, ERET, with no trap taken down, no lock and no look at the vGIC.
 *
 * `vcpu->trap` says why the guest trapped. Spectre-BHB: the loop stands at the top of the vector.
 * Not modelled: MTE; ESB and the registers DISR_EL1 and VDISR_EL2 of the RAS extension (three accesses a round trip);
 * VTTBR_EL2, which kernels about v4.19 read in the vector.
 */
#include "model/kvm/hyp_entry.h"

#define GP_SLOT_PAIRS 31

static void guest_enter(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	FUNCTION_NAMED(cpu, "__guest_enter");

	cpu_load_store(cpu, GP_SLOT_PAIRS);
	cpu_sysreg_read(cpu, SYS_SP_EL0);
	hyp_serror_entry(cpu, &vcpu->kvm->kernel->config);
	ptrauth_switch_to_guest(cpu, vcpu);
	cpu_sysreg_write(cpu, SYS_SP_EL0, 0);
	cpu_exception_return(cpu);
}

/* The vector of an exception from the guest, up to where the vCPU's registers are saved. */
static void hyp_vector(struct cpu *cpu, const struct kernel_config *config)
{
	cpu_exception_entry(cpu);
	if (config->bhb)
		cpu_spend(cpu, config->bhb_loop);
	cpu_sysreg_read(cpu, SYS_ESR_EL2);
}

void hyp_vector_workaround(struct cpu *cpu, const struct kernel_config *config)
{
	FUNCTION_NAMED(cpu, "el1_sync");

	hyp_vector(cpu, config);
	cpu_load_store(cpu, 2);  /* x0 and x1, out and in */
	cpu_exception_return(cpu);
}

static void guest_exit(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	const struct kernel_config *config = &vcpu->kvm->kernel->config;
	FUNCTION_NAMED(cpu, "__guest_exit");

	hyp_vector(cpu, config);
	cpu_load_store(cpu, GP_SLOT_PAIRS);
	cpu_sysreg_read(cpu, SYS_SP_EL0);
	ptrauth_switch_to_host(cpu, vcpu);
	cpu_sysreg_write(cpu, SYS_SP_EL0, 0);
	hyp_serror_exit(cpu, config);
}

/* A counter read with an offset that the hardware cannot apply: the counter, and the offsets of VM and vCPU. */
static void kvm_handle_cntxct(struct cpu *cpu)
{
	FUNCTION(cpu);

	cpu_sysreg_read(cpu, SYS_CNTPCT_EL0);
	cpu_load_store(cpu, 2);
}

/* True: answered here, back into the guest. */
static bool kvm_hyp_handle_exit(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	switch (vcpu->trap) {
	case GUEST_TRAP_FP:
		kvm_hyp_handle_fpsimd(cpu, vcpu);
		return true;
	case GUEST_TRAP_COUNTER:
		kvm_handle_cntxct(cpu);
		guest_step_over(cpu, vcpu);
		return true;
	case GUEST_TRAP_OPERATION:
	case GUEST_TRAP_DATA_ABORT:
		return false;
	}
	return false;
}

/* Why: SPSR always, ESR unless it was an interrupt, and for a data abort where. */
static bool fixup_guest_exit(struct cpu *cpu, struct kvm_vcpu *vcpu, enum guest_exit why)
{
	FUNCTION(cpu);

	cpu_sysreg_read(cpu, SYS_SPSR_EL2);
	if (why != GUEST_EXIT_TRAP)
		return false;
	cpu_sysreg_read(cpu, SYS_ESR_EL2);
	if (vcpu->trap == GUEST_TRAP_DATA_ABORT) {
		cpu_sysreg_read(cpu, SYS_FAR_EL2);
		cpu_sysreg_read(cpu, SYS_HPFAR_EL2);
	}
	return kvm_hyp_handle_exit(cpu, vcpu);
}

enum guest_exit hyp_run_guest(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	enum guest_exit why;

	do {
		guest_enter(cpu, vcpu);
		why = guest_run(cpu, vcpu);
		guest_exit(cpu, vcpu);
	} while (fixup_guest_exit(cpu, vcpu, why));
	return why;
}
