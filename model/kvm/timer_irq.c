// SPDX-License-Identifier: Apache-2.0
/*
 * The host's interrupt of a guest timer (arch_timer.c): who keeps it quiet while the guest has yet to answer.
 *
 *   GIC with active state    IRQCHIP_STATE_ACTIVE: the guest's own end of interrupt deactivates it
 *   no active state          GICv2 with a 4 kB CPU interface: the interrupt is disabled on this CPU while the level is high,
 *                            enabled while it is low, at every load
 *   GICv5, native guest      set while the vCPU is loaded (the guest gets the interrupt directly), cleared at put; the chip
 *                            stacked on the parent (irq_kvm_chip.c) turns that into mask and unmask
 *   no hardware deactivation Apple's AIC: the same calls as with active state; the stacked chip again
 *
 * Each of these takes the descriptor's lock, which is one for the whole machine, unless kernel.irq_state says per-cpu.
 */
#include "model/kvm/timer_policy.h"

bool timer_vgic_is_v5(const struct kvm_vcpu *vcpu)
{
	return vcpu->kvm->vgic_v5;
}

void set_timer_irq_phys_active(struct cpu *cpu, struct kvm_vcpu *vcpu, struct arch_timer_context *timer, bool active)
{
	struct kernel *kernel = vcpu->kvm->kernel;
	FUNCTION(cpu);

	if (kernel->config.irq_state == IRQ_STATE_PER_CPU)
		irq_set_percpu_irqchip_state(kernel, cpu, timer->host_irq, active);
	else
		irq_set_irqchip_state(kernel, cpu, timer->host_irq, active);
}

void timer_irq_follow_level(struct cpu *cpu, struct kvm_vcpu *vcpu, struct arch_timer_context *timer)
{
	struct kernel *kernel = vcpu->kvm->kernel;

	if (timer->level)
		disable_percpu_irq(kernel, cpu, timer->host_irq);
	else
		enable_percpu_irq(kernel, cpu, timer->host_irq);
}
