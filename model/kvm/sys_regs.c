// SPDX-License-Identifier: Apache-2.0
/*
 * A system register that the guest may not touch itself (arch/arm64/kvm/sys_regs.c): an identification register, or a
 * timer's (timer_trap.c). Memory only: the table of some five hundred registers is searched by bisection, nine
 * comparisons, each through a function pointer; the entry's accessor reads the VM's copy.
 * ICC_SGI1R_EL1 is in the same table; its accessor is the vGIC's.
 * Not modelled: other writes.
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

	kvm_bsearch(cpu, TABLE_STEPS, match_sys_reg);
}

static void access_id_reg(struct cpu *cpu)
{
	FUNCTION(cpu);

	cpu_load_store(cpu, 3);
}

void kvm_handle_sys_reg(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	const enum guest_operation operation = vcpu->guest.step.operation;
	FUNCTION(cpu);

	cpu_load_store(cpu, 4);  /* syndrome: op0, op1, CRn, CRm, op2, register, direction */
	find_reg(cpu);
	if (operation == GUEST_TIMER_READ || operation == GUEST_TIMER_WRITE)
		access_arch_timer(cpu, vcpu);
	else if (operation == GUEST_SGI)
		access_gic_sgi(cpu, vcpu, (uint32_t)vcpu->guest.step.argument, GUEST_SGI_INTID);
	else
		access_id_reg(cpu);
	cpu_load_store(cpu, 2);  /* the guest's register, its program counter */
}
