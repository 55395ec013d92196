// SPDX-License-Identifier: Apache-2.0
/*
 * Which interrupt is presented to which CPU, and which CPUs' lines changed (IHI 0069, 4.8 "interrupt
 * prioritization").
 *
 * Lines are worked out when somebody asks, not when something changes: a change only puts the CPU on a
 * list, so an access that changes ten things costs one evaluation.
 */
#include "model/gic/gic_state.h"

uint32_t gic_block_pending(const struct gic_block *block)
{
	return block->latch | (block->level & ~block->edge);
}

/* Could be presented, as far as the block decides. An active interrupt is not presented again. */
static uint32_t ready(const struct gic_block *block)
{
	return gic_block_pending(block) & (block->enable | block->stopping) & ~block->active & block->group;
}

void gic_cpu_changed(struct gic *gic, uint32_t cpu)
{
	if (gic->cpu[cpu].changed)
		return;
	gic->cpu[cpu].changed = true;
	gic->changed[(gic->changed_head + gic->changed_count++) % gic->config.cpus] = cpu;
}

void gic_all_changed(struct gic *gic)
{
	for (uint32_t cpu = 0; cpu < gic->config.cpus; cpu++)
		gic_cpu_changed(gic, cpu);
}

void gic_spi_block_changed(struct gic *gic, uint32_t block)
{
	const uint32_t bit = 1u << block;

	gic->spi_blocks_ready = ready(&gic->spi[block]) ? gic->spi_blocks_ready | bit : gic->spi_blocks_ready & ~bit;
	gic_all_changed(gic);
}

static bool takes_part(const struct gic_cpu *cpu)
{
	return cpu->group1_enabled && !cpu->asleep;
}

static bool spi_is_for(const struct gic *gic, uint32_t irq, uint32_t cpu)
{
	if (gic->config.version == 2)
		return gic->spi_cpus[irq] >> cpu & 1;
	if (gic->spi_target[irq] != GIC_TARGET_ONE_OF_N)
		return gic->spi_target[irq] == cpu;
	for (uint32_t other = 0; other < cpu; other++) {
		if (takes_part(&gic->cpu[other]))
			return false;
	}
	return true;
}

static void consider(struct gic_pending *best, const struct gic_block *block, uint32_t bit, uint32_t irq)
{
	if (best->irq == GIC_SPURIOUS || block->priority[bit] < best->priority) {
		best->irq = irq;
		best->priority = block->priority[bit];
	}
}

struct gic_pending gic_highest_pending(const struct gic *gic, uint32_t cpu)
{
	const struct gic_cpu *c = &gic->cpu[cpu];
	struct gic_pending best = { GIC_SPURIOUS, GIC_IDLE_PRIORITY };

	if (!(gic->ctlr & GICD_CTLR_ENABLE_GRP1) || !takes_part(c))
		return best;
	for (uint32_t bits = ready(&c->block); bits; bits &= bits - 1) {
		uint32_t bit = (uint32_t)__builtin_ctz(bits);

		consider(&best, &c->block, bit, bit);
	}
	for (uint32_t blocks = gic->spi_blocks_ready; blocks; blocks &= blocks - 1) {
		uint32_t n = (uint32_t)__builtin_ctz(blocks);

		for (uint32_t bits = ready(&gic->spi[n]); bits; bits &= bits - 1) {
			uint32_t bit = (uint32_t)__builtin_ctz(bits);

			if (spi_is_for(gic, 32 * n + bit, cpu))
				consider(&best, &gic->spi[n], bit, 32 * n + bit);
		}
	}
	return best;
}

uint8_t gic_running_priority(const struct gic *gic, uint32_t cpu)
{
	const struct gic_cpu *c = &gic->cpu[cpu];

	for (uint32_t word = 0; word < 4; word++) {
		if (c->active_priorities[word]) {
			uint32_t level = 32 * word + (uint32_t)__builtin_ctz(c->active_priorities[word]);

			return (uint8_t)(level << (8 - gic->config.priority_bits));
		}
	}
	return GIC_IDLE_PRIORITY;
}

bool gic_line(const struct gic *gic, cpu_id cpu)
{
	const struct gic_pending pending = gic_highest_pending(gic, cpu.n);

	return pending.irq != GIC_SPURIOUS && pending.priority < gic->cpu[cpu.n].priority_mask &&
	       pending.priority < gic_running_priority(gic, cpu.n);
}

bool gic_next_line_change(struct gic *gic, cpu_id *cpu, bool *asserted)
{
	while (gic->changed_count) {
		cpu_id candidate = { gic->changed[gic->changed_head] };
		struct gic_cpu *c = &gic->cpu[candidate.n];
		bool line = gic_line(gic, candidate);

		gic->changed_head = (gic->changed_head + 1) % gic->config.cpus;
		gic->changed_count--;
		c->changed = false;
		if (line == c->line)
			continue;
		c->line = line;
		*cpu = candidate;
		*asserted = line;
		return true;
	}
	return false;
}
