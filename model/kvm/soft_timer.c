// SPDX-License-Identifier: Apache-2.0
/*
 * The hrtimers of a vCPU (soft_timer_start and _cancel of arch_timer.c): one for each guest timer that is emulated
 * (kvm_hrtimer_expire), and the background timer (kvm_bg_timer_expire): while a vCPU sleeps its timers are on no CPU, so it
 * stands in for the earliest of those that could interrupt it.
 *
 * Both expire in hard-irq context on the CPU where they were started. Cancelling is a look without a lock unless the timer is
 * still queued; then the lock of the CPU where it is queued, another one after a migration. Up to v4.19 the background timer's
 * expiry goes through a work queue: its pool's lock, and a worker that runs before the vCPU does (charged as
 * kernel.work.wake_up and kernel.work.schedule, not scheduled as a task).
 *
 * Without hrtimers (no scheduler, see sched.h) cancelling costs the look, and starting stops the simulation.
 */
#include "model/kernel/unmodelled.h"
#include "model/kvm/timer_policy.h"

#define PS_PER_TICK 1000u  /* CNTFRQ_EL0 of the modelled system counter: 1 GHz */
#define NOTHING_ARMED UINT64_MAX

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

	if (!vcpu->kvm->kernel->hrtimer_bases)
		unmodelled("a guest timer that needs an hrtimer of the host, without the scheduler");
	hrtimer_start(cpu, &timer->hrtimer, ktime_get(cpu) + when / PS_PER_TICK);
}

void soft_timer_cancel(struct cpu *cpu, struct kvm_vcpu *vcpu, struct soft_timer *timer)
{
	FUNCTION(cpu);

	if (!vcpu->kvm->kernel->hrtimer_bases)
		cpu_load_store(cpu, 2);
	else
		hrtimer_cancel(cpu, &timer->hrtimer);
}

/* In how long the first timer that can fire does. */
static ps_t kvm_timer_earliest_exp(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	const struct arch_timer_context *const timers[] = { &vcpu->vtimer, &vcpu->ptimer };
	ps_t earliest = NOTHING_ARMED;
	FUNCTION(cpu);

	for (size_t n = 0; n < sizeof(timers) / sizeof(timers[0]); n++) {
		ps_t delta;

		cpu_load_store(cpu, 2);
		if (!kvm_timer_irq_can_fire(timers[n]))
			continue;
		delta = kvm_timer_compute_delta(cpu, timers[n]);
		if (delta < earliest)
			earliest = delta;
	}
	return earliest;
}

void kvm_timer_blocking(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	ps_t earliest;
	FUNCTION(cpu);

	earliest = kvm_timer_earliest_exp(cpu, vcpu);
	if (earliest != NOTHING_ARMED)
		soft_timer_start(cpu, vcpu, &vcpu->bg_timer, earliest);
}

void kvm_timer_unblocking(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	FUNCTION(cpu);

	soft_timer_cancel(cpu, vcpu, &vcpu->bg_timer);
}

void kvm_timer_schedule(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	FUNCTION(cpu);

	timer_save_state(cpu, vcpu, &vcpu->vtimer);
	kvm_timer_blocking(cpu, vcpu);
}

void kvm_timer_unschedule(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	FUNCTION(cpu);

	soft_timer_cancel(cpu, vcpu, &vcpu->bg_timer);
	cpu_load_store(cpu, 2);  /* cancel_work_sync(): nothing queued */
	if (vcpu->kvm->kernel->config.timer_regs == TIMER_REGS_LOAD_PUT)
		timer_restore_state(cpu, vcpu, &vcpu->vtimer);
}

/* schedule_work(), and the worker. */
static void through_work_queue(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	struct kernel *kernel = vcpu->kvm->kernel;
	struct raw_spinlock *lock = &this_rq(kernel, cpu)->pool_lock;
	bool flags;
	FUNCTION_NAMED(cpu, "schedule_work");

	flags = raw_spin_lock_irqsave(kernel, cpu, lock, "__queue_work");
	cpu_spend(cpu, kernel->config.work_wake_up);
	raw_spin_unlock_irqrestore(cpu, lock, flags);
	cpu_spend(cpu, kernel->config.work_schedule);
}

static uint64_t kvm_bg_timer_expire(struct cpu *cpu, void *context)
{
	struct kvm_vcpu *vcpu = context;
	ps_t left;
	FUNCTION(cpu);

	left = kvm_timer_earliest_exp(cpu, vcpu);
	if (left && left != NOTHING_ARMED)
		return ktime_get(cpu) + left / PS_PER_TICK;
	if (vcpu->kvm->kernel->config.block == BLOCK_TIMER_SCHEDULE)
		through_work_queue(cpu, vcpu);
	kvm_vcpu_wake_up(cpu, vcpu);
	return HRTIMER_NORESTART;
}

/* An emulated timer is due: the guest is told, in the guest or asleep. */
static uint64_t expire_emulated(struct cpu *cpu, struct kvm_vcpu *vcpu, struct arch_timer_context *timer)
{
	ps_t left;
	FUNCTION_NAMED(cpu, "kvm_hrtimer_expire");

	left = kvm_timer_compute_delta(cpu, timer);
	if (left)
		return ktime_get(cpu) + left / PS_PER_TICK;
	kvm_timer_update_irq(cpu, vcpu, true, timer);
	return HRTIMER_NORESTART;
}

static uint64_t expire_vtimer(struct cpu *cpu, void *context)
{
	struct kvm_vcpu *vcpu = context;

	return expire_emulated(cpu, vcpu, &vcpu->vtimer);
}

static uint64_t expire_ptimer(struct cpu *cpu, void *context)
{
	struct kvm_vcpu *vcpu = context;

	return expire_emulated(cpu, vcpu, &vcpu->ptimer);
}

void soft_timers_init(struct kvm_vcpu *vcpu)
{
	struct kernel *kernel = vcpu->kvm->kernel;
	struct machine *machine = kernel->machine;
	const uint32_t n = vcpu->id.n;

	if (!kernel->hrtimer_bases)
		return;
	hrtimer_init(kernel, &vcpu->bg_timer.hrtimer, line_create(machine, "vcpu bg_timer", n), kvm_bg_timer_expire, vcpu);
	hrtimer_init(kernel, &vcpu->vtimer.hrtimer.hrtimer, line_create(machine, "vcpu vtimer hrtimer", n), expire_vtimer, vcpu);
	hrtimer_init(kernel, &vcpu->ptimer.hrtimer.hrtimer, line_create(machine, "vcpu ptimer hrtimer", n), expire_ptimer, vcpu);
}
