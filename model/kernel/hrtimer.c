// SPDX-License-Identifier: Apache-2.0
/* High-resolution timers; see hrtimer.h. */
#include "model/kernel/hrtimer.h"

#include <stdlib.h>

#include "model/kernel/kernel.h"

void hrtimers_init(struct kernel *kernel)
{
	kernel->hrtimer_bases = calloc(kernel->cpus, sizeof(*kernel->hrtimer_bases));
	if (!kernel->hrtimer_bases)
		abort();
	for (uint32_t n = 0; n < kernel->cpus; n++) {
		struct hrtimer_cpu_base *base = &kernel->hrtimer_bases[n];

		spin_lock_init(kernel, &base->lock, line_create(kernel->machine, "hrtimer_cpu_base", n), "hrtimer_cpu_base.lock");
		base->programmed = UINT64_MAX;
	}
	clock_event_init(kernel);
}

void hrtimer_init(struct kernel *kernel, struct hrtimer *timer, line_id line, uint64_t (*function)(struct cpu *, void *),
		  void *context)
{
	*timer = (struct hrtimer){ .kernel = kernel, .line = line, .function = function, .context = context,
				    .cpu = HRTIMER_NO_CPU };
}

static struct hrtimer_cpu_base *this_base(struct kernel *kernel, struct cpu *cpu)
{
	return &kernel->hrtimer_bases[cpu_number(cpu).n];
}

/* With the base's lock. True: it is the base's first now. */
static bool enqueue_hrtimer(struct cpu *cpu, struct hrtimer_cpu_base *base, struct hrtimer *timer)
{
	struct hrtimer **place = &base->first;

	line_own(cpu, timer->line);
	cpu_load_store(cpu, 4);
	while (*place && (*place)->expires <= timer->expires)
		place = &(*place)->next;
	timer->next = *place;
	*place = timer;
	timer->queued = true;
	timer->cpu = cpu_number(cpu).n;
	return base->first == timer;
}

/* With the base's lock. */
static void remove_hrtimer(struct cpu *cpu, struct hrtimer_cpu_base *base, struct hrtimer *timer)
{
	struct hrtimer **place = &base->first;

	line_own(cpu, timer->line);
	cpu_load_store(cpu, 4);
	while (*place != timer)
		place = &(*place)->next;
	*place = timer->next;
	timer->queued = false;
}

/* The own CPU's hardware, to the base's first timer if it is not set to that. Nothing queued: the interrupt comes for nothing. */
static void reprogram(struct kernel *kernel, struct cpu *cpu, struct hrtimer_cpu_base *base)
{
	FUNCTION_NAMED(cpu, "hrtimer_reprogram");

	cpu_load_store(cpu, 2);
	if (!base->first || base->first->expires == base->programmed)
		return;
	base->programmed = base->first->expires;
	clock_event_program(kernel, cpu, base->programmed);
}

bool hrtimer_active(struct cpu *cpu, const struct hrtimer *timer)
{
	line_read(cpu, timer->line);
	if (timer->cpu == HRTIMER_NO_CPU)
		return false;
	return timer->queued || timer->kernel->hrtimer_bases[timer->cpu].running == timer;
}

/* lock_hrtimer_base(): the base may change while the lock is waited for. Interrupts are masked. */
static struct hrtimer_cpu_base *lock_hrtimer_base(struct cpu *cpu, struct hrtimer *timer, const char *caller)
{
	struct kernel *kernel = timer->kernel;

	if (timer->cpu == HRTIMER_NO_CPU)
		timer->cpu = cpu_number(cpu).n;
	for (;;) {
		struct hrtimer_cpu_base *base = &kernel->hrtimer_bases[timer->cpu];

		raw_spin_lock(kernel, cpu, &base->lock, caller);
		if (base == &kernel->hrtimer_bases[timer->cpu])
			return base;
		raw_spin_unlock(cpu, &base->lock);
	}
}

void hrtimer_start(struct cpu *cpu, struct hrtimer *timer, uint64_t expires)
{
	struct kernel *kernel = timer->kernel;
	struct hrtimer_cpu_base *base, *own = this_base(kernel, cpu);
	bool flags;
	FUNCTION_NAMED(cpu, "hrtimer_start_range_ns");

	flags = irq_save(cpu);
	base = lock_hrtimer_base(cpu, timer, "hrtimer_start_range_ns");
	if (timer->queued)
		remove_hrtimer(cpu, base, timer);
	/* switch_hrtimer_base(): a timer whose function runs stays where it is; here nobody starts such a one from elsewhere */
	if (base != own) {
		timer->cpu = cpu_number(cpu).n;
		raw_spin_unlock(cpu, &base->lock);
		raw_spin_lock(kernel, cpu, &own->lock, "hrtimer_start_range_ns");
	}
	timer->expires = expires;
	if (enqueue_hrtimer(cpu, own, timer))
		reprogram(kernel, cpu, own);
	raw_spin_unlock(cpu, &own->lock);
	irq_restore(cpu, flags);
}

static bool hrtimer_try_to_cancel(struct cpu *cpu, struct hrtimer *timer, bool *cancelled)
{
	struct hrtimer_cpu_base *base;
	bool flags, running;
	FUNCTION(cpu);

	if (!hrtimer_active(cpu, timer))
		return true;
	flags = irq_save(cpu);
	base = lock_hrtimer_base(cpu, timer, __func__);
	running = base->running == timer;
	if (!running && timer->queued) {
		const bool was_first = base->first == timer;

		remove_hrtimer(cpu, base, timer);
		if (was_first && base == this_base(timer->kernel, cpu))
			reprogram(timer->kernel, cpu, base);
		*cancelled = true;
	}
	raw_spin_unlock(cpu, &base->lock);
	irq_restore(cpu, flags);
	return !running;
}

bool hrtimer_cancel(struct cpu *cpu, struct hrtimer *timer)
{
	bool cancelled = false;
	FUNCTION(cpu);

	while (!hrtimer_try_to_cancel(cpu, timer, &cancelled)) {
		struct hrtimer_cpu_base *base = &timer->kernel->hrtimer_bases[timer->cpu];

		/* The function runs on another CPU: until its end, which takes the base's lock. */
		for (;;) {
			line_read(cpu, base->lock.line);
			if (base->running != timer)
				break;
			line_wait(cpu, base->lock.line);
		}
	}
	return cancelled;
}

static void run_hrtimer(struct kernel *kernel, struct cpu *cpu, struct hrtimer_cpu_base *base, struct hrtimer *timer)
{
	uint64_t again;
	FUNCTION_NAMED(cpu, "__run_hrtimer");

	remove_hrtimer(cpu, base, timer);
	base->running = timer;
	raw_spin_unlock(cpu, &base->lock);
	again = timer->function(cpu, timer->context);
	raw_spin_lock(kernel, cpu, &base->lock, "__run_hrtimer");
	base->running = NULL;
	if (again == HRTIMER_NORESTART || timer->queued)
		return;
	timer->expires = again;
	enqueue_hrtimer(cpu, base, timer);
}

void hrtimer_interrupt(struct kernel *kernel, struct cpu *cpu)
{
	struct hrtimer_cpu_base *base = this_base(kernel, cpu);
	uint64_t now;
	FUNCTION(cpu);

	raw_spin_lock(kernel, cpu, &base->lock, __func__);
	base->programmed = UINT64_MAX;
	now = ktime_get(cpu);
	while (base->first && base->first->expires <= now)
		run_hrtimer(kernel, cpu, base, base->first);
	if (base->first)
		reprogram(kernel, cpu, base);
	raw_spin_unlock(cpu, &base->lock);
}
