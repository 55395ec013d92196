// SPDX-License-Identifier: Apache-2.0
/*
 * Lists of system registers that are saved and restored together; used by load/put (VHE) and by the world switch
 * (nVHE).
 */
#ifndef CONVOY_MODEL_KVM_SYSREG_SR_H
#define CONVOY_MODEL_KVM_SYSREG_SR_H

#include "model/kvm/kvm.h"

/* A guest's or host's EL1 context without VMPIDR_EL2: 19 registers. */
void sysreg_save_el1_state(struct cpu *cpu);     /* 19 reads */
void sysreg_restore_el1_state(struct cpu *cpu);  /* 19 writes */

void sysreg_save_user_state(struct cpu *cpu);    /* TPIDR_EL0, TPIDRRO_EL0: 2 reads */
void sysreg_restore_user_state(struct cpu *cpu); /* 2 writes */

/* VHE, the EL1 context, user registers and traps: at load and put, or at every entry and exit (to v4.16). Without stage 2. */
void sysreg_switch_to_guest_vhe(struct cpu *cpu, struct kvm_vcpu *vcpu);  /* 4 reads, 26 writes */
void sysreg_switch_to_host_vhe(struct cpu *cpu, struct kvm_vcpu *vcpu);   /* 21 reads, 5 writes */

#endif
