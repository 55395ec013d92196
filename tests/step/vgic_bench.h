// SPDX-License-Identifier: Apache-2.0
/*
 * For the tests of the vGIC: list registers as the architectures lay them out (ICH_LR<n>_EL2: IHI 0069, 12.4.9; GICH_LR<n>: IHI 0048, 5.3.6), and a second
 * vCPU on another CPU.
 */
#ifndef CONVOY_TESTS_STEP_VGIC_BENCH_H
#define CONVOY_TESTS_STEP_VGIC_BENCH_H

#include "tests/step/step_bench.h"

#define LR_PENDING (1ull << 62)
#define LR_ACTIVE (1ull << 63)
#define LR_HW (1ull << 61)
#define LR_GROUP1 (1ull << 60)
#define LR_EOI (1ull << 41)
#define LR_PRIORITY(priority) ((uint64_t)(priority) << 48)
#define LR_PHYSICAL(number) ((uint64_t)(number) << 32)

#define OTHER_CPU 1
#define OTHER_VCPU 9

#define AP_LIST "vgic ap_list"
#define VTIMER_LINE "vgic_irq vtimer"

/* The timer's interrupt in its list register, as KVM puts it there. */
#define VTIMER_LR (VTIMER_PPI | LR_PHYSICAL(VTIMER_PPI) | LR_PRIORITY(0xa0) | LR_GROUP1 | LR_HW | LR_PENDING)

static inline struct vgic_irq *vtimer_of(struct kvm_vcpu *vcpu)
{
	return &vcpu->vgic.private_irqs[VTIMER_PPI];
}

static inline struct vgic_irq *ppi_of(struct kvm_vcpu *vcpu, uint32_t number)
{
	return &vcpu->vgic.private_irqs[number];
}

/* A vCPU of the same VM that is in its guest on OTHER_CPU, or nowhere. */
static inline void other_vcpu(struct step_bench *bench, struct kvm_vcpu *other, bool in_guest)
{
	kvm_vcpu_init(other, &bench->kvm, (vcpu_id){ OTHER_VCPU });
	if (!in_guest)
		return;
	other->mode = IN_GUEST_MODE;
	other->cpu = OTHER_CPU;
	bench->kernel->running_vcpu[OTHER_CPU] = other;
}

/* The guest's virtual timer has fired, and KVM knows. */
static inline void vtimer_pending(struct step_bench *bench)
{
	kvm_vgic_inject_irq(bench->cpu, &bench->vcpu, vtimer_of(&bench->vcpu), true);
	recording_clear(bench->machine);
}

static inline uint64_t written(const struct step_bench *bench, enum sysreg reg)
{
	return recording_at(bench->machine, recorded_last(bench->machine, &FILTER(.kind = REQUEST_SYSREG_WRITE, .reg = reg + 1), __FILE__,
							   __LINE__))->value;
}

#endif
