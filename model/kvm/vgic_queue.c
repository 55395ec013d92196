// SPDX-License-Identifier: Apache-2.0
/*
 * A vCPU's list of interrupts that are active or pending (arch/arm64/kvm/vgic/vgic.c): who belongs where, adding, pruning.
 *
 * An interrupt is on at most one list (vgic_irq.vcpu). The order of locks is ap_list_lock, irq_lock; whoever holds an
 * irq_lock and has to add gives it back first, takes both in order and looks again. Moving from one vCPU's list to
 * another's takes both ap_list_locks, that of the vCPU with the lower number first.
 */
#include "model/kvm/kvm.h"

bool vgic_irq_is_pending(const struct vgic_irq *irq)
{
	return irq->pending_latch || (irq->level && irq->line_level);
}

struct kvm_vcpu *vgic_target_oracle(struct cpu *cpu, struct vgic_irq *irq)
{
	cpu_load_store(cpu, 4);
	if (irq->active)
		return irq->vcpu ? irq->vcpu : irq->target_vcpu;
	if (irq->enabled && vgic_irq_is_pending(irq))
		return irq->target_vcpu;
	return NULL;
}

static struct vgic_irq **end_of(struct vgic_irq **list)
{
	while (*list)
		list = &(*list)->next;
	return list;
}

/* Both locks held: the list's head is ours; its last entry's links are not yet. */
static void list_add(struct cpu *cpu, struct kvm_vcpu *vcpu, struct vgic_irq *irq)
{
	for (struct vgic_irq *last = vcpu->vgic.ap_list; last; last = last->next) {
		if (!last->next)
			line_own(cpu, last->irq_lock.line);
	}
	cpu_load_store(cpu, 4);
	irq->next = NULL;
	*end_of(&vcpu->vgic.ap_list) = irq;
	irq->vcpu = vcpu;
}

static void list_delete(struct cpu *cpu, struct kvm_vcpu *vcpu, struct vgic_irq *irq)
{
	struct vgic_irq **place = &vcpu->vgic.ap_list;

	while (*place != irq) {
		if ((*place)->next == irq)
			line_own(cpu, (*place)->irq_lock.line);
		place = &(*place)->next;
	}
	if (irq->next)
		line_own(cpu, irq->next->irq_lock.line);
	cpu_load_store(cpu, 4);
	*place = irq->next;
	irq->next = NULL;
	irq->vcpu = NULL;
}

static void tell(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	kvm_make_request(cpu, KVM_REQ_IRQ_PENDING, vcpu);
	kvm_vcpu_kick(cpu, vcpu);
}

bool vgic_queue_irq_unlock(struct cpu *cpu, struct kvm *kvm, struct vgic_irq *irq, bool flags)
{
	struct kernel *kernel = kvm->kernel;
	FUNCTION(cpu);

	for (;;) {
		struct kvm_vcpu *vcpu = vgic_target_oracle(cpu, irq);

		if (irq->vcpu || !vcpu) {
			raw_spin_unlock_irqrestore(cpu, &irq->irq_lock, flags);
			if (vcpu)
				tell(cpu, vcpu);  /* it may have to look at a list register again */
			return false;
		}
		raw_spin_unlock_irqrestore(cpu, &irq->irq_lock, flags);
		flags = raw_spin_lock_irqsave(kernel, cpu, &vcpu->vgic.ap_list_lock, __func__);
		raw_spin_lock(kernel, cpu, &irq->irq_lock, __func__);
		if (!irq->vcpu && vgic_target_oracle(cpu, irq) == vcpu) {
			list_add(cpu, vcpu, irq);
			raw_spin_unlock(cpu, &irq->irq_lock);
			raw_spin_unlock_irqrestore(cpu, &vcpu->vgic.ap_list_lock, flags);
			tell(cpu, vcpu);
			return true;
		}
		/* Somebody changed it between the locks. */
		raw_spin_unlock(cpu, &irq->irq_lock);
		raw_spin_unlock_irqrestore(cpu, &vcpu->vgic.ap_list_lock, flags);
		flags = raw_spin_lock_irqsave(kernel, cpu, &irq->irq_lock, __func__);
	}
}

/* From `from` to the vCPU `to` that the oracle named before the locks were given back; no lock is held. */
static void migrate(struct cpu *cpu, struct kvm_vcpu *from, struct kvm_vcpu *to, struct vgic_irq *irq)
{
	struct kernel *kernel = from->kvm->kernel;
	struct kvm_vcpu *first = from->id.n < to->id.n ? from : to;
	struct kvm_vcpu *second = first == from ? to : from;
	bool moved = false;

	raw_spin_lock(kernel, cpu, &first->vgic.ap_list_lock, "vgic_prune_ap_list");
	raw_spin_lock(kernel, cpu, &second->vgic.ap_list_lock, "vgic_prune_ap_list");
	raw_spin_lock(kernel, cpu, &irq->irq_lock, "vgic_prune_ap_list");
	if (irq->vcpu == from && vgic_target_oracle(cpu, irq) == to) {
		list_delete(cpu, from, irq);
		list_add(cpu, to, irq);
		moved = true;
	}
	raw_spin_unlock(cpu, &irq->irq_lock);
	raw_spin_unlock(cpu, &second->vgic.ap_list_lock);
	raw_spin_unlock(cpu, &first->vgic.ap_list_lock);
	if (moved)
		tell(cpu, to);
}

/* The first entry that belongs to another vCPU, with that vCPU; on the way, what belongs to nobody leaves the list. */
static struct vgic_irq *prune_until_moved(struct cpu *cpu, struct kvm_vcpu *vcpu, struct kvm_vcpu **target)
{
	struct kernel *kernel = vcpu->kvm->kernel;
	struct vgic_irq *next;

	for (struct vgic_irq *irq = vcpu->vgic.ap_list; irq; irq = next) {
		next = irq->next;
		raw_spin_lock(kernel, cpu, &irq->irq_lock, "vgic_prune_ap_list");
		*target = vgic_target_oracle(cpu, irq);
		if (!*target)
			list_delete(cpu, vcpu, irq);
		raw_spin_unlock(cpu, &irq->irq_lock);
		if (*target && *target != vcpu)
			return irq;
	}
	return NULL;
}

void vgic_prune_ap_list(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	struct kernel *kernel = vcpu->kvm->kernel;
	struct kvm_vcpu *target;
	struct vgic_irq *irq;

	do {
		raw_spin_lock(kernel, cpu, &vcpu->vgic.ap_list_lock, "vgic_prune_ap_list");
		cpu_load_store(cpu, 6);
		irq = prune_until_moved(cpu, vcpu, &target);
		raw_spin_unlock(cpu, &vcpu->vgic.ap_list_lock);
		if (irq)
			migrate(cpu, vcpu, target, irq);
	} while (irq);
}
