// SPDX-License-Identifier: Apache-2.0
/*
 * The guest's side of a GICv5 CPU interface: ICH_* registers of the hypervisor, and what the guest's instructions do (ICV_*).
 * A PPI whose DVI bit is set takes its pending state from the physical PPI, whatever that one's enable and active state are.
 */
#include "model/gic/gicv5_state.h"

static uint64_t virtual_pending(const struct gicv5 *gic, uint32_t cpu, uint32_t word)
{
	const struct gicv5_cpu *c = &gic->cpu[cpu];

	return (gicv5_ppi_pending(gic, cpu, word) & c->dvi[word]) | (c->vppis.pending[word] & ~c->dvi[word]);
}

static struct gicv5_candidate highest_pending(const struct gicv5 *gic, uint32_t cpu)
{
	const uint64_t pending[2] = { virtual_pending(gic, cpu, 0), virtual_pending(gic, cpu, 1) };

	return gicv5_best_ppi(&gic->cpu[cpu].vppis, pending);
}

bool gicv5_virtual_line(const struct gicv5 *gic, uint32_t cpu)
{
	const struct gicv5_cpu *c = &gic->cpu[cpu];
	struct gicv5_candidate candidate;

	if ((c->vctlr & (ICH_VCTLR_EN | ICH_VCTLR_V3)) != ICH_VCTLR_EN || !(c->vmcr & ICH_VMCR_EN))
		return false;
	candidate = highest_pending(gic, cpu);
	return candidate.priority <= (c->vmcr >> ICH_VMCR_VPMR_SHIFT & 0x1f) &&
	       candidate.priority < gicv5_running_priority(c->vactive_priorities);
}

/* An edge-triggered PPI is no longer pending once acknowledged, on the side where its pending state lives. */
static uint64_t acknowledge(struct gicv5 *gic, uint32_t cpu)
{
	struct gicv5_cpu *c = &gic->cpu[cpu];
	const struct gicv5_candidate candidate = highest_pending(gic, cpu);
	const uint32_t ppi = candidate.intid & 0xffffff, word = ppi / 64;
	const uint64_t bit = 1ull << ppi % 64;

	if (!gicv5_virtual_line(gic, cpu))
		return 0;
	c->vppis.active[word] |= bit;
	if (c->dvi[word] & bit)
		c->ppis.pending[word] &= ~bit;
	else
		c->vppis.pending[word] &= ~(bit & gic->config.edge_ppis[word]);
	c->vactive_priorities |= 1u << candidate.priority;
	gicv5_cpu_changed(gic, cpu);
	return GICV5_CDIA_VALID | candidate.intid;
}

static bool is_pair(enum sysreg reg, enum sysreg first, uint32_t *word)
{
	*word = (uint32_t)reg - (uint32_t)first;
	return reg == first || reg == first + 1;
}

bool gicv5_virtual_read(struct gicv5 *gic, uint32_t cpu, enum sysreg reg, uint64_t *value)
{
	const struct gicv5_cpu *c = &gic->cpu[cpu];
	uint32_t word;

	if (reg == SYS_ICV_CDIA)
		*value = acknowledge(gic, cpu);
	else if (reg == SYS_ICV_PCR_EL1)
		*value = c->vmcr >> ICH_VMCR_VPMR_SHIFT & 0x1f;
	else if (reg == SYS_ICH_VCTLR_EL2)
		*value = c->vctlr;
	else if (reg == SYS_ICH_VMCR_EL2 && !(c->vctlr & ICH_VCTLR_V3))
		*value = c->vmcr;
	else if (reg == SYS_ICH_APR_EL2)
		*value = c->vactive_priorities;
	else if (reg == SYS_ICH_CONTEXTR_EL2)
		*value = c->contextr;
	else if (reg == SYS_ICH_HPPIR_EL2)
		*value = highest_pending(gic, cpu).priority == GICV5_IDLE_PRIORITY ? 0 : GICV5_CDIA_VALID | highest_pending(gic, cpu).intid;
	else if (is_pair(reg, SYS_ICH_PPI_DVIR0_EL2, &word))
		*value = c->dvi[word];
	else if (is_pair(reg, SYS_ICH_PPI_ACTIVER0_EL2, &word))
		*value = c->vppis.active[word];
	else if (is_pair(reg, SYS_ICH_PPI_ENABLER0_EL2, &word))
		*value = c->vppis.enable[word];
	else if (is_pair(reg, SYS_ICH_PPI_PENDR0_EL2, &word))
		*value = virtual_pending(gic, cpu, word);
	else if (reg >= SYS_ICH_PPI_PRIORITYR0_EL2 && reg <= SYS_ICH_PPI_PRIORITYR15_EL2)
		*value = gicv5_priorities(&c->vppis, reg - SYS_ICH_PPI_PRIORITYR0_EL2);
	else
		return false;
	return true;
}

bool gicv5_virtual_write(struct gicv5 *gic, uint32_t cpu, enum sysreg reg, uint64_t value)
{
	struct gicv5_cpu *c = &gic->cpu[cpu];
	uint32_t word;

	if (reg == SYS_ICV_CDEOI)
		c->vactive_priorities &= c->vactive_priorities - 1;
	else if (reg == SYS_ICV_CDDI && (value & 0xffffff) < GICV5_PPIS)
		c->vppis.active[(value & 0xffffff) / 64] &= ~(1ull << (value & 0xffffff) % 64);
	else if (reg == SYS_ICV_PCR_EL1)
		c->vmcr = (c->vmcr & ICH_VMCR_EN) | (value & 0x1f) << ICH_VMCR_VPMR_SHIFT;
	else if (reg == SYS_ICH_VCTLR_EL2)
		c->vctlr = value & (ICH_VCTLR_EN | ICH_VCTLR_V3);
	else if (reg == SYS_ICH_VMCR_EL2 && !(c->vctlr & ICH_VCTLR_V3))
		c->vmcr = value;
	else if (reg == SYS_ICH_APR_EL2)
		c->vactive_priorities = (uint32_t)value;
	else if (reg == SYS_ICH_CONTEXTR_EL2)
		c->contextr = value;
	else if (is_pair(reg, SYS_ICH_PPI_DVIR0_EL2, &word))
		c->dvi[word] = value;
	else if (is_pair(reg, SYS_ICH_PPI_ACTIVER0_EL2, &word))
		c->vppis.active[word] = value;
	else if (is_pair(reg, SYS_ICH_PPI_ENABLER0_EL2, &word))
		c->vppis.enable[word] = value;
	else if (is_pair(reg, SYS_ICH_PPI_PENDR0_EL2, &word))
		c->vppis.pending[word] = value;
	else if (reg >= SYS_ICH_PPI_PRIORITYR0_EL2 && reg <= SYS_ICH_PPI_PRIORITYR15_EL2)
		gicv5_set_priorities(&c->vppis, reg - SYS_ICH_PPI_PRIORITYR0_EL2, value);
	else
		return false;
	return true;
}
