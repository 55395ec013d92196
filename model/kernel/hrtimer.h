// SPDX-License-Identifier: Apache-2.0
/*
 * High-resolution timers (kernel/time/hrtimer.c) and the host's clock event device below them (drivers/clocksource/
 * arm_arch_timer.c).
 *
 * Each CPU has a base with a raw lock, its queued timers by expiry, and its own timer of the hardware: CNTHP with VHE
 * (PPI 26), CNTP without (PPI 30). A timer is queued on the CPU that starts it. States of a timer: idle, queued (in a base's
 * list), running (its function executes in hard-irq context, without the base's lock); it may be queued again meanwhile.
 *
 * Whether a timer is queued is looked at without the lock, on the timer's own line: cancelling an idle one costs that look.
 * Cancelling takes the lock of the base where the timer is queued, on whichever CPU; only the own CPU's hardware is
 * programmed again, so a remote CPU takes one interrupt for nothing, as in the kernel.
 *
 * Times are in ticks of the counter, 1 ns. Not modelled: clock bases other than the monotonic one, slack (ranges), soft
 * expiry in the soft interrupt, the balance of timers between CPUs when idle.
 */
#ifndef CONVOY_MODEL_KERNEL_HRTIMER_H
#define CONVOY_MODEL_KERNEL_HRTIMER_H

#include "model/kernel/spinlock.h"
#include "model/machine.h"

struct kernel;

#define HRTIMER_NORESTART 0u
#define HRTIMER_NO_CPU UINT32_MAX

struct hrtimer {
	struct kernel *kernel;
	line_id line;                  /* of the object that it is part of */
	uint64_t expires;
	/* In hard-irq context. Returns when to expire again, or HRTIMER_NORESTART. */
	uint64_t (*function)(struct cpu *cpu, void *context);
	void *context;
	bool queued;
	uint32_t cpu;                  /* base where it is queued, or was last; HRTIMER_NO_CPU: never was */
	struct hrtimer *next;
};

struct hrtimer_cpu_base {
	struct raw_spinlock lock;      /* its line also holds the list */
	struct hrtimer *first;
	struct hrtimer *running;
	uint64_t programmed;           /* what the hardware of this CPU is set to; UINT64_MAX: nothing */
};

/* Bases for all CPUs, and the handler of the host's timer. Before the first timer. */
void hrtimers_init(struct kernel *kernel);

void hrtimer_init(struct kernel *kernel, struct hrtimer *timer, line_id line, uint64_t (*function)(struct cpu *, void *),
		  void *context);
/* Queues the timer on this CPU, whatever it was before; also from its own function. */
void hrtimer_start(struct cpu *cpu, struct hrtimer *timer, uint64_t expires);
/* Afterwards it is neither queued nor running. True: it was queued. */
bool hrtimer_cancel(struct cpu *cpu, struct hrtimer *timer);
/* The look without the lock. */
bool hrtimer_active(struct cpu *cpu, const struct hrtimer *timer);

/* The counter, in ns. */
uint64_t ktime_get(struct cpu *cpu);

/* ---- the clock event device: clock_event.c ---- */
void clock_event_init(struct kernel *kernel);
void clock_event_program(struct kernel *kernel, struct cpu *cpu, uint64_t when);
/* hrtimer.c: all that have expired on this CPU. */
void hrtimer_interrupt(struct kernel *kernel, struct cpu *cpu);

#endif
