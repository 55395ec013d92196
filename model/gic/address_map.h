// SPDX-License-Identifier: Apache-2.0
/*
 * Where the frames of GICv3 and GICv2 sit in the physical address space: hardware decodes with it, software and tests
 * form addresses with it. Plain numbers, no state. The values are the model's own; no machine is copied. What other
 * controllers have beside these stands with them: GICv4's VLPI frames, ITS and doorbell table (gicv4.hpp), GICv5's IRS
 * (gicv5.hpp), Apple's event register (aic.hpp).
 *
 * Every redistributor of a GICv3 takes GICR_STRIDE bytes: RD_base, then SGI_base one 64 KiB frame further (IHI 0069,
 * "GIC memory-mapped register access"). Redistributors follow each other in order of CPU id. Those of a GICv4 are twice
 * as far apart.
 *
 * GICv2: all frames are one window, behind one physical interface; GICC, GICH and GICV are banked, so every CPU uses the same
 * addresses. GICC and GICV take two pages each.
 */
#ifndef CONVOY_MODEL_GIC_ADDRESS_MAP_H
#define CONVOY_MODEL_GIC_ADDRESS_MAP_H

#include <stdint.h>

#include "base/ids.h"

#define GICD_BASE       0x10000000ull
#define GICD_SIZE       0x10000ull
#define GICR_BASE       0x20000000ull
#define GICR_STRIDE     0x20000ull
#define GICR_SGI_OFFSET 0x10000ull   /* SGI_base - RD_base */

#define V2_PAGE         0x1000ull
#define V2_GICD_BASE    0x30001000ull
#define V2_GICC_BASE    0x30002000ull
#define V2_GICH_BASE    0x30004000ull
#define V2_GICV_BASE    0x30006000ull
#define V2_BASE         V2_GICD_BASE
#define V2_SIZE         0x7000ull

/* Address of a GICv3's redistributor register. `offset` is from RD_base, as the names in registers.h are: GICR_ISACTIVER0, … */
static inline uint64_t gicr_address(cpu_id cpu, uint32_t offset)
{
	return GICR_BASE + cpu.n * GICR_STRIDE + offset;
}

static inline uint64_t gicd_address(uint32_t offset)
{
	return GICD_BASE + offset;
}

#endif
