// SPDX-License-Identifier: Apache-2.0
/* Waking a vCPU that sleeps (virt/kvm/kvm_main.c). No vCPU sleeps here: a look at who waits, which is nobody. */
#include "model/kvm/kvm.h"

bool kvm_vcpu_wake_up(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	FUNCTION(cpu);

	line_read(cpu, vcpu->wait_line);
	cpu_load_store(cpu, 2);
	return false;
}
