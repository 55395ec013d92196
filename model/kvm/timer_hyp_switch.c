// SPDX-License-Identifier: Apache-2.0
/*
 * Timer registers inside the hypervisor at every entry and exit (to v4.14): __timer_restore_state and
 * __timer_save_state of hyp/timer-sr.c (before about v4.5 hyp.S), around them kvm_timer_flush_hwstate and
 * kvm_timer_sync_hwstate in the host, with preemption off and interrupts on. The guest's physical timer is emulated.
 *
 * Entry: CNTVOFF_EL2, CVAL, ISB, CTL written. Exit: CTL and CVAL read, CTL and CNTVOFF_EL2 zeroed. nVHE, and VHE with
 * kernel.timer_traps: switch: CNTHCTL_EL2 read and written each way.
 *
 * What kernel.active_state changes:
 *   none           3.x: no call; instead an hrtimer at every exit at which the guest's timer is enabled and in the
 *                  future, cancelled before the next entry; one ISB more at the exit (hyp.S)
 *   every-entry    the active state is set at every entry
 *   cached-clear   at every entry, unless it is to be clear and the last one written was clear; a put or a level that
 *                  changes ends that
 *
 * With a userspace irqchip the host interrupt is enabled or disabled at every entry, with active state or without.
 */
#include "model/kvm/timer_policy.h"
#include "model/kvm/timer_steps.h"

/* 3.x knows nothing of active states. */
static bool first_kernels(const struct kvm_vcpu *vcpu)
{
	return vcpu->kvm->kernel->config.active_state == ACTIVE_STATE_NONE;
}

static bool switches_traps(const struct kvm_vcpu *vcpu)
{
	const struct kernel_config *config = &vcpu->kvm->kernel->config;

	return !config->vhe || config->timer_traps == TIMER_TRAPS_SWITCH;
}

static void hyp_restore_state(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	struct arch_timer_context *vtimer = &vcpu->vtimer;
	FUNCTION_NAMED(cpu, "__timer_restore_state");

	if (switches_traps(vcpu))
		timer_switch_traps(cpu);
	line_read(cpu, vcpu->kvm->timer_data_line);
	cpu_sysreg_write(cpu, SYS_CNTVOFF_EL2, 0);
	cpu_sysreg_write(cpu, SYS_CNTV_CVAL_EL0, vtimer->cval);
	cpu_barrier(cpu, BARRIER_ISB);
	cpu_sysreg_write(cpu, SYS_CNTV_CTL_EL0, vtimer->ctl);
	vtimer->loaded = true;
}

static void hyp_save_state(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	struct arch_timer_context *vtimer = &vcpu->vtimer;
	FUNCTION_NAMED(cpu, "__timer_save_state");

	vtimer->ctl = cpu_sysreg_read(cpu, SYS_CNTV_CTL_EL0) & (CTL_ENABLE | CTL_IMASK);
	if (first_kernels(vcpu))
		cpu_barrier(cpu, BARRIER_ISB);
	vtimer->cval = cpu_sysreg_read(cpu, SYS_CNTV_CVAL_EL0);
	cpu_sysreg_write(cpu, SYS_CNTV_CTL_EL0, 0);
	if (switches_traps(vcpu))
		timer_switch_traps(cpu);
	cpu_sysreg_write(cpu, SYS_CNTVOFF_EL2, 0);
	vtimer->loaded = false;
}

static void flush_hwstate_vgic(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	struct arch_timer_context *vtimer = &vcpu->vtimer;
	bool active;
	FUNCTION_NAMED(cpu, "kvm_timer_flush_hwstate_vgic");

	active = kvm_vgic_map_is_active(cpu, vcpu, vtimer->guest_irq) || vtimer->level;
	if (vcpu->kvm->kernel->config.active_state == ACTIVE_STATE_CACHED_CLEAR && vcpu->active_cleared_last && !active)
		return;
	set_timer_irq_phys_active(cpu, vcpu, vtimer, active);
	vcpu->active_cleared_last = !active;
}

void timer_flush_hwstate(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	if (first_kernels(vcpu)) {
		soft_timer_cancel(cpu, vcpu, &vcpu->bg_timer);
		if (!vcpu->kvm->irqchip_in_kernel)
			timer_irq_follow_level(cpu, vcpu, &vcpu->vtimer);
		return;
	}
	kvm_timer_update_state(cpu, vcpu);
	timer_emulate(cpu, vcpu, &vcpu->ptimer);
	if (vcpu->kvm->irqchip_in_kernel)
		flush_hwstate_vgic(cpu, vcpu);
	else
		timer_irq_follow_level(cpu, vcpu, &vcpu->vtimer);
}

/* 3.x: the host keeps time for the guest while the vCPU is out of it. A timer that fired is masked until the guest ends it. */
static void sync_first_kernels(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	struct arch_timer_context *vtimer = &vcpu->vtimer;
	ps_t delta;

	cpu_load_store(cpu, 2);
	if (!kvm_timer_irq_can_fire(vtimer))
		return;
	delta = kvm_timer_compute_delta(cpu, vtimer);
	if (delta) {
		soft_timer_start(cpu, vcpu, &vcpu->bg_timer, delta);
		return;
	}
	vtimer->ctl |= CTL_IMASK;
	kvm_timer_update_irq(cpu, vcpu, true, vtimer);
}

void timer_sync_hwstate(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	if (first_kernels(vcpu)) {
		sync_first_kernels(cpu, vcpu);
		return;
	}
	soft_timer_cancel(cpu, vcpu, &vcpu->ptimer.hrtimer);
	kvm_timer_update_state(cpu, vcpu);
}

void timer_forget_active_state(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	cpu_load_store(cpu, 1);
	vcpu->active_cleared_last = false;
}

const struct timer_policy timer_hyp_switch = {
	.name = "hyp-every-switch",
	.interrupts_on = true,
	.put = timer_forget_active_state,
	.flush_hwstate = timer_flush_hwstate,
	.sync_hwstate = timer_sync_hwstate,
	.hyp_enter = hyp_restore_state,
	.hyp_exit = hyp_save_state,
};
