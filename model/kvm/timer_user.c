// SPDX-License-Identifier: Apache-2.0
/*
 * The guest's interrupt controller is the VMM's (userspace irqchip): it learns of the timers' levels by exits.
 *
 * load-put: the levels are those of the loaded registers, one read of CTL each; after every exit the virtual timer's host
 * interrupt is made inactive again (or enabled, on hosts without active state) while the timer is not firing: the
 * descriptor's lock once more. Before v4.15 the levels are the saved ones, and the host interrupt is enabled or disabled
 * at every entry instead (timer_hyp_switch.c).
 */
#include "model/kvm/timer_policy.h"

static bool level_for_user(struct cpu *cpu, const struct kvm_vcpu *vcpu, struct arch_timer_context *timer)
{
	if (vcpu->kvm->kernel->config.timer_regs == TIMER_REGS_LOAD_PUT)
		return kvm_timer_should_fire(cpu, timer);
	cpu_load_store(cpu, 1);
	return timer->level;
}

/* The levels that userspace was last told against what they are now. */
bool kvm_timer_should_notify_user(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	bool vlevel, plevel;
	FUNCTION(cpu);

	vlevel = level_for_user(cpu, vcpu, &vcpu->vtimer);
	plevel = level_for_user(cpu, vcpu, &vcpu->ptimer);
	cpu_load_store(cpu, 2);
	return vlevel != vcpu->told_vtimer || plevel != vcpu->told_ptimer;
}

void kvm_timer_update_run(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	FUNCTION(cpu);

	vcpu->told_vtimer = level_for_user(cpu, vcpu, &vcpu->vtimer);
	vcpu->told_ptimer = level_for_user(cpu, vcpu, &vcpu->ptimer);
	cpu_load_store(cpu, 4);  /* the shared kvm_run page */
}

void unmask_vtimer_irq_user(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	struct kernel *kernel = vcpu->kvm->kernel;
	FUNCTION(cpu);

	if (kvm_timer_should_fire(cpu, &vcpu->vtimer))
		return;
	kvm_timer_update_irq(cpu, vcpu, false, &vcpu->vtimer);
	if (irqchip_has_active_state(kernel))
		set_timer_irq_phys_active(cpu, vcpu, &vcpu->vtimer, false);
	else
		enable_percpu_irq(kernel, cpu, vcpu->vtimer.host_irq);
}

void kvm_timer_sync_user(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	const struct timer_policy *policy = timer_policy_of(vcpu->kvm->kernel);

	if (!policy->sync_user)
		return;
	FUNCTION(cpu);
	policy->sync_user(cpu, vcpu);
}
