// SPDX-License-Identifier: Apache-2.0
/*
 * The rows of registers.def as data, and the offsets as names: GICD_CTLR, GICR_ISACTIVER0,
 * ICC_IAR1_EL1, … Offsets are from the start of the target (GICD_base; RD_base for both frames of a
 * redistributor); for system registers the name is the encoding. Constant data, no state.
 */
#ifndef CONVOY_MODEL_GIC_REGISTERS_H
#define CONVOY_MODEL_GIC_REGISTERS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ICC_ENCODING(op0, op1, crn, crm, op2) ((op0) << 14 | (op1) << 11 | (crn) << 7 | (crm) << 3 | (op2))

#define GIC_FRAME_OFFSET_ICC  0
#define GIC_FRAME_OFFSET_GICD 0
#define GIC_FRAME_OFFSET_GICR 0
#define GIC_FRAME_OFFSET_SGI  0x10000

enum gic_offset {
#define REG(frame, name, offset, first, count, width, sizes, access, reset) name = GIC_FRAME_OFFSET_##frame + (offset),
#include "model/gic/registers.def"
#undef REG
};

enum gic_register_id {
#define REG(frame, name, offset, first, count, width, sizes, access, reset) REG_##name,
#include "model/gic/registers.def"
#undef REG
	GIC_REGISTER_IDS
};

enum gic_frame_kind { GIC_FRAME_ICC, GIC_FRAME_GICD, GIC_FRAME_GICR, GIC_FRAME_SGI };

enum gic_access { GIC_ACCESS_RO, GIC_ACCESS_WO, GIC_ACCESS_RW, GIC_ACCESS_SET, GIC_ACCESS_CLEAR, GIC_ACCESS_RAZ };

/* `reset` of a register whose value after reset follows from the configuration. */
#define GIC_RESET_CONFIGURED UINT64_MAX

struct gic_register {
	enum gic_register_id id;
	const char *name;
	enum gic_frame_kind frame;
	uint32_t offset;          /* from the start of the target, or the encoding */
	uint32_t first, count;    /* numbers first … first+count-1 */
	uint32_t width;           /* bytes */
	uint32_t sizes;           /* bytes of the allowed accesses, or-ed */
	enum gic_access access;
	uint64_t reset;
};

extern const struct gic_register gic_registers[GIC_REGISTER_IDS];

/* What a socket shows: a distributor, or the two frames of one redistributor. */
enum gic_target { GIC_DISTRIBUTOR, GIC_REDISTRIBUTOR };

/* The register that covers `offset` of a target, and its position in the array (0 … count-1); NULL: reserved. */
const struct gic_register *gic_register_find(enum gic_target target, uint32_t offset, uint32_t *position);

/* "GICD_ISENABLER3", "GICR_CTLR": the architecture's name of one register of a row, for people. */
void gic_register_name(const struct gic_register *row, uint32_t position, char *out, size_t size);

#ifdef __cplusplus
}
#endif

#endif
