// SPDX-License-Identifier: Apache-2.0
/*
 * What VHE and nVHE share of the hypervisor part: the assembler around the guest (arch/arm64/kvm/hyp/entry.S,
 * hyp-entry.S), pending errors, pointer authentication, and the exits that are answered before the run loop sees them
 * (hyp/include/hyp/switch.h).
 *
 * Base counts, cores with RAS and without pointer authentication: entry 2 reads, 1 write, DSB, ISB; exit 2 reads, 1
 * write; fixup 2 reads, two more for a data abort.
 */
#ifndef CONVOY_MODEL_KVM_HYP_ENTRY_H
#define CONVOY_MODEL_KVM_HYP_ENTRY_H

#include "model/kvm/kvm.h"

/*
 * From the guest's first instruction to the exit that the host has to see: enters again by itself after exits that the hypervisor
 * answers.
 */
enum guest_exit hyp_run_guest(struct cpu *cpu, struct kvm_vcpu *vcpu);

/* SMCCC ARCH_WORKAROUND_1 to 3: answered by the vector itself, x0 and x1 apart no register is saved. */
void hyp_vector_workaround(struct cpu *cpu, const struct kernel_config *config);

/* ---- hyp_serror.c: errors of the host must not be taken in the guest, nor the guest's in the host ---- */
void hyp_serror_entry(struct cpu *cpu, const struct kernel_config *config);
void hyp_serror_exit(struct cpu *cpu, const struct kernel_config *config);

/* ---- hyp_ptrauth.c: HCR_EL2 read each way; with a guest that uses it 10 writes, and 10 reads, 10 writes and an ISB ---- */
void ptrauth_switch_to_guest(struct cpu *cpu, const struct kvm_vcpu *vcpu);
void ptrauth_switch_to_host(struct cpu *cpu, const struct kvm_vcpu *vcpu);

/* ---- hyp_fpsimd.c ---- */
/* The guest's first FP instruction since the load: its registers come in, the host's go out if they are still there. */
void kvm_hyp_handle_fpsimd(struct cpu *cpu, struct kvm_vcpu *vcpu);

/* ---- hyp_debug.c ---- */
void debug_switch_to_guest(struct cpu *cpu, const struct kvm_vcpu *vcpu);
void debug_switch_to_host(struct cpu *cpu, const struct kvm_vcpu *vcpu);
/* nVHE: the host's statistical profiling, drained before the guest and put back after it. */
void debug_save_host_buffers_nvhe(struct cpu *cpu, const struct kernel_config *config);
void debug_restore_host_buffers_nvhe(struct cpu *cpu, const struct kernel_config *config);

/* ---- hyp_traps.c: HSTR, PMSELR, PMUSERENR, MDCR and, where the cores have them, HCRX and five fine-grained trap registers ---- */
void activate_traps_common(struct cpu *cpu, const struct kernel_config *config);    /* 2 reads, 4 writes; with FGT 8 and 10 */
void deactivate_traps_common(struct cpu *cpu, const struct kernel_config *config);  /* 3 writes; with FGT 9 */

#endif
