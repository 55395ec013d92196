// SPDX-License-Identifier: Apache-2.0
/*
 * The guest's side of a GICv5 interrupt: acknowledge (GICR CDIA, GSB ACK, ISB), priority drop (GIC CDEOI), its handler, deactivation
 * (GIC CDDI). No exit anywhere. Its timers reach it without KVM, so nobody but the hardware knows what is pending.
 * Not modelled: IPIs between vCPUs (virtual LPIs).
 */
#include "model/kvm/kvm.h"

#define CDIA_VALID (1ull << 32)

static void take_one(struct cpu *cpu, struct guest_program *guest, uint64_t acked)
{
	cpu_sysreg_write(cpu, SYS_GSB_ACK, 0);
	cpu_barrier(cpu, BARRIER_ISB);
	cpu_sysreg_write(cpu, SYS_ICV_CDEOI, 0);
	if (guest->interrupt)
		guest->interrupt(cpu, guest->context, acked & 0xffffff);
	cpu_sysreg_write(cpu, SYS_ICV_CDDI, acked & 0xffffffff);
}

void guest_take_ppi(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	const uint64_t acked = cpu_sysreg_read(cpu, SYS_ICV_CDIA);

	if (acked & CDIA_VALID)
		take_one(cpu, &vcpu->guest, acked);
	if (vcpu->guest.step.operation == GUEST_WFI)
		guest_step_over(cpu, vcpu);
}
