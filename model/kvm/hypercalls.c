// SPDX-License-Identifier: Apache-2.0
/*
 * HVC from the guest: handle_hvc (arch/arm64/kvm/handle_exit.c) and the SMCCC dispatch (hypercalls.c). Memory only: no
 * lock, no shared line, no register. An unknown function: the answer is "not supported".
 * Not modelled: PSCI, stolen time, TRNG, SMCCC filters of the VMM.
 */
#include "model/kvm/kvm.h"

static void kvm_smccc_call_handler(struct cpu *cpu)
{
	FUNCTION(cpu);

	cpu_load_store(cpu, 2);  /* function number: the guest's x0 */
	cpu_load_store(cpu, 4);  /* smccc_set_retval: the guest's x0 to x3 */
}

void handle_hvc(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	FUNCTION(cpu);

	(void)vcpu;
	cpu_load_store(cpu, 3);  /* statistics, conditional-instruction check */
	kvm_smccc_call_handler(cpu);
}
