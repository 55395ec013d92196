// SPDX-License-Identifier: Apache-2.0
/*
 * The composition root: from parameters to a machine, a kernel and a workload; then warm-up, measurement, results.
 * The only place that knows both the parameter table and the model. The order of creation is fixed, so results do not
 * depend on anything but the parameters, the seed and the replication.
 */
#include "study/simulate.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "base/random.h"
#include "model/cpu/machine_build.h"
#include "study/simulate_config.h"
#include "study/simulate_results.h"
#include "workloads/workload.h"

static struct variation variation_from_params(const struct param_set *p, enum param_id kind, double cv)
{
	struct variation variation = { .kind = VARIATION_CONSTANT, .cv = cv };

	if (param_choice_is(p, kind, "exponential"))
		variation.kind = VARIATION_EXPONENTIAL;
	else if (kind == P_WORKLOAD_VARIATION && param_choice_is(p, kind, "uniform"))
		variation.kind = VARIATION_UNIFORM;
	else if (kind == P_WORKLOAD_VARIATION && param_choice_is(p, kind, "gamma"))
		variation.kind = VARIATION_GAMMA;
	return variation;
}

/* The choices of workload.exit in their order. */
static enum guest_operation operation_from_params(const struct param_set *p)
{
	static const enum guest_operation operations[] = {
		GUEST_HYPERCALL, GUEST_MMIO_READ_VGIC, GUEST_MMIO_READ_USER, GUEST_EOI, GUEST_SGI, GUEST_SGI, GUEST_TIMER_SET,
		GUEST_SYSREG, GUEST_COUNTER, GUEST_WORKAROUND, GUEST_TIMER_READ, GUEST_TIMER_WRITE,
	};

	return operations[param_choice(p, P_WORKLOAD_EXIT)];
}

/* The rates of the kinds, in the order of enum mix_kind. */
static const enum param_id mix_params[MIX_KINDS] = {
	[MIX_HYPERCALL] = P_WORKLOAD_MIX_HYPERCALL, [MIX_MMIO_KERNEL] = P_WORKLOAD_MIX_MMIO_KERNEL,
	[MIX_MMIO_USER] = P_WORKLOAD_MIX_MMIO_USER, [MIX_SYSREG] = P_WORKLOAD_MIX_SYSREG,
	[MIX_SGI] = P_WORKLOAD_MIX_SGI, [MIX_WFI] = P_WORKLOAD_MIX_WFI, [MIX_IRQ] = P_WORKLOAD_MIX_IRQ,
};

static struct workload_config workload_from_params(const struct param_set *p, uint64_t seed)
{
	const double cv = param_millionths(p, P_WORKLOAD_VARIATION_CV) / 1e6;
	struct workload_config workload = {
		.vcpus = param_count(p, P_WORKLOAD_VCPUS),
		.irqchip_in_kernel = param_choice_is(p, P_WORKLOAD_IRQCHIP, "in-kernel"),
		.pmu = param_switch(p, P_WORKLOAD_PMU),
		.host_events = param_count(p, P_WORKLOAD_HOST_EVENTS),
		.staggered = param_choice_is(p, P_WORKLOAD_START, "staggered"),
		.guest_work = param_ps(p, P_WORKLOAD_GUEST_WORK),
		.vmm_work = param_ps(p, P_WORKLOAD_VMM_WORK),
		.variation = variation_from_params(p, P_WORKLOAD_VARIATION, cv),
		.operation = operation_from_params(p),
		.timestamps = param_switch(p, P_WORKLOAD_TIMESTAMPS),
		.counter_offset = param_switch(p, P_WORKLOAD_COUNTER_OFFSET),
		.ipi_target = param_count(p, P_WORKLOAD_IPI_TARGET),
		.timer_active = param_switch(p, P_WORKLOAD_TIMER_ACTIVE),
		.fp = param_switch(p, P_WORKLOAD_FP),
		.pauth = param_switch(p, P_WORKLOAD_PAUTH),
		.debug = param_switch(p, P_WORKLOAD_DEBUG),
		.cpus = param_count(p, P_WORKLOAD_CPUS),
		.pinned = param_switch(p, P_WORKLOAD_PINNED),
		.guest_idle_poll = param_ps(p, P_WORKLOAD_GUEST_IDLE_POLL),
		.period = param_ps(p, P_WORKLOAD_TIMER_PERIOD),
		.stations = param_count(p, P_WORKLOAD_STATIONS),
		.hold = param_ps(p, P_WORKLOAD_HOLD),
		.hold_variation = variation_from_params(p, P_WORKLOAD_HOLD_VARIATION, 0),
		.shared_line = param_switch(p, P_WORKLOAD_ATOMIC_SHARED),
		.pause = param_ps(p, P_WORKLOAD_ATOMIC_PAUSE),
		.nops = param_count(p, P_WORKLOAD_ATOMIC_NOPS),
		.nop = param_ps(p, P_WORKLOAD_ATOMIC_NOP),
		.mix_user_share = param_millionths(p, P_WORKLOAD_MIX_USER_SHARE) / 1e6,
		.net_interval = param_ps(p, P_WORKLOAD_NET_INTERVAL),
		.net_app_work = param_ps(p, P_WORKLOAD_NET_APP_WORK),
		.net_acks = param_switch(p, P_WORKLOAD_NET_ACKS),
		.net_window = param_count(p, P_WORKLOAD_NET_WINDOW),
		.mix_sleep = param_ps(p, P_WORKLOAD_MIX_SLEEP),
		.seed = seed,
	};

	for (uint32_t kind = 0; kind < MIX_KINDS; kind++)
		workload.mix[kind] = param_count(p, mix_params[kind]);

	if (workload.cpus == 0)
		workload.cpus = workload.vcpus;
	return workload;
}

/* By the choices of workload.kind in their order. */
static void start_workload(const struct param_set *p, struct workload *workload)
{
	static void (*const start[])(struct workload *workload) = {
		exit_to_userspace_start, lock_loop_start, microbench_start, atomic_loop_start, mix_start, wfi_wake_start,
		timer_tick_start, overcommit_start, passthrough_net_start,
	};

	start[param_choice(p, P_WORKLOAD_KIND)](workload);
}

static void *zeroed(size_t count, size_t size)
{
	void *memory = calloc(count ? count : 1, size);

	if (!memory)
		abort();
	return memory;
}

static uint64_t host_clock_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* With parameters that have been checked. */
static cv_result simulate(const struct param_set *params, uint32_t replication, struct sim_result *out)
{
	const uint64_t started = host_clock_ns();
	const uint64_t seed = random_u64(param_count(params, P_RUN_SEED), random_stream("replication"), replication);
	const ps_t start = param_ps(params, P_RUN_WARMUP);
	const ps_t end = start + param_ps(params, P_RUN_MEASURE);
	const struct host_config host = sim_host_config(params);
	const struct kernel_config kernel = sim_kernel_config(params);
	struct workload *workload = zeroed(1, sizeof(*workload));
	struct machine_counters before, after;
	struct sim_software_counters software;
	struct machine *machine;
	struct rusage usage;

	machine = machine_build(&host);
	account_set_window(machine_account(machine), start, end);
	lockstat_set_window(start, end);

	workload->kernel = kernel_boot(machine, host.cpus, &kernel);
	workload->config = workload_from_params(params, seed);
	workload->counts.window_start = start;
	workload->counts.window_end = end;
	workload->counts.batch = param_ps(params, P_RUN_BATCH);
	workload->counts.batches = (size_t)(end / workload->counts.batch);
	workload->counts.by_vcpu = zeroed(workload->config.vcpus, sizeof(uint64_t));
	workload->counts.last = zeroed(workload->config.vcpus, sizeof(ps_t));
	workload->counts.by_batch = zeroed(workload->counts.batches, sizeof(uint64_t));
	start_workload(params, workload);

	machine_run_until(machine, start);
	before = machine_count(machine);
	software = sim_software_count(workload);
	machine_run_until(machine, end);
	after = machine_count(machine);
	machine_close_accounts(machine, end);

	for (uint32_t cpu = 0; cpu < workload->config.cpus; cpu++)
		RETURN_ERROR_IF(account_cpu_total(machine_account(machine), (cpu_id){ cpu }) != end - start, CV_INTERNAL,
				"the accounts of CPU %u hold %llu ps of %llu: a bug in convoy, please report it", cpu,
				(unsigned long long)account_cpu_total(machine_account(machine), (cpu_id){ cpu }),
				(unsigned long long)(end - start));

	*out = (struct sim_result){ .measured = end - start };
	sim_collect(out, workload, machine_account(machine), &before, &after);
	sim_collect_scheduler(out, workload, &software);
	getrusage(RUSAGE_SELF, &usage);
	out->host_peak_bytes = (uint64_t)usage.ru_maxrss * 1024;
	out->host_ns = host_clock_ns() - started;
	return CV_OK;
}

cv_result simulate_point(const struct param_set *params, uint32_t replication, struct sim_result *out)
{
	FORWARD_IF_ERROR(param_set_check(params));
	return simulate(params, replication, out);
}
