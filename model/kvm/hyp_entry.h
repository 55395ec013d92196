// SPDX-License-Identifier: Apache-2.0
/*
 * The assembler part of the world switch, shared by VHE and nVHE (arch/arm64/kvm/hyp/entry.S, hyp-entry.S,
 * switch.h).
 */
#ifndef CONVOY_MODEL_KVM_HYP_ENTRY_H
#define CONVOY_MODEL_KVM_HYP_ENTRY_H

#include "model/kvm/kvm.h"

/*
 * Host's register file out, guest's in, ERET: 2 reads, 1 write. `dsb nshst` (RAS) waits for device writes that are
 * still out.
 */
void guest_enter(struct cpu *cpu);
/* Exception, vector, guest's register file out, host's in: 2 reads, 1 write. */
void guest_exit(struct cpu *cpu);
/* Why: SPSR always, ESR unless it was an interrupt, and for a data abort where. */
void fixup_guest_exit(struct cpu *cpu, const struct kvm_vcpu *vcpu, enum guest_exit why);

#endif
