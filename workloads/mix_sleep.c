// SPDX-License-Identifier: Apache-2.0
/*
 * mix: the kinds sgi, wfi and irq. Their vCPUs are tasks of the modelled scheduler, one on each CPU, pinned.
 *
 *   sgi   an SGI to another vCPU of the VM, drawn anew each time. Its guest takes it: it is kicked if it runs, woken if
 *         it sleeps. What that costs the receiver stands in the receiver's own round.
 *   wfi   the guest arms its virtual timer, workload.mix.sleep from now, and executes WFI until that timer has fired;
 *         other interrupts wake it too, and it waits again. Its time outside the guest is what it goes on later than
 *         the timer was to fire: the sleep itself was asked for.
 *   irq   an hrtimer of the host on the vCPU's CPU expires at the kind's clock. If nothing else is due before, the
 *         guest runs until then: exit, handler (kernel.work.irq and the timer's own steps), entry. One that expires
 *         while the host is busy with another exit is taken there: it ends no guest, and is no exit of this kind.
 */
#include "base/random.h"
#include "workloads/mix.h"

#define TIMER_INTID 27u
#define UNTIL_INTERRUPTED PS_PER_S

bool mix_needs_scheduler(const struct workload_config *config)
{
	return config->mix[MIX_SGI] || config->mix[MIX_WFI] || config->mix[MIX_IRQ];
}

/* Any vCPU but this one. */
static uint32_t other_vcpu(const struct mix_thread *thread)
{
	const struct workload_config *config = &thread->workload->config;
	const uint32_t self = thread->vcpu.id.n;
	const double place = random_unit(config->seed, random_stream("mix target") + self, thread->begun[MIX_SGI]);
	const uint32_t others = config->vcpus - 1, n = (uint32_t)(place * others);

	return n < self ? n : n + 1;
}

struct guest_step mix_begin_sgi(struct mix_thread *thread, ps_t work)
{
	return (struct guest_step){ .work = work, .operation = GUEST_SGI, .argument = other_vcpu(thread) };
}

struct guest_step mix_begin_wfi(struct cpu *cpu, struct mix_thread *thread, ps_t work)
{
	const ps_t sleep = thread->workload->config.mix_sleep;

	thread->sleep = MIX_ARMING;
	thread->wake_at = cpu_now(cpu) + work + sleep;
	thread->guest = work + sleep;
	return (struct guest_step){ .work = work, .operation = GUEST_TIMER_SET, .argument = sleep / PS_PER_NS };
}

struct guest_step mix_begin_irq(void)
{
	return (struct guest_step){ .work = UNTIL_INTERRUPTED, .operation = GUEST_WORK };
}

bool mix_still_sleeps(struct mix_thread *thread, struct guest_step *step)
{
	if (thread->sleep == MIX_AWAKE)
		return false;
	if (thread->sleep == MIX_FIRED) {
		thread->sleep = MIX_AWAKE;
		return false;
	}
	thread->sleep = MIX_SLEEPING;
	*step = (struct guest_step){ .operation = GUEST_WFI };
	return true;
}

void mix_guest_interrupt(struct cpu *cpu, void *context, uint32_t interrupt)
{
	struct mix_thread *thread = context;

	if (interrupt != TIMER_INTID)
		return;
	cpu_sysreg_write(cpu, SYS_CNTV_CTL_EL0, 0);
	thread->sleep = MIX_FIRED;
	workload_woken(thread->workload, thread->wake_at, cpu_now(cpu));
}

/* In counter ticks, which are ns: not before it is due. */
static uint64_t ticks(ps_t when)
{
	return (when + PS_PER_NS - 1) / PS_PER_NS;
}

static uint64_t host_interrupt(struct cpu *cpu, void *context)
{
	struct mix_thread *thread = context;
	ps_t *due = &thread->due[MIX_IRQ], interval;
	FUNCTION_NAMED(cpu, "host interrupt");

	if (thread->kind == MIX_IRQ && thread->vcpu.in_step)
		guest_stop_waiting(&thread->vcpu);
	interval = mix_interval(thread, MIX_IRQ);
	thread->begun[MIX_IRQ]++;
	*due += interval;
	if (*due <= cpu_now(cpu))
		*due = cpu_now(cpu) + interval;
	return ticks(*due);
}

void mix_start_interrupts(struct cpu *cpu, struct mix_thread *thread)
{
	struct kernel *kernel = thread->workload->kernel;

	if (!thread->workload->config.mix[MIX_IRQ])
		return;
	hrtimer_init(kernel, &thread->interrupt, line_create(kernel->machine, "host timer", thread->vcpu.id.n), host_interrupt, thread);
	hrtimer_start(cpu, &thread->interrupt, ticks(thread->due[MIX_IRQ]));
}
