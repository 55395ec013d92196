// SPDX-License-Identifier: Apache-2.0
/*
 * GICv5 LPIs: the IRS keeps their state, CPUs change it by GIC instructions. Targeted at one CPU each (CDAFF), edge-triggered:
 * acknowledging clears the pending state. An LPI reaches a CPU only while the IRS is enabled (IRS_CR0.IRSEN).
 */
#include "model/gic/gicv5_state.h"

struct gicv5_candidate gicv5_best_lpi(const struct gicv5 *gic, uint32_t cpu)
{
	struct gicv5_candidate best = { 0, GICV5_IDLE_PRIORITY };
	uint32_t left = gic->cpu[cpu].pending_lpis;

	if (!gic->irs_cr0)
		return best;
	for (uint32_t n = 0; left && n < gic->config.lpis; n++) {
		const struct gicv5_lpi *lpi = &gic->lpis[n];

		if (!lpi->pending || lpi->cpu != cpu)
			continue;
		left--;
		if (lpi->enable && !lpi->active && lpi->priority < best.priority)
			best = (struct gicv5_candidate){ GICV5_INTID(GICV5_TYPE_LPI, n), lpi->priority };
	}
	return best;
}

static void set_pending(struct gicv5 *gic, struct gicv5_lpi *lpi, bool pending)
{
	if (lpi->pending != pending)
		gic->cpu[lpi->cpu].pending_lpis += pending ? 1 : UINT32_MAX;
	lpi->pending = pending;
}

void gicv5_lpi_acknowledge(struct gicv5 *gic, uint32_t n)
{
	struct gicv5_lpi *lpi = &gic->lpis[n];

	set_pending(gic, lpi, false);
	lpi->active = true;
}

static void set_target(struct gicv5 *gic, struct gicv5_lpi *lpi, uint32_t cpu)
{
	const bool pending = lpi->pending;

	if (cpu >= gic->config.cpus)
		return;
	gicv5_cpu_changed(gic, lpi->cpu);
	set_pending(gic, lpi, false);
	lpi->cpu = cpu;
	set_pending(gic, lpi, pending);
}

/* Fields: PENDING 32, IAFFID 47:32, PRIORITY 39:35. */
void gicv5_lpi_instruction(struct gicv5 *gic, enum sysreg reg, uint64_t value)
{
	const uint32_t n = value & 0xffffff;
	struct gicv5_lpi *lpi;

	if (n >= gic->config.lpis)
		return;
	lpi = &gic->lpis[n];
	switch (reg) {
	case SYS_GIC_CDPEND:
		set_pending(gic, lpi, value & GICV5_CDPEND_PENDING);
		break;
	case SYS_GIC_CDEN:
		lpi->enable = true;
		break;
	case SYS_GIC_CDDIS:
		lpi->enable = false;
		break;
	case SYS_GIC_CDDI:
		lpi->active = false;
		break;
	case SYS_GIC_CDAFF:
		set_target(gic, lpi, value >> 32 & 0xffff);
		break;
	case SYS_GIC_CDPRI:
		lpi->priority = value >> 35 & 0x1f;
		break;
	default:
		break;
	}
	gicv5_cpu_changed(gic, lpi->cpu);
}

uint32_t gicv5_lpi_target(const struct gicv5 *gic, uint32_t lpi)
{
	return lpi < gic->config.lpis ? gic->lpis[lpi].cpu : UINT32_MAX;
}

bool gicv5_goes_to_irs(enum sysreg reg, uint64_t value)
{
	switch (reg) {
	case SYS_GIC_CDPEND:
	case SYS_GIC_CDEN:
	case SYS_GIC_CDDIS:
	case SYS_GIC_CDAFF:
	case SYS_GIC_CDPRI:
		return true;
	case SYS_GIC_CDDI:
		return (value >> 29 & 7) == GICV5_TYPE_LPI;
	default:
		return false;
	}
}
