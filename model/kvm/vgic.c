// SPDX-License-Identifier: Apache-2.0
/*
 * arch/arm64/kvm/vgic: the early paths that a vCPU with nothing pending takes.
 *
 * kvm_vgic_inject_irq with an unchanged level and kvm_vgic_map_is_active each take the guest interrupt's irq_lock
 * once (per vCPU for PPIs, so uncontended here, but its release is a store-release and waits for device writes that
 * are still out). Flush and sync: up to v6.18 one look at an empty list; from v6.19 always ap_list_lock, ICH_HCR_EL2
 * written each way, ICH_VMCR_EL2 read at each exit.
 *
 * Not modelled: queueing an interrupt (a level that changes), list registers in use, SPIs and LPIs. A changed
 * level stops the simulation: no workload here makes a guest interrupt pending.
 */
#include "model/kernel/unmodelled.h"
#include "model/kvm/kvm.h"

void kvm_vgic_inject_irq(struct cpu *cpu, struct kvm_vcpu *vcpu, struct vgic_irq *irq, bool level)
{
	struct kernel *kernel = vcpu->kvm->kernel;
	bool flags, changed;
	FUNCTION(cpu);

	cpu_load_store(cpu, 4);  /* vgic_get_vcpu_irq: an array for PPIs */
	flags = raw_spin_lock_irqsave(kernel, cpu, &irq->irq_lock, __func__);
	cpu_load_store(cpu, 3);  /* vgic_validate_injection */
	changed = level != irq->line_level;
	if (changed && !kernel->sched)
		unmodelled("a guest interrupt that becomes pending");
	irq->line_level = level;
	raw_spin_unlock_irqrestore(cpu, &irq->irq_lock, flags);
	if (changed && level)
		vgic_standin_queue(cpu, vcpu, irq, irq == &vcpu->ptimer_irq ? 30 : 27);
}

bool kvm_vgic_map_is_active(struct cpu *cpu, struct kvm_vcpu *vcpu, struct vgic_irq *irq)
{
	struct kernel *kernel = vcpu->kvm->kernel;
	bool active;
	bool flags;
	FUNCTION(cpu);

	cpu_load_store(cpu, 4);
	flags = raw_spin_lock_irqsave(kernel, cpu, &irq->irq_lock, __func__);
	active = irq->active;
	cpu_load_store(cpu, 1);
	raw_spin_unlock_irqrestore(cpu, &irq->irq_lock, flags);
	return active;
}

/* 5 priority bits need one active-priority register a group, 6 two, 7 four. */
static uint32_t priority_registers(const struct kernel_config *config)
{
	return 1u << (config->gic_priority_bits - 5);
}

/*
 * __vgic_v3_activate_traps / _deactivate_traps with a guest that uses system registers; also run for userspace
 * irqchips.
 */
static void vgic_v3_switch_traps(struct cpu *cpu, const struct kernel_config *config)
{
	uint64_t sre;

	if (config->gic == GIC_V5)
		return;  /* no GICv2 guests there, and no ICC_SRE_EL2 */
	sre = cpu_sysreg_read(cpu, SYS_ICC_SRE_EL2);

	cpu_sysreg_write(cpu, SYS_ICC_SRE_EL2, sre);
}

void kvm_vgic_load(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	const struct kernel_config *config = &vcpu->kvm->kernel->config;
	FUNCTION(cpu);

	if (vcpu->kvm->vgic_v5) {
		vgic_v5_load(cpu, vcpu);
		return;
	}
	if (!vcpu->kvm->irqchip_in_kernel && !config->vhe)
		return;
	if (!config->vhe)
		hyp_call_enter(cpu);
	if (vcpu->kvm->irqchip_in_kernel) {
		if (config->gic == GIC_V5)
			vgic_v5_enable_compat(cpu);
		cpu_sysreg_write(cpu, SYS_ICH_VMCR_EL2, 0);
		cpu_sysreg_read(cpu, SYS_ICH_VTR_EL2);
		for (uint32_t n = 0; n < priority_registers(config); n++) {
			cpu_sysreg_write(cpu, SYS_ICH_AP0R0_EL2 + n, 0);
			cpu_sysreg_write(cpu, SYS_ICH_AP1R0_EL2 + n, 0);
		}
	}
	if (config->vhe)
		vgic_v3_switch_traps(cpu, config);
	else
		hyp_call_return(cpu);
	if (!vcpu->kvm->direct_msi)
		return;
	if (config->vhe)
		cpu_sysreg_write(cpu, SYS_ICH_HCR_EL2, 1);
	if (config->gicv4_resident_at_load)
		vgic_v4_load(cpu, vcpu);
}

void kvm_vgic_put(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	const struct kernel_config *config = &vcpu->kvm->kernel->config;
	FUNCTION(cpu);

	if (vcpu->kvm->vgic_v5) {
		if (vcpu->vgic_v5.resident && vcpu->halt.in_wfi)
			vgic_v5_sync_priorities(cpu, vcpu);
		vgic_v5_put(cpu, vcpu);
		return;
	}
	if (vcpu->kvm->direct_msi && config->gicv4_resident_at_load)
		vgic_v4_put(cpu, vcpu, vcpu->halt.in_wfi);
	if (!vcpu->kvm->irqchip_in_kernel && !config->vhe)
		return;
	if (!config->vhe)
		hyp_call_enter(cpu);
	if (vcpu->kvm->irqchip_in_kernel) {
		if (config->vmcr != VMCR_LOAD_AND_EXIT)
			cpu_sysreg_read(cpu, SYS_ICH_VMCR_EL2);
		cpu_sysreg_read(cpu, SYS_ICH_VTR_EL2);
		for (uint32_t n = 0; n < priority_registers(config); n++) {
			cpu_sysreg_read(cpu, SYS_ICH_AP0R0_EL2 + n);
			cpu_sysreg_read(cpu, SYS_ICH_AP1R0_EL2 + n);
		}
	}
	if (config->vhe)
		vgic_v3_switch_traps(cpu, config);
	else
		hyp_call_return(cpu);
	if (vcpu->kvm->direct_msi && config->vhe)
		cpu_sysreg_write(cpu, SYS_ICH_HCR_EL2, 0);
}

/* Directly injected interrupts need the vPE, and the virtual CPU interface on, also with an empty list. */
static void flush_direct_msi(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	const struct kernel_config *config = &vcpu->kvm->kernel->config;

	if (!config->gicv4_resident_at_load)
		vgic_v4_load(cpu, vcpu);
	if (config->vhe && !config->vgic_always)
		cpu_sysreg_write(cpu, SYS_ICH_HCR_EL2, 1);
	vgic_v4_commit(cpu, vcpu);
}

void kvm_vgic_flush_hwstate(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	struct kernel *kernel = vcpu->kvm->kernel;
	FUNCTION(cpu);

	if (!vcpu->kvm->irqchip_in_kernel)
		return;
	if (vcpu->kvm->vgic_v5) {
		vgic_v5_flush(cpu, vcpu);
		return;
	}
	if (vcpu->kvm->direct_msi)
		flush_direct_msi(cpu, vcpu);
	if (!kernel->config.vgic_always) {
		line_read(cpu, vcpu->ap_list_lock.line);  /* list head, without the lock */
		return;
	}
	raw_spin_lock(kernel, cpu, &vcpu->ap_list_lock, __func__);
	cpu_load_store(cpu, 6);  /* vgic_flush_lr_state with an empty list */
	raw_spin_unlock(cpu, &vcpu->ap_list_lock);
	if (kernel->config.vhe)
		cpu_sysreg_write(cpu, SYS_ICH_HCR_EL2, 1);
}

void kvm_vgic_sync_hwstate(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	struct kernel *kernel = vcpu->kvm->kernel;
	FUNCTION(cpu);

	if (!vcpu->kvm->irqchip_in_kernel)
		return;
	if (vcpu->kvm->vgic_v5) {
		vgic_v5_sync(cpu, vcpu);
		return;
	}
	if (vcpu->kvm->direct_msi && !kernel->config.gicv4_resident_at_load)
		vgic_v4_put(cpu, vcpu, false);
	if (kernel->config.vmcr == VMCR_LOAD_AND_EXIT && kernel->config.vhe)
		cpu_sysreg_read(cpu, SYS_ICH_VMCR_EL2);
	if (!kernel->config.vgic_always) {
		line_read(cpu, vcpu->ap_list_lock.line);
		return;
	}
	if (kernel->config.vhe)
		cpu_sysreg_write(cpu, SYS_ICH_HCR_EL2, 0);
	raw_spin_lock(kernel, cpu, &vcpu->ap_list_lock, "vgic_prune_ap_list");
	cpu_load_store(cpu, 6);
	raw_spin_unlock(cpu, &vcpu->ap_list_lock);
}
