// SPDX-License-Identifier: Apache-2.0
/*
 * The CPU interface: acknowledge, priority drop, deactivate, mask, running priority (IHI 0069, 4.7, 4.8
 * and 12.2).
 *
 * Active priorities are a bit per group priority. Acknowledging sets the interrupt's bit; a priority
 * drop clears the bit of the highest active priority, so EOIs must come in the reverse order of
 * acknowledgement, as the architecture demands.
 */
#include <assert.h>

#include "model/gic/gic_state.h"

#define ICC_CTLR_EOIMODE (1u << 1)
#define ICC_CTLR_A3V     (1u << 15)

static struct gic_block *block_of(struct gic *gic, uint32_t cpu, uint32_t irq)
{
	return irq < 32 ? &gic->cpu[cpu].block : &gic->spi[irq / 32];
}

static void irq_changed(struct gic *gic, uint32_t cpu, uint32_t irq)
{
	if (irq < 32)
		gic_cpu_changed(gic, cpu);
	else
		gic_spi_block_changed(gic, irq / 32);
}

static uint32_t acknowledge(struct gic *gic, uint32_t cpu)
{
	const struct gic_pending pending = gic_highest_pending(gic, cpu);
	struct gic_block *block;
	uint32_t level;

	if (!gic_line(gic, (cpu_id){ cpu }))
		return GIC_SPURIOUS;
	block = block_of(gic, cpu, pending.irq);
	block->active |= 1u << pending.irq % 32;
	block->latch &= ~(1u << pending.irq % 32);
	level = pending.priority >> (8 - gic->config.priority_bits);
	gic->cpu[cpu].active_priorities[level / 32] |= 1u << level % 32;
	gic_cpu_changed(gic, cpu);
	irq_changed(gic, cpu, pending.irq);
	return pending.irq;
}

static void priority_drop(struct gic *gic, uint32_t cpu)
{
	for (uint32_t word = 0; word < 4; word++) {
		uint32_t *bits = &gic->cpu[cpu].active_priorities[word];

		if (*bits) {
			*bits &= *bits - 1;
			gic_cpu_changed(gic, cpu);
			return;
		}
	}
}

static void deactivate(struct gic *gic, uint32_t cpu, uint32_t irq)
{
	if (irq >= 1020)  /* special INTIDs, and LPIs have no active state */
		return;
	block_of(gic, cpu, irq)->active &= ~(1u << irq % 32);
	irq_changed(gic, cpu, irq);
}

void gic_deactivate(struct gic *gic, cpu_id cpu, intid irq)
{
	assert(cpu.n < gic->config.cpus);
	deactivate(gic, cpu.n, irq.n);
}

static uint32_t read_ctlr(const struct gic *gic, uint32_t cpu)
{
	/* PRIbits is the number of bits less one; IDbits = 0: 16 bits. */
	return (gic->cpu[cpu].eoi_mode ? ICC_CTLR_EOIMODE : 0) | (gic->config.priority_bits - 1) << 8 | ICC_CTLR_A3V;
}

static uint32_t active_priority_words(const struct gic *gic)
{
	return 1u << (gic->config.priority_bits - 5);  /* 1, 2 or 4 registers; the others are not implemented */
}

uint64_t gic_icc_read(struct gic *gic, cpu_id cpu, enum gic_offset reg)
{
	const struct gic_cpu *c = &gic->cpu[cpu.n];
	const uint32_t word = (uint32_t)reg - ICC_AP1R_EL1;

	assert(cpu.n < gic->config.cpus);
	if (word < 4)
		return word < active_priority_words(gic) ? c->active_priorities[word] : 0;
	switch (reg) {
	case ICC_CTLR_EL1:
		return read_ctlr(gic, cpu.n);
	case ICC_HPPIR1_EL1:
		return gic_highest_pending(gic, cpu.n).irq;
	case ICC_IAR1_EL1:
		return acknowledge(gic, cpu.n);
	case ICC_IGRPEN1_EL1:
		return c->group1_enabled;
	case ICC_PMR_EL1:
		return c->priority_mask;
	case ICC_RPR_EL1:
		return gic_running_priority(gic, cpu.n);
	default:
		assert(!"not a readable register of the CPU interface");
		return 0;
	}
}

void gic_icc_write(struct gic *gic, cpu_id cpu, enum gic_offset reg, uint64_t value)
{
	struct gic_cpu *c = &gic->cpu[cpu.n];
	const uint32_t word = (uint32_t)reg - ICC_AP1R_EL1;
	const uint32_t irq = value & 0xffffff;

	assert(cpu.n < gic->config.cpus);
	if (word < 4) {
		if (word < active_priority_words(gic))
			c->active_priorities[word] = (uint32_t)value;
		gic_cpu_changed(gic, cpu.n);
		return;
	}
	switch (reg) {
	case ICC_CTLR_EL1:
		c->eoi_mode = value & ICC_CTLR_EOIMODE;
		break;
	case ICC_DIR_EL1:
		if (c->eoi_mode)
			deactivate(gic, cpu.n, irq);
		break;
	case ICC_EOIR1_EL1:
		if (irq >= 1020)
			break;
		priority_drop(gic, cpu.n);
		if (!c->eoi_mode)
			deactivate(gic, cpu.n, irq);
		break;
	case ICC_IGRPEN1_EL1:
		c->group1_enabled = value & 1;
		gic_all_changed(gic);  /* a 1-of-N SPI may now go to another CPU */
		break;
	case ICC_PMR_EL1:
		c->priority_mask = (uint8_t)value & gic->implemented_priority;
		gic_cpu_changed(gic, cpu.n);
		break;
	case ICC_SGI1R_EL1:
		gic_send_sgi(gic, cpu.n, value);
		break;
	default:
		assert(!"not a writable register of the CPU interface");
	}
}
