// SPDX-License-Identifier: Apache-2.0
/* What all workloads share; see workload.h. */
#include "workloads/workload.h"

#include "base/random.h"
#include "model/kernel/sched.h"

#define COUNTER_OFFSET 1000000  /* ticks; that there is one is all that matters */

void workload_count(struct workload *workload, uint32_t vcpu, ps_t when)
{
	struct workload_counts *counts = &workload->counts;

	if (when >= counts->window_start && when < counts->window_end) {
		const ps_t round = when - counts->last[vcpu];

		if (counts->last[vcpu] && (!counts->shortest || round < counts->shortest))
			counts->shortest = round;
		counts->last[vcpu] = when;
		counts->by_vcpu[vcpu]++;
	}
	if (when / counts->batch < counts->batches)
		counts->by_batch[when / counts->batch]++;
}

void workload_count_kind(struct workload *workload, uint32_t kind, ps_t host, ps_t when)
{
	struct workload_counts *counts = &workload->counts;

	if (when < counts->window_start || when >= counts->window_end)
		return;
	counts->kind_exits[kind]++;
	counts->kind_host[kind] += host;
}

bool workload_in_window(const struct workload *workload, ps_t when)
{
	return when >= workload->counts.window_start && when < workload->counts.window_end;
}

void workload_woken(struct workload *workload, ps_t since, ps_t when)
{
	struct workload_counts *counts = &workload->counts;
	const ps_t latency = when > since ? when - since : 0;

	if (!workload_in_window(workload, when))
		return;
	counts->wake_ups++;
	counts->wake_latency += latency;
	if (latency > counts->wake_latency_max)
		counts->wake_latency_max = latency;
}

void workload_count_late(struct workload *workload, uint32_t vcpu, ps_t when, ps_t late)
{
	if (when >= workload->counts.window_start && when < workload->counts.window_end)
		workload->counts.late += late;
	workload_count(workload, vcpu, when);
}

ps_t workload_start_delay(const struct workload *workload, uint32_t vcpu, ps_t round)
{
	double place;

	if (!workload->config.staggered)
		return 0;
	place = (vcpu + random_unit(workload->config.seed, random_stream("start"), vcpu)) / workload->config.vcpus;
	return (ps_t)(place * (double)round);
}

void workload_vmm_work(const struct workload *workload, struct cpu *cpu, ps_t work)
{
	FUNCTION_NAMED(cpu, "vmm");

	if (workload->kernel->sched)
		user_work(workload->kernel, cpu, work);
	else
		cpu_spend(cpu, work);
}

void workload_vcpu_init(const struct workload *workload, struct kvm_vcpu *vcpu, struct kvm *kvm, uint32_t number)
{
	kvm_vcpu_init(vcpu, kvm, (vcpu_id){ number });
	vcpu->ptimer.offset = workload->config.counter_offset ? COUNTER_OFFSET : 0;
	vcpu->vtimer.guest_irq->active = workload->config.timer_active;
	vcpu->ptimer.guest_irq->active = workload->config.timer_active;
	vcpu->pmu.present = workload->config.pmu;
	vcpu->pmu.host_events = workload->config.host_events;
	vcpu->uses_fp = workload->config.fp;
	vcpu->uses_pauth = workload->config.pauth;
	vcpu->uses_debug = workload->config.debug;
}
