// SPDX-License-Identifier: Apache-2.0
/*
 * kvm_vcpu_halt() and kvm_vcpu_block() (virt/kvm/kvm_main.c): polling for a while, then sleeping.
 *
 * Each turn of the poll looks for a pending interrupt (ap_list_lock), a pending timer and a reschedule request, and reads the
 * counter. How long the next halt polls adapts (adjust_halt_poll): from nothing to 10 us, then doubled, at most
 * kernel.halt_poll; back to nothing after a sleep that was longer than that. Not modelled: signals, the shrinking by a
 * factor of later kernels, statistics by histogram.
 */
#include "model/kvm/halt.h"

#include "model/kernel/unmodelled.h"
#include "model/kvm/kvm.h"
#include "model/kvm/timer_policy.h"

#define GROW_START_NS 10000u  /* halt_poll_ns_grow_start */
#define GROW_FACTOR 2u        /* halt_poll_ns_grow */

struct halt_counts halt_counts;

static const struct block_ops *ops_of(const struct kvm_vcpu *vcpu)
{
	static const struct block_ops *const all[] = { &block_timer_schedule, &block_put, &block_vgic_put_load };

	return all[vcpu->kvm->kernel->config.block];
}

/* Only where the timers do not reach the guest through the vGIC: a native GICv5 guest. */
static bool kvm_cpu_has_pending_timer(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	if (!vcpu->kvm->vgic_v5) {
		cpu_load_store(cpu, 1);
		return false;
	}
	FUNCTION(cpu);

	return kvm_timer_should_fire(cpu, &vcpu->vtimer) || kvm_timer_should_fire(cpu, &vcpu->ptimer);
}

static bool kvm_arch_vcpu_runnable(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	FUNCTION(cpu);

	if (vcpu->kvm->direct_msi && vcpu->vpe.pending_last)
		return true;
	return kvm_vgic_vcpu_pending_irq(cpu, vcpu);
}

/* True: there is a reason to go on. */
static bool kvm_vcpu_check_block(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	FUNCTION(cpu);

	if (kvm_arch_vcpu_runnable(cpu, vcpu))
		return true;
	cpu_load_store(cpu, 2);  /* signal_pending */
	return kvm_cpu_has_pending_timer(cpu, vcpu);
}

static bool kvm_vcpu_can_poll(struct cpu *cpu, struct kvm_vcpu *vcpu, uint64_t now, uint64_t stop)
{
	struct kernel *kernel = vcpu->kvm->kernel;

	return single_task_running(kernel, cpu) && !need_resched(kernel, cpu) && now < stop;
}

/* True: something came up meanwhile. */
static bool poll(struct cpu *cpu, struct kvm_vcpu *vcpu, uint64_t start)
{
	const uint64_t stop = start + vcpu->halt.poll_ns;
	const ps_t began = cpu_now(cpu);
	bool found;
	FUNCTION_NAMED(cpu, "halt_poll");

	for (;;) {
		found = kvm_vcpu_check_block(cpu, vcpu);
		if (found || !kvm_vcpu_can_poll(cpu, vcpu, ktime_get(cpu), stop))
			break;
		irq_restore(cpu, true);  /* host interrupts are taken while it polls */
	}
	halt_counts.polls_successful += found;
	halt_counts.poll_ps += cpu_now(cpu) - began;
	return found;
}

static void kvm_vcpu_block(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	const struct block_ops *ops = ops_of(vcpu);
	struct kernel *kernel = vcpu->kvm->kernel;
	FUNCTION(cpu);

	ops->prepare(cpu, vcpu);
	for (;;) {
		set_current_state(kernel, cpu, TASK_SLEEPING);
		if (kvm_vcpu_check_block(cpu, vcpu))
			break;
		halt_counts.blocks++;
		schedule(kernel, cpu);
	}
	set_current_state(kernel, cpu, TASK_RUNNING);
	ops->finish(cpu, vcpu);
}

void adjust_halt_poll(struct kvm_vcpu *vcpu, uint64_t halted_ns)
{
	const uint64_t cap = vcpu->kvm->kernel->config.halt_poll / PS_PER_NS;
	uint64_t *poll_ns = &vcpu->halt.poll_ns;

	if (halted_ns <= *poll_ns)
		return;
	if (halted_ns > cap) {
		*poll_ns = 0;
		return;
	}
	*poll_ns = *poll_ns ? *poll_ns * GROW_FACTOR : GROW_START_NS;
	if (*poll_ns > cap)
		*poll_ns = cap;
}

void kvm_vcpu_halt(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	const bool early = vcpu->kvm->kernel->config.doorbell_before_poll;
	uint64_t start;
	FUNCTION(cpu);

	if (!current_task(vcpu->kvm->kernel, cpu))
		unmodelled("WFI in a thread without the scheduler");
	halt_counts.halts++;
	start = ktime_get(cpu);
	if (early)
		vgic_v4_blocking(cpu, vcpu);
	if (!vcpu->halt.poll_ns || !poll(cpu, vcpu, start)) {
		if (!early)
			vgic_v4_blocking(cpu, vcpu);
		kvm_vcpu_block(cpu, vcpu);
		if (!early)
			vgic_v4_unblocking(cpu, vcpu);
	}
	if (early)
		vgic_v4_unblocking(cpu, vcpu);
	adjust_halt_poll(vcpu, ktime_get(cpu) - start);
	cpu_load_store(cpu, 6);  /* statistics, the adjustment */
}

bool kvm_vcpu_blocks_with_put(const struct kvm_vcpu *vcpu)
{
	return vcpu->halt.waiting && ops_of(vcpu)->timer_at_put;
}

bool kvm_vcpu_wake_up(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	bool woken;
	FUNCTION(cpu);

	woken = ops_of(vcpu)->wake(cpu, vcpu);
	halt_counts.wake_ups += woken;
	return woken;
}

void vcpu_halt_init(struct kvm_vcpu *vcpu)
{
	struct kernel *kernel = vcpu->kvm->kernel;

	vcpu->wait_line = line_create(kernel->machine, "vcpu wait", vcpu->id.n);
	spin_lock_init(kernel, &vcpu->halt.wait_lock, vcpu->wait_line, "vcpu->wq.lock");
	vcpu->halt.wfi_traps = true;
	soft_timers_init(vcpu);
}

void kvm_handle_wfi(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	ops_of(vcpu)->wfi(cpu, vcpu);
}
