// SPDX-License-Identifier: Apache-2.0
/*
 * GICv2 as plain logic (IHI 0048): the distributor with a bank for each CPU, and the memory-mapped interfaces GICC (host), GICH
 * (hypervisor) and GICV (guest). Behind it stands the same state as behind a GICv3: struct gic, made by gic_create with
 * gic_config.version 2. What registers of both mean alike is done by the same code; which they are says
 * gicv2_registers.def. Time does not matter: a GICv2 has no RWP.
 *
 * The view is the one of a Non-secure kernel on a GIC with both extensions (Security, Virtualization): every interrupt is in
 * Group 1, and GICD_CTLR and GICC_CTLR bit 0 enable that group. An SPI is presented to every CPU of its ITARGETSR that
 * is open for it; the first to acknowledge has it. An SGI is pending once for each CPU that sent it.
 *
 * Choices left open: 5 priority bits, physical and virtual; of an SGI's senders the lowest CPU is acknowledged first; SGIs can be
 * disabled; PPI trigger modes are writable; DIR with EOImode 0 is ignored; GICV_EOIR ends interrupts of both groups.
 * Not modelled: Group 0 and FIQs of the host, binary points (fields keep what is written), bypass, the aliases of other CPUs'
 * GICH, power management.
 */
#ifndef CONVOY_MODEL_GIC_GICV2_H
#define CONVOY_MODEL_GIC_GICV2_H

#include "model/gic/gic.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GICV2_CPUS_MAX 8u  /* targets are bits of a byte */

enum gicv2_frame { GICV2_GICD, GICV2_GICC, GICV2_GICH, GICV2_GICV };

/* Offsets by the architecture's names: V2_GICD_SGIR, … */
enum gicv2_offset {
#define REG2(frame, name, offset, count, width, sizes, access, same, reset) V2_##name = (offset),
#include "model/gic/gicv2_registers.def"
#undef REG2
};

enum gicv2_register_id {
#define REG2(frame, name, offset, count, width, sizes, access, same, reset) REG2_##name,
#include "model/gic/gicv2_registers.def"
#undef REG2
	GICV2_REGISTER_IDS
};

struct gicv2_register {
	enum gicv2_register_id id;
	const char *name;
	enum gicv2_frame frame;
	uint32_t offset, count, width, sizes;
	enum gic_access access;
	enum gic_register_id same;  /* GIC_REGISTER_IDS: none */
	uint64_t reset;
};

extern const struct gicv2_register gicv2_registers[GICV2_REGISTER_IDS];

/* The register that covers `offset` of a frame, and its position in the array; NULL: reserved. */
const struct gicv2_register *gicv2_register_find(enum gicv2_frame frame, uint32_t offset, uint32_t *position);

/*
 * An access by `cpu`. `bytes`: 1 or 4. Reading an IAR acknowledges. SGIs of a write to GICD_SGIR arrive at once; callers whose
 * SGIs take time look at the value themselves (gicv2_sgi_reaches, gicv2_sgi_arrives) in place of the write.
 */
enum gic_status gicv2_read(struct gic *gic, enum gicv2_frame frame, cpu_id cpu, uint32_t offset, uint32_t bytes, uint32_t *value);
enum gic_status gicv2_write(struct gic *gic, enum gicv2_frame frame, cpu_id cpu, uint32_t offset, uint32_t bytes, uint32_t value);

#define GICV2_SGIR_INTID(sgir) ((sgir) & 0xfu)
bool gicv2_sgi_reaches(cpu_id from, uint32_t sgir, cpu_id to);
void gicv2_sgi_arrives(struct gic *gic, cpu_id from, cpu_id to, uint32_t sgi);

#ifdef __cplusplus
}
#endif

#endif
