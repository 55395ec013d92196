// SPDX-License-Identifier: Apache-2.0
/* Entering and leaving a guest, register by register; see hyp_entry.h. Not modelled: pointer authentication, MTE. */
#include "model/kvm/hyp_entry.h"

#define GP_SLOT_PAIRS 31

void guest_enter(struct cpu *cpu)
{
	FUNCTION_NAMED(cpu, "__guest_enter");

	cpu_load_store(cpu, GP_SLOT_PAIRS);
	cpu_sysreg_read(cpu, SYS_SP_EL0);
	cpu_barrier(cpu, BARRIER_DSB);
	cpu_barrier(cpu, BARRIER_ISB);
	cpu_sysreg_read(cpu, SYS_ISR_EL1);
	cpu_sysreg_write(cpu, SYS_SP_EL0, 0);
	cpu_exception_return(cpu);
}

void guest_exit(struct cpu *cpu)
{
	FUNCTION_NAMED(cpu, "__guest_exit");

	cpu_exception_entry(cpu);
	cpu_sysreg_read(cpu, SYS_ESR_EL2);  /* in the vector */
	cpu_load_store(cpu, GP_SLOT_PAIRS);
	cpu_sysreg_read(cpu, SYS_SP_EL0);
	cpu_sysreg_write(cpu, SYS_SP_EL0, 0);
}

static bool data_abort(enum guest_operation operation)
{
	return operation == GUEST_MMIO_READ_USER || operation == GUEST_MMIO_READ_VGIC;
}

void fixup_guest_exit(struct cpu *cpu, const struct kvm_vcpu *vcpu, enum guest_exit why)
{
	FUNCTION(cpu);

	cpu_sysreg_read(cpu, SYS_SPSR_EL2);
	if (why != GUEST_EXIT_TRAP)
		return;
	cpu_sysreg_read(cpu, SYS_ESR_EL2);
	if (data_abort(vcpu->guest.step.operation)) {  /* where */
		cpu_sysreg_read(cpu, SYS_FAR_EL2);
		cpu_sysreg_read(cpu, SYS_HPFAR_EL2);
	}
}
