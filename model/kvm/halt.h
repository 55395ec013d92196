// SPDX-License-Identifier: Apache-2.0
/*
 * A vCPU that has nothing to do, and a vCPU's thread under the scheduler: WFI, halt polling, blocking, wake-up, preemption.
 *
 * States of a vCPU's thread: in the guest or the run loop; polling (kvm_vcpu_halt); blocking: `waiting` is set (rcuwait, or the
 * wait queue up to v4.19) from before the last look at pending interrupts until after the wake-up, so nobody who makes one
 * pending and then looks at `waiting` can be missed; preempted.
 *
 * struct block_ops holds what differs between kernels (switch kernel.block), one file each:
 *   timer-schedule  v4.15 to v4.19: polls first, then the virtual timer is saved and the background timer started by
 *                   kvm_arch_vcpu_blocking; waits in a wait queue with a lock; the timer's expiry goes through a work queue.
 *   put             v5.1 on: the background timer is started by the put of the thread that goes to sleep; rcuwait.
 *   vgic-put-load   v5.17 on: besides, the vGIC is put before the halt and loaded after it.
 *
 * All this needs the scheduler (sched.h): WFI in a thread without it stops the simulation.
 */
#ifndef CONVOY_MODEL_KVM_HALT_H
#define CONVOY_MODEL_KVM_HALT_H

#include "model/kernel/kernel.h"
#include "model/kernel/sched.h"

struct kvm_vcpu;

/* An hrtimer of a vCPU; see soft_timer.c. */
struct soft_timer {
	struct hrtimer hrtimer;
};

struct block_ops {
	const char *name;
	/* A trapped WFI, from kvm_handle_wfx to the instruction after it. */
	void (*wfi)(struct cpu *cpu, struct kvm_vcpu *vcpu);
	/* Around the sleep: kvm_arch_vcpu_blocking and _unblocking, and who waits for whom. */
	void (*prepare)(struct cpu *cpu, struct kvm_vcpu *vcpu);
	void (*finish)(struct cpu *cpu, struct kvm_vcpu *vcpu);
	/* Who sleeps is woken. True: somebody did. */
	bool (*wake)(struct cpu *cpu, struct kvm_vcpu *vcpu);
	/* The background timer is started by vcpu_put. */
	bool timer_at_put;
};

extern const struct block_ops block_timer_schedule, block_put, block_vgic_put_load;

/* Part of struct kvm_vcpu. */
struct vcpu_halt {
	struct task_struct *task;      /* whose notifier is registered: NULL without the scheduler, or not loaded */
	struct preempt_notifier notifier;
	struct raw_spinlock wait_lock; /* up to v4.19 */
	struct task_struct *waiting;
	uint64_t poll_ns;              /* vcpu->halt_poll_ns: how long the next halt polls */
	bool wfi_traps;                /* HCR_EL2.TWI, decided at load */
	bool in_wfi;                   /* IN_WFI: what is put now is put because it waits */
	bool direct_injection;         /* GICv4: it has interrupts that reach it without KVM */
};

/* For the results; free of cost. One simulation a process. */
struct halt_counts {
	uint64_t halts, polls_successful, blocks, wake_ups, poll_ps;
};
extern struct halt_counts halt_counts;

void vcpu_halt_init(struct kvm_vcpu *vcpu);

/* ---- preempt.c: vcpu_load registers the notifier of its task, vcpu_put takes it off ---- */
void preempt_notifier_register(struct cpu *cpu, struct kvm_vcpu *vcpu);
void preempt_notifier_unregister(struct cpu *cpu, struct kvm_vcpu *vcpu);
/* At load: whether WFI leaves the guest. */
void vcpu_set_wfx_traps(struct cpu *cpu, struct kvm_vcpu *vcpu);

/* ---- wfx.c ---- */
void kvm_handle_wfx(struct cpu *cpu, struct kvm_vcpu *vcpu);

/* ---- halt.c ---- */
/* The table's entry of this kernel. */
void kvm_handle_wfi(struct cpu *cpu, struct kvm_vcpu *vcpu);
void kvm_vcpu_halt(struct cpu *cpu, struct kvm_vcpu *vcpu);
/* After a halt of so many ns: how long the next one polls. */
void adjust_halt_poll(struct kvm_vcpu *vcpu, uint64_t halted_ns);
/* It is going to sleep, and vcpu_put starts the background timer. */
bool kvm_vcpu_blocks_with_put(const struct kvm_vcpu *vcpu);
/* From hard-irq context or another CPU. True: it slept. */
bool kvm_vcpu_wake_up(struct cpu *cpu, struct kvm_vcpu *vcpu);

/* ---- soft_timer.c: the background timer stands in for the guest's timers while the vCPU sleeps ---- */
void soft_timers_init(struct kvm_vcpu *vcpu);
void kvm_timer_blocking(struct cpu *cpu, struct kvm_vcpu *vcpu);
void kvm_timer_unblocking(struct cpu *cpu, struct kvm_vcpu *vcpu);
/* Up to v4.19, around the sleep: the virtual timer's state besides. */
void kvm_timer_schedule(struct cpu *cpu, struct kvm_vcpu *vcpu);
void kvm_timer_unschedule(struct cpu *cpu, struct kvm_vcpu *vcpu);

/* ---- tlb.c ---- */
/* At load: nothing, unless another vCPU of the VM was the last one on this CPU. */
void kvm_flush_if_other_vcpu_ran(struct cpu *cpu, struct kvm_vcpu *vcpu);

#endif
