// SPDX-License-Identifier: Apache-2.0
/* What the hardware model needs to know of a host, in picoseconds: filled from parameters by study/simulate.c. */
#ifndef CONVOY_MODEL_CPU_HOST_CONFIG_H
#define CONVOY_MODEL_CPU_HOST_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/ids.h"

enum host_gic { HOST_GIC_V2, HOST_GIC_V3, HOST_GIC_V4_0, HOST_GIC_V4_1, HOST_GIC_V5, HOST_GIC_AIC };

struct host_config {
	uint32_t cpus;
	uint64_t placement;                   /* of lines on home nodes */

	uint32_t mesh_columns, mesh_rows;
	uint32_t cpus_per_crosspoint;
	uint32_t gic_crosspoint;
	ps_t mesh_hop;
	uint32_t cpus_per_node;               /* NUMA; 0 = one node */
	ps_t node_hop;                        /* of a way between two nodes, on top of its hops */

	ps_t line_base, line_hit, line_read_occupancy;

	ps_t atomic, load_store, call, wfe_wake;
	ps_t sysreg_read[5], sysreg_write[5];  /* by enum sysreg_class */
	ps_t isb, dsb, dmb, irq_mask, exception_entry, exception_return, idle_exit;

	enum host_gic gic;
	uint32_t gic_priority_bits, list_registers;
	bool cpu_interface_4k;                /* GICv2: GICC_DIR out of reach */
	ps_t distributor_service, redistributor_service, line_latency, sgi_latency, vpt_scan;

	ps_t write_issue, write_completion, device_read;
	bool release_waits, far_atomics;
};

#endif
