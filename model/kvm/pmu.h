// SPDX-License-Identifier: Apache-2.0
/*
 * The guest's performance monitors as KVM keeps them (arch/arm64/kvm/pmu-emul.c, before v5.11 virt/kvm/arm/pmu.c), and
 * the host's own events that must not count a guest, or the host (arch/arm64/kvm/pmu.c).
 *
 * The overflow interrupt is a level: some counter that is enabled, has its interrupt enabled and has overflowed. It is
 * computed from memory around every entry; what then goes to the vGIC is a switch of the kernel (kernel.pmu_inject).
 *
 * Not modelled: the counters themselves (host perf events), their overflow by counting, trapped accesses of PMU
 * registers, filters by exception level, the userspace irqchip's PMU level.
 */
#ifndef CONVOY_MODEL_KVM_PMU_H
#define CONVOY_MODEL_KVM_PMU_H

#include "model/machine.h"

struct kvm_vcpu;

struct kvm_pmu {
	bool present;              /* the VM was created with a PMU */
	bool irq_level;            /* what the vGIC was last told */
	uint64_t pmcr, pmovsset, pmcntenset, pmintenset;  /* the guest's registers */
	uint32_t host_events;      /* of this CPU, that exclude host or guest: their filters change with load and put */
};

/* Before an entry (A5) and after an exit (A18). */
void kvm_pmu_flush_hwstate(struct cpu *cpu, struct kvm_vcpu *vcpu);
void kvm_pmu_sync_hwstate(struct cpu *cpu, struct kvm_vcpu *vcpu);

/* VHE, at load and put: the filter of each such host event. */
void kvm_vcpu_pmu_restore_guest(struct cpu *cpu, struct kvm_vcpu *vcpu);
void kvm_vcpu_pmu_restore_host(struct cpu *cpu, struct kvm_vcpu *vcpu);

/* nVHE, at every world switch: the events of the one side off, those of the other on. */
void __pmu_switch(struct cpu *cpu, struct kvm_vcpu *vcpu);

#endif
