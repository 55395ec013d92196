// SPDX-License-Identifier: Apache-2.0
/* From a frame, an offset and a size to a register of a GICv2; see gicv2.h. Sizes: IHI 0048, 4.1.4. */
#include <assert.h>

#include "model/gic/gicv2_state.h"

#define CONFIGURED GIC_RESET_CONFIGURED
#define REG_NONE GIC_REGISTER_IDS

const struct gicv2_register gicv2_registers[GICV2_REGISTER_IDS] = {
#define REG2(frame_, name_, offset_, count_, width_, sizes_, access_, same_, reset_)                         \
	{ REG2_##name_, #name_, GICV2_##frame_, offset_, count_, width_, sizes_, GIC_ACCESS_##access_,       \
	  REG_##same_, reset_ },
#include "model/gic/gicv2_registers.def"
#undef REG2
};

/* The rows of a frame stand together, in order of their offset, and the first is at 0. */
static const enum gicv2_register_id first_of[] = { REG2_GICD_CTLR, REG2_GICC_CTLR, REG2_GICH_HCR, REG2_GICV_CTLR,
						   GICV2_REGISTER_IDS };

const struct gicv2_register *gicv2_register_find(enum gicv2_frame frame, uint32_t offset, uint32_t *position)
{
	unsigned int low = first_of[frame], high = first_of[frame + 1] - 1u;

	while (low < high) {
		const unsigned int middle = (low + high + 1) / 2;

		if (gicv2_registers[middle].offset <= offset)
			low = middle;
		else
			high = middle - 1;
	}
	*position = (offset - gicv2_registers[low].offset) / gicv2_registers[low].width;
	return *position < gicv2_registers[low].count ? &gicv2_registers[low] : NULL;
}

/* Reserved space answers every aligned size. */
static enum gic_status check_size(const struct gicv2_register *row, uint32_t offset, uint32_t bytes)
{
	if ((bytes != 1 && bytes != 4) || offset % bytes)
		return GIC_BAD_SIZE;
	return !row || row->sizes & bytes ? GIC_OK : GIC_BAD_SIZE;
}

static uint32_t read_register(struct gic *gic, const struct gicv2_register *row, cpu_id cpu, uint32_t position)
{
	switch (row->frame) {
	case GICV2_GICD:
		return gicv2_distributor_read(gic, row, cpu.n, position);
	case GICV2_GICC:
		return gicv2_cpu_read(gic, row, cpu);
	default:
		return gicv2_virtual_read(gic, row, cpu, position);
	}
}

enum gic_status gicv2_read(struct gic *gic, enum gicv2_frame frame, cpu_id cpu, uint32_t offset, uint32_t bytes, uint32_t *value)
{
	uint32_t position;
	const struct gicv2_register *row = gicv2_register_find(frame, offset, &position);

	assert(cpu.n < gic->config.cpus);
	*value = 0;
	if (check_size(row, offset, bytes) != GIC_OK)
		return GIC_BAD_SIZE;
	if (!row || row->access == GIC_ACCESS_WO)
		return GIC_OK;
	*value = read_register(gic, row, cpu, position) >> 8 * (offset % 4);
	if (bytes == 1)
		*value &= 0xff;
	return GIC_OK;
}

/* One byte of a register: the others keep their value; with set and clear registers they are 0, which does nothing. */
static uint32_t widen(struct gic *gic, const struct gicv2_register *row, cpu_id cpu, uint32_t position, uint32_t shift,
		      uint32_t value)
{
	const uint32_t byte = (value & 0xff) << shift;

	if (row->access != GIC_ACCESS_RW)
		return byte;
	return (read_register(gic, row, cpu, position) & ~(0xffu << shift)) | byte;
}

enum gic_status gicv2_write(struct gic *gic, enum gicv2_frame frame, cpu_id cpu, uint32_t offset, uint32_t bytes, uint32_t value)
{
	uint32_t position;
	const struct gicv2_register *row = gicv2_register_find(frame, offset, &position);

	assert(cpu.n < gic->config.cpus);
	if (check_size(row, offset, bytes) != GIC_OK)
		return GIC_BAD_SIZE;
	if (!row || row->access == GIC_ACCESS_RO || row->access == GIC_ACCESS_RAZ)
		return GIC_OK;
	if (bytes == 1)
		value = widen(gic, row, cpu, position, 8 * (offset % 4), value);
	if (frame == GICV2_GICD)
		gicv2_distributor_write(gic, row, cpu.n, position, value);
	else if (frame == GICV2_GICC)
		gicv2_cpu_write(gic, row, cpu, value);
	else
		gicv2_virtual_write(gic, row, cpu, position, value);
	return GIC_OK;
}
