// SPDX-License-Identifier: Apache-2.0
/*
 * GICv4 residency: arch/arm64/kvm/vgic/vgic-v4.c and the vPE part of drivers/irqchip/irq-gic-v3-its.c. A VM with
 * directly injected MSIs has a vPE for each vCPU; load makes it resident on this CPU, put takes it away.
 *
 * Locks: desc->lock of the vPE's own interrupt (its doorbell), vpe_lock; both per vPE.
 */
#ifndef CONVOY_MODEL_KVM_VGIC_V4_H
#define CONVOY_MODEL_KVM_VGIC_V4_H

#include "model/kernel/kernel.h"

struct kvm_vcpu;

#define VPE_ON_NO_CPU UINT32_MAX

struct its_vpe {
	struct irq_desc irq;           /* the doorbell's; irq_set_vcpu_affinity() on it reaches the redistributor */
	struct raw_spinlock vpe_lock;
	uint32_t id;                   /* the vPE's number in the GIC */
	uint32_t col_idx;              /* CPU that the ITS sends its LPIs to */
	bool resident, ready;          /* ready: the redistributor has read the pending table */
	bool pending_last;
	bool doorbell_enabled;         /* GICv4.0: in the LPI configuration table */
};

void vgic_v4_vcpu_init(struct kvm_vcpu *vcpu);
/* Nothing without direct MSIs. */
void vgic_v4_load(struct cpu *cpu, struct kvm_vcpu *vcpu);
/* `need_db`: the vCPU blocks, so an LPI must raise the doorbell. */
void vgic_v4_put(struct cpu *cpu, struct kvm_vcpu *vcpu, bool need_db);
/*
 * kvm_arch_vcpu_blocking and _unblocking, before and after a vCPU polls or sleeps: from here on an LPI raises the
 * doorbell. When that is: kernel.doorbell. How: see vgic_v4_doorbell.c.
 */
void vgic_v4_blocking(struct cpu *cpu, struct kvm_vcpu *vcpu);
void vgic_v4_unblocking(struct cpu *cpu, struct kvm_vcpu *vcpu);
/* GICv4.0; nothing if it is so already. */
void vgic_v4_enable_doorbell(struct cpu *cpu, struct kvm_vcpu *vcpu);
void vgic_v4_disable_doorbell(struct cpu *cpu, struct kvm_vcpu *vcpu);
/* At each flush: waits for the pending table, once after a load. */
void vgic_v4_commit(struct cpu *cpu, struct kvm_vcpu *vcpu);

#endif
