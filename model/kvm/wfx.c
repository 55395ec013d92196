// SPDX-License-Identifier: Apache-2.0
/*
 * Trapped WFI (arch/arm64/kvm/handle_exit.c, arm.c) and whether it traps at all. Not modelled: WFE (kvm_vcpu_on_spin), WFIT.
 */
#include "model/kvm/kvm.h"

void vcpu_set_wfx_traps(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	struct kernel *kernel = vcpu->kvm->kernel;
	bool alone;

	if (!kernel->sched)
		return;
	alone = single_task_running(kernel, cpu);
	switch (kernel->config.wfi_trap) {
	case WFI_TRAP_ALWAYS:
		vcpu->halt.wfi_traps = true;
		break;
	case WFI_TRAP_DIRECT:
		vcpu->halt.wfi_traps = !(alone && vcpu->halt.direct_injection);
		break;
	case WFI_TRAP_SINGLE_TASK:
		vcpu->halt.wfi_traps = !alone;
		break;
	case WFI_TRAP_NEVER:
		vcpu->halt.wfi_traps = false;
		break;
	}
}

void kvm_handle_wfx(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	FUNCTION(cpu);

	cpu_load_store(cpu, 3);  /* which instruction, statistics */
	kvm_handle_wfi(cpu, vcpu);
	cpu_load_store(cpu, 1);  /* kvm_incr_pc */
}
