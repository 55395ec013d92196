// SPDX-License-Identifier: Apache-2.0
/*
 * A system register that the guest may not touch itself (arch/arm64/kvm/sys_regs.c): an identification register here. Memory only: the
 * table of some five hundred registers is searched by bisection, nine comparisons, each through a function pointer; the entry's accessor
 * reads the VM's copy.
 * ICC_SGI1R_EL1 is in the same table; its accessor is the vGIC's.
 * Not modelled: other writes, other registers with an effect of their own (timers: arch_timer.c).
 */
#include "model/kvm/kvm.h"

#define TABLE_STEPS 9

static void match_sys_reg(struct cpu *cpu)
{
	FUNCTION(cpu);

	cpu_load_store(cpu, 3);
}

static void find_reg(struct cpu *cpu)
{
	FUNCTION(cpu);

	for (int step = 0; step < TABLE_STEPS; step++)
		match_sys_reg(cpu);
}

static void access_id_reg(struct cpu *cpu)
{
	FUNCTION(cpu);

	cpu_load_store(cpu, 3);
}

void kvm_handle_sys_reg(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	FUNCTION(cpu);

	cpu_load_store(cpu, 4);  /* syndrome: op0, op1, CRn, CRm, op2, register, direction */
	find_reg(cpu);
	if (vcpu->guest.step.operation == GUEST_SGI)
		access_gic_sgi(cpu, vcpu, (uint32_t)vcpu->guest.step.argument, GUEST_SGI_INTID);
	else
		access_id_reg(cpu);
	cpu_load_store(cpu, 2);  /* the guest's register, its program counter */
}
