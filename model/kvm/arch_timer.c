// SPDX-License-Identifier: Apache-2.0
/*
 * arch/arm64/kvm/arch_timer.c (virt/kvm/arm before v5.6): the steps that all timer policies are made of, and the way into
 * them. Which policy: kernel.timer_regs; see timer_policy.h and docs/timers.md.
 *
 * The virtual timer is always direct. The physical one is direct on VHE since v5.1, emulated by an hrtimer else.
 * Not modelled: nested timers, broken CNTVOFF hosts, the effect of CNTPOFF_EL2 on a running timer (a workload that needs
 * it stops with a message).
 */
#include "model/kernel/unmodelled.h"
#include "model/kvm/timer_policy.h"

const struct timer_policy *timer_policy_of(const struct kernel *kernel)
{
	static const struct timer_policy *const all[] = {
		[TIMER_REGS_HYP_EVERY_SWITCH] = &timer_hyp_switch,
		[TIMER_REGS_HOST_EVERY_LOOP] = &timer_host_loop,
		[TIMER_REGS_LOAD_PUT] = &timer_load_put,
	};

	return all[kernel->config.timer_regs];
}

struct timer_map get_timer_map(struct kvm_vcpu *vcpu)
{
	const struct kernel_config *config = &vcpu->kvm->kernel->config;
	struct timer_map map = { .direct_vtimer = &vcpu->vtimer };

	if (config->vhe && config->ptimer_direct_on_vhe && config->timer_regs == TIMER_REGS_LOAD_PUT)
		map.direct_ptimer = &vcpu->ptimer;
	else
		map.emul_ptimer = &vcpu->ptimer;
	return map;
}

static enum sysreg ctl_reg(const struct arch_timer_context *timer)
{
	return timer->is_ptimer ? SYS_CNTP_CTL_EL0 : SYS_CNTV_CTL_EL0;
}

static enum sysreg cval_reg(const struct arch_timer_context *timer)
{
	return timer->is_ptimer ? SYS_CNTP_CVAL_EL0 : SYS_CNTV_CVAL_EL0;
}

bool kvm_timer_irq_can_fire(const struct arch_timer_context *timer)
{
	return (timer->ctl & (CTL_ENABLE | CTL_IMASK)) == CTL_ENABLE;
}

bool kvm_timer_should_fire(struct cpu *cpu, struct arch_timer_context *timer)
{
	FUNCTION(cpu);

	if (timer->loaded) {
		uint64_t ctl = cpu_sysreg_read(cpu, ctl_reg(timer));

		return (ctl & CTL_ENABLE) && (ctl & CTL_ISTATUS) && !(ctl & CTL_IMASK);
	}
	cpu_load_store(cpu, 2);
	if (!kvm_timer_irq_can_fire(timer))
		return false;
	return cpu_sysreg_read(cpu, SYS_CNTPCT_EL0) - timer->offset >= timer->cval;
}

/* A native GICv5 guest gets the interrupts of direct timers without KVM. */
static bool skips_vgic(struct kvm_vcpu *vcpu, const struct arch_timer_context *timer)
{
	return !vcpu->kvm->irqchip_in_kernel || (timer_vgic_is_v5(vcpu) && timer != get_timer_map(vcpu).emul_ptimer);
}

void kvm_timer_update_irq(struct cpu *cpu, struct kvm_vcpu *vcpu, bool level, struct arch_timer_context *timer)
{
	FUNCTION(cpu);

	if (timer == &vcpu->vtimer && timer->level != level)
		vcpu->active_cleared_last = false;
	timer->level = level;
	cpu_load_store(cpu, 2);
	if (!skips_vgic(vcpu, timer))
		kvm_vgic_inject_irq(cpu, vcpu, timer->guest_irq, level);
}

void kvm_timer_update_state(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	struct arch_timer_context *const timers[] = { &vcpu->vtimer, &vcpu->ptimer };
	FUNCTION(cpu);

	for (size_t n = 0; n < 2; n++) {
		const bool level = kvm_timer_should_fire(cpu, timers[n]);

		cpu_load_store(cpu, 1);
		if (level != timers[n]->level)
			kvm_timer_update_irq(cpu, vcpu, level, timers[n]);
	}
}

void set_cntvoff(struct cpu *cpu, struct kvm_vcpu *vcpu, uint64_t offset)
{
	FUNCTION(cpu);

	if (vcpu->kvm->kernel->config.vhe) {
		cpu_sysreg_write(cpu, SYS_CNTVOFF_EL2, offset);
		return;
	}
	hyp_call_enter(cpu);
	cpu_sysreg_write(cpu, SYS_CNTVOFF_EL2, offset);
	hyp_call_return(cpu);
}

/* The kernel knows CNTPOFF_EL2 since v6.4, with timer_set_traps(). */
static bool has_cntpoff(const struct kvm_vcpu *vcpu)
{
	const struct kernel_config *config = &vcpu->kvm->kernel->config;

	return config->vhe && config->cntpoff && config->timer_traps == TIMER_TRAPS_LOAD;
}

static void set_cntpoff(struct cpu *cpu, const struct kvm_vcpu *vcpu, const struct arch_timer_context *timer, uint64_t offset)
{
	if (!has_cntpoff(vcpu))
		return;
	if (offset && kvm_timer_irq_can_fire(timer))
		unmodelled("a running physical timer of a guest with CNTPOFF_EL2 other than 0");
	cpu_sysreg_write(cpu, SYS_CNTPOFF_EL2, offset);
}

void timer_restore_state(struct cpu *cpu, struct kvm_vcpu *vcpu, struct arch_timer_context *timer)
{
	bool flags;
	FUNCTION(cpu);

	if (timer->loaded)
		return;
	flags = irq_save(cpu);
	line_read(cpu, vcpu->kvm->timer_data_line);
	if (timer->is_ptimer)
		set_cntpoff(cpu, vcpu, timer, timer->offset);
	else
		set_cntvoff(cpu, vcpu, 0);
	cpu_sysreg_write(cpu, cval_reg(timer), timer->cval + timer->offset);
	cpu_barrier(cpu, BARRIER_ISB);
	cpu_sysreg_write(cpu, ctl_reg(timer), timer->ctl);
	timer->loaded = true;
	irq_restore(cpu, flags);
}

/* Up to v4.19 a VHE host leaves CNTVOFF_EL2 as it is: it does not see the virtual counter through it. */
static bool clears_cntvoff(const struct kvm_vcpu *vcpu)
{
	const struct kernel_config *config = &vcpu->kvm->kernel->config;

	return !config->vhe || config->inject_at_load;
}

void timer_save_state(struct cpu *cpu, struct kvm_vcpu *vcpu, struct arch_timer_context *timer)
{
	bool flags;
	FUNCTION(cpu);

	if (!timer->loaded)
		return;
	flags = irq_save(cpu);
	timer->ctl = cpu_sysreg_read(cpu, ctl_reg(timer)) & (CTL_ENABLE | CTL_IMASK);
	timer->cval = cpu_sysreg_read(cpu, cval_reg(timer)) - timer->offset;
	cpu_sysreg_write(cpu, ctl_reg(timer), 0);
	cpu_barrier(cpu, BARRIER_ISB);
	if (timer->is_ptimer)
		set_cntpoff(cpu, vcpu, timer, 0);
	else if (clears_cntvoff(vcpu))
		set_cntvoff(cpu, vcpu, 0);
	timer->loaded = false;
	irq_restore(cpu, flags);
}

void timer_emulate(struct cpu *cpu, struct kvm_vcpu *vcpu, struct arch_timer_context *timer)
{
	bool fires;
	FUNCTION(cpu);

	fires = kvm_timer_should_fire(cpu, timer);
	cpu_load_store(cpu, 3);
	if (fires != timer->level) {
		kvm_timer_update_irq(cpu, vcpu, fires, timer);
		return;
	}
	if (fires || !kvm_timer_irq_can_fire(timer)) {
		soft_timer_cancel(cpu, vcpu, &timer->hrtimer);
		return;
	}
	soft_timer_start(cpu, vcpu, &timer->hrtimer, kvm_timer_compute_delta(cpu, timer));
}

void timer_switch_traps(struct cpu *cpu)
{
	cpu_sysreg_write(cpu, SYS_CNTHCTL_EL2, cpu_sysreg_read(cpu, SYS_CNTHCTL_EL2));
}

/* ---- from the run loop, load and put ---- */

void kvm_timer_vcpu_load(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	timer_hook *const load = timer_policy_of(vcpu->kvm->kernel)->load;

	if (!load)
		return;
	FUNCTION(cpu);
	load(cpu, vcpu);
}

void kvm_timer_vcpu_put(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	timer_hook *const put = timer_policy_of(vcpu->kvm->kernel)->put;

	if (!put)
		return;
	FUNCTION(cpu);
	put(cpu, vcpu);
}

void kvm_timer_flush_hwstate(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	timer_hook *const flush = timer_policy_of(vcpu->kvm->kernel)->flush_hwstate;

	if (!flush)
		return;
	FUNCTION(cpu);
	flush(cpu, vcpu);
}

bool kvm_arch_timer_get_input_level(struct cpu *cpu, struct kvm_vcpu *vcpu, struct vgic_irq *irq)
{
	FUNCTION(cpu);

	return kvm_timer_should_fire(cpu, irq == vcpu->vtimer.guest_irq ? &vcpu->vtimer : &vcpu->ptimer);
}

void kvm_timer_sync_hwstate(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	timer_hook *const sync = timer_policy_of(vcpu->kvm->kernel)->sync_hwstate;

	if (!sync)
		return;
	FUNCTION(cpu);
	sync(cpu, vcpu);
}

bool kvm_timer_interrupts_on(const struct kernel *kernel)
{
	return timer_policy_of(kernel)->interrupts_on;
}

void timer_hyp_enter(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	timer_policy_of(vcpu->kvm->kernel)->hyp_enter(cpu, vcpu);
}

void timer_hyp_exit(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	timer_policy_of(vcpu->kvm->kernel)->hyp_exit(cpu, vcpu);
}

/* Up to v4.14 the timer is off outside the guest, and what its interrupt had to say the sync after the exit finds. */
bool kvm_arch_timer_handler(struct cpu *cpu, void *context, intid interrupt)
{
	struct kernel *kernel = context;
	struct kvm_vcpu *vcpu = kernel->running_vcpu[cpu_number(cpu).n];
	struct arch_timer_context *timer;
	FUNCTION(cpu);

	if (!vcpu || kernel->config.timer_regs != TIMER_REGS_LOAD_PUT)
		return false;  /* spurious: the interrupt was pending when its vCPU was put */
	timer = interrupt.n == vcpu->vtimer.host_irq->hwirq.n ? &vcpu->vtimer : &vcpu->ptimer;
	if (kvm_timer_should_fire(cpu, timer))
		kvm_timer_update_irq(cpu, vcpu, true, timer);
	if (!vcpu->kvm->irqchip_in_kernel && !irqchip_has_active_state(kernel)) {
		disable_percpu_irq(kernel, cpu, timer->host_irq);
		return false;
	}
	return true;
}
