// SPDX-License-Identifier: Apache-2.0
/*
 * Timer registers at vcpu_load and vcpu_put (v4.15 and later). Each load sets the host interrupt's active state for each
 * direct timer, always, because the next vCPU's load overwrites what the last one left; there is no cache of it.
 *
 * Load, each direct timer (kernel.inject_at_load): its level to the guest, irq_lock of the guest's PPI twice (in-kernel
 * irqchip), then the descriptor's lock of the host's PPI and the device. To v4.19 (inject_at_load: no): the virtual timer
 * alone, irq_lock once, and the level of the emulated physical timer last, when it has changed. Put: no lock on GICv2 to v4;
 * a native GICv5 guest's interrupts are unmasked, with the lock.
 *
 * World switch: nothing on VHE, but CNTP_CVAL_EL0 on hosts with CNTPOFF_EL2 (v6.6; v6.4 and v6.5 had the same hosts without it),
 * because host and guest share it while HCR_EL2.TGE changes how the offset applies. nVHE: CNTHCTL_EL2.
 *
 * Not modelled: nested timers, broken CNTVOFF hosts.
 */
#include "model/kvm/timer_policy.h"
#include "model/kvm/timer_steps.h"

/* One direct timer; native GICv5: masked whatever its level, and the vGIC is not asked. */
static void kvm_timer_vcpu_load_gic(struct cpu *cpu, struct kvm_vcpu *vcpu, struct arch_timer_context *timer)
{
	const bool native_v5 = timer_vgic_is_v5(vcpu), inject = vcpu->kvm->kernel->config.inject_at_load;
	bool active = native_v5;
	FUNCTION(cpu);

	if (inject)
		kvm_timer_update_irq(cpu, vcpu, kvm_timer_should_fire(cpu, timer), timer);
	if (vcpu->kvm->irqchip_in_kernel && !native_v5)
		active = kvm_vgic_map_is_active(cpu, vcpu, timer->guest_irq);
	if (inject || !vcpu->kvm->irqchip_in_kernel)
		active |= timer->level;  /* to v4.19 the level is what the last interrupt said, and the vGIC knows better */
	set_timer_irq_phys_active(cpu, vcpu, timer, active);
}

static void kvm_timer_vcpu_load_nogic(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	FUNCTION(cpu);

	kvm_timer_update_irq(cpu, vcpu, kvm_timer_should_fire(cpu, &vcpu->vtimer), &vcpu->vtimer);
	timer_irq_follow_level(cpu, vcpu, &vcpu->vtimer);
}

static void timer_set_traps(struct cpu *cpu)
{
	FUNCTION(cpu);

	cpu_sysreg_read(cpu, SYS_CNTHCTL_EL2);  /* written only when the value changes */
	cpu_load_store(cpu, 4);
}

static void load_put_load(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	const struct kernel_config *config = &vcpu->kvm->kernel->config;
	const struct timer_map map = get_timer_map(vcpu);

	cpu_load_store(cpu, 4);  /* get_timer_map */
	if (irqchip_has_active_state(vcpu->kvm->kernel)) {
		kvm_timer_vcpu_load_gic(cpu, vcpu, map.direct_vtimer);
		if (map.direct_ptimer)
			kvm_timer_vcpu_load_gic(cpu, vcpu, map.direct_ptimer);
	} else {
		kvm_timer_vcpu_load_nogic(cpu, vcpu);
	}
	cpu_load_store(cpu, 4);  /* kvm_timer_unblocking: without the scheduler the background timer is idle, no lock */
	if (vcpu->kvm->kernel->sched)
		kvm_timer_unblocking(cpu, vcpu);
	timer_restore_state(cpu, vcpu, map.direct_vtimer);
	if (map.direct_ptimer)
		timer_restore_state(cpu, vcpu, map.direct_ptimer);
	if (map.emul_ptimer)
		timer_emulate(cpu, vcpu, map.emul_ptimer);
	if (config->vhe && config->timer_traps == TIMER_TRAPS_LOAD)
		timer_set_traps(cpu);
}

static void load_put_put(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	const struct timer_map map = get_timer_map(vcpu);

	cpu_load_store(cpu, 4);
	timer_save_state(cpu, vcpu, map.direct_vtimer);
	if (map.direct_ptimer)
		timer_save_state(cpu, vcpu, map.direct_ptimer);
	if (map.emul_ptimer)
		soft_timer_cancel(cpu, vcpu, &map.emul_ptimer->hrtimer);
	cpu_load_store(cpu, 2);
	if (kvm_vcpu_blocks_with_put(vcpu))
		kvm_timer_blocking(cpu, vcpu);
	if (!timer_vgic_is_v5(vcpu))
		return;
	set_timer_irq_phys_active(cpu, vcpu, map.direct_vtimer, false);
	if (map.direct_ptimer)
		set_timer_irq_phys_active(cpu, vcpu, map.direct_ptimer, false);
}

void timer_hyp_traps_enter(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	const struct kernel_config *config = &vcpu->kvm->kernel->config;

	if (config->vhe && config->timer_traps != TIMER_TRAPS_SWITCH)
		return;
	FUNCTION_NAMED(cpu, "__timer_enable_traps");
	timer_switch_traps(cpu);
}

void timer_hyp_traps_exit(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	const struct kernel_config *config = &vcpu->kvm->kernel->config;

	if (config->vhe && config->timer_traps != TIMER_TRAPS_SWITCH)
		return;
	FUNCTION_NAMED(cpu, "__timer_disable_traps");
	timer_switch_traps(cpu);
}

/* FEAT_ECV with a kernel that knows it (v6.4 and later). */
static bool switches_cntp_cval(struct kvm_vcpu *vcpu)
{
	const struct kernel_config *config = &vcpu->kvm->kernel->config;

	return config->vhe && config->cntpoff && config->timer_traps == TIMER_TRAPS_LOAD && get_timer_map(vcpu).direct_ptimer;
}

static void load_put_hyp_enter(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	timer_hyp_traps_enter(cpu, vcpu);
	if (!switches_cntp_cval(vcpu))
		return;
	cpu_sysreg_write(cpu, SYS_CNTP_CVAL_EL0, vcpu->ptimer.cval);
	cpu_barrier(cpu, BARRIER_ISB);
}

static void load_put_hyp_exit(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	uint64_t offset;

	timer_hyp_traps_exit(cpu, vcpu);
	if (!switches_cntp_cval(vcpu))
		return;
	vcpu->ptimer.cval = cpu_sysreg_read(cpu, SYS_CNTP_CVAL_EL0);
	offset = cpu_sysreg_read(cpu, SYS_CNTPOFF_EL2);
	if (!offset)
		return;
	cpu_sysreg_write(cpu, SYS_CNTP_CVAL_EL0, vcpu->ptimer.cval + offset);
	cpu_barrier(cpu, BARRIER_ISB);
}

const struct timer_policy timer_load_put = {
	.name = "load-put",
	.load = load_put_load,
	.put = load_put_put,
	.sync_user = unmask_vtimer_irq_user,
	.hyp_enter = load_put_hyp_enter,
	.hyp_exit = load_put_hyp_exit,
};
