// SPDX-License-Identifier: Apache-2.0
/* What the files gicv2_*.c share: a frame's registers, after decoding. */
#ifndef CONVOY_MODEL_GIC_GICV2_STATE_H
#define CONVOY_MODEL_GIC_GICV2_STATE_H

#include "model/gic/gic_state.h"
#include "model/gic/gicv2.h"

/* Registers of one frame; `position` in the array of the row. */
uint32_t gicv2_distributor_read(struct gic *gic, const struct gicv2_register *row, uint32_t cpu, uint32_t position);
void gicv2_distributor_write(struct gic *gic, const struct gicv2_register *row, uint32_t cpu, uint32_t position, uint32_t value);
uint32_t gicv2_cpu_read(struct gic *gic, const struct gicv2_register *row, cpu_id cpu);
void gicv2_cpu_write(struct gic *gic, const struct gicv2_register *row, cpu_id cpu, uint32_t value);
uint32_t gicv2_virtual_read(struct gic *gic, const struct gicv2_register *row, cpu_id cpu, uint32_t position);
void gicv2_virtual_write(struct gic *gic, const struct gicv2_register *row, cpu_id cpu, uint32_t position, uint32_t value);

#endif
