// SPDX-License-Identifier: Apache-2.0
/*
 * timer-tick: each vCPU sleeps until its virtual timer fires, works (guest_work), arms the timer for the next multiple of
 * workload.timer_tick.period and sleeps again: what the ticks of an idle guest cost its host. A round is a tick; its latency
 * runs from the timer's deadline to the guest's handler.
 */
#include "workloads/scheduled.h"

#define TIMER_INTID 27u

enum phase { ARM, SLEEP, WORK };

/* The timer's deadline is where the rounds of all vCPUs together would be spread over the period. */
static ps_t deadline(const struct scheduled_vcpu *self)
{
	const struct workload_config *config = &self->workload->config;
	const ps_t first = workload_start_delay(self->workload, self->vcpu.id.n, config->period);

	return first + (self->round + 1) * config->period;
}

static struct guest_step arm(struct cpu *cpu, struct scheduled_vcpu *self)
{
	ps_t when;

	while ((when = deadline(self)) <= cpu_now(cpu))
		self->round++;  /* late: the ticks that were missed are gone */
	self->phase = ARM;
	self->raised_at = when;
	return (struct guest_step){ .operation = GUEST_TIMER_SET, .argument = (when - cpu_now(cpu)) / PS_PER_NS + 1 };
}

static struct guest_step next(struct cpu *cpu, void *context)
{
	struct scheduled_vcpu *self = context;

	if (self->flag.raised) {
		self->flag.raised = false;
		self->phase = WORK;
		return (struct guest_step){ .work = scheduled_guest_work(self), .operation = GUEST_WORK };
	}
	if (self->phase == WORK) {
		workload_count(self->workload, self->vcpu.id.n, cpu_now(cpu));
		return arm(cpu, self);
	}
	self->phase = SLEEP;
	return (struct guest_step){ .operation = GUEST_WFI };
}

/* The guest's timer handler: the timer is stopped, its level goes away. */
static void tick(struct cpu *cpu, void *context, uint32_t interrupt)
{
	struct scheduled_vcpu *self = context;

	if (interrupt != TIMER_INTID)
		return;
	cpu_sysreg_write(cpu, SYS_CNTV_CTL_EL0, 0);
	self->flag.raised = true;
	workload_woken(self->workload, self->raised_at, cpu_now(cpu));
}

void timer_tick_start(struct workload *workload)
{
	struct scheduled_vcpu *vcpus = scheduled_vm(workload);

	for (uint32_t n = 0; n < workload->config.vcpus; n++) {
		struct scheduled_vcpu *self = &vcpus[n];

		self->phase = WORK;
		self->vcpu.guest = (struct guest_program){
			.step = { .operation = GUEST_WORK }, .next = next, .interrupt = tick, .context = self,
		};
	}
	scheduled_start(workload, vcpus);
}
