// SPDX-License-Identifier: Apache-2.0
/*
 * The hrtimers of a vCPU (soft_timer_start and _cancel of arch_timer.c): one for the background timer or, to v4.14, for
 * whatever the guest's timers need while the vCPU is not in the guest; one for the emulated physical timer.
 *
 * Cancelling one that is not armed is a look at its state without a lock: the usual case. Arming needs hrtimers, which
 * are not modelled yet.
 */
#include "model/kernel/unmodelled.h"
#include "model/kvm/timer_policy.h"

#define PS_PER_TICK 1000  /* CNTFRQ_EL0 of the modelled system counter: 1 GHz */

ps_t kvm_timer_compute_delta(struct cpu *cpu, const struct arch_timer_context *timer)
{
	uint64_t now;
	FUNCTION(cpu);

	now = cpu_sysreg_read(cpu, SYS_CNTPCT_EL0) - timer->offset;
	cpu_load_store(cpu, 3);
	return now < timer->cval ? (timer->cval - now) * PS_PER_TICK : 0;
}

void soft_timer_start(struct cpu *cpu, struct kvm_vcpu *vcpu, struct soft_timer *timer, ps_t when)
{
	FUNCTION(cpu);

	(void)vcpu, (void)when;
	cpu_sysreg_read(cpu, SYS_CNTPCT_EL0);  /* ktime_get */
	timer->armed = true;
	unmodelled("a guest timer that needs an hrtimer of the host");
}

void soft_timer_cancel(struct cpu *cpu, struct kvm_vcpu *vcpu, struct soft_timer *timer)
{
	FUNCTION(cpu);

	(void)vcpu;
	cpu_load_store(cpu, 2);  /* hrtimer_active */
	if (timer->armed)
		unmodelled("an hrtimer that is cancelled while armed");
}
