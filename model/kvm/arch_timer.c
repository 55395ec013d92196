// SPDX-License-Identifier: Apache-2.0
/*
 * arch/arm64/kvm/arch_timer.c, the load/put policy of v5.1 and later: timer registers are switched at
 * vcpu_load/vcpu_put; both guest timers are direct on VHE, the physical one is emulated on nVHE. Each load sets the
 * host interrupt's active state for each direct timer, always, because the next vCPU's load overwrites what the last
 * one left.
 *
 * Locks: per direct timer irq_lock of the guest's PPI twice (in-kernel irqchip), then the descriptor lock of the
 * host's PPI unless the kernel uses the per-CPU call. With a userspace irqchip once more after each guest exit, for
 * the virtual timer. kvm_timer_vcpu_put: none.
 *
 * Not modelled: nested timers, CNTPOFF (FEAT_ECV) and its save/restore around the guest, broken CNTVOFF hosts, hosts
 * without an active state.
 */
#include "model/kvm/kvm.h"

#define CTL_ENABLE  1u
#define CTL_IMASK   2u
#define CTL_ISTATUS 4u

struct timer_map get_timer_map(struct kvm_vcpu *vcpu)
{
	const struct kernel_config *config = &vcpu->kvm->kernel->config;
	struct timer_map map = { .direct_vtimer = &vcpu->vtimer };

	if (config->vhe && config->ptimer_direct_on_vhe)
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

static bool kvm_timer_should_fire(struct cpu *cpu, struct arch_timer_context *timer)
{
	FUNCTION(cpu);

	if (timer->loaded) {
		uint64_t ctl = cpu_sysreg_read(cpu, ctl_reg(timer));

		return (ctl & CTL_ENABLE) && (ctl & CTL_ISTATUS) && !(ctl & CTL_IMASK);
	}
	cpu_load_store(cpu, 2);
	if (!(timer->ctl & CTL_ENABLE) || (timer->ctl & CTL_IMASK))
		return false;
	return cpu_sysreg_read(cpu, SYS_CNTPCT_EL0) >= timer->cval;
}

static void kvm_timer_update_irq(struct cpu *cpu, struct kvm_vcpu *vcpu, bool level, struct arch_timer_context *timer)
{
	FUNCTION(cpu);

	timer->level = level;
	cpu_load_store(cpu, 2);
	if (vcpu->kvm->irqchip_in_kernel)
		kvm_vgic_inject_irq(cpu, vcpu, timer->guest_irq, level);
}

static void set_timer_irq_phys_active(struct cpu *cpu, struct kvm_vcpu *vcpu, struct arch_timer_context *timer, bool active)
{
	struct kernel *kernel = vcpu->kvm->kernel;
	FUNCTION(cpu);

	if (kernel->config.irq_state == IRQ_STATE_PER_CPU)
		irq_set_percpu_irqchip_state(kernel, cpu, timer->host_irq, active);
	else
		irq_set_irqchip_state(kernel, cpu, timer->host_irq, active);
}

static void kvm_timer_vcpu_load_gic(struct cpu *cpu, struct kvm_vcpu *vcpu, struct arch_timer_context *timer)
{
	bool phys_active = false;
	FUNCTION(cpu);

	kvm_timer_update_irq(cpu, vcpu, kvm_timer_should_fire(cpu, timer), timer);
	if (vcpu->kvm->irqchip_in_kernel)
		phys_active = kvm_vgic_map_is_active(cpu, vcpu, timer->guest_irq);
	phys_active |= timer->level;
	set_timer_irq_phys_active(cpu, vcpu, timer, phys_active);
}

/* CNTVOFF_EL2: written directly on VHE, by a hypervisor call on nVHE. */
static void set_cntvoff(struct cpu *cpu, struct kvm_vcpu *vcpu, uint64_t offset)
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

static void timer_restore_state(struct cpu *cpu, struct kvm_vcpu *vcpu, struct arch_timer_context *timer)
{
	bool flags;
	FUNCTION(cpu);

	flags = irq_save(cpu);
	line_read(cpu, vcpu->kvm->timer_data_line);
	if (!timer->is_ptimer)
		set_cntvoff(cpu, vcpu, 0);
	cpu_sysreg_write(cpu, cval_reg(timer), timer->cval);
	cpu_barrier(cpu, BARRIER_ISB);
	cpu_sysreg_write(cpu, ctl_reg(timer), timer->ctl);
	timer->loaded = true;
	irq_restore(cpu, flags);
}

static void timer_save_state(struct cpu *cpu, struct kvm_vcpu *vcpu, struct arch_timer_context *timer)
{
	bool flags;
	FUNCTION(cpu);

	flags = irq_save(cpu);
	timer->ctl = cpu_sysreg_read(cpu, ctl_reg(timer)) & (CTL_ENABLE | CTL_IMASK);
	timer->cval = cpu_sysreg_read(cpu, cval_reg(timer));
	cpu_sysreg_write(cpu, ctl_reg(timer), 0);
	cpu_barrier(cpu, BARRIER_ISB);
	if (!timer->is_ptimer)
		set_cntvoff(cpu, vcpu, 0);
	timer->loaded = false;
	irq_restore(cpu, flags);
}

/*
 * Emulated guest timer: nothing to arm while the guest has it off. An armed one needs hrtimers, which are not
 * modelled yet; no workload here arms it.
 */
static void timer_emulate(struct cpu *cpu, struct arch_timer_context *timer)
{
	FUNCTION(cpu);

	kvm_timer_should_fire(cpu, timer);
	cpu_load_store(cpu, 3);
}

static void timer_set_traps(struct cpu *cpu)
{
	FUNCTION(cpu);

	cpu_sysreg_read(cpu, SYS_CNTHCTL_EL2);  /* written only when the value changes */
	cpu_load_store(cpu, 4);
}

void kvm_timer_vcpu_load(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	const struct kernel_config *config = &vcpu->kvm->kernel->config;
	const struct timer_map map = get_timer_map(vcpu);
	FUNCTION(cpu);

	cpu_load_store(cpu, 4);  /* get_timer_map */
	kvm_timer_vcpu_load_gic(cpu, vcpu, map.direct_vtimer);
	if (map.direct_ptimer)
		kvm_timer_vcpu_load_gic(cpu, vcpu, map.direct_ptimer);
	cpu_load_store(cpu, 4);  /* kvm_timer_unblocking: the background timer is idle, no lock */
	timer_restore_state(cpu, vcpu, map.direct_vtimer);
	if (map.direct_ptimer)
		timer_restore_state(cpu, vcpu, map.direct_ptimer);
	if (map.emul_ptimer)
		timer_emulate(cpu, map.emul_ptimer);
	if (config->vhe && config->timer_traps == TIMER_TRAPS_LOAD)
		timer_set_traps(cpu);
}

void kvm_timer_vcpu_put(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	const struct timer_map map = get_timer_map(vcpu);
	FUNCTION(cpu);

	cpu_load_store(cpu, 4);
	timer_save_state(cpu, vcpu, map.direct_vtimer);
	if (map.direct_ptimer)
		timer_save_state(cpu, vcpu, map.direct_ptimer);
	cpu_load_store(cpu, 2);  /* emulated timers' hrtimers: not armed; not blocking */
}

/* Userspace irqchip: the levels that userspace was last told against what they are now. */
bool kvm_timer_should_notify_user(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	bool vlevel, plevel;
	FUNCTION(cpu);

	vlevel = kvm_timer_should_fire(cpu, &vcpu->vtimer);
	plevel = kvm_timer_should_fire(cpu, &vcpu->ptimer);
	cpu_load_store(cpu, 2);
	return vlevel != vcpu->told_vtimer || plevel != vcpu->told_ptimer;
}

static void unmask_vtimer_irq_user(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	FUNCTION(cpu);

	if (kvm_timer_should_fire(cpu, &vcpu->vtimer))
		return;
	kvm_timer_update_irq(cpu, vcpu, false, &vcpu->vtimer);
	set_timer_irq_phys_active(cpu, vcpu, &vcpu->vtimer, false);
}

/*
 * Userspace irqchip, after every guest exit: while the virtual timer is not firing, its host interrupt is made
 * inactive again.
 */
void kvm_timer_sync_user(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	FUNCTION(cpu);

	unmask_vtimer_irq_user(cpu, vcpu);
}

void kvm_timer_update_run(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	FUNCTION(cpu);

	vcpu->told_vtimer = kvm_timer_should_fire(cpu, &vcpu->vtimer);
	vcpu->told_ptimer = kvm_timer_should_fire(cpu, &vcpu->ptimer);
	cpu_load_store(cpu, 4);  /* the shared kvm_run page */
}

bool kvm_arch_timer_get_input_level(struct cpu *cpu, struct kvm_vcpu *vcpu, struct vgic_irq *irq)
{
	FUNCTION(cpu);

	return kvm_timer_should_fire(cpu, irq == vcpu->vtimer.guest_irq ? &vcpu->vtimer : &vcpu->ptimer);
}

bool kvm_arch_timer_handler(struct cpu *cpu, void *context, intid interrupt)
{
	struct kernel *kernel = context;
	struct kvm_vcpu *vcpu = kernel->running_vcpu[cpu_number(cpu).n];
	struct arch_timer_context *timer;
	FUNCTION(cpu);

	if (!vcpu)
		return false;  /* spurious: the interrupt was pending when its vCPU was put */
	timer = interrupt.n == vcpu->vtimer.host_irq->hwirq.n ? &vcpu->vtimer : &vcpu->ptimer;
	if (kvm_timer_should_fire(cpu, timer))
		kvm_timer_update_irq(cpu, vcpu, true, timer);
	return true;
}
