// SPDX-License-Identifier: Apache-2.0
/* See pmu.h. */
#include "model/kvm/pmu.h"

#include "model/kvm/kvm.h"

#define PMCR_E 1u

/* Inlined, as kvm_pmu_update_state. A guest that has its PMU off is asked no more. */
static bool kvm_pmu_overflow_status(struct cpu *cpu, const struct kvm_pmu *pmu)
{
	cpu_load_store(cpu, 2);
	if (!(pmu->pmcr & PMCR_E))
		return false;
	cpu_load_store(cpu, 8);
	return pmu->pmovsset & pmu->pmcntenset & pmu->pmintenset;
}

/* Since v4.6: the vGIC hears of changes only. */
static void kvm_pmu_update_state(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	struct kvm_pmu *pmu = &vcpu->pmu;
	const bool overflow = kvm_pmu_overflow_status(cpu, pmu);

	cpu_load_store(cpu, 2);
	if (pmu->irq_level == overflow)
		return;
	pmu->irq_level = overflow;
	kvm_vgic_inject_irq(cpu, vcpu, &vcpu->vgic.private_irqs[VGIC_PPI_PMU], overflow);
}

void kvm_pmu_flush_hwstate(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	FUNCTION(cpu);

	if (!vcpu->kvm->kernel->config.pmu_inject_every_entry) {
		kvm_pmu_update_state(cpu, vcpu);
		return;
	}
	/* As first proposed (v12 of the series, February 2016). */
	vcpu->pmu.irq_level = kvm_pmu_overflow_status(cpu, &vcpu->pmu);
	kvm_vgic_inject_irq(cpu, vcpu, &vcpu->vgic.private_irqs[VGIC_PPI_PMU], vcpu->pmu.irq_level);
}

void kvm_pmu_sync_hwstate(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	FUNCTION(cpu);

	if (!vcpu->kvm->kernel->config.pmu_inject_every_entry)
		kvm_pmu_update_state(cpu, vcpu);
}

static void set_filters(struct cpu *cpu, const struct kvm_pmu *pmu)
{
	for (uint32_t event = 0; event < pmu->host_events; event++)
		cpu_sysreg_write(cpu, SYS_PMEVTYPER_EL0, cpu_sysreg_read(cpu, SYS_PMEVTYPER_EL0));
}

void kvm_vcpu_pmu_restore_guest(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	FUNCTION(cpu);

	cpu_load_store(cpu, 3);
	set_filters(cpu, &vcpu->pmu);
}

void kvm_vcpu_pmu_restore_host(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	FUNCTION(cpu);

	cpu_load_store(cpu, 3);
	set_filters(cpu, &vcpu->pmu);
}

void __pmu_switch(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	FUNCTION_NAMED(cpu, "__pmu_switch_to_guest");

	cpu_load_store(cpu, 2);
	if (!vcpu->pmu.host_events)
		return;
	cpu_sysreg_write(cpu, SYS_PMCNTENCLR_EL0, 0);
	cpu_sysreg_write(cpu, SYS_PMCNTENSET_EL0, 0);
}
