// SPDX-License-Identifier: Apache-2.0
/*
 * The background timer (arch_timer.c): while a vCPU sleeps its timers are not on any CPU, so an hrtimer stands in for the
 * earliest of those that could interrupt it. It expires in hard-irq context on the CPU where the vCPU went to sleep and wakes it;
 * the load of the woken vCPU then finds the level. Cancelling at load is a look without lock unless it is still queued, and
 * takes the lock of the CPU where it is queued.
 *
 * Up to v4.19 expiry goes through a work queue: its pool's lock, and a worker that runs before the vCPU does (charged as
 * kernel.work.schedule and kernel.work.wake_up, not scheduled as a task).
 */
#include "model/kvm/kvm.h"

#define CTL_ENABLE 1u
#define CTL_IMASK  2u

#define NOTHING_ARMED UINT64_MAX

static bool kvm_timer_irq_can_fire(struct cpu *cpu, const struct arch_timer_context *timer)
{
	FUNCTION(cpu);

	cpu_load_store(cpu, 1);
	return (timer->ctl & (CTL_ENABLE | CTL_IMASK)) == CTL_ENABLE;
}

/* When the first timer that can fire does, in ticks of the counter; reads the counter for each such timer. */
static uint64_t kvm_timer_earliest_exp(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	const struct arch_timer_context *timers[] = { &vcpu->vtimer, &vcpu->ptimer };
	uint64_t earliest = NOTHING_ARMED;
	FUNCTION(cpu);

	for (size_t n = 0; n < sizeof(timers) / sizeof(timers[0]); n++) {
		if (!kvm_timer_irq_can_fire(cpu, timers[n]))
			continue;
		cpu_sysreg_read(cpu, SYS_CNTPCT_EL0);
		if (timers[n]->cval < earliest)
			earliest = timers[n]->cval;
	}
	return earliest;
}

static void soft_timer_start(struct cpu *cpu, struct hrtimer *timer, uint64_t expires)
{
	FUNCTION(cpu);

	ktime_get(cpu);
	hrtimer_start(cpu, timer, expires);
}

void kvm_timer_blocking(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	uint64_t earliest;
	FUNCTION(cpu);

	earliest = kvm_timer_earliest_exp(cpu, vcpu);
	if (earliest != NOTHING_ARMED)
		soft_timer_start(cpu, &vcpu->halt.bg_timer, earliest);
}

void kvm_timer_unblocking(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	FUNCTION(cpu);

	hrtimer_cancel(cpu, &vcpu->halt.bg_timer);
}

/* schedule_work() and the worker that runs it. */
static void through_work_queue(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	struct kernel *kernel = vcpu->kvm->kernel;
	struct raw_spinlock *lock = &kernel->sched->pool_locks[cpu_number(cpu).n];
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
	uint64_t earliest;
	FUNCTION(cpu);

	earliest = kvm_timer_earliest_exp(cpu, vcpu);
	if (earliest != NOTHING_ARMED && earliest > vcpu->halt.bg_timer.expires)
		return earliest;  /* it was for another deadline */
	if (vcpu->kvm->kernel->config.block == BLOCK_TIMER_SCHEDULE)
		through_work_queue(cpu, vcpu);
	kvm_vcpu_wake_up(cpu, vcpu);
	return HRTIMER_NORESTART;
}

void kvm_timer_block_init(struct kvm_vcpu *vcpu)
{
	struct kernel *kernel = vcpu->kvm->kernel;

	hrtimer_init(kernel, &vcpu->halt.bg_timer, line_create(kernel->machine, "vcpu bg_timer", vcpu->id.n), kvm_bg_timer_expire, vcpu);
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

	hrtimer_cancel(cpu, &vcpu->halt.bg_timer);
	cpu_load_store(cpu, 2);  /* cancel_work_sync(): nothing queued */
	timer_restore_state(cpu, vcpu, &vcpu->vtimer);
}
