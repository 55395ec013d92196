// SPDX-License-Identifier: Apache-2.0
/* What the hardware model needs to know, from the parameters host.*; see simulate_config.h. */
#include "study/simulate_config.h"

struct host_config sim_host_config(const struct param_set *p)
{
	struct host_config host = {
		.cpus = param_count(p, P_HOST_CPUS),
		.placement = param_count(p, P_HOST_MESH_PLACEMENT),
		.mesh_columns = param_count(p, P_HOST_MESH_COLUMNS),
		.mesh_rows = param_count(p, P_HOST_MESH_ROWS),
		.cpus_per_crosspoint = param_count(p, P_HOST_MESH_CPUS_PER_CLUSTER) * param_count(p, P_HOST_MESH_CLUSTERS_PER_XP),
		.gic_crosspoint = param_count(p, P_HOST_MESH_GIC_XP),
		.gic = (enum host_gic)param_choice(p, P_HOST_GIC),
		.gic_priority_bits = param_count(p, P_HOST_GIC_PRIORITY_BITS),
		.list_registers = param_count(p, P_HOST_GIC_LIST_REGISTERS),
		.cpu_interface_4k = param_switch(p, P_HOST_GIC_CPU_INTERFACE_4K),
		.distributor_service = param_ps(p, P_HOST_GIC_DISTRIBUTOR_SERVICE),
		.line_latency = param_ps(p, P_HOST_GIC_LINE_LATENCY),
		.sgi_latency = param_ps(p, P_HOST_GIC_SGI_LATENCY),
		.vpt_scan = param_ps(p, P_HOST_GIC_VPT_SCAN),
		.mesh_hop = param_ps(p, P_HOST_MESH_HOP),
		.cpus_per_node = param_count(p, P_HOST_MESH_CPUS_PER_NODE),
		.node_hop = param_ps(p, P_HOST_MESH_NODE_HOP),
		.line_base = param_ps(p, P_HOST_LINE_BASE),
		.line_hit = param_ps(p, P_HOST_LINE_HIT),
		.line_read_occupancy = param_ps(p, P_HOST_LINE_READ_OCCUPANCY),
		.atomic = param_ps(p, P_HOST_CPU_ATOMIC),
		.load_store = param_ps(p, P_HOST_CPU_LOAD_STORE),
		.call = param_ps(p, P_KERNEL_WORK_CALL),
		.wfe_wake = param_ps(p, P_HOST_CPU_WFE_WAKE),
		.isb = param_ps(p, P_HOST_CPU_ISB),
		.dsb = param_ps(p, P_HOST_CPU_DSB),
		.dmb = param_ps(p, P_HOST_CPU_DMB),
		.irq_mask = param_ps(p, P_HOST_CPU_IRQ_MASK),
		.exception_entry = param_ps(p, P_HOST_CPU_EXCEPTION),
		.exception_return = param_ps(p, P_HOST_CPU_ERET),
		.write_issue = param_ps(p, P_HOST_DEVICE_WRITE_ISSUE),
		.write_completion = param_ps(p, P_HOST_DEVICE_WRITE_COMPLETION),
		.device_read = param_ps(p, P_HOST_DEVICE_READ),
		.redistributor_service = param_ps(p, P_HOST_GIC_SERVICE),
		.idle_exit = param_ps(p, P_HOST_CPU_IDLE_EXIT),
		.far_atomics = param_switch(p, P_HOST_CPU_FAR_ATOMICS),
		.release_waits = param_switch(p, P_HOST_DEVICE_RELEASE_WAITS),
	};

	host.sysreg_read[SYSREG_ORDINARY] = param_ps(p, P_HOST_CPU_SYSREG_READ);
	host.sysreg_write[SYSREG_ORDINARY] = param_ps(p, P_HOST_CPU_SYSREG_WRITE);
	host.sysreg_read[SYSREG_ICH] = param_ps(p, P_HOST_CPU_ICH_READ);
	host.sysreg_write[SYSREG_ICH] = param_ps(p, P_HOST_CPU_ICH_WRITE);
	host.sysreg_read[SYSREG_TIMER] = param_ps(p, P_HOST_CPU_TIMER_READ);
	host.sysreg_write[SYSREG_TIMER] = param_ps(p, P_HOST_CPU_TIMER_WRITE);
	host.sysreg_read[SYSREG_COUNTER] = param_ps(p, P_HOST_CPU_COUNTER_READ);
	host.sysreg_read[SYSREG_GICV5] = param_ps(p, P_HOST_CPU_GICV5_READ);
	host.sysreg_write[SYSREG_GICV5] = param_ps(p, P_HOST_CPU_GICV5_WRITE);
	return host;
}
