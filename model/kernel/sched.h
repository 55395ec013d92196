// SPDX-License-Identifier: Apache-2.0
/*
 * The scheduler (kernel/sched/core.c): tasks, one run queue a CPU, an idle task a CPU, wake-ups, time slices.
 *
 * Only workloads that create tasks here have it: without sched_init() threads stay on the CPU of task_create, nothing is
 * preempted, and nothing below costs anything.
 *
 * Who may change what. Of a run queue, all under its lock; its line also holds nr_running and curr, which others read
 * without it. Of a task: state by itself, or by a waker with pi_lock and, while the task is on a run queue, that queue's lock;
 * on_rq and cpu under the run queue's lock; on_cpu is set by the CPU that switches to it and cleared by a store-release of the
 * CPU that has switched away, for which a waker waits. States: running or ready (on_rq), sleeping (not on_rq).
 *
 * Policy: the ready task that ran least so far comes next (virtual run time, all tasks weigh the same); the running one is
 * preempted by the tick once it has run for kernel.time_slice, not by wake-ups (as EEVDF does with RUN_TO_PARITY, v6.6 and
 * later). A woken task goes to the CPU where it ran last, unless that is busy and another that it may use is idle.
 * The tick runs on CPUs with more than one runnable task (kernel.tick), as with nohz_full: who makes a second task runnable on
 * another CPU sends it an interrupt.
 *
 * Not modelled: priorities, groups, other classes, load balancing (an idle CPU pulls nothing), the search for an idle CPU
 * (free; its cost is in kernel.work.wake_up), the wake list (TTWU_QUEUE).
 */
#ifndef CONVOY_MODEL_KERNEL_SCHED_H
#define CONVOY_MODEL_KERNEL_SCHED_H

#include "model/kernel/hrtimer.h"
#include "model/kernel/spinlock.h"
#include "model/machine.h"

struct kernel;

enum task_state { TASK_RUNNING, TASK_SLEEPING };

/*
 * Told when its task leaves a CPU (run queue's lock held, interrupts masked) and when it is back on one (neither).
 * `preempted`: it would have liked to go on.
 */
struct preempt_notifier {
	void (*sched_out)(struct cpu *cpu, void *context, bool preempted);
	void (*sched_in)(struct cpu *cpu, void *context);
	void *context;
};

struct task_struct {
	struct kernel *kernel;
	const char *name;
	struct cpu *thread;
	void (*body)(struct cpu *cpu, void *argument);
	void *argument;

	struct raw_spinlock pi_lock;
	line_id line;                  /* state, on_rq, on_cpu, cpu */
	enum task_state state;
	bool on_rq, on_cpu;
	uint32_t cpu;
	uint32_t first_cpu, cpus;      /* where it may run */
	line_id flags_line;            /* thread_info.flags */
	bool need_resched;             /* TIF_NEED_RESCHED */

	uint64_t virtual_runtime;
	struct preempt_notifier *notifier;
	struct task_struct *next;      /* ready tasks of a CPU */
	struct task_struct *next_waiter;  /* of a mutex */
};

struct rq {
	struct raw_spinlock lock;
	uint32_t cpu;
	struct task_struct *curr, *idle, *prev;
	struct task_struct *ready;     /* by virtual run time, without curr */
	uint32_t nr_running;           /* curr included, idle not */
	uint64_t min_runtime;
	ps_t charged_until, slice_start;
	struct hrtimer tick;
	bool ticking;
	struct raw_spinlock pool_lock; /* of this CPU's work queue */
	struct task_struct idle_task;
};

/* Free of cost; for the results. */
struct sched_counts {
	uint64_t switches, preemptions, wake_ups, migrations, ticks, reschedule_interrupts;
};

struct sched {
	uint32_t cpus;
	struct rq *rqs;
	uint64_t *idle_cpus;           /* bit set: nothing runnable there */
	struct sched_counts counts;
};

#define IPI_RESCHEDULE 0u

/* Run queues, idle tasks and high-resolution timers for the CPUs 0 … cpus-1. Once, before the first task. */
void sched_init(struct kernel *kernel, uint32_t cpus);
/* A task that may run on `cpus` CPUs from `first_cpu` on, not started yet. `instance`: for the homes of its lines. */
void task_init(struct kernel *kernel, struct task_struct *task, const char *name, uint32_t instance,
	       void (*body)(struct cpu *cpu, void *argument), void *argument);
void task_allow(struct task_struct *task, uint32_t first_cpu, uint32_t cpus);
/* Runnable on `cpu` from time 0 on. Its body never returns. */
void task_start(struct task_struct *task, uint32_t cpu);

/* NULL without the scheduler. */
struct task_struct *current_task(const struct kernel *kernel, const struct cpu *cpu);
/* Before the condition to sleep for is looked at; ends with a full barrier. */
void set_current_state(struct kernel *kernel, struct cpu *cpu, enum task_state state);
void schedule(struct kernel *kernel, struct cpu *cpu);
/* TIF_NEED_RESCHED of the calling task. */
bool need_resched(struct kernel *kernel, struct cpu *cpu);
/* A point at which the calling task may be preempted: interrupts on, no lock held. */
void preempt_enable(struct kernel *kernel, struct cpu *cpu);
/* `work` of a program in user space: interrupts are taken and the task preempted while it goes on. */
void user_work(struct kernel *kernel, struct cpu *cpu, ps_t work);
/* Nobody else wants this CPU (single_task_running()). */
bool single_task_running(struct kernel *kernel, struct cpu *cpu);
/* True: it slept and is runnable now. Also from hard-irq context. */
bool wake_up_process(struct cpu *cpu, struct task_struct *task);

/* ---- between the files of the scheduler ---- */
struct rq *this_rq(const struct kernel *kernel, const struct cpu *cpu);
/* With the queue's lock. */
void activate_task(struct cpu *cpu, struct rq *rq, struct task_struct *task);
void set_need_resched(struct cpu *cpu, struct task_struct *task);
void update_curr(struct cpu *cpu, struct rq *rq);
void cpu_startup_entry(struct cpu *cpu, void *rq);
/* tick.c. With the queue's lock: more than one task is runnable here; another CPU is told. */
void tick_init(struct kernel *kernel, struct rq *rq);
void tick_needed(struct cpu *cpu, struct rq *rq);
bool sched_ipi(struct cpu *cpu, void *kernel, intid interrupt);
void send_reschedule(struct kernel *kernel, struct cpu *cpu, uint32_t target);

#endif
