// SPDX-License-Identifier: Apache-2.0
/*
 * What stands in a list register for an interrupt, and what a list register says after the guest has run
 * (arch/arm64/kvm/vgic: vgic_v2_populate_lr and vgic_v3_populate_lr, *_fold_lr_state, vgic_irq_handle_resampling).
 *
 * Mapped, level-triggered interrupts (the timers): KVM sees only that the input rises, as a host interrupt. So the recorded level
 * falls when the interrupt enters a list register as pending, and is sampled when the list register comes back
 *
 *   still pending    the guest did not take it: the timer may have been stopped meanwhile
 *   deactivated      although the recorded level is high: injected again while the guest was in its handler
 *
 * If the line is low then, nobody will deactivate the host's interrupt but KVM: irq_set_irqchip_state(), with its
 * descriptor lock, inside irq_lock. Hosts that cannot deactivate from a list register (`resample`) pay that whenever it
 * comes back not active: at every end of the interrupt.
 * Up to v4.14 the timer tells the level at every exit, and none of this is needed: the recorded level stays.
 * The caller holds irq_lock for vgic_lr_of; vgic_fold_lr takes it itself.
 * Not modelled: notifying irqfd of an end (vhost, VFIO). The second case is newer than v4.19 (about v5.15) but always there.
 */
#include "model/kernel/unmodelled.h"
#include "model/kvm/kvm.h"

/* Since the timer's registers stay on the CPU between exits its interrupt is seen when it rises, not at every exit. */
static bool mapped_level(const struct kvm_vcpu *vcpu, const struct vgic_irq *irq)
{
	return irq->level && irq->host_irq && vcpu->kvm->kernel->config.timer_regs == TIMER_REGS_LOAD_PUT;
}

static uint32_t lowest(uint32_t bits)
{
	return bits ? (uint32_t)__builtin_ctz(bits) : 0;
}

struct vgic_lr vgic_lr_of(struct cpu *cpu, struct kvm_vcpu *vcpu, struct vgic_irq *irq)
{
	struct vgic_lr lr = { .intid = irq->intid, .priority = irq->priority, .active = irq->active };
	bool may_pend = true;

	cpu_load_store(cpu, 8);
	if (irq->host_irq && !irq->resample) {
		lr.hw = true;
		lr.host_intid = irq->host_irq->hwirq.n;
		may_pend = !irq->active;  /* the pending half is kept by the physical interrupt */
	} else if (irq->level) {
		lr.eoi = true;
		may_pend = !irq->active;
	}
	if (may_pend && vgic_irq_is_pending(irq)) {
		lr.pending = true;
		if (!irq->level)
			irq->pending_latch = false;
		if (vcpu->kvm->vgic_chip->sgi_source && irq->intid < VGIC_SGIS) {
			lr.source = lowest(irq->source);
			irq->source &= (uint8_t)~(1u << lr.source);
			irq->pending_latch = irq->source != 0;
			lr.eoi = irq->source != 0;
		}
	}
	if (mapped_level(vcpu, irq) && lr.pending)
		irq->line_level = false;
	return lr;
}

static void vgic_irq_handle_resampling(struct cpu *cpu, struct kvm_vcpu *vcpu, struct vgic_irq *irq, bool pending,
				       bool deactivated)
{
	bool resample = false;

	if (!mapped_level(vcpu, irq))
		return;
	if (!irq->get_input_level)
		unmodelled("a device's interrupt that a guest has directly");
	if (irq->resample) {
		resample = !irq->active && !irq->pending_latch;
	} else if (pending || (deactivated && irq->line_level)) {
		irq->line_level = irq->get_input_level(cpu, vcpu, irq);
		resample = !irq->line_level;
	}
	if (resample)
		irq_set_irqchip_state(vcpu->kvm->kernel, cpu, irq->host_irq, false);
}

static struct vgic_irq *vgic_get_vcpu_irq(struct kvm_vcpu *vcpu, uint32_t n)
{
	return n < VGIC_PRIVATE_IRQS ? &vcpu->vgic.private_irqs[n] : &vcpu->kvm->vgic.spis[n - VGIC_PRIVATE_IRQS];
}

void vgic_fold_lr(struct cpu *cpu, struct kvm_vcpu *vcpu, struct vgic_lr lr)
{
	struct vgic_irq *irq = vgic_get_vcpu_irq(vcpu, lr.intid);
	bool deactivated;

	cpu_load_store(cpu, 4);
	raw_spin_lock(vcpu->kvm->kernel, cpu, &irq->irq_lock, "vgic_fold_lr_state");
	deactivated = irq->active && !lr.active;
	irq->active = lr.active;
	if (!irq->level && lr.pending) {
		irq->pending_latch = true;
		if (vcpu->kvm->vgic_chip->sgi_source && irq->intid < VGIC_SGIS)
			irq->source |= (uint8_t)(1u << lr.source);
	}
	if (irq->level && !lr.active && !lr.pending)
		irq->pending_latch = false;
	cpu_load_store(cpu, 4);
	vgic_irq_handle_resampling(cpu, vcpu, irq, lr.pending, deactivated);
	raw_spin_unlock(cpu, &irq->irq_lock);
}
