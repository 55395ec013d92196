// SPDX-License-Identifier: Apache-2.0
/*
 * When the guest's timer registers change places with the host's: three policies, and the steps that they are made of
 * (arch/arm64/kvm/arch_timer.c, virt/kvm/arm before v5.6; hyp/timer-sr.c).
 *
 *   hyp-every-switch   to v4.14: inside the hypervisor, at every entry and exit (timer_hyp_switch.c)
 *   host-every-loop    a state inside one series only: by the host, around every entry (timer_host_loop.c)
 *   load-put           v4.15 and later: at vcpu_load and vcpu_put (timer_load_put.c)
 *
 * A hook that is NULL has no steps, and the kernel has no call there. See docs/timers.md for the counts.
 */
#ifndef CONVOY_MODEL_KVM_TIMER_POLICY_H
#define CONVOY_MODEL_KVM_TIMER_POLICY_H

#include "model/kvm/kvm.h"

#define CTL_ENABLE  1u
#define CTL_IMASK   2u
#define CTL_ISTATUS 4u

typedef void timer_hook(struct cpu *cpu, struct kvm_vcpu *vcpu);

struct timer_policy {
	const char *name;             /* as kernel.timer_regs names it */
	bool interrupts_on;           /* flush and sync run with the host's interrupts on */
	timer_hook *load, *put;       /* kvm_timer_vcpu_load and _put */
	timer_hook *flush_hwstate;    /* before an entry */
	timer_hook *sync_hwstate;     /* after an exit, before the vGIC's sync */
	timer_hook *sync_user;        /* after an exit, userspace irqchip only */
	timer_hook *hyp_enter;        /* inside __kvm_vcpu_run, VHE and nVHE, just before __guest_enter */
	timer_hook *hyp_exit;         /* likewise, after fixup_guest_exit */
};

extern const struct timer_policy timer_hyp_switch, timer_host_loop, timer_load_put;

const struct timer_policy *timer_policy_of(const struct kernel *kernel);

/* ---- steps: arch_timer.c ---- */

/* Loaded: one read of CTL. Not loaded: from memory, one counter read if the timer could fire at all. */
bool kvm_timer_should_fire(struct cpu *cpu, struct arch_timer_context *timer);
/* Enabled and not masked, from memory. */
bool kvm_timer_irq_can_fire(const struct arch_timer_context *timer);
/* Hands a level to the guest's interrupt controller: the vGIC's irq_lock with an in-kernel irqchip. */
void kvm_timer_update_irq(struct cpu *cpu, struct kvm_vcpu *vcpu, bool level, struct arch_timer_context *timer);
/* The same for both timers, each only when its level has changed (to v4.14). */
void kvm_timer_update_state(struct cpu *cpu, struct kvm_vcpu *vcpu);
/* CNTVOFF_EL2: written directly on VHE, by a hypervisor call on nVHE. */
void set_cntvoff(struct cpu *cpu, struct kvm_vcpu *vcpu, uint64_t offset);
/* CVAL, ISB, CTL; with CNTVOFF_EL2 or CNTPOFF_EL2 before. Nothing when already there. */
void timer_restore_state(struct cpu *cpu, struct kvm_vcpu *vcpu, struct arch_timer_context *timer);
/* CTL and CVAL read, CTL := 0, ISB; with the offsets after. Nothing when already saved. */
void timer_save_state(struct cpu *cpu, struct kvm_vcpu *vcpu, struct arch_timer_context *timer);
/* Emulated timer: an hrtimer for the moment at which it fires, the level to the guest when it does. */
void timer_emulate(struct cpu *cpu, struct kvm_vcpu *vcpu, struct arch_timer_context *timer);
/* CNTHCTL_EL2 read and written: whether EL1 reaches the physical timer. */
void timer_switch_traps(struct cpu *cpu);

/* ---- the host's interrupt of a guest timer: timer_irq.c ---- */

/* Its active state on this CPU := active, under the descriptor's lock or by the per-CPU call (kernel.irq_state). */
void set_timer_irq_phys_active(struct cpu *cpu, struct kvm_vcpu *vcpu, struct arch_timer_context *timer, bool active);
/* Hosts whose interrupt controller has no active state: disabled while the guest's level is high. */
void timer_irq_follow_level(struct cpu *cpu, struct kvm_vcpu *vcpu, struct arch_timer_context *timer);
/* The vCPU has GICv5 natively: its timers' interrupts go to it without the host. */
bool timer_vgic_is_v5(const struct kvm_vcpu *vcpu);

/* ---- userspace irqchip: timer_user.c ---- */

/* kvm_timer_sync_user of load-put: while the virtual timer is not firing, its host interrupt is made inactive again. */
void unmask_vtimer_irq_user(struct cpu *cpu, struct kvm_vcpu *vcpu);

/* ---- hrtimers of a vCPU: soft_timer.c ---- */

/* Fires `when` (ps) from now: ktime_get and the CPU's timer queue. */
void soft_timer_start(struct cpu *cpu, struct kvm_vcpu *vcpu, struct soft_timer *timer, ps_t when);
/* A look without a lock; the queue's lock only when it is armed. */
void soft_timer_cancel(struct cpu *cpu, struct kvm_vcpu *vcpu, struct soft_timer *timer);
/* In how long (ps) the guest's timer fires: one counter read. */
ps_t kvm_timer_compute_delta(struct cpu *cpu, const struct arch_timer_context *timer);

#endif
