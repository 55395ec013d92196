// SPDX-License-Identifier: Apache-2.0
/*
 * What the guest does; see struct guest_program.
 *
 * EOI: EOIR write of a spurious INTID and an ISB, as in the micro-benchmarks of kvm-unit-tests; the CPU interface answers
 * it without an exit. A guest with timestamps pays one read of the counter, its ISB included, for each operation: what lies
 * between the two samples beside the operation.
 * Not modelled: instructions of the guest one by one, its own exceptions.
 */
#include "model/kvm/kvm.h"

#define SPURIOUS_INTID 1023

static void complete(struct cpu *cpu, const struct guest_program *guest)
{
	if (guest->completed)
		guest->completed(cpu, guest->context);
}

enum guest_exit guest_run(struct cpu *cpu, struct kvm_vcpu *vcpu, ps_t guest_work)
{
	const struct guest_program *guest = &vcpu->guest;

	for (;;) {
		enum guest_exit why = cpu_run_guest(cpu, guest_work);

		if (why != GUEST_EXIT_TRAP)
			return why;
		if (guest->timestamps)
			cpu_sysreg_read(cpu, SYS_CNTVCT_EL0);
		if (guest->operation != GUEST_EOI)
			return why;
		cpu_sysreg_write(cpu, SYS_ICC_EOIR1_EL1, SPURIOUS_INTID);
		cpu_barrier(cpu, BARRIER_ISB);
		complete(cpu, guest);
	}
}
