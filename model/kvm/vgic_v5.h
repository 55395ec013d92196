// SPDX-License-Identifier: Apache-2.0
/*
 * arch/arm64/kvm/vgic/vgic-v5.c and hyp/vgic-v5-sr.c of about v7.1: PPIs of a GICv5 guest on a GICv5 host. Which PPIs a guest
 * sees: EL2 physical, EL1 virtual, EL2 virtual and EL1 physical timer, software PPI, PMU, and the vGIC's maintenance interrupt.
 *
 * The register copies are the vCPU's alone; the struct vgic_irq behind each PPI is shared with injectors and has its lock.
 */
#ifndef CONVOY_MODEL_KVM_VGIC_V5_H
#define CONVOY_MODEL_KVM_VGIC_V5_H

#include "model/kernel/kernel.h"

struct kvm_vcpu;

#define VGIC_V5_PPIS 7             /* exposed to the guest */
#define VGIC_V5_PRIORITY_REGS 8    /* of 64 PPIs */

struct vgic_v5_cpu_if {
	bool resident;
	uint64_t vmcr, apr, icsr;
	/* bank 0 of ICH_PPI_*: as the next entry writes it, and as the last exit found it */
	uint64_t dvir, activer, enabler, pendr;
	uint64_t activer_exit, pendr_exit;
	uint64_t priorityr[VGIC_V5_PRIORITY_REGS];
	struct vgic_irq *ppis[VGIC_V5_PPIS];
};

void vgic_v5_vcpu_init(struct kvm_vcpu *vcpu);
/* Part of a load of a GICv3 guest on a GICv5 host. */
void vgic_v5_enable_compat(struct cpu *cpu);

#endif
