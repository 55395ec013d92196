// SPDX-License-Identifier: Apache-2.0
/*
 * The host's side of a GICv5 CPU interface: ICC_* registers, acknowledge, end, deactivate. Registers of 64 PPIs each, bit n of
 * register r: PPI 64r + n; set and clear registers read as the state.
 */
#include <assert.h>

#include "model/gic/gicv5_state.h"

/* Fields of ICC_ICSR_EL1, which GIC CDRCFG fills in; bit 5 (handling mode) is 0 for an edge-triggered LPI. */
#define ICSR_FAULT    (1u << 0)
#define ICSR_ENABLED  (1u << 1)
#define ICSR_PENDING  (1u << 2)
#define ICSR_ACTIVE   (1u << 4)
#define ICSR_PRIORITY_SHIFT 11
#define ICSR_IAFFID_SHIFT 32

static struct gicv5_candidate gicv5_highest_pending(const struct gicv5 *gic, uint32_t cpu)
{
	const uint64_t pending[2] = { gicv5_ppi_pending(gic, cpu, 0), gicv5_ppi_pending(gic, cpu, 1) };
	const struct gicv5_candidate ppi = gicv5_best_ppi(&gic->cpu[cpu].ppis, pending);
	const struct gicv5_candidate lpi = gicv5_best_lpi(gic, cpu);

	return lpi.priority < ppi.priority ? lpi : ppi;
}

static bool may_be_taken(const struct gicv5_cpu *c, const struct gicv5_candidate *candidate)
{
	return c->enabled && candidate->priority <= c->mask && candidate->priority < gicv5_running_priority(c->active_priorities);
}

bool gicv5_line(const struct gicv5 *gic, uint32_t cpu)
{
	const struct gicv5_candidate candidate = gicv5_highest_pending(gic, cpu);

	return candidate.priority != GICV5_IDLE_PRIORITY && may_be_taken(&gic->cpu[cpu], &candidate);
}

static uint64_t acknowledge(struct gicv5 *gic, uint32_t cpu)
{
	struct gicv5_cpu *c = &gic->cpu[cpu];
	const struct gicv5_candidate candidate = gicv5_highest_pending(gic, cpu);
	const uint32_t number = candidate.intid & 0xffffff;

	if (!gicv5_line(gic, cpu))
		return 0;
	if (candidate.intid >> 29 == GICV5_TYPE_LPI) {
		gicv5_lpi_acknowledge(gic, number);
	} else {
		c->ppis.active[number / 64] |= 1ull << number % 64;
		c->ppis.pending[number / 64] &= ~(1ull << number % 64);
	}
	c->active_priorities |= 1u << candidate.priority;
	gicv5_cpu_changed(gic, cpu);
	return GICV5_CDIA_VALID | candidate.intid;
}

static void deactivate(struct gicv5 *gic, uint32_t cpu, uint64_t operand)
{
	const uint32_t ppi = operand & 0xffffff;

	if ((operand >> 29 & 7) == GICV5_TYPE_LPI)
		gicv5_lpi_instruction(gic, SYS_GIC_CDDI, operand);
	else if (ppi < GICV5_PPIS)
		gic->cpu[cpu].ppis.active[ppi / 64] &= ~(1ull << ppi % 64);
}

static void read_configuration(struct gicv5 *gic, uint32_t cpu, uint64_t operand)
{
	const uint32_t n = operand & 0xffffff;
	const struct gicv5_lpi *lpi;

	gic->cpu[cpu].icsr = ICSR_FAULT;
	if ((operand >> 29 & 7) != GICV5_TYPE_LPI || n >= gic->config.lpis)
		return;
	lpi = &gic->lpis[n];
	gic->cpu[cpu].icsr = (lpi->enable ? ICSR_ENABLED : 0) | (lpi->pending ? ICSR_PENDING : 0) | (lpi->active ? ICSR_ACTIVE : 0) |
			     (uint64_t)lpi->priority << ICSR_PRIORITY_SHIFT | (uint64_t)lpi->cpu << ICSR_IAFFID_SHIFT;
}

static uint64_t highest_pending_register(const struct gicv5 *gic, uint32_t cpu)
{
	const struct gicv5_candidate candidate = gicv5_highest_pending(gic, cpu);

	return candidate.priority == GICV5_IDLE_PRIORITY ? 0 : GICV5_CDIA_VALID | candidate.intid;
}

static bool is_pair(enum sysreg reg, enum sysreg first, uint32_t *word)
{
	*word = (uint32_t)reg - (uint32_t)first;
	return reg == first || reg == first + 1;
}

static bool ppi_register_read(const struct gicv5 *gic, uint32_t cpu, enum sysreg reg, uint64_t *value)
{
	const struct gicv5_ppis *ppis = &gic->cpu[cpu].ppis;
	uint32_t word;

	if (reg >= SYS_ICC_PPI_PRIORITYR0_EL1 && reg <= SYS_ICC_PPI_PRIORITYR15_EL1)
		*value = gicv5_priorities(ppis, reg - SYS_ICC_PPI_PRIORITYR0_EL1);
	else if (is_pair(reg, SYS_ICC_PPI_HMR0_EL1, &word))
		*value = ~gic->config.edge_ppis[word];
	else if (is_pair(reg, SYS_ICC_PPI_ENABLER0_EL1, &word))
		*value = ppis->enable[word];
	else if (is_pair(reg, SYS_ICC_PPI_SPENDR0_EL1, &word) || is_pair(reg, SYS_ICC_PPI_CPENDR0_EL1, &word))
		*value = gicv5_ppi_pending(gic, cpu, word);
	else if (is_pair(reg, SYS_ICC_PPI_SACTIVER0_EL1, &word) || is_pair(reg, SYS_ICC_PPI_CACTIVER0_EL1, &word))
		*value = ppis->active[word];
	else
		return false;
	return true;
}

static bool ppi_register_write(struct gicv5 *gic, uint32_t cpu, enum sysreg reg, uint64_t value)
{
	struct gicv5_ppis *ppis = &gic->cpu[cpu].ppis;
	uint32_t word;

	if (reg >= SYS_ICC_PPI_PRIORITYR0_EL1 && reg <= SYS_ICC_PPI_PRIORITYR15_EL1)
		gicv5_set_priorities(ppis, reg - SYS_ICC_PPI_PRIORITYR0_EL1, value);
	else if (is_pair(reg, SYS_ICC_PPI_HMR0_EL1, &word))
		return true;  /* read-only */
	else if (is_pair(reg, SYS_ICC_PPI_ENABLER0_EL1, &word))
		ppis->enable[word] = value;
	else if (is_pair(reg, SYS_ICC_PPI_SPENDR0_EL1, &word))
		ppis->pending[word] |= value;
	else if (is_pair(reg, SYS_ICC_PPI_CPENDR0_EL1, &word))
		ppis->pending[word] &= ~value;
	else if (is_pair(reg, SYS_ICC_PPI_SACTIVER0_EL1, &word))
		ppis->active[word] |= value;
	else if (is_pair(reg, SYS_ICC_PPI_CACTIVER0_EL1, &word))
		ppis->active[word] &= ~value;
	else
		return false;
	return true;
}

bool gicv5_register_read(struct gicv5 *gic, cpu_id cpu, enum sysreg reg, uint64_t *value)
{
	const struct gicv5_cpu *c = &gic->cpu[cpu.n];

	assert(cpu.n < gic->config.cpus);
	switch (reg) {
	case SYS_GICR_CDIA:
		*value = acknowledge(gic, cpu.n);
		return true;
	case SYS_ICC_CR0_EL1:
		*value = c->enabled;
		return true;
	case SYS_ICC_PCR_EL1:
		*value = c->mask;
		return true;
	case SYS_ICC_APR_EL1:
		*value = c->active_priorities;
		return true;
	case SYS_ICC_HPPIR_EL1:
		*value = highest_pending_register(gic, cpu.n);
		return true;
	case SYS_ICC_ICSR_EL1:
		*value = c->icsr;
		return true;
	default:
		return ppi_register_read(gic, cpu.n, reg, value) || gicv5_virtual_read(gic, cpu.n, reg, value);
	}
}

bool gicv5_register_write(struct gicv5 *gic, cpu_id cpu, enum sysreg reg, uint64_t value)
{
	struct gicv5_cpu *c = &gic->cpu[cpu.n];

	assert(cpu.n < gic->config.cpus);
	gicv5_cpu_changed(gic, cpu.n);
	switch (reg) {
	case SYS_GIC_CDEOI:
		c->active_priorities &= c->active_priorities - 1;
		return true;
	case SYS_GIC_CDDI:
		deactivate(gic, cpu.n, value);
		return true;
	case SYS_GIC_CDPEND:
	case SYS_GIC_CDEN:
	case SYS_GIC_CDDIS:
	case SYS_GIC_CDAFF:
	case SYS_GIC_CDPRI:
		gicv5_lpi_instruction(gic, reg, value);
		return true;
	case SYS_GIC_CDRCFG:
		read_configuration(gic, cpu.n, value);
		return true;
	case SYS_GSB_SYS:
	case SYS_GSB_ACK:
		return true;  /* what they order is in order here */
	case SYS_ICC_CR0_EL1:
		c->enabled = value & 1;
		return true;
	case SYS_ICC_PCR_EL1:
		c->mask = value & 0x1f;
		return true;
	case SYS_ICC_APR_EL1:
		c->active_priorities = (uint32_t)value;
		return true;
	case SYS_ICC_ICSR_EL1:
		c->icsr = value;
		return true;
	default:
		return ppi_register_write(gic, cpu.n, reg, value) || gicv5_virtual_write(gic, cpu.n, reg, value);
	}
}
