// SPDX-License-Identifier: Apache-2.0
/*
 * Memory-mapped accesses: from a target, an offset and a size to a register, and the registers that are
 * not one field per interrupt. IHI 0069, 12.1 (access sizes), 12.9 (GICD), 12.10 and 12.11 (GICR).
 *
 * RWP. A disable is visible in ISENABLER and ICENABLER at once, but interrupts already on their way may
 * still be presented until RWP clears; the model always presents them that long. A write that disables
 * nothing leaves RWP clear. Clearing a group enable in GICD_CTLR takes effect at once and shows RWP for
 * as long. UWP is always 0.
 */
#include <assert.h>

#include "model/gic/gic_state.h"

/*
 * Private interrupts belong to the redistributor: with affinity routing their bits in the distributor are RAZ/WI,
 * and so are those of INTIDs that do not exist. Both have no valid bit in spi[].
 */
static struct gic_block *block_of(struct gic *gic, const struct gic_register *row, uint32_t cpu, uint32_t *position)
{
	const uint32_t each = gic_block_registers_per_block(row->id);
	struct gic_block *block;

	if (row->frame == GIC_FRAME_SGI) {
		block = &gic->cpu[cpu].block;
		if (row->id == REG_GICR_ICFGR1)
			*position = 1;
	} else {
		block = &gic->spi[*position / each];
		*position %= each;
	}
	return block;
}

static uint32_t gicd_typer(const struct gic *gic)
{
	const uint32_t lines = gic->config.spis ? (gic->config.spis + 31) / 32 : 0;
	bool aff3 = false;

	for (uint32_t cpu = 0; cpu < gic->config.cpus; cpu++)
		aff3 |= gic->cpu[cpu].affinity >> 24 != 0;
	/*
	 * ITLinesNumber; IDbits = 9: 10 bits of INTID; A3V. CPUNumber is 0: it only counts without affinity
	 * routing.
	 */
	return lines | 9u << 19 | (uint32_t)aff3 << 24;
}

static uint64_t gicr_typer(const struct gic *gic, uint32_t cpu)
{
	const bool last = cpu == gic->config.cpus - 1;

	return (uint64_t)gic->cpu[cpu].affinity << 32 | (uint64_t)(cpu & 0xffff) << 8 | (uint64_t)last << 4;
}

static uint64_t read_register(struct gic *gic, const struct gic_register *row, uint32_t cpu, uint32_t position)
{
	const struct gic_cpu *c = &gic->cpu[cpu];

	if (gic_is_block_register(row->id)) {
		const struct gic_block *block = block_of(gic, row, cpu, &position);

		return gic_block_read(block, row->id, position);
	}
	switch (row->id) {
	case REG_GICD_CTLR:
		return row->reset | gic->ctlr | (gic->rwp_until != GIC_NEVER ? GICD_CTLR_RWP : 0);
	case REG_GICD_TYPER:
		return gicd_typer(gic);
	case REG_GICD_IROUTER:
		return gic->router[row->first + position];
	case REG_GICD_IIDR:
	case REG_GICR_IIDR:
		return gic->config.iidr;
	case REG_GICR_CTLR:
		return c->rwp_until != GIC_NEVER ? GICR_CTLR_RWP : 0;
	case REG_GICR_TYPER:
		return gicr_typer(gic, cpu);
	case REG_GICR_WAKER:
		return c->asleep ? GICR_WAKER_PROCESSOR_SLEEP | GICR_WAKER_CHILDREN_ASLEEP : 0;
	default:
		return row->reset;  /* constant: PIDR2, TYPER2, RAZ registers */
	}
}

static void start_rwp(struct gic *gic, uint64_t *until, enum gic_target target, uint32_t cpu, uint64_t now)
{
	*until = now + gic->config.disable_time;
	gic_settle(gic, target, (cpu_id){ cpu }, now);  /* at once when it takes no time */
}

static void write_block_register(struct gic *gic, const struct gic_register *row, uint32_t cpu, uint32_t position,
				 uint64_t now, uint32_t value)
{
	struct gic_block *block = block_of(gic, row, cpu, &position);
	const bool disabled = gic_block_write(block, row->id, position, value, gic->implemented_priority);

	if (row->frame == GIC_FRAME_SGI) {
		if (disabled)
			start_rwp(gic, &gic->cpu[cpu].rwp_until, GIC_REDISTRIBUTOR, cpu, now);
		gic_cpu_changed(gic, cpu);
	} else {
		if (disabled)
			start_rwp(gic, &gic->rwp_until, GIC_DISTRIBUTOR, cpu, now);
		gic_spi_block_changed(gic, (uint32_t)(block - gic->spi));
	}
}

static void write_register(struct gic *gic, const struct gic_register *row, uint32_t cpu, uint32_t position,
			   uint64_t now, uint64_t value)
{
	struct gic_cpu *c = &gic->cpu[cpu];
	uint32_t irq, stopped;

	if (gic_is_block_register(row->id)) {
		write_block_register(gic, row, cpu, position, now, (uint32_t)value);
		return;
	}
	switch (row->id) {
	case REG_GICD_CTLR:
		stopped = gic->ctlr & ~(uint32_t)value & GICD_CTLR_ENABLES;
		gic->ctlr = (uint32_t)value & GICD_CTLR_ENABLES;
		if (stopped)
			start_rwp(gic, &gic->rwp_until, GIC_DISTRIBUTOR, cpu, now);
		gic_all_changed(gic);
		break;
	case REG_GICD_IROUTER:
		irq = row->first + position;
		if (!(gic->spi[irq / 32].valid >> irq % 32 & 1))
			break;
		gic_router_write(gic, irq, value);
		gic_all_changed(gic);
		break;
	case REG_GICR_CTLR:
		break;  /* EnableLPIs and DPG* are RES0: no LPIs, GICR_TYPER.DPGS = 0 */
	case REG_GICR_WAKER:
		c->asleep = value & GICR_WAKER_PROCESSOR_SLEEP;
		gic_all_changed(gic);  /* a 1-of-N SPI may now go to another CPU */
		break;
	default:
		assert(!"a writable register without a write");
	}
}

static bool writable(const struct gic_register *row)
{
	return row->access == GIC_ACCESS_RW || row->access == GIC_ACCESS_SET || row->access == GIC_ACCESS_CLEAR;
}

/* Reserved space answers every aligned size: the architecture defines no width there. */
static enum gic_status check_size(const struct gic_register *row, uint32_t offset, uint32_t bytes)
{
	if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8)
		return GIC_BAD_SIZE;
	if (offset % bytes)
		return GIC_BAD_SIZE;
	return !row || row->sizes & bytes ? GIC_OK : GIC_BAD_SIZE;
}

static uint64_t mask_of(uint32_t bytes)
{
	return bytes == 8 ? UINT64_MAX : (1ull << (8 * bytes)) - 1;
}

enum gic_status gic_read(struct gic *gic, enum gic_target target, cpu_id cpu, uint32_t offset, uint32_t bytes,
			 uint64_t now, uint64_t *value)
{
	uint32_t position;
	const struct gic_register *row = gic_register_find(target, offset, &position);

	assert(cpu.n < gic->config.cpus);
	*value = 0;
	if (check_size(row, offset, bytes) != GIC_OK)
		return GIC_BAD_SIZE;
	gic_settle(gic, target, cpu, now);
	if (row) {
		const uint32_t shift = 8 * ((offset - row->offset) % row->width);

		*value = read_register(gic, row, cpu.n, position) >> shift & mask_of(bytes);
	}
	return GIC_OK;
}

enum gic_status gic_write(struct gic *gic, enum gic_target target, cpu_id cpu, uint32_t offset, uint32_t bytes,
			  uint64_t now, uint64_t value)
{
	uint32_t position;
	const struct gic_register *row = gic_register_find(target, offset, &position);

	assert(cpu.n < gic->config.cpus);
	if (check_size(row, offset, bytes) != GIC_OK)
		return GIC_BAD_SIZE;
	gic_settle(gic, target, cpu, now);
	if (!row || !writable(row))
		return GIC_OK;
	if (bytes < row->width) {  /* only IPRIORITYR and IROUTER allow it: plain storage, so merging is right */
		const uint32_t shift = 8 * ((offset - row->offset) % row->width);

		value = (read_register(gic, row, cpu.n, position) & ~(mask_of(bytes) << shift)) |
			(value & mask_of(bytes)) << shift;
	}
	write_register(gic, row, cpu.n, position, now, value);
	return GIC_OK;
}

void gic_settle(struct gic *gic, enum gic_target target, cpu_id cpu, uint64_t now)
{
	if (target == GIC_REDISTRIBUTOR) {
		struct gic_cpu *c = &gic->cpu[cpu.n];

		if (c->rwp_until > now || c->rwp_until == GIC_NEVER)
			return;
		c->rwp_until = GIC_NEVER;
		c->block.stopping = 0;
		gic_cpu_changed(gic, cpu.n);
		return;
	}
	if (gic->rwp_until > now || gic->rwp_until == GIC_NEVER)
		return;
	gic->rwp_until = GIC_NEVER;
	for (uint32_t block = 1; block < GIC_BLOCKS; block++) {
		if (!gic->spi[block].stopping)
			continue;
		gic->spi[block].stopping = 0;
		gic_spi_block_changed(gic, block);
	}
}

uint64_t gic_rwp_until(const struct gic *gic, enum gic_target target, cpu_id cpu)
{
	return target == GIC_DISTRIBUTOR ? gic->rwp_until : gic->cpu[cpu.n].rwp_until;
}
