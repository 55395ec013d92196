// SPDX-License-Identifier: Apache-2.0
/*
 * The register table and its look-up. Rows of one target stand in order of their offset (a test checks
 * it), so the look-up is a binary search over at most 17 rows: no table to build, nothing to keep in
 * the cache.
 */
#include <stdio.h>
#include <string.h>

#include "model/gic/registers.h"

#define CONFIGURED GIC_RESET_CONFIGURED

const struct gic_register gic_registers[GIC_REGISTER_IDS] = {
#define REG(frame_, name_, offset_, first_, count_, width_, sizes_, access_, reset_)                                      \
	{ REG_##name_, #name_, GIC_FRAME_##frame_, (uint32_t)name_, first_, count_, width_, sizes_, GIC_ACCESS_##access_, \
	  reset_ },
#include "model/gic/registers.def"
#undef REG
};

const struct gic_register *gic_register_find(enum gic_target target, uint32_t offset, uint32_t *position)
{
	unsigned int low = target == GIC_DISTRIBUTOR ? REG_GICD_CTLR : REG_GICR_CTLR;
	unsigned int high = target == GIC_DISTRIBUTOR ? REG_GICD_PIDR2 : REG_GICR_IGRPMODR0;

	/* The last row that starts at or before the offset; both targets have one at 0. */
	while (low < high) {
		unsigned int middle = (low + high + 1) / 2;

		if (gic_registers[middle].offset <= offset)
			low = middle;
		else
			high = middle - 1;
	}
	*position = (offset - gic_registers[low].offset) / gic_registers[low].width;
	return *position < gic_registers[low].count ? &gic_registers[low] : NULL;
}

void gic_register_name(const struct gic_register *row, uint32_t position, char *out, size_t size)
{
	const char *tail = strstr(row->name, "_EL1");

	if (row->count == 1)
		snprintf(out, size, "%s", row->name);
	else if (tail)
		snprintf(out, size, "%.*s%u%s", (int)(tail - row->name), row->name, row->first + position, tail);
	else
		snprintf(out, size, "%s%u", row->name, row->first + position);
}
