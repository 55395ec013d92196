// SPDX-License-Identifier: Apache-2.0
/*
 * Affinity routing: where an SPI goes (GICD_IROUTER) and whom an SGI reaches (ICC_SGI1R_EL1). IHI 0069,
 * 3.1.1, 12.2, 12.9. Both are rare, so CPUs are found by walking them.
 */
#include "model/gic/gic_state.h"

#define IROUTER_WRITABLE 0xff80ffffffull  /* Aff3, Interrupt_Routing_Mode, Aff2, Aff1, Aff0 */
#define IROUTER_IRM (1ull << 31)

uint32_t gic_cpu_of_affinity(const struct gic *gic, uint32_t affinity)
{
	for (uint32_t cpu = 0; cpu < gic->config.cpus; cpu++) {
		if (gic->cpu[cpu].affinity == affinity)
			return cpu;
	}
	return GIC_TARGET_NONE;
}

void gic_router_write(struct gic *gic, uint32_t irq, uint64_t value)
{
	value &= IROUTER_WRITABLE;
	gic->router[irq] = value;
	if (value & IROUTER_IRM)
		gic->spi_target[irq] = GIC_TARGET_ONE_OF_N;
	else
		gic->spi_target[irq] =
			gic_cpu_of_affinity(gic, (uint32_t)(value >> 32) << 24 | (uint32_t)(value & 0xffffff));
}

/* No effect on the sender with IRM = 1 (all but self). */
bool gic_sgi_reaches(const struct gic *gic, cpu_id from, uint64_t sgi1r, cpu_id to)
{
	const bool all_but_self = sgi1r >> 40 & 1;
	const uint32_t upper = (uint32_t)(sgi1r >> 48 & 0xff) << 24 | (uint32_t)(sgi1r >> 32 & 0xff) << 16 |
			       (uint32_t)(sgi1r >> 16 & 0xff) << 8;
	/* Aff0 0-15 only: range selectors are not implemented (GICD_TYPER.RSS = 0). */
	const uint32_t targets = sgi1r & 0xffff;
	const uint32_t affinity = gic->cpu[to.n].affinity, aff0 = affinity & 0xff;

	if (all_but_self)
		return to.n != from.n;
	return (affinity & ~0xffu) == upper && aff0 < 16 && (targets >> aff0 & 1);
}

/* Becomes pending only where the SGI is in Group 1. */
void gic_sgi_arrives(struct gic *gic, cpu_id to, uint32_t sgi)
{
	const uint32_t bit = 1u << sgi;

	if (!(gic->cpu[to.n].block.group & bit))
		return;
	gic->cpu[to.n].block.latch |= bit;
	gic_cpu_changed(gic, to.n);
}

void gic_send_sgi(struct gic *gic, uint32_t from, uint64_t sgi1r)
{
	for (uint32_t cpu = 0; cpu < gic->config.cpus; cpu++) {
		if (gic_sgi_reaches(gic, (cpu_id){ from }, sgi1r, (cpu_id){ cpu }))
			gic_sgi_arrives(gic, (cpu_id){ cpu }, GIC_SGI1R_INTID(sgi1r));
	}
}
