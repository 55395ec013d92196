// SPDX-License-Identifier: Apache-2.0
/*
 * wfi-wake: pairs of vCPUs of one VM play ping-pong. One works (mean guest_work, varied), then gives the other something to do
 * and has nothing to do itself; the other wakes up, works, and so on. So each sleeps for about as long as the other works.
 *
 * The guest's idle loop polls for workload.guest_idle_poll, then executes WFI. Who has something for the other raises its flag,
 * and sends an interrupt (SGI) unless the other polls. A round is one wake-up; its latency runs from the raising of the flag to
 * the first work of the woken vCPU.
 */
#include "workloads/scheduled.h"

enum phase { WORK, TOLD, POLL, SLEEP };

static struct scheduled_vcpu *partner_of(struct scheduled_vcpu *self)
{
	return self->vcpu.id.n % 2 ? self - 1 : self + 1;
}

static struct guest_step to_work(struct cpu *cpu, struct scheduled_vcpu *self)
{
	line_own(cpu, self->flag.line);
	self->flag.raised = false;
	workload_woken(self->workload, self->raised_at, cpu_now(cpu));
	self->phase = WORK;
	self->round++;
	return (struct guest_step){ .work = scheduled_guest_work(self), .operation = GUEST_WORK };
}

static struct guest_step to_idle(struct cpu *cpu, struct scheduled_vcpu *self)
{
	const ps_t poll = self->workload->config.guest_idle_poll;

	line_read(cpu, self->flag.line);
	if (self->flag.raised)
		return to_work(cpu, self);
	if (poll && self->phase < POLL) {
		self->phase = POLL;
		return (struct guest_step){ .operation = GUEST_POLL, .argument = poll };
	}
	self->phase = SLEEP;
	return (struct guest_step){ .operation = GUEST_WFI };
}

static struct guest_step to_tell(struct cpu *cpu, struct scheduled_vcpu *self)
{
	struct scheduled_vcpu *partner = partner_of(self);

	workload_count(self->workload, self->vcpu.id.n, cpu_now(cpu));
	partner->raised_at = cpu_now(cpu);
	self->phase = TOLD;
	if (guest_flag_raise(cpu, &partner->flag))
		return to_idle(cpu, self);
	self->workload->counts.guest_ipis += workload_in_window(self->workload, cpu_now(cpu));
	return (struct guest_step){ .operation = GUEST_SGI, .argument = partner->vcpu.id.n };
}

static struct guest_step next(struct cpu *cpu, void *context)
{
	struct scheduled_vcpu *self = context;

	return self->phase == WORK ? to_tell(cpu, self) : to_idle(cpu, self);
}

void wfi_wake_start(struct workload *workload)
{
	struct scheduled_vcpu *vcpus = scheduled_vm(workload);

	for (uint32_t n = 0; n < workload->config.vcpus; n++) {
		struct scheduled_vcpu *self = &vcpus[n];

		self->phase = n % 2 ? SLEEP : WORK;
		self->vcpu.guest = (struct guest_program){
			.step = { .work = n % 2 ? 0 : scheduled_guest_work(self), .operation = n % 2 ? GUEST_WFI : GUEST_WORK },
			.next = next, .flag = &self->flag, .context = self,
		};
	}
	scheduled_start(workload, vcpus);
}
