// SPDX-License-Identifier: Apache-2.0
/*
 * Collecting results; see simulate_results.h. Accounts of CPUs that run no vCPU are left out: they are idle
 * throughout.
 */
#include "study/simulate_results.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/kernel/lockstat.h"

static void *grown(void *array, size_t count, size_t size)
{
	/* Doubles at powers of two: cheap enough for a few hundred rows. */
	if (count & (count - 1))
		return array;
	array = realloc(array, (count ? 2 * count : 1) * size);
	if (!array)
		abort();
	return array;
}

static void add_account(void *context, const char *stack, enum account_reason reason, ps_t amount)
{
	struct sim_result *out = context;

	if (stack[0] == '\0')
		return;  /* CPUs without a thread */
	out->accounts = grown(out->accounts, out->account_count, sizeof(*out->accounts));
	out->accounts[out->account_count++] =
		(struct sim_account_row){ strdup(stack), account_reason_name(reason), amount };
}

static int compare_accounts(const void *a, const void *b)
{
	const struct sim_account_row *left = a, *right = b;
	int order = strcmp(left->stack, right->stack);

	return order ? order : strcmp(left->reason, right->reason);
}

static void add_lock(void *context, const struct lock_site *site)
{
	struct sim_result *out = context;

	if (!site->acquisitions)
		return;
	out->locks = grown(out->locks, out->lock_count, sizeof(*out->locks));
	out->locks[out->lock_count++] = (struct sim_lock_row){
		site->lock, site->caller, site->acquisitions, site->contended, site->queued,
		site->wait_total, site->wait_max, site->hold_total, site->hold_max,
	};
}

static int compare_locks(const void *a, const void *b)
{
	const struct sim_lock_row *left = a, *right = b;
	int order = strcmp(left->lock, right->lock);

	return order ? order : strcmp(left->caller, right->caller);
}

static void add_metric(struct sim_result *out, const char *name, const char *unit, uint64_t value)
{
	out->metrics = grown(out->metrics, out->metric_count, sizeof(*out->metrics));
	out->metrics[out->metric_count++] = (struct sim_metric){ name, unit, value };
}

static const char *kind_metric(const char *start, uint32_t kind)
{
	char name[64];

	snprintf(name, sizeof(name), "%s%s", start, mix_kind_name(kind));
	return strdup(name);
}

void sim_collect(struct sim_result *out, const struct workload *workload, const struct account *account,
		 const struct machine_counters *before, const struct machine_counters *after)
{
	const struct workload_counts *counts = &workload->counts;
	uint64_t exits = 0, queued = 0;

	out->cpu_count = counts->vcpus ? counts->vcpus : workload->config.vcpus;
	out->cpu_exits = counts->by_vcpu;
	out->batch_count = counts->batches;
	out->batches = counts->by_batch;
	for (size_t n = 0; n < out->cpu_count; n++)
		exits += counts->by_vcpu[n];

	account_visit(account, add_account, out);
	if (out->account_count)
		qsort(out->accounts, out->account_count, sizeof(*out->accounts), compare_accounts);
	lockstat_visit(add_lock, out);
	if (out->lock_count)
		qsort(out->locks, out->lock_count, sizeof(*out->locks), compare_locks);
	for (size_t n = 0; n < out->lock_count; n++)
		queued += out->locks[n].queued;

	add_metric(out, "exits", "1", exits);
	for (uint32_t kind = 0; kind < MIX_KINDS; kind++) {
		if (!counts->kind_exits[kind])
			continue;
		add_metric(out, kind_metric("exits-", kind), "1", counts->kind_exits[kind]);
		add_metric(out, kind_metric("host-time-", kind), "ps", counts->kind_host[kind]);
	}
	add_metric(out, "shortest-round", "ps", counts->shortest);
	if (workload->config.operation == GUEST_TIMER_SET)
		add_metric(out, "lateness", "ps", counts->late);
	add_metric(out, "lock-queue-entries", "1", queued);
	add_metric(out, "line-transactions", "1", after->line_transactions - before->line_transactions);
	add_metric(out, "line-accesses", "1", after->line_accesses - before->line_accesses);
	add_metric(out, "device-writes", "1", after->device_writes - before->device_writes);
	add_metric(out, "device-reads", "1", after->device_reads - before->device_reads);
	add_metric(out, "sysreg-accesses", "1", after->sysreg_accesses - before->sysreg_accesses);
	add_metric(out, "catch-ups", "1", after->catch_ups - before->catch_ups);
}

struct sim_software_counters sim_software_count(const struct workload *workload)
{
	struct sim_software_counters counters = { .halt = halt_counts };

	if (workload->kernel->sched)
		counters.sched = workload->kernel->sched->counts;
	return counters;
}

void sim_collect_scheduler(struct sim_result *out, const struct workload *workload, const struct sim_software_counters *before)
{
	const struct sim_software_counters now = sim_software_count(workload);
	const struct workload_counts *counts = &workload->counts;

	if (!workload->kernel->sched)
		return;
	add_metric(out, "wake-ups", "1", counts->wake_ups);
	add_metric(out, "wake-latency", "ps", counts->wake_latency);
	add_metric(out, "wake-latency-max", "ps", counts->wake_latency_max);
	add_metric(out, "guest-ipis", "1", counts->guest_ipis);
	add_metric(out, "task-switches", "1", now.sched.switches - before->sched.switches);
	add_metric(out, "preemptions", "1", now.sched.preemptions - before->sched.preemptions);
	add_metric(out, "migrations", "1", now.sched.migrations - before->sched.migrations);
	add_metric(out, "ticks", "1", now.sched.ticks - before->sched.ticks);
	add_metric(out, "reschedule-interrupts", "1", now.sched.reschedule_interrupts - before->sched.reschedule_interrupts);
	add_metric(out, "halts", "1", now.halt.halts - before->halt.halts);
	add_metric(out, "halt-polls-successful", "1", now.halt.polls_successful - before->halt.polls_successful);
	add_metric(out, "halt-poll-time", "ps", now.halt.poll_ps - before->halt.poll_ps);
}
