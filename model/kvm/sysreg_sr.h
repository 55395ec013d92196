// SPDX-License-Identifier: Apache-2.0
/*
 * Lists of system registers that are saved and restored together; used by load/put (VHE) and by the world switch
 * (nVHE).
 */
#ifndef CONVOY_MODEL_KVM_SYSREG_SR_H
#define CONVOY_MODEL_KVM_SYSREG_SR_H

#include "model/machine.h"

/* A guest's or host's EL1 context without VMPIDR_EL2: 19 registers. */
void sysreg_save_el1_state(struct cpu *cpu);     /* 19 reads */
void sysreg_restore_el1_state(struct cpu *cpu);  /* 19 writes */

void sysreg_save_user_state(struct cpu *cpu);    /* TPIDR_EL0, TPIDRRO_EL0: 2 reads */
void sysreg_restore_user_state(struct cpu *cpu); /* 2 writes */

#endif
