// SPDX-License-Identifier: Apache-2.0
/*
 * Checks of a whole parameter set: every value there, and no combination that makes no sense. Each message starts with
 * the place of the value that is most likely wrong and names the place of the other one.
 */
#include "study/param.h"

#include <inttypes.h>

#include "study/units.h"

/* "file:1:2: host.cpus: " before the message. */
#define REFUSE_IF(condition, set, id, format, ...)                                                 \
	RETURN_ERROR_IF((condition), CV_BAD_INPUT, "%s: %s: " format, (set)->value[id].where,      \
			param_table[id].name, __VA_ARGS__)

/* Windows of run.batch that one run may have: their counts are kept in memory and in the database. */
#define MOST_BATCHES 1000000u

static const char *home_of(enum param_id id)
{
	if (id >= P_RUN_REPLICATIONS)
		return "the study's run:";
	if (id >= P_WORKLOAD_KIND)
		return "the workload file";
	return id >= P_KERNEL_EL2 ? "the kernel file" : "the host file";
}

static cv_result check_present(const struct param_set *set)
{
	for (size_t i = 0; i < PARAM_IDS; i++)
		RETURN_ERROR_IF(!set->value[i].present, CV_BAD_INPUT,
				"%s: no file gives it and it has no default; set it in %s (%s)", param_table[i].name,
				home_of((enum param_id)i), param_table[i].meaning);
	return CV_OK;
}

/* The guests' operation is workload.exit, and it is this one. */
static bool guests_do(const struct param_set *set, const char *exit)
{
	return (param_choice_is(set, P_WORKLOAD_KIND, "microbench") || param_choice_is(set, P_WORKLOAD_KIND, "overcommit")) &&
	       param_choice_is(set, P_WORKLOAD_EXIT, exit);
}

/* A mix with kinds that need the scheduler. */
static bool mix_sleeps(const struct param_set *set)
{
	return param_choice_is(set, P_WORKLOAD_KIND, "mix") && (param_count(set, P_WORKLOAD_MIX_SGI) ||
		param_count(set, P_WORKLOAD_MIX_WFI) || param_count(set, P_WORKLOAD_MIX_IRQ));
}

/* Workloads whose vCPUs are tasks of the kernel's scheduler. */
static cv_result check_scheduled(const struct param_set *set)
{
	const char *const kinds[] = { "wfi-wake", "timer-tick", "overcommit", "passthrough-net" };
	uint32_t cpus = param_count(set, P_WORKLOAD_CPUS), host = param_count(set, P_HOST_CPUS);
	const bool mix = mix_sleeps(set);
	bool scheduled = false;

	for (size_t n = 0; n < sizeof(kinds) / sizeof(kinds[0]); n++)
		scheduled |= param_choice_is(set, P_WORKLOAD_KIND, kinds[n]);
	REFUSE_IF(cpus && !scheduled, set, P_WORKLOAD_CPUS,
		  "%" PRIu32 ", but only wfi-wake, timer-tick, overcommit and passthrough-net share CPUs (workload.kind, %s); use 0", cpus,
		  set->value[P_WORKLOAD_KIND].where);
	REFUSE_IF(cpus > host, set, P_WORKLOAD_CPUS, "%" PRIu32 ", but the host has %" PRIu32 " CPUs (host.cpus, %s)", cpus, host,
		  set->value[P_HOST_CPUS].where);
	if (!scheduled && !mix)
		return CV_OK;
	REFUSE_IF(cpus > param_count(set, P_WORKLOAD_VCPUS), set, P_WORKLOAD_CPUS,
		  "%" PRIu32 ", more than the vCPUs that would use them (workload.vcpus, %s)", cpus,
		  set->value[P_WORKLOAD_VCPUS].where);
	REFUSE_IF(!param_choice_is(set, P_WORKLOAD_IRQCHIP, "in-kernel") && !param_choice_is(set, P_WORKLOAD_KIND, "overcommit"), set,
		  P_WORKLOAD_IRQCHIP, "a guest that sleeps in WFI needs the vGIC here (workload.kind, %s); use in-kernel",
		  set->value[P_WORKLOAD_KIND].where);
	REFUSE_IF((param_choice_is(set, P_WORKLOAD_KIND, "wfi-wake") || param_choice_is(set, P_WORKLOAD_KIND, "passthrough-net")) &&
			  param_count(set, P_WORKLOAD_VCPUS) % 2, set, P_WORKLOAD_VCPUS,
		  "%" PRIu32 ", but %s needs pairs (workload.kind, %s); allowed: even numbers", param_count(set, P_WORKLOAD_VCPUS),
		  param_choice_is(set, P_WORKLOAD_KIND, "wfi-wake") ? "wfi-wake" : "passthrough-net",
		  set->value[P_WORKLOAD_KIND].where);
	REFUSE_IF(param_ps(set, P_KERNEL_HALT_POLL) && !param_ps(set, P_HOST_CPU_COUNTER_READ), set, P_HOST_CPU_COUNTER_READ,
		  "0, but halt polling reads the counter until its time is over (kernel.halt_poll, %s); give it a cost, or poll for 0ns",
		  set->value[P_KERNEL_HALT_POLL].where);
	REFUSE_IF(param_ps(set, P_WORKLOAD_GUEST_WORK) == 0, set, P_WORKLOAD_GUEST_WORK,
		  "0, a round could take no time (workload.kind, %s); allowed: 1ps and more", set->value[P_WORKLOAD_KIND].where);
	REFUSE_IF(!param_choice_is(set, P_KERNEL_TIMER_REGS, "load-put"), set, P_KERNEL_TIMER_REGS,
		  "blocking is modelled for kernels that switch timers at load and put only (workload.kind, %s); use load-put",
		  set->value[P_WORKLOAD_KIND].where);
	return CV_OK;
}

static cv_result check_machine(const struct param_set *set)
{
	uint32_t cpus = param_count(set, P_HOST_CPUS), vcpus = param_count(set, P_WORKLOAD_VCPUS);
	uint32_t columns = param_count(set, P_HOST_MESH_COLUMNS), rows = param_count(set, P_HOST_MESH_ROWS);
	uint32_t per_cluster = param_count(set, P_HOST_MESH_CPUS_PER_CLUSTER);
	uint32_t clusters = param_count(set, P_HOST_MESH_CLUSTERS_PER_XP);
	uint32_t gic = param_count(set, P_HOST_MESH_GIC_XP);
	uint64_t crosspoints = (uint64_t)columns * rows, room = crosspoints * per_cluster * clusters;

	FORWARD_IF_ERROR(check_scheduled(set));
	REFUSE_IF(vcpus > cpus && !param_count(set, P_WORKLOAD_CPUS), set, P_WORKLOAD_VCPUS,
		  "%" PRIu32 " vCPUs, but the host has %" PRIu32 " CPUs (host.cpus, %s) and each vCPU needs one of its own; "
		  "allowed: 1 to %" PRIu32, vcpus, cpus, set->value[P_HOST_CPUS].where, cpus);
	REFUSE_IF(cpus > room, set, P_HOST_CPUS,
		  "%" PRIu32 " CPUs, but the mesh has room for %" PRIu64 ": %" PRIu32 " columns x %" PRIu32 " rows x %" PRIu32
		  " clusters x %" PRIu32 " CPUs (host.mesh.columns, %s)", cpus, room, columns, rows, clusters,
		  per_cluster, set->value[P_HOST_MESH_COLUMNS].where);
	REFUSE_IF(gic >= crosspoints, set, P_HOST_MESH_GIC_XP,
		  "crosspoint %" PRIu32 ", but the mesh has %" PRIu64 " (host.mesh.columns, %s); allowed: 0 to %" PRIu64, gic,
		  crosspoints, set->value[P_HOST_MESH_COLUMNS].where, crosspoints - 1);
	/* Otherwise a read and the ownership that follows it could fall on one picosecond, and the order of the CPUs would decide. */
	REFUSE_IF(param_ps(set, P_HOST_LINE_READ_OCCUPANCY) && !param_ps(set, P_HOST_LINE_BASE), set,
		  P_HOST_LINE_READ_OCCUPANCY, "reads occupy a home node, but a transfer takes no time (host.line.base, %s); "
		  "allowed: 0ns here, or a latency there", set->value[P_HOST_LINE_BASE].where);
	REFUSE_IF(param_choice_is(set, P_KERNEL_EL2, "vhe") && !param_switch(set, P_KERNEL_VHE), set, P_KERNEL_EL2,
		  "vhe, but this kernel knows no VHE (kernel.vhe: no, %s); use nvhe", set->value[P_KERNEL_VHE].where);
	REFUSE_IF(param_choice_is(set, P_KERNEL_EL2, "vhe") && !param_switch(set, P_HOST_VHE), set, P_KERNEL_EL2,
		  "vhe, but the host's cores have no VHE (host.vhe: no, %s); use nvhe", set->value[P_HOST_VHE].where);
	return CV_OK;
}

/* The upper bounds of costs given in cycles, which param_parse could only check for the fastest clock. */
static cv_result check_costs(const struct param_set *set)
{
	for (size_t i = 0; i < PARAM_IDS; i++) {
		const struct param_value *value = &set->value[i];
		const struct unit *unit;
		char text[64];
		int64_t most;

		if (param_table[i].type != PARAM_COST || !value->in_cycles ||
		    units_parse(param_table[i].maximum, units_time, &most, &unit) != UNITS_FINE)
			continue;
		param_format((enum param_id)i, value, text, sizeof(text));
		REFUSE_IF(param_ps(set, (enum param_id)i) > (ps_t)most, set, i,
			  "%s is %" PRIu64 " ps at this host.clock (%s); allowed: at most %s", text,
			  param_ps(set, (enum param_id)i), set->value[P_HOST_CLOCK].where, param_table[i].maximum);
	}
	return CV_OK;
}

/* What the guests use must be there. */
static cv_result check_guest(const struct param_set *set)
{
	REFUSE_IF(param_switch(set, P_WORKLOAD_PAUTH) && !param_switch(set, P_HOST_CPU_PAUTH), set, P_WORKLOAD_PAUTH,
		  "yes, but the host's cores have no pointer authentication (host.cpu.pauth: no, %s)",
		  set->value[P_HOST_CPU_PAUTH].where);
	REFUSE_IF(guests_do(set, "counter") && !param_choice_is(set, P_KERNEL_TIMER_TRAPS, "load"), set, P_WORKLOAD_EXIT,
		  "counter needs a kernel that answers trapped counters in the hypervisor, v6.4 or later "
		  "(kernel.timer_traps: load, %s)", set->value[P_KERNEL_TIMER_TRAPS].where);
	return CV_OK;
}

/* The timer's switches go together as in some kernel. */
static cv_result check_timers(const struct param_set *set)
{
	const bool load_put = param_choice_is(set, P_KERNEL_TIMER_REGS, "load-put");
	const bool at_load = param_choice_is(set, P_KERNEL_ACTIVE_STATE, "load");

	REFUSE_IF(load_put && !at_load, set, P_KERNEL_ACTIVE_STATE,
		  "an entry's, but the timer's registers change at load and put (kernel.timer_regs, %s); allowed: load",
		  set->value[P_KERNEL_TIMER_REGS].where);
	REFUSE_IF(!load_put && at_load, set, P_KERNEL_ACTIVE_STATE,
		  "load, but the timer's registers change at every entry (kernel.timer_regs, %s); allowed: none, every-entry, "
		  "cached-clear", set->value[P_KERNEL_TIMER_REGS].where);
	REFUSE_IF(!load_put && param_choice_is(set, P_KERNEL_PTIMER, "direct-on-vhe"), set, P_KERNEL_PTIMER,
		  "direct-on-vhe, but only the virtual timer is switched at every entry (kernel.timer_regs, %s); allowed: "
		  "hrtimer-always", set->value[P_KERNEL_TIMER_REGS].where);
	REFUSE_IF(param_switch(set, P_WORKLOAD_COUNTER_OFFSET) && !param_choice_is(set, P_KERNEL_TIMER_TRAPS, "load"), set,
		  P_WORKLOAD_COUNTER_OFFSET, "yes, but a VMM can set an offset since v6.4, and that kernel has timer traps at load "
		  "(kernel.timer_traps, %s)", set->value[P_KERNEL_TIMER_TRAPS].where);
	REFUSE_IF(param_switch(set, P_WORKLOAD_TIMER_ACTIVE) && !param_choice_is(set, P_WORKLOAD_IRQCHIP, "in-kernel"), set,
		  P_WORKLOAD_TIMER_ACTIVE, "yes, but what is active in the VMM's interrupt controller KVM does not know "
		  "(workload.irqchip, %s); use in-kernel", set->value[P_WORKLOAD_IRQCHIP].where);
	REFUSE_IF(param_switch(set, P_WORKLOAD_TIMER_ACTIVE) &&
			  (param_choice_is(set, P_WORKLOAD_KIND, "timer-tick") || guests_do(set, "timer_10ms")), set, P_WORKLOAD_TIMER_ACTIVE,
		  "yes, but a guest whose timer interrupt stays active never takes it, and here it waits for it (workload.kind, %s); use no",
		  set->value[P_WORKLOAD_KIND].where);
	return CV_OK;
}

/* Otherwise a round could take no time on a host whose costs are zero, and the simulation would never end. */
static cv_result check_atomic_loop(const struct param_set *set)
{
	REFUSE_IF(param_choice_is(set, P_WORKLOAD_KIND, "atomic-loop") && param_ps(set, P_HOST_CPU_LOAD_STORE) == 0 &&
			  param_ps(set, P_WORKLOAD_ATOMIC_PAUSE) == 0, set, P_WORKLOAD_ATOMIC_PAUSE,
		  "0, and the loop takes no time either (host.cpu.load_store: 0, %s); give one of them some",
		  set->value[P_HOST_CPU_LOAD_STORE].where);
	return CV_OK;
}

/* Operations that end with an interrupt in the guest. */
static cv_result check_interrupts(const struct param_set *set)
{
	const bool bench = param_choice_is(set, P_WORKLOAD_KIND, "microbench");
	const bool ipi = bench && param_choice_is(set, P_WORKLOAD_EXIT, "ipi"), hw = bench && param_choice_is(set, P_WORKLOAD_EXIT, "ipi_hw");
	const bool timer = bench && param_choice_is(set, P_WORKLOAD_EXIT, "timer_10ms");
	const bool sends = ipi || param_choice_is(set, P_WORKLOAD_KIND, "wfi-wake");
	const uint32_t target = param_count(set, P_WORKLOAD_IPI_TARGET), vcpus = param_count(set, P_WORKLOAD_VCPUS);

	REFUSE_IF(hw, set, P_WORKLOAD_EXIT, "ipi_hw needs SGIs that a GICv4.1 delivers without KVM, which are not modelled "
		  "(host.gic.version, %s); use ipi", set->value[P_HOST_GIC].where);
	REFUSE_IF(ipi && target >= vcpus, set, P_WORKLOAD_IPI_TARGET,
		  "vCPU %" PRIu32 ", but the VM has %" PRIu32 " (workload.vcpus, %s); allowed: 0 (itself) to workload.vcpus - 1", target, vcpus,
		  set->value[P_WORKLOAD_VCPUS].where);
	REFUSE_IF((ipi || timer) && !param_choice_is(set, P_WORKLOAD_IRQCHIP, "in-kernel"), set, P_WORKLOAD_EXIT,
		  "needs the vGIC, but the guest's interrupt controller is the VMM's (workload.irqchip, %s); use in-kernel",
		  set->value[P_WORKLOAD_IRQCHIP].where);
	REFUSE_IF(sends && param_choice_is(set, P_HOST_GIC, "v5") && !param_choice_is(set, P_WORKLOAD_VGIC, "v3"), set,
		  ipi ? P_WORKLOAD_EXIT : P_WORKLOAD_KIND, "the guests send SGIs, which for a GICv5 guest are LPIs and not modelled "
		  "(host.gic.version, %s); use workload.vgic: v3", set->value[P_HOST_GIC].where);
	REFUSE_IF((ipi || timer) && param_choice_is(set, P_HOST_GIC, "aic") && !param_choice_is(set, P_KERNEL_TIMER_REGS, "load-put"), set,
		  P_KERNEL_TIMER_REGS, "KVM runs on Apple's cores since v5.14 (host.gic.version: aic, %s); allowed there: load-put",
		  set->value[P_HOST_GIC].where);
	REFUSE_IF(!bench && (guests_do(set, "ipi") || guests_do(set, "ipi_hw") || guests_do(set, "timer_10ms")), set, P_WORKLOAD_EXIT,
		  "ends with an interrupt in a guest, for which only microbench has a handler (workload.kind, %s); use one of the others",
		  set->value[P_WORKLOAD_KIND].where);
	REFUSE_IF(timer && param_ps(set, P_RUN_MEASURE) < 20 * PS_PER_MS, set, P_RUN_MEASURE,
		  "shorter than two rounds of timer_10ms (workload.exit, %s); allowed: 20ms and more", set->value[P_WORKLOAD_EXIT].where);
	return CV_OK;
}

static cv_result check_workload(const struct param_set *set)
{
	uint32_t spread = param_millionths(set, P_WORKLOAD_VARIATION_CV);

	/* A uniform distribution with a larger coefficient of variation than 1/sqrt(3) would reach below zero. */
	REFUSE_IF(param_choice_is(set, P_WORKLOAD_VARIATION, "uniform") && spread > 577350, set, P_WORKLOAD_VARIATION_CV,
		  "too wide for workload.variation: uniform (%s), which would become negative; allowed: at most 0.57735, or "
		  "gamma", set->value[P_WORKLOAD_VARIATION].where);
	REFUSE_IF(param_choice_is(set, P_WORKLOAD_VARIATION, "gamma") && spread == 0, set, P_WORKLOAD_VARIATION_CV,
		  "0 is no gamma distribution (workload.variation, %s); for no variation set workload.variation: constant",
		  set->value[P_WORKLOAD_VARIATION].where);
	/* Otherwise a round could take no time on a host whose costs are zero, and the simulation would never end. */
	REFUSE_IF(param_choice_is(set, P_WORKLOAD_KIND, "lock-loop") &&
			  param_ps(set, P_WORKLOAD_VMM_WORK) + param_ps(set, P_WORKLOAD_GUEST_WORK) +
				  param_ps(set, P_WORKLOAD_HOLD) == 0, set, P_WORKLOAD_HOLD,
		  "0, and the private work is 0 too (workload.vmm_work, %s): a round would take no time; give one of them some",
		  set->value[P_WORKLOAD_VMM_WORK].where);
	/* Likewise for an operation that never leaves the guest. */
	REFUSE_IF(param_choice_is(set, P_WORKLOAD_KIND, "microbench") && param_ps(set, P_WORKLOAD_GUEST_WORK) == 0, set,
		  P_WORKLOAD_GUEST_WORK, "0 with workload.kind: microbench (%s): a round could take no time; allowed: 1ps and more",
		  set->value[P_WORKLOAD_KIND].where);
	REFUSE_IF(guests_do(set, "mmio_read_vgic") && !param_choice_is(set, P_WORKLOAD_IRQCHIP, "in-kernel"), set, P_WORKLOAD_EXIT,
		  "mmio_read_vgic needs the vGIC, but the guest's interrupt controller is the VMM's (workload.irqchip, %s); use "
		  "in-kernel", set->value[P_WORKLOAD_IRQCHIP].where);
	FORWARD_IF_ERROR(check_atomic_loop(set));
	FORWARD_IF_ERROR(check_interrupts(set));
	return check_guest(set);
}

#define GICV2_CPUS 8

/* What the architecture of the host's interrupt controller allows (IHI 0048 for GICv2). */
static cv_result check_host_gic(const struct param_set *set)
{
	const bool v2 = param_choice_is(set, P_HOST_GIC, "v2");
	const char *host = set->value[P_HOST_GIC].where;

	REFUSE_IF(v2 && param_count(set, P_HOST_CPUS) > GICV2_CPUS, set, P_HOST_CPUS,
		  "%" PRIu32 " CPUs, but a GICv2 (host.gic.version, %s) serves %d at most; allowed: 1 to %d, or another GIC",
		  param_count(set, P_HOST_CPUS), host, GICV2_CPUS, GICV2_CPUS);
	REFUSE_IF(v2 && param_count(set, P_HOST_GIC_PRIORITY_BITS) != 5, set, P_HOST_GIC_PRIORITY_BITS,
		  "the list registers of a GICv2 (host.gic.version, %s) have 5 priority bits; allowed: 5", host);
	REFUSE_IF(v2 && param_choice_is(set, P_WORKLOAD_IRQCHIP, "in-kernel") && param_count(set, P_WORKLOAD_VCPUS) > GICV2_CPUS, set,
		  P_WORKLOAD_VCPUS, "%" PRIu32 ", but a GICv2 has eight CPU interfaces (host.gic.version, %s), in a guest too; allowed: at most %d",
		  param_count(set, P_WORKLOAD_VCPUS), host, GICV2_CPUS);
	/* Otherwise a CPU that takes interrupts would take one that it has acknowledged over and over, in no time. */
	REFUSE_IF(v2 && param_ps(set, P_HOST_GIC_LINE_LATENCY) && !param_ps(set, P_HOST_DEVICE_READ), set, P_HOST_DEVICE_READ,
		  "0ns, but a GICv2 takes an interrupt off a CPU's line some time after the CPU has read it (host.gic.line_latency, %s); "
		  "allowed: 1ps and more, or 0ns there", set->value[P_HOST_GIC_LINE_LATENCY].where);
	REFUSE_IF(!v2 && param_switch(set, P_HOST_GIC_CPU_INTERFACE_4K), set, P_HOST_GIC_CPU_INTERFACE_4K,
		  "yes, but only a GICv2 has a memory-mapped CPU interface (host.gic.version, %s); allowed: no", host);
	return CV_OK;
}

static cv_result check_mix(const struct param_set *set)
{
	const uint32_t sgis = param_count(set, P_WORKLOAD_MIX_SGI);
	uint64_t all = 0;

	if (!param_choice_is(set, P_WORKLOAD_KIND, "mix"))
		return CV_OK;
	for (enum param_id id = P_WORKLOAD_MIX_HYPERCALL; id <= P_WORKLOAD_MIX_IRQ; id++)
		all += param_count(set, id);
	REFUSE_IF(all == 0, set, P_WORKLOAD_KIND, "mix, but no kind of exit has a rate; set one of %s and those after it in `convoy "
		  "params workload.mix`", param_table[P_WORKLOAD_MIX_HYPERCALL].name);
	REFUSE_IF(param_count(set, P_WORKLOAD_MIX_MMIO_KERNEL) && !param_choice_is(set, P_WORKLOAD_IRQCHIP, "in-kernel"), set,
		  P_WORKLOAD_MIX_MMIO_KERNEL, "the device is the vGIC, but the guest's interrupt controller is the VMM's "
		  "(workload.irqchip, %s); use in-kernel", set->value[P_WORKLOAD_IRQCHIP].where);
	REFUSE_IF(sgis && param_count(set, P_WORKLOAD_VCPUS) < 2, set, P_WORKLOAD_MIX_SGI,
		  "%" PRIu32 ", but the VM has no other vCPU to send to (workload.vcpus, %s); allowed: 0, or more vCPUs", sgis,
		  set->value[P_WORKLOAD_VCPUS].where);
	REFUSE_IF(sgis && param_choice_is(set, P_HOST_GIC, "v5") && !param_choice_is(set, P_WORKLOAD_VGIC, "v3"), set, P_WORKLOAD_MIX_SGI,
		  "%" PRIu32 ", but SGIs of a GICv5 guest are LPIs, which are not modelled (host.gic.version, %s); use workload.vgic: v3",
		  sgis, set->value[P_HOST_GIC].where);
	REFUSE_IF(sgis && param_choice_is(set, P_HOST_GIC, "v2") && param_count(set, P_WORKLOAD_VCPUS) > 8, set, P_WORKLOAD_VCPUS,
		  "%" PRIu32 ", but a GICv2 has eight CPU interfaces (host.gic.version, %s); allowed: at most 8",
		  param_count(set, P_WORKLOAD_VCPUS), set->value[P_HOST_GIC].where);
	/* Otherwise exits that are late could follow one another in no time. */
	REFUSE_IF(param_ps(set, P_WORKLOAD_GUEST_WORK) == 0, set, P_WORKLOAD_GUEST_WORK,
		  "0 with workload.kind: mix (%s): it is the least time in the guest between two exits; allowed: 1ps and more",
		  set->value[P_WORKLOAD_KIND].where);
	return CV_OK;
}

/* A device whose LPIs reach the guest, on a CPU of its own, and doorbells that wake it. */
static cv_result check_passthrough(const struct param_set *set)
{
	const uint32_t vcpus = param_count(set, P_WORKLOAD_VCPUS), cpus = param_count(set, P_WORKLOAD_CPUS);
	const char *kind = set->value[P_WORKLOAD_KIND].where;

	if (!param_choice_is(set, P_WORKLOAD_KIND, "passthrough-net"))
		return CV_OK;
	REFUSE_IF(!param_switch(set, P_WORKLOAD_DIRECT_MSI), set, P_WORKLOAD_DIRECT_MSI,
		  "no, but passthrough-net is about interrupts that reach the guest directly (workload.kind, %s); use yes", kind);
	REFUSE_IF((cpus ? cpus : vcpus) >= param_count(set, P_HOST_CPUS), set, P_HOST_CPUS,
		  "%" PRIu32 ", but the device of passthrough-net needs a CPU beside those of the vCPUs (workload.kind, %s)",
		  param_count(set, P_HOST_CPUS), kind);
	REFUSE_IF(!param_switch(set, P_WORKLOAD_PINNED), set, P_WORKLOAD_PINNED,
		  "no, but how a vPE moves is not modelled (workload.kind: passthrough-net, %s); use yes", kind);
	REFUSE_IF(param_choice_is(set, P_HOST_GIC, "v4.1") && param_choice_is(set, P_KERNEL_GICV4_RESIDENCY, "every-switch"), set,
		  P_KERNEL_GICV4_RESIDENCY, "every-switch, but kernels that know GICv4.1 keep vPEs resident (host.gic.version, %s); use "
		  "load-put", set->value[P_HOST_GIC].where);
	REFUSE_IF(param_choice_is(set, P_KERNEL_DOORBELL, "after-poll") && param_choice_is(set, P_KERNEL_BLOCK, "vgic-put-load"), set,
		  P_KERNEL_DOORBELL, "after-poll, but this kernel puts the vPE, and asks for its doorbell, before it polls (kernel.block, %s); "
		  "use before-poll", set->value[P_KERNEL_BLOCK].where);
	return CV_OK;
}

/* What guests may ask of the host's interrupt controller. */
static cv_result check_guest_gic(const struct param_set *set)
{
	const bool v5 = param_choice_is(set, P_HOST_GIC, "v5");
	const bool v4 = param_choice_is(set, P_HOST_GIC, "v4.0") || param_choice_is(set, P_HOST_GIC, "v4.1");
	const bool compat = param_choice_is(set, P_WORKLOAD_VGIC, "v3");
	const bool in_kernel = param_choice_is(set, P_WORKLOAD_IRQCHIP, "in-kernel");
	const char *host = set->value[P_HOST_GIC].where;

	REFUSE_IF(compat && !v5, set, P_WORKLOAD_VGIC,
		  "v3 is the compat mode of GICv5 hosts, and this host has another controller (host.gic.version, %s); allowed: native",
		  host);
	REFUSE_IF(v5 && !in_kernel, set, P_WORKLOAD_IRQCHIP,
		  "userspace on a GICv5 host (host.gic.version, %s): KVM gives such guests no timer interrupts; allowed: in-kernel", host);
	REFUSE_IF(v5 && !compat && guests_do(set, "mmio_read_vgic"), set, P_WORKLOAD_EXIT,
		  "mmio_read_vgic reads GICD_IIDR, and a GICv5 guest has no distributor (host.gic.version, %s); use workload.vgic: v3",
		  host);
	REFUSE_IF(param_switch(set, P_WORKLOAD_DIRECT_MSI) && !v4, set, P_WORKLOAD_DIRECT_MSI,
		  "yes needs a GICv4.0 or v4.1 (host.gic.version, %s); allowed here: no", host);
	REFUSE_IF(param_switch(set, P_WORKLOAD_DIRECT_MSI) && !in_kernel, set, P_WORKLOAD_DIRECT_MSI,
		  "yes needs the vGIC of the kernel (workload.irqchip, %s); use in-kernel", set->value[P_WORKLOAD_IRQCHIP].where);
	/* A vPE that moves to a CPU with another vPE table: VMOVP, which has no model. */
	REFUSE_IF(param_switch(set, P_WORKLOAD_DIRECT_MSI) && !param_switch(set, P_WORKLOAD_PINNED) &&
			  (param_choice_is(set, P_HOST_GIC, "v4.0") || param_count(set, P_HOST_MESH_CPUS_PER_NODE) < param_count(set, P_HOST_CPUS)),
		  set, P_WORKLOAD_PINNED, "no, but a vCPU with direct MSIs (workload.direct_msi, %s) cannot move between CPUs without a common vPE "
		  "table, as those of a GICv4.0 or of two nodes; use yes", set->value[P_WORKLOAD_DIRECT_MSI].where);
	REFUSE_IF(v5 && !compat && param_choice_is(set, P_WORKLOAD_KIND, "mix") && param_count(set, P_WORKLOAD_MIX_MMIO_KERNEL), set,
		  P_WORKLOAD_MIX_MMIO_KERNEL, "the device is the GICv3 distributor, and a GICv5 guest has none (host.gic.version, %s); use "
		  "workload.vgic: v3", host);
	REFUSE_IF(v5 && param_count(set, P_HOST_GIC_PRIORITY_BITS) != 5, set, P_HOST_GIC_PRIORITY_BITS,
		  "a GICv5 has 5 priority bits at most (host.gic.version, %s); allowed: 5", host);
	REFUSE_IF(param_choice_is(set, P_HOST_GIC, "aic") && !param_choice_is(set, P_KERNEL_EL2, "vhe"), set, P_KERNEL_EL2,
		  "nvhe, but the cores with an AIC (host.gic.version, %s) have VHE always on; use vhe", host);
	return CV_OK;
}

static cv_result check_run(const struct param_set *set)
{
	ps_t warmup = param_ps(set, P_RUN_WARMUP), measure = param_ps(set, P_RUN_MEASURE), batch = param_ps(set, P_RUN_BATCH);

	REFUSE_IF(batch > measure, set, P_RUN_BATCH,
		  "longer than run.measure (%s); allowed: at most the measured time", set->value[P_RUN_MEASURE].where);
	REFUSE_IF((warmup + measure) / batch > MOST_BATCHES, set, P_RUN_BATCH,
		  "%" PRIu64 " windows in run.warmup and run.measure (%s); allowed: at most %u", (warmup + measure) / batch,
		  set->value[P_RUN_MEASURE].where, MOST_BATCHES);
	return CV_OK;
}

cv_result param_set_check(const struct param_set *set)
{
	FORWARD_IF_ERROR(check_present(set));
	FORWARD_IF_ERROR(check_machine(set));
	FORWARD_IF_ERROR(check_costs(set));
	FORWARD_IF_ERROR(check_timers(set));
	FORWARD_IF_ERROR(check_workload(set));
	FORWARD_IF_ERROR(check_host_gic(set));
	FORWARD_IF_ERROR(check_mix(set));
	FORWARD_IF_ERROR(check_passthrough(set));
	FORWARD_IF_ERROR(check_guest_gic(set));
	return check_run(set);
}
