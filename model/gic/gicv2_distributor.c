// SPDX-License-Identifier: Apache-2.0
/*
 * The distributor of a GICv2 (IHI 0048, 4.3). Registers of INTIDs 0-31 are banked: block 0 is that of the CPU that asks. SGIs
 * have a pending state for each sender, set by GICD_SGIR and GICD_SPENDSGIR; their bits in ISPENDR and ICPENDR are read-only.
 */
#include <assert.h>

#include "model/gic/gicv2_state.h"

#define GICD_CTLR_ENABLE 1u
#define TYPER_SECURITY (1u << 10)
#define SGI_BITS 0xffffu

static uint32_t typer(const struct gic *gic)
{
	return gic->config.spis / 32 | (gic->config.cpus - 1) << 5 | TYPER_SECURITY;
}

static struct gic_block *block_of(struct gic *gic, enum gic_register_id same, uint32_t cpu, uint32_t *position)
{
	const uint32_t each = gic_block_registers_per_block(same);
	const uint32_t block = *position / each;

	*position %= each;
	return block ? &gic->spi[block] : &gic->cpu[cpu].block;
}

static void changed(struct gic *gic, const struct gic_block *block, uint32_t cpu)
{
	if (block == &gic->cpu[cpu].block)
		gic_cpu_changed(gic, cpu);
	else
		gic_spi_block_changed(gic, (uint32_t)(block - gic->spi));
}

static void write_block(struct gic *gic, enum gic_register_id same, uint32_t cpu, uint32_t position, uint32_t value)
{
	struct gic_block *block = block_of(gic, same, cpu, &position);
	const bool private = block == &gic->cpu[cpu].block;

	if (private && (same == REG_GICD_ISPENDR || same == REG_GICD_ICPENDR))
		value &= ~SGI_BITS;
	if (private && same == REG_GICD_ICFGR && position == 0)
		return;  /* SGIs are edge-triggered */
	if (gic_block_write(block, same, position, value, gic->implemented_priority))
		block->stopping = 0;  /* a disable takes effect at once */
	changed(gic, block, cpu);
}

/* Private interrupts show the CPU that asks, SPIs the CPUs that they go to. */
static uint32_t targets_of(const struct gic *gic, uint32_t irq, uint32_t cpu)
{
	return irq < 32 ? 1u << cpu : gic->spi_cpus[irq];
}

static uint32_t read_targets(const struct gic *gic, uint32_t cpu, uint32_t position)
{
	uint32_t value = 0;

	for (uint32_t byte = 0; byte < 4; byte++)
		value |= targets_of(gic, 4 * position + byte, cpu) << 8 * byte;
	return value;
}

static void write_targets(struct gic *gic, uint32_t position, uint32_t value)
{
	for (uint32_t irq = 4 * position; irq < 4 * position + 4; irq++, value >>= 8) {
		if (irq >= 32 && gic->spi[irq / 32].valid >> irq % 32 & 1)
			gic->spi_cpus[irq] = (uint8_t)(value & ((1u << gic->config.cpus) - 1));
	}
	gic_all_changed(gic);
}

static uint32_t read_sgis(const struct gic *gic, uint32_t cpu, uint32_t position)
{
	const uint8_t *from = &gic->cpu[cpu].sgi_sources[4 * position];

	return from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24;
}

static void write_sgis(struct gic *gic, uint32_t cpu, uint32_t position, uint32_t value, bool set)
{
	struct gic_cpu *c = &gic->cpu[cpu];

	for (uint32_t sgi = 4 * position; sgi < 4 * position + 4; sgi++, value >>= 8) {
		const uint8_t senders = (uint8_t)(value & ((1u << gic->config.cpus) - 1));

		c->sgi_sources[sgi] = (uint8_t)(set ? c->sgi_sources[sgi] | senders : c->sgi_sources[sgi] & ~senders);
		c->block.latch = c->sgi_sources[sgi] ? c->block.latch | 1u << sgi : c->block.latch & ~(1u << sgi);
	}
	gic_cpu_changed(gic, cpu);
}

/* TargetListFilter 25:24, CPUTargetList 23:16. */
bool gicv2_sgi_reaches(cpu_id from, uint32_t sgir, cpu_id to)
{
	switch (sgir >> 24 & 3) {
	case 0:
		return sgir >> 16 >> to.n & 1;
	case 1:
		return to.n != from.n;
	case 2:
		return to.n == from.n;
	default:
		return false;  /* reserved */
	}
}

void gicv2_sgi_arrives(struct gic *gic, cpu_id from, cpu_id to, uint32_t sgi)
{
	gic->cpu[to.n].sgi_sources[sgi] |= (uint8_t)(1u << from.n);
	gic->cpu[to.n].block.latch |= 1u << sgi;
	gic_cpu_changed(gic, to.n);
}

static void send_sgi(struct gic *gic, cpu_id from, uint32_t sgir)
{
	for (uint32_t cpu = 0; cpu < gic->config.cpus; cpu++) {
		if (gicv2_sgi_reaches(from, sgir & 0x3ff000f, (cpu_id){ cpu }))
			gicv2_sgi_arrives(gic, from, (cpu_id){ cpu }, GICV2_SGIR_INTID(sgir));
	}
}

uint32_t gicv2_distributor_read(struct gic *gic, const struct gicv2_register *row, uint32_t cpu, uint32_t position)
{
	if (row->same != GIC_REGISTER_IDS) {
		const struct gic_block *block = block_of(gic, row->same, cpu, &position);

		return gic_block_read(block, row->same, position);
	}
	switch (row->id) {
	case REG2_GICD_CTLR:
		return gic->ctlr & GICD_CTLR_ENABLE_GRP1 ? GICD_CTLR_ENABLE : 0;
	case REG2_GICD_TYPER:
		return typer(gic);
	case REG2_GICD_IIDR:
		return gic->config.iidr;
	case REG2_GICD_ITARGETSR:
		return read_targets(gic, cpu, position);
	case REG2_GICD_CPENDSGIR:
	case REG2_GICD_SPENDSGIR:
		return read_sgis(gic, cpu, position);
	default:
		return (uint32_t)row->reset;
	}
}

void gicv2_distributor_write(struct gic *gic, const struct gicv2_register *row, uint32_t cpu, uint32_t position, uint32_t value)
{
	if (row->same != GIC_REGISTER_IDS) {
		write_block(gic, row->same, cpu, position, value);
		return;
	}
	switch (row->id) {
	case REG2_GICD_CTLR:
		gic->ctlr = value & GICD_CTLR_ENABLE ? GICD_CTLR_ENABLE_GRP1 : 0;
		gic_all_changed(gic);
		break;
	case REG2_GICD_ITARGETSR:
		write_targets(gic, position, value);
		break;
	case REG2_GICD_SGIR:
		send_sgi(gic, (cpu_id){ cpu }, value);
		break;
	case REG2_GICD_CPENDSGIR:
	case REG2_GICD_SPENDSGIR:
		write_sgis(gic, cpu, position, value, row->id == REG2_GICD_SPENDSGIR);
		break;
	default:
		assert(!"a writable register without a write");
	}
}
