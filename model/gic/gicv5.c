// SPDX-License-Identifier: Apache-2.0
/* A GICv5 after reset, its wires, lines and IRS; see gicv5.h. */
#include <assert.h>
#include <stdlib.h>

#include "model/gic/gicv5_state.h"

/* Offsets and fields of the IRS configuration frame. */
enum { IRS_IDR1 = 0x04, IRS_IDR2 = 0x08, IRS_CR0 = 0x80, IRS_SYNC_STATUSR = 0xc4, IRS_PE_SELR = 0x140, IRS_PE_STATUSR = 0x144,
       IRS_PE_CR0 = 0x148 };
#define IRS_IDR1_PRIORITY_BITS_5 (4u << 20)
#define IRS_IDR1_IAFFID_BITS_16 (15u << 16)
#define IRS_IDR2_LPI (1u << 5)
#define IRS_IDR2_ID_BITS 24u
#define IRS_CR0_IDLE (1u << 1)
#define IRS_CR0_IRSEN 1u
#define IRS_PE_STATUSR_V (1u << 1)
#define IRS_IDLE 1u

cv_result gicv5_create(const struct gicv5_config *config, struct gicv5 **out)
{
	struct gicv5 *gic;

	RETURN_ERROR_IF(config->cpus < 1 || config->cpus > 65536, CV_BAD_INPUT,
			"GICv5 with %u CPUs: 1 to 65536 can be told apart by an IAFFID", config->cpus);
	RETURN_ERROR_IF(config->lpis > 1u << 20, CV_BAD_INPUT, "GICv5 with %u LPIs: at most %u are modelled", config->lpis, 1u << 20);
	gic = calloc(1, sizeof(*gic) + config->cpus * sizeof(gic->cpu[0]));
	RETURN_ERROR_IF(!gic, CV_INTERNAL, "no memory for a GICv5 with %u CPUs", config->cpus);
	gic->config = *config;
	gic->lpis = calloc(config->lpis + 1, sizeof(*gic->lpis));
	gic->changed = calloc(config->cpus, sizeof(*gic->changed));
	if (!gic->lpis || !gic->changed) {
		gicv5_destroy(gic);
		return cv_error_set(CV_INTERNAL, "no memory for a GICv5 with %u CPUs and %u LPIs", config->cpus, config->lpis);
	}
	*out = gic;
	return CV_OK;
}

void gicv5_destroy(struct gicv5 *gic)
{
	if (!gic)
		return;
	free(gic->lpis);
	free(gic->changed);
	free(gic);
}

void gicv5_cpu_changed(struct gicv5 *gic, uint32_t cpu)
{
	if (gic->cpu[cpu].changed)
		return;
	gic->cpu[cpu].changed = true;
	gic->changed[(gic->changed_head + gic->changed_count++) % gic->config.cpus] = cpu;
}

uint64_t gicv5_ppi_pending(const struct gicv5 *gic, uint32_t cpu, uint32_t word)
{
	const struct gicv5_cpu *c = &gic->cpu[cpu];

	return c->ppis.pending[word] | (c->level[word] & ~gic->config.edge_ppis[word]);
}

uint32_t gicv5_running_priority(uint32_t active_priorities)
{
	return active_priorities ? (uint32_t)__builtin_ctz(active_priorities) : GICV5_IDLE_PRIORITY;
}

struct gicv5_candidate gicv5_best_ppi(const struct gicv5_ppis *ppis, const uint64_t pending[2])
{
	struct gicv5_candidate best = { 0, GICV5_IDLE_PRIORITY };

	for (uint32_t word = 0; word < 2; word++) {
		for (uint64_t bits = pending[word] & ppis->enable[word] & ~ppis->active[word]; bits; bits &= bits - 1) {
			const uint32_t ppi = 64 * word + (uint32_t)__builtin_ctzll(bits);

			if (ppis->priority[ppi] < best.priority)
				best = (struct gicv5_candidate){ GICV5_INTID(GICV5_TYPE_PPI, ppi), ppis->priority[ppi] };
		}
	}
	return best;
}

void gicv5_set_ppi(struct gicv5 *gic, cpu_id cpu, intid ppi, bool level)
{
	struct gicv5_cpu *c = &gic->cpu[cpu.n];
	const uint32_t word = ppi.n / 64;
	const uint64_t bit = 1ull << ppi.n % 64;

	assert(cpu.n < gic->config.cpus && ppi.n < GICV5_PPIS);
	if (level && !(c->level[word] & bit))
		c->ppis.pending[word] |= gic->config.edge_ppis[word] & bit;
	c->level[word] = level ? c->level[word] | bit : c->level[word] & ~bit;
	gicv5_cpu_changed(gic, cpu.n);
}

/* Of the CPU in front: the physical line first; the CPU leaves the list when neither differs from what was told. */
bool gicv5_next_line_change(struct gicv5 *gic, struct gicv5_line *line)
{
	while (gic->changed_count) {
		const uint32_t n = gic->changed[gic->changed_head];
		struct gicv5_cpu *c = &gic->cpu[n];

		if (c->line != gicv5_line(gic, n)) {
			c->line = !c->line;
			*line = (struct gicv5_line){ { n }, false, c->line };
			return true;
		}
		if (c->vline != gicv5_virtual_line(gic, n)) {
			c->vline = !c->vline;
			*line = (struct gicv5_line){ { n }, true, c->vline };
			return true;
		}
		gic->changed_head = (gic->changed_head + 1) % gic->config.cpus;
		gic->changed_count--;
		c->changed = false;
	}
	return false;
}

uint32_t gicv5_irs_read(struct gicv5 *gic, uint32_t offset)
{
	switch (offset) {
	case IRS_IDR1:
		return IRS_IDR1_PRIORITY_BITS_5 | IRS_IDR1_IAFFID_BITS_16;
	case IRS_IDR2:
		return IRS_IDR2_LPI | IRS_IDR2_ID_BITS;
	case IRS_CR0:
		return gic->irs_cr0 | IRS_CR0_IDLE;
	case IRS_SYNC_STATUSR:
		return IRS_IDLE;
	case IRS_PE_SELR:
		return gic->irs_selected;
	case IRS_PE_STATUSR:
		return IRS_IDLE | (gic->irs_selected < gic->config.cpus ? IRS_PE_STATUSR_V : 0);
	case IRS_PE_CR0:
		return gic->irs_selected < gic->config.cpus;  /* DPS: the selected PE takes no 1-of-N interrupts */
	default:
		return 0;
	}
}

void gicv5_irs_write(struct gicv5 *gic, uint32_t offset, uint32_t value)
{
	switch (offset) {
	case IRS_CR0:
		gic->irs_cr0 = value & IRS_CR0_IRSEN;
		for (uint32_t cpu = 0; cpu < gic->config.cpus; cpu++)
			gicv5_cpu_changed(gic, cpu);
		break;
	case IRS_PE_SELR:
		gic->irs_selected = value & 0xffff;
		break;
	default:
		break;
	}
}
