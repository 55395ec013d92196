// SPDX-License-Identifier: Apache-2.0
/*
 * Between the files of the workload mix: mix.c (clocks and rounds of all kinds), mix_sleep.c (kinds that need the
 * scheduler or the host's timers).
 */
#ifndef CONVOY_WORKLOADS_MIX_H
#define CONVOY_WORKLOADS_MIX_H

#include "model/kernel/hrtimer.h"
#include "model/kernel/sched.h"
#include "workloads/workload.h"

/* Where a vCPU is in a round of kind wfi: its timer is being armed, it sleeps, the timer has fired. */
enum mix_sleep { MIX_AWAKE, MIX_ARMING, MIX_SLEEPING, MIX_FIRED };

struct mix_thread {
	struct workload *workload;
	struct kvm_vcpu vcpu;
	ps_t due[MIX_KINDS];
	uint64_t begun[MIX_KINDS];
	uint32_t kind;               /* of the round under way */
	ps_t began, guest;           /* when that began; its time in the guest, 0 before the first */
	enum mix_sleep sleep;
	ps_t wake_at;                /* the deadline of the timer */
	struct hrtimer interrupt;    /* the host's, of kind irq */
	struct task_struct task;
};

/* The next interval of a kind's clock. */
ps_t mix_interval(const struct mix_thread *thread, uint32_t kind);

/* ---- mix_sleep.c ---- */
/* A kind has a rate that needs threads under the scheduler. */
bool mix_needs_scheduler(const struct workload_config *config);
/* What the guest does in a round of kind sgi, wfi or irq after it has worked until the kind was due, for `work`. */
struct guest_step mix_begin_sgi(struct mix_thread *thread, ps_t work);
struct guest_step mix_begin_wfi(struct cpu *cpu, struct mix_thread *thread, ps_t work);
struct guest_step mix_begin_irq(void);
/* True: the round of kind wfi is not over; `step`: how it goes on. */
bool mix_still_sleeps(struct mix_thread *thread, struct guest_step *step);
/* The guest's handler. */
void mix_guest_interrupt(struct cpu *cpu, void *context, uint32_t interrupt);
/* The host's timer of kind irq, on this CPU, to the kind's clock. */
void mix_start_interrupts(struct cpu *cpu, struct mix_thread *thread);

#endif
