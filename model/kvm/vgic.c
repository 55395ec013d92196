// SPDX-License-Identifier: Apache-2.0
/*
 * arch/arm64/kvm/vgic/vgic.c: what the rest of KVM calls, and flush and sync of v4.7 and later.
 *
 * flush: the vCPU's list, sorted when there is more than fits, into copies of the list registers, with each interrupt's
 * irq_lock; then the copies into the hardware. sync: back, then whatever is no longer active or pending leaves the list.
 * With an empty list up to v6.18 one look at its head and nothing else; from v6.19 always both, with ap_list_lock twice.
 * The hardware is the chip's: in the host with VHE and on GICv2, at EL2 inside the world switch without VHE.
 *
 * Locks: ap_list_lock, inside it irq_lock of one interrupt at a time. kvm_vgic_inject_irq and kvm_vgic_map_is_active take
 * irq_lock once; its release is a store-release and so waits for device writes that are still out.
 *
 * Not modelled: LPIs, group 0, a disabled distributor, interrupts of the maintenance interface.
 */
#include "model/kvm/kvm.h"

static bool runs_at_el2(const struct kvm_vcpu *vcpu)
{
	return vcpu->kvm->vgic_chip->in_hyp && !vcpu->kvm->kernel->config.vhe;
}

void kvm_vgic_inject_irq(struct cpu *cpu, struct kvm_vcpu *vcpu, struct vgic_irq *irq, bool level)
{
	FUNCTION(cpu);

	cpu_load_store(cpu, 4);  /* vgic_get_vcpu_irq: an array for PPIs */
	vcpu->kvm->vgic_ops->inject(cpu, vcpu, irq, level);
}

bool kvm_vgic_map_is_active(struct cpu *cpu, struct kvm_vcpu *vcpu, struct vgic_irq *irq)
{
	FUNCTION(cpu);

	cpu_load_store(cpu, 4);
	return vcpu->kvm->vgic_ops->map_is_active(cpu, vcpu, irq);
}

bool kvm_vgic_vcpu_pending_irq(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	FUNCTION(cpu);

	if (!vcpu->kvm->irqchip_in_kernel)
		return false;
	cpu_load_store(cpu, 3);  /* the priority mask in the copy of VMCR */
	return vcpu->kvm->vgic_ops->pending(cpu, vcpu);
}

/* Directly injected interrupts need the vPE, and the virtual CPU interface on, also with an empty list. */
static void load_direct_msi(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	const struct kernel_config *config = &vcpu->kvm->kernel->config;

	if (config->vhe)
		cpu_sysreg_write(cpu, SYS_ICH_HCR_EL2, 1);
	if (config->gicv4_resident_at_load)
		vgic_v4_load(cpu, vcpu);
}

static void flush_direct_msi(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	const struct kernel_config *config = &vcpu->kvm->kernel->config;

	if (!config->gicv4_resident_at_load)
		vgic_v4_load(cpu, vcpu);
	if (config->vhe && !config->vgic_always)
		cpu_sysreg_write(cpu, SYS_ICH_HCR_EL2, 1);
	vgic_v4_commit(cpu, vcpu);
}

void kvm_vgic_load(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	FUNCTION(cpu);

	vcpu->kvm->vgic_chip->load(cpu, vcpu);
	if (vcpu->kvm->direct_msi)
		load_direct_msi(cpu, vcpu);
}

void kvm_vgic_put(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	const struct kernel_config *config = &vcpu->kvm->kernel->config;
	FUNCTION(cpu);

	if (vcpu->kvm->direct_msi && config->gicv4_resident_at_load)
		vgic_v4_put(cpu, vcpu, vcpu->halt.in_wfi);
	vcpu->kvm->vgic_chip->put(cpu, vcpu);
	if (vcpu->kvm->direct_msi && config->vhe)
		cpu_sysreg_write(cpu, SYS_ICH_HCR_EL2, 0);
}

void kvm_vgic_flush_hwstate(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	FUNCTION(cpu);

	if (!vcpu->kvm->irqchip_in_kernel)
		return;
	if (vcpu->kvm->direct_msi)
		flush_direct_msi(cpu, vcpu);
	vcpu->kvm->vgic_ops->flush(cpu, vcpu);
}

void kvm_vgic_sync_hwstate(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	FUNCTION(cpu);

	if (!vcpu->kvm->irqchip_in_kernel)
		return;
	if (vcpu->kvm->direct_msi && !vcpu->kvm->kernel->config.gicv4_resident_at_load)
		vgic_v4_put(cpu, vcpu, false);
	vcpu->kvm->vgic_ops->sync(cpu, vcpu);
}

void vgic_restore_state(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	if (!runs_at_el2(vcpu))
		vcpu->kvm->vgic_chip->restore_state(cpu, vcpu);
}

void vgic_save_state(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	if (!runs_at_el2(vcpu))
		vcpu->kvm->vgic_chip->save_state(cpu, vcpu);
}

void hyp_vgic_restore_lrs(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	if (vcpu->kvm->irqchip_in_kernel && runs_at_el2(vcpu))
		vcpu->kvm->vgic_chip->restore_state(cpu, vcpu);
}

void hyp_vgic_save_lrs(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	if (vcpu->kvm->irqchip_in_kernel && runs_at_el2(vcpu))
		vcpu->kvm->vgic_chip->save_state(cpu, vcpu);
}

/* ---- locks for each interrupt and vCPU ---- */

/* A level that stays as it is is dropped here (vgic_validate_injection); an edge counts when it rises. */
static void inject(struct cpu *cpu, struct kvm_vcpu *vcpu, struct vgic_irq *irq, bool level)
{
	struct kernel *kernel = vcpu->kvm->kernel;
	bool flags = raw_spin_lock_irqsave(kernel, cpu, &irq->irq_lock, "kvm_vgic_inject_irq");

	cpu_load_store(cpu, 3);  /* vgic_validate_injection */
	if (irq->level ? level == irq->line_level : !level) {
		raw_spin_unlock_irqrestore(cpu, &irq->irq_lock, flags);
		return;
	}
	if (irq->level)
		irq->line_level = level;
	else
		irq->pending_latch = true;
	cpu_load_store(cpu, 2);
	vgic_queue_irq_unlock(cpu, vcpu->kvm, irq, flags);
}

bool vgic_map_is_active(struct cpu *cpu, struct kvm_vcpu *vcpu, struct vgic_irq *irq)
{
	struct kernel *kernel = vcpu->kvm->kernel;
	bool flags = raw_spin_lock_irqsave(kernel, cpu, &irq->irq_lock, "kvm_vgic_map_is_active");
	const bool active = irq->active;

	cpu_load_store(cpu, 1);
	raw_spin_unlock_irqrestore(cpu, &irq->irq_lock, flags);
	return active;
}

static bool pending(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	struct kernel *kernel = vcpu->kvm->kernel;
	bool found = false;
	bool flags = raw_spin_lock_irqsave(kernel, cpu, &vcpu->vgic.ap_list_lock, "kvm_vgic_vcpu_pending_irq");

	for (struct vgic_irq *irq = vcpu->vgic.ap_list; irq && !found; irq = irq->next) {
		raw_spin_lock(kernel, cpu, &irq->irq_lock, "kvm_vgic_vcpu_pending_irq");
		found = vgic_irq_is_pending(irq) && irq->enabled && !irq->active;
		cpu_load_store(cpu, 4);
		raw_spin_unlock(cpu, &irq->irq_lock);
	}
	raw_spin_unlock_irqrestore(cpu, &vcpu->vgic.ap_list_lock, flags);
	return found;
}

/* Entries of the list; several SGIs of one number from several vCPUs count each. */
static uint32_t compute_ap_list_depth(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	struct kernel *kernel = vcpu->kvm->kernel;
	uint32_t count = 0;
	FUNCTION(cpu);

	for (struct vgic_irq *irq = vcpu->vgic.ap_list; irq; irq = irq->next) {
		raw_spin_lock(kernel, cpu, &irq->irq_lock, __func__);
		count++;
		cpu_load_store(cpu, 3);
		raw_spin_unlock(cpu, &irq->irq_lock);
	}
	return count;
}

/* Active ones first, then those that may be taken, then by priority: both irq_locks for each comparison (vgic_irq_cmp). */
static bool goes_before(struct cpu *cpu, struct kernel *kernel, struct vgic_irq *a, struct vgic_irq *b)
{
	bool before;
	FUNCTION_NAMED(cpu, "vgic_irq_cmp");

	raw_spin_lock(kernel, cpu, &a->irq_lock, "vgic_irq_cmp");
	raw_spin_lock(kernel, cpu, &b->irq_lock, "vgic_irq_cmp");
	if (a->active != b->active)
		before = a->active;
	else if ((a->enabled && vgic_irq_is_pending(a)) != (b->enabled && vgic_irq_is_pending(b)))
		before = a->enabled && vgic_irq_is_pending(a);
	else
		before = a->priority < b->priority;
	cpu_load_store(cpu, 8);
	raw_spin_unlock(cpu, &b->irq_lock);
	raw_spin_unlock(cpu, &a->irq_lock);
	return before;
}

/* Stable, as the kernel's list_sort; by insertion, because the lists are short. */
static void vgic_sort_ap_list(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	struct kernel *kernel = vcpu->kvm->kernel;
	struct vgic_irq *sorted = NULL;
	FUNCTION(cpu);

	for (struct vgic_irq *irq = vcpu->vgic.ap_list, *next; irq; irq = next) {
		struct vgic_irq **place = &sorted;

		next = irq->next;
		while (*place && !goes_before(cpu, kernel, irq, *place))
			place = &(*place)->next;
		irq->next = *place;
		*place = irq;
	}
	vcpu->vgic.ap_list = sorted;
}

static void vgic_flush_lr_state(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	struct kernel *kernel = vcpu->kvm->kernel;
	const struct vgic_chip *chip = vcpu->kvm->vgic_chip;
	const uint32_t most = kernel->config.list_registers;
	struct vgic_irq *irq;
	uint32_t used = 0;

	cpu_load_store(cpu, 6);
	if (!vcpu->vgic.ap_list) {
		vcpu->vgic.used_lrs = 0;
		return;
	}
	if (compute_ap_list_depth(cpu, vcpu) > most)
		vgic_sort_ap_list(cpu, vcpu);
	for (irq = vcpu->vgic.ap_list; irq && used < most; irq = irq->next) {
		raw_spin_lock(kernel, cpu, &irq->irq_lock, "vgic_flush_lr_state");
		if (vgic_target_oracle(cpu, irq) == vcpu)
			chip->populate_lr(cpu, vcpu, irq, used++);
		raw_spin_unlock(cpu, &irq->irq_lock);
	}
	chip->set_underflow(vcpu, irq != NULL);
	cpu_load_store(cpu, most - used);  /* vgic_clear_lr */
	vcpu->vgic.used_lrs = used;
}

/* Up to v6.18: a look at the list's head without the lock, and with an empty list nothing more. */
static bool nothing_to_do(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	if (vcpu->kvm->kernel->config.vgic_always)
		return false;
	line_read(cpu, vcpu->vgic.ap_list_lock.line);
	return !vcpu->vgic.ap_list;
}

static void flush(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	struct kernel *kernel = vcpu->kvm->kernel;

	if (!nothing_to_do(cpu, vcpu)) {
		raw_spin_lock(kernel, cpu, &vcpu->vgic.ap_list_lock, "kvm_vgic_flush_hwstate");
		vgic_flush_lr_state(cpu, vcpu);
		raw_spin_unlock(cpu, &vcpu->vgic.ap_list_lock);
	}
	vgic_restore_state(cpu, vcpu);
}

/* An empty list means that no list register was in use. */
static void sync(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	const bool nothing = nothing_to_do(cpu, vcpu);

	vgic_save_state(cpu, vcpu);
	if (nothing)
		return;
	if (vcpu->vgic.used_lrs)
		vcpu->kvm->vgic_chip->fold_lr_state(cpu, vcpu);
	vcpu->vgic.used_lrs = 0;
	vgic_prune_ap_list(cpu, vcpu);
}

static void send_sgi(struct cpu *cpu, struct kvm_vcpu *from, struct kvm_vcpu *to, uint32_t sgi)
{
	struct vgic_irq *irq = &to->vgic.private_irqs[sgi];
	bool flags = raw_spin_lock_irqsave(to->kvm->kernel, cpu, &irq->irq_lock, "vgic_v3_queue_sgi");

	irq->pending_latch = true;
	if (to->kvm->vgic_chip->sgi_source)
		irq->source |= (uint8_t)(1u << from->id.n % 8);
	cpu_load_store(cpu, 3);
	vgic_queue_irq_unlock(cpu, to->kvm, irq, flags);
}

const struct vgic_ops vgic_per_irq = {
	.name = "per-irq",
	.inject = inject,
	.map_is_active = vgic_map_is_active,
	.pending = pending,
	.flush = flush,
	.sync = sync,
	.send_sgi = send_sgi,
};
