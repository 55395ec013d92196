// SPDX-License-Identifier: Apache-2.0
/*
 * Workloads: what the guests and their VMM do, and so what makes the model work.
 *
 * A workload puts one thread on each of the CPUs 0 … vcpus-1, or gives its threads to the scheduler (scheduled.h). It
 * counts a round (for exit-to-userspace: an exit) when the round ends.
 */
#ifndef CONVOY_WORKLOADS_WORKLOAD_H
#define CONVOY_WORKLOADS_WORKLOAD_H

#include "model/kvm/kvm.h"
#include "workloads/variation.h"

/* Kinds of exits of the workload `mix`; names: mix_kind_name. */
enum mix_kind { MIX_HYPERCALL, MIX_MMIO_KERNEL, MIX_MMIO_USER, MIX_SYSREG, MIX_SGI, MIX_WFI, MIX_IRQ, MIX_KINDS };

struct workload_config {
	uint32_t vcpus;
	bool irqchip_in_kernel;
	bool pmu;                        /* the VM has one */
	uint32_t host_events;            /* perf events of the host that exclude host or guest */
	bool staggered;
	ps_t guest_work, vmm_work;
	struct variation variation;      /* of the private work of a round */
	enum guest_operation operation;  /* microbench */
	bool timestamps;
	uint32_t ipi_target;             /* microbench: which vCPU gets the SGI */
	bool counter_offset;             /* the guest's physical counter is behind the host's */
	bool timer_active;               /* the guests' timer interrupts are active all the time */
	bool fp, pauth, debug;           /* the guests use them */
	uint32_t cpus;                   /* workloads under the scheduler: CPUs that the vCPUs share */
	bool pinned;
	ps_t guest_idle_poll;            /* wfi-wake */
	ps_t period;                     /* timer-tick */
	uint32_t stations;               /* lock-loop */
	ps_t hold;
	struct variation hold_variation;
	bool shared_line;                /* atomic-loop */
	ps_t pause, nop;
	uint32_t nops;
	uint64_t mix[MIX_KINDS];         /* mix: exits per second and vCPU of each kind */
	double mix_user_share;           /* of the hypercalls */
	ps_t mix_sleep;                  /* of a wfi */
	ps_t net_interval, net_app_work; /* passthrough-net: per packet */
	uint32_t net_window;
	bool net_acks;
	uint64_t seed;
};

/* Rounds by vCPU in the measured window, and by fixed windows from time 0 on. */
struct workload_counts {
	ps_t window_start, window_end, batch;
	ps_t *last;                      /* by vCPU: when the round before ended in the window, 0 = none yet */
	ps_t shortest;                   /* shortest round that began and ended in the window, 0 = none */
	uint32_t vcpus;                  /* how many of them count rounds, from the first on; 0: all */
	ps_t late;                       /* in the window: the sum of what the rounds were late by */
	uint64_t *by_vcpu;
	uint64_t *by_batch;
	size_t batches;
	uint64_t kind_exits[MIX_KINDS];  /* mix: rounds of each kind that ended in the measured window, */
	ps_t kind_host[MIX_KINDS];       /* and their time outside the guest */
	/* workloads under the scheduler, in the window: wake-ups of guests, what they took, interrupts among vCPUs */
	uint64_t wake_ups, wake_latency, wake_latency_max, guest_ipis;
};

struct workload {
	struct kernel *kernel;
	struct workload_config config;
	struct workload_counts counts;
};

/* A round of `vcpu` ended at `when`. */
void workload_count(struct workload *workload, uint32_t vcpu, ps_t when);
/* Likewise by kind; `host`: the round's time outside the guest. */
void workload_count_kind(struct workload *workload, uint32_t kind, ps_t host, ps_t when);
bool workload_in_window(const struct workload *workload, ps_t when);
/* Something to do came up at `since`, and a guest begins to do it at `when`. */
void workload_woken(struct workload *workload, ps_t since, ps_t when);
/* Likewise, `late` after it was due. */
void workload_count_late(struct workload *workload, uint32_t vcpu, ps_t when, ps_t late);
/* When vCPU n begins its first round: spread over `round` if staggered, else 0. */
ps_t workload_start_delay(const struct workload *workload, uint32_t vcpu, ps_t round);

/* `work` of the VMM; a task of the scheduler, where there is one, can be interrupted in it. */
void workload_vmm_work(const struct workload *workload, struct cpu *cpu, ps_t work);
/* A vCPU of `kvm` with what the workload gives every VM. */
void workload_vcpu_init(const struct workload *workload, struct kvm_vcpu *vcpu, struct kvm *kvm, uint32_t number);

void exit_to_userspace_start(struct workload *workload);
void lock_loop_start(struct workload *workload);
void atomic_loop_start(struct workload *workload);
void microbench_start(struct workload *workload);
void mix_start(struct workload *workload);
const char *mix_kind_name(uint32_t kind);
void wfi_wake_start(struct workload *workload);
void timer_tick_start(struct workload *workload);
void overcommit_start(struct workload *workload);
void passthrough_net_start(struct workload *workload);
/* Parts of it. */
void microbench_ipi_start(struct workload *workload);
void microbench_timer_start(struct workload *workload);

#endif
