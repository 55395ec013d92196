// SPDX-License-Identifier: Apache-2.0
/*
 * The first vGIC (virt/kvm/arm/vgic.c, to v4.6): one lock for each VM, dist.lock, around every injection and flush of
 * all its vCPUs. Sync takes it for each interrupt that has left its list register and was forwarded or level-triggered,
 * and not without such. State was in bitmaps of the distributor, so it has the lock's line; the kernel spreads them
 * over some more lines.
 *
 * List registers keep what is in them from one exit to the next; a pending interrupt goes into a free one at flush, and
 * an empty one is freed at sync. A level-triggered interrupt in a list register is `queued` and not looked at again
 * until it has left. Interrupts of that time were not masked around the lock.
 *
 * Here, too, an injection makes a request, so that one between flush and entry is not overlooked; kernels have done so
 * since v4.13.
 * Not modelled: maintenance interrupts as such (the guest's end of a level-triggered interrupt is seen at the next exit).
 */
#include "model/kvm/kvm.h"

static void tell(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	kvm_make_request(cpu, KVM_REQ_IRQ_PENDING, vcpu);
	kvm_vcpu_kick(cpu, vcpu);
}

static bool wants_in(const struct vgic_irq *irq)
{
	return irq->enabled && !irq->active && vgic_irq_is_pending(irq) && !irq->queued;
}

/* The vCPU by its number: the array under a read barrier. */
static void kvm_get_vcpu(struct cpu *cpu)
{
	cpu_barrier(cpu, BARRIER_DMB);
	cpu_load_store(cpu, 1);
}

/* Is the interrupt mapped to one of the host? A list of one or two entries for each vCPU, under RCU. */
static void vgic_irq_map_search(struct cpu *cpu)
{
	FUNCTION(cpu);

	cpu_load_store(cpu, 4 + 3);  /* rcu_read_lock and _unlock, the timer's entry */
}

static void vgic_bitmap_get_irq_val(struct cpu *cpu)
{
	FUNCTION(cpu);

	cpu_load_store(cpu, 3);
}

/* An edge that rises, or a level that is another one. */
static void vgic_validate_injection(struct cpu *cpu)
{
	FUNCTION(cpu);

	vgic_bitmap_get_irq_val(cpu);  /* vgic_irq_is_edge */
	vgic_bitmap_get_irq_val(cpu);  /* vgic_dist_irq_get_level or _is_pending */
}

static void inject(struct cpu *cpu, struct kvm_vcpu *vcpu, struct vgic_irq *irq, bool level)
{
	struct kvm *kvm = vcpu->kvm;
	bool news = false;

	kvm_get_vcpu(cpu);
	vgic_irq_map_search(cpu);
	FUNCTION_NAMED(cpu, "vgic_update_irq_pending");

	raw_spin_lock(kvm->kernel, cpu, &kvm->vgic.lock, "vgic_update_irq_pending");
	kvm_get_vcpu(cpu);
	vgic_bitmap_get_irq_val(cpu);  /* vgic_irq_is_edge */
	vgic_validate_injection(cpu);
	cpu_load_store(cpu, 2);
	if (irq->level && irq->line_level != level) {
		irq->line_level = level;
		news = level && wants_in(irq);
	} else if (!irq->level && level) {
		irq->pending_latch = true;
		news = wants_in(irq);
	}
	raw_spin_unlock(cpu, &kvm->vgic.lock);
	if (news)
		tell(cpu, irq->target_vcpu);
}

static bool map_is_active(struct cpu *cpu, struct kvm_vcpu *vcpu, struct vgic_irq *irq)
{
	FUNCTION_NAMED(cpu, "dist_active_irq");

	cpu_load_store(cpu, 2 * vcpu->kvm->kernel->config.list_registers);  /* the copies of the list registers */
	line_read(cpu, vcpu->kvm->vgic.lock.line);
	return irq->active || irq->queued;
}

static struct vgic_irq *nth(struct kvm_vcpu *vcpu, uint32_t n)
{
	return n < VGIC_PRIVATE_IRQS ? &vcpu->vgic.private_irqs[n] : &vcpu->kvm->vgic.spis[n - VGIC_PRIVATE_IRQS];
}

/* A bit for each vCPU with something pending, read without the lock. */
static bool pending(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	line_read(cpu, vcpu->kvm->vgic.lock.line);
	for (uint32_t n = 0; n < VGIC_PRIVATE_IRQS + VGIC_SPIS; n++) {
		if (nth(vcpu, n)->target_vcpu == vcpu && wants_in(nth(vcpu, n)))
			return true;
	}
	return false;
}

static bool vgic_queue_irq(struct cpu *cpu, struct kvm_vcpu *vcpu, struct vgic_irq *irq)
{
	const struct vgic_chip *chip = vcpu->kvm->vgic_chip;
	FUNCTION(cpu);

	cpu_load_store(cpu, 6);
	for (uint32_t n = 0; n < vcpu->kvm->kernel->config.list_registers; n++) {
		if (vcpu->vgic.lr[n])
			continue;
		chip->populate_lr(cpu, vcpu, irq, n);
		irq->queued = irq->level;
		return true;
	}
	return false;
}

static void flush(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	struct kvm *kvm = vcpu->kvm;
	bool room = true;

	raw_spin_lock(kvm->kernel, cpu, &kvm->vgic.lock, "kvm_vgic_flush_hwstate");
	cpu_load_store(cpu, 12);  /* pending and enabled bitmaps, private and shared */
	for (uint32_t n = 0; room && n < VGIC_PRIVATE_IRQS + VGIC_SPIS; n++) {
		struct vgic_irq *irq = nth(vcpu, n);

		if (irq->target_vcpu == vcpu && wants_in(irq))
			room = vgic_queue_irq(cpu, vcpu, irq);
	}
	kvm->vgic_chip->set_underflow(vcpu, !room);
	raw_spin_unlock(cpu, &kvm->vgic.lock);
	vgic_restore_state(cpu, vcpu);
}

/* An interrupt whose list register is empty again. One that a device or the host drives may be pending once more. */
static void process_queued_irq(struct cpu *cpu, struct kvm *kvm, struct vgic_irq *irq)
{
	FUNCTION(cpu);

	raw_spin_lock(kvm->kernel, cpu, &kvm->vgic.lock, __func__);
	cpu_load_store(cpu, 6);
	irq->queued = false;
	raw_spin_unlock(cpu, &kvm->vgic.lock);
}

static void sync(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	struct kvm *kvm = vcpu->kvm;

	vgic_save_state(cpu, vcpu);
	cpu_load_store(cpu, 8);  /* EISR, ELRSR, MISR as saved */
	for (uint32_t n = 0; n < kvm->kernel->config.list_registers; n++) {
		const struct vgic_lr lr = kvm->vgic_chip->decode(vcpu->vgic.lr[n]);
		struct vgic_irq *irq = nth(vcpu, lr.intid);

		if (!vcpu->vgic.lr[n])
			continue;
		cpu_load_store(cpu, 4);
		irq->active = lr.active;
		if (lr.active || lr.pending)
			continue;
		if (irq->queued || lr.hw)
			process_queued_irq(cpu, kvm, irq);
		vcpu->vgic.lr[n] = 0;
	}
}

static void send_sgi(struct cpu *cpu, struct kvm_vcpu *from, struct kvm_vcpu *to, uint32_t sgi)
{
	struct vgic_irq *irq = &to->vgic.private_irqs[sgi];
	struct kvm *kvm = to->kvm;

	raw_spin_lock(kvm->kernel, cpu, &kvm->vgic.lock, "vgic_dispatch_sgi");
	irq->pending_latch = true;
	irq->source |= (uint8_t)(1u << from->id.n % 8);
	cpu_load_store(cpu, 6);
	raw_spin_unlock(cpu, &kvm->vgic.lock);
	tell(cpu, to);
}

const struct vgic_ops vgic_distributor = {
	.name = "distributor",
	.inject = inject,
	.map_is_active = map_is_active,
	.pending = pending,
	.flush = flush,
	.sync = sync,
	.send_sgi = send_sgi,
};
