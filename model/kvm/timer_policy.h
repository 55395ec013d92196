// SPDX-License-Identifier: Apache-2.0
/* Steps of the guest's timers that more than one file takes (arch_timer.c, soft_timer.c). */
#ifndef CONVOY_MODEL_KVM_TIMER_POLICY_H
#define CONVOY_MODEL_KVM_TIMER_POLICY_H

#include "model/kvm/kvm.h"

#define CTL_ENABLE  1u
#define CTL_IMASK   2u
#define CTL_ISTATUS 4u

/* Loaded: one read of CTL. Not loaded: from memory, one counter read if the timer could fire at all. */
bool kvm_timer_should_fire(struct cpu *cpu, struct arch_timer_context *timer);
/* Enabled and not masked, from memory. */
bool kvm_timer_irq_can_fire(const struct arch_timer_context *timer);
/* Hands a level to the guest's interrupt controller: the vGIC's irq_lock with an in-kernel irqchip. */
void kvm_timer_update_irq(struct cpu *cpu, struct kvm_vcpu *vcpu, bool level, struct arch_timer_context *timer);
void timer_restore_state(struct cpu *cpu, struct kvm_vcpu *vcpu, struct arch_timer_context *timer);
void timer_save_state(struct cpu *cpu, struct kvm_vcpu *vcpu, struct arch_timer_context *timer);
/* Emulated timer: an hrtimer for the moment at which it fires, the level to the guest when it does. */
void timer_emulate(struct cpu *cpu, struct kvm_vcpu *vcpu, struct arch_timer_context *timer);

/* ---- hrtimers of a vCPU: soft_timer.c ---- */

/* Fires `when` (ps) from now: ktime_get and the CPU's timer queue. */
void soft_timer_start(struct cpu *cpu, struct kvm_vcpu *vcpu, struct soft_timer *timer, ps_t when);
/* A look without a lock; the queue's lock only when it is armed. */
void soft_timer_cancel(struct cpu *cpu, struct kvm_vcpu *vcpu, struct soft_timer *timer);
/* In how long (ps) the guest's timer fires: one counter read. */
ps_t kvm_timer_compute_delta(struct cpu *cpu, const struct arch_timer_context *timer);

#endif
