// SPDX-License-Identifier: Apache-2.0
/*
 * The virtual CPU interface of GICv3 and later, and of Apple's cores: ICH_* registers (arch/arm64/kvm/vgic/vgic-v3.c,
 * hyp/vgic-v3-sr.c).
 *
 *   load, put      VMCR and active priorities; one hypervisor call without VHE, two in v4.19
 *   every entry    ICH_HCR_EL2 and the used list registers; nothing when none is in use, to v6.18
 *   every exit     ICH_ELRSR_EL2, ICH_HCR_EL2 off, each used list register read unless it is empty, and cleared
 *
 * Before v4.12 VMCR, active priorities and traps belonged to every switch. The old scheme (to v4.6) moved all list
 * registers and all status registers each way.
 * Without VHE the per-entry and per-exit part runs at EL2, from switch_nvhe.c, where also the traps are switched.
 * With a userspace irqchip only the traps are switched, at load and put (VHE).
 * Residency of a vPE on GICv4: vgic_v4.c. Not modelled: GICv2 guests on GICv3 hosts (no SRE), trapped CPU interfaces.
 */
#include "model/kvm/kvm.h"

#define ICH_LR_VINTID   0xffffffffull
#define ICH_LR_PINTID   32             /* 13 bits */
#define ICH_LR_EOI      (1ull << 41)   /* instead of the pINTID, without HW */
#define ICH_LR_PRIORITY 48
#define ICH_LR_GROUP    (1ull << 60)
#define ICH_LR_HW       (1ull << 61)
#define ICH_LR_PENDING  (1ull << 62)
#define ICH_LR_ACTIVE   (1ull << 63)

#define ICH_HCR_EN      1u
#define ICH_HCR_UIE     2u

/* VMCR as a guest has it that has booted: its group enabled, priority mask 0xf0. */
#define VMCR_MASK  0xf0000000u
#define VMCR_VENG1 0x2u

static uint64_t encode(const struct vgic_lr *lr)
{
	return lr->intid | (uint64_t)lr->priority << ICH_LR_PRIORITY | ICH_LR_GROUP | (lr->pending ? ICH_LR_PENDING : 0) |
	       (lr->active ? ICH_LR_ACTIVE : 0) |
	       (lr->hw ? ICH_LR_HW | (uint64_t)lr->host_intid << ICH_LR_PINTID : lr->eoi ? ICH_LR_EOI : 0);
}

static struct vgic_lr decode(uint64_t value)
{
	return (struct vgic_lr){ .intid = (uint32_t)(value & ICH_LR_VINTID), .pending = value & ICH_LR_PENDING,
				 .active = value & ICH_LR_ACTIVE, .hw = value & ICH_LR_HW };
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
static void switch_traps(struct cpu *cpu, const struct kernel_config *config)
{
	uint64_t sre;

	if (config->gic == GIC_V5)
		return;  /* no GICv2 guests there, and no ICC_SRE_EL2 */
	sre = cpu_sysreg_read(cpu, SYS_ICC_SRE_EL2);
	cpu_sysreg_write(cpu, SYS_ICC_SRE_EL2, sre);
}

static void restore_priorities(struct cpu *cpu, const struct kernel_config *config)
{
	cpu_sysreg_read(cpu, SYS_ICH_VTR_EL2);
	for (uint32_t n = 0; n < priority_registers(config); n++) {
		cpu_sysreg_write(cpu, SYS_ICH_AP0R0_EL2 + n, 0);
		cpu_sysreg_write(cpu, SYS_ICH_AP1R0_EL2 + n, 0);
	}
}

static void save_priorities(struct cpu *cpu, const struct kernel_config *config)
{
	cpu_sysreg_read(cpu, SYS_ICH_VTR_EL2);
	for (uint32_t n = 0; n < priority_registers(config); n++) {
		cpu_sysreg_read(cpu, SYS_ICH_AP0R0_EL2 + n);
		cpu_sysreg_read(cpu, SYS_ICH_AP1R0_EL2 + n);
	}
}

/* Without VHE between the two halves of load and put: v4.19 made a call for each. */
static void next_call(struct cpu *cpu, const struct kernel_config *config)
{
	if (config->vhe || config->nvhe_vgic_calls == 1)
		return;
	hyp_call_return(cpu);
	hyp_call_enter(cpu);
}

/* What load and put have around them: a hypervisor call, or with VHE the traps at the end. False: there is nothing to do. */
static bool begin_switch(struct cpu *cpu, const struct kvm_vcpu *vcpu)
{
	const struct kernel_config *config = &vcpu->kvm->kernel->config;

	if (config->vmcr == VMCR_EVERY_SWITCH || (!vcpu->kvm->irqchip_in_kernel && !config->vhe))
		return false;
	if (!config->vhe)
		hyp_call_enter(cpu);
	return true;
}

static void end_switch(struct cpu *cpu, const struct kernel_config *config)
{
	if (config->vhe)
		switch_traps(cpu, config);
	else
		hyp_call_return(cpu);
}

static void load(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	const struct kernel_config *config = &vcpu->kvm->kernel->config;

	if (!begin_switch(cpu, vcpu))
		return;
	if (vcpu->kvm->irqchip_in_kernel) {
		if (config->gic == GIC_V5)
			vgic_v5_enable_compat(cpu);
		cpu_sysreg_write(cpu, SYS_ICH_VMCR_EL2, vgic_vmcr(vcpu));
		next_call(cpu, config);
		restore_priorities(cpu, config);
	}
	end_switch(cpu, config);
}

static void put(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	const struct kernel_config *config = &vcpu->kvm->kernel->config;

	if (!begin_switch(cpu, vcpu))
		return;
	if (vcpu->kvm->irqchip_in_kernel) {
		if (config->vmcr != VMCR_LOAD_AND_EXIT)
			vcpu->vgic.vmcr = cpu_sysreg_read(cpu, SYS_ICH_VMCR_EL2);
		next_call(cpu, config);
		save_priorities(cpu, config);
	}
	end_switch(cpu, config);
}

static void write_list_registers(struct cpu *cpu, struct kvm_vcpu *vcpu, uint32_t count)
{
	FUNCTION_NAMED(cpu, "__vgic_v3_restore_state");

	cpu_sysreg_write(cpu, SYS_ICH_HCR_EL2, vcpu->vgic.hcr | ICH_HCR_EN);
	for (uint32_t n = 0; n < count; n++)
		cpu_sysreg_write(cpu, SYS_ICH_LR0_EL2 + n, vcpu->vgic.lr[n]);
	cpu_load_store(cpu, count);
}

/* Up to v4.6: status and all list registers, used or not; they keep their interrupts between exits. */
static void restore_all(struct cpu *cpu, struct kvm_vcpu *vcpu, const struct kernel_config *config)
{
	write_list_registers(cpu, vcpu, config->list_registers);
}

static void restore_state(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	const struct kernel_config *config = &vcpu->kvm->kernel->config;

	if (config->vmcr == VMCR_EVERY_SWITCH) {
		if (config->vhe)
			switch_traps(cpu, config);
		cpu_sysreg_write(cpu, SYS_ICH_VMCR_EL2, vgic_vmcr(vcpu));
		restore_priorities(cpu, config);
	}
	if (config->vgic_lock_per_vm)
		restore_all(cpu, vcpu, config);
	else if (vcpu->vgic.used_lrs)
		write_list_registers(cpu, vcpu, vcpu->vgic.used_lrs);
	else if (config->vgic_always)
		cpu_sysreg_write(cpu, SYS_ICH_HCR_EL2, ICH_HCR_EN);
}

static void read_list_registers(struct cpu *cpu, struct kvm_vcpu *vcpu, uint32_t count)
{
	uint64_t empty;
	FUNCTION_NAMED(cpu, "__vgic_v3_save_state");

	empty = cpu_sysreg_read(cpu, SYS_ICH_ELRSR_EL2);
	cpu_sysreg_write(cpu, SYS_ICH_HCR_EL2, 0);
	for (uint32_t n = 0; n < count; n++) {
		if (empty & 1ull << n)
			vcpu->vgic.lr[n] &= ~(ICH_LR_PENDING | ICH_LR_ACTIVE);
		else
			vcpu->vgic.lr[n] = cpu_sysreg_read(cpu, SYS_ICH_LR0_EL2 + n);
		cpu_sysreg_write(cpu, SYS_ICH_LR0_EL2 + n, 0);
	}
	cpu_load_store(cpu, count);
}

static void save_all(struct cpu *cpu, struct kvm_vcpu *vcpu, const struct kernel_config *config)
{
	FUNCTION_NAMED(cpu, "__save_vgic_v3_state");

	cpu_sysreg_read(cpu, SYS_ICH_HCR_EL2);
	cpu_sysreg_read(cpu, SYS_ICH_MISR_EL2);
	cpu_sysreg_read(cpu, SYS_ICH_EISR_EL2);
	cpu_sysreg_read(cpu, SYS_ICH_ELRSR_EL2);
	cpu_sysreg_write(cpu, SYS_ICH_HCR_EL2, 0);
	for (uint32_t n = 0; n < config->list_registers; n++)
		vcpu->vgic.lr[n] = cpu_sysreg_read(cpu, SYS_ICH_LR0_EL2 + n);
	cpu_load_store(cpu, config->list_registers);
}

static void save_state(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	const struct kernel_config *config = &vcpu->kvm->kernel->config;

	if (config->vmcr != VMCR_LOAD_PUT)
		vcpu->vgic.vmcr = cpu_sysreg_read(cpu, SYS_ICH_VMCR_EL2);
	if (config->vgic_lock_per_vm)
		save_all(cpu, vcpu, config);
	else if (vcpu->vgic.used_lrs)
		read_list_registers(cpu, vcpu, vcpu->vgic.used_lrs);
	else if (config->vgic_always)
		cpu_sysreg_write(cpu, SYS_ICH_HCR_EL2, 0);
	if (config->vmcr == VMCR_EVERY_SWITCH) {
		save_priorities(cpu, config);
		if (config->vhe)
			switch_traps(cpu, config);
	}
}

static void vgic_v3_populate_lr(struct cpu *cpu, struct kvm_vcpu *vcpu, struct vgic_irq *irq, uint32_t n)
{
	struct vgic_lr lr;
	FUNCTION(cpu);

	lr = vgic_lr_of(cpu, vcpu, irq);
	vcpu->vgic.lr[n] = encode(&lr);
}

static void vgic_v3_fold_lr_state(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	FUNCTION(cpu);

	for (uint32_t n = 0; n < vcpu->vgic.used_lrs; n++)
		vgic_fold_lr(cpu, vcpu, decode(vcpu->vgic.lr[n]));
}

static void set_underflow(struct kvm_vcpu *vcpu, bool underflow)
{
	vcpu->vgic.hcr = underflow ? ICH_HCR_UIE : 0;
}

/* What the guest writes as ICC_*_EL1 is ICV_*_EL1 there. */
static uint32_t guest_acknowledge(struct cpu *cpu)
{
	uint32_t acknowledged = (uint32_t)cpu_sysreg_read(cpu, SYS_ICV_IAR1_EL1);

	cpu_barrier(cpu, BARRIER_DSB);
	return acknowledged;
}

static void guest_end(struct cpu *cpu, uint32_t acknowledged, bool split)
{
	cpu_sysreg_write(cpu, SYS_ICV_EOIR1_EL1, acknowledged);
	cpu_barrier(cpu, BARRIER_ISB);
	if (!split)
		return;
	cpu_sysreg_write(cpu, SYS_ICV_DIR_EL1, acknowledged);
	cpu_barrier(cpu, BARRIER_ISB);
}

const struct vgic_chip vgic_v3 = {
	.name = "GICv3",
	.in_hyp = true,
	.boot_vmcr = VMCR_MASK | VMCR_VENG1,
	.load = load,
	.put = put,
	.restore_state = restore_state,
	.save_state = save_state,
	.populate_lr = vgic_v3_populate_lr,
	.fold_lr_state = vgic_v3_fold_lr_state,
	.encode = encode,
	.decode = decode,
	.set_underflow = set_underflow,
	.guest_acknowledge = guest_acknowledge,
	.intid_mask = 0xffffff,
	.guest_end = guest_end,
};
