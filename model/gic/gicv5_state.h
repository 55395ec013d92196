// SPDX-License-Identifier: Apache-2.0
/* The state behind gicv5.h, shared by the files gicv5*.c and nobody else. */
#ifndef CONVOY_MODEL_GIC_GICV5_STATE_H
#define CONVOY_MODEL_GIC_GICV5_STATE_H

#include "model/gic/gicv5.h"

#define GICV5_IDLE_PRIORITY 32u   /* lower than all 32 priorities */
#define GICV5_NO_LPI UINT32_MAX

#define ICH_VCTLR_EN 1u
#define ICH_VCTLR_V3 2u
#define ICH_VMCR_EN 1u
#define ICH_VMCR_VPMR_SHIFT 27

/* PPIs of one side, physical or virtual, in the order of their numbers. */
struct gicv5_ppis {
	uint64_t enable[2], active[2];
	uint64_t pending[2];            /* made so by an edge or a write */
	uint8_t priority[GICV5_PPIS];   /* 0 … 31 */
};

struct gicv5_cpu {
	/* physical side */
	struct gicv5_ppis ppis;
	uint64_t level[2];              /* the input wires */
	bool enabled;                   /* ICC_CR0_EL1.EN */
	uint8_t mask;                   /* ICC_PCR_EL1.PRIORITY */
	uint32_t active_priorities;     /* ICC_APR_EL1 */
	uint64_t icsr;
	uint32_t pending_lpis;          /* targeted here and pending, enabled or not */

	/* virtual side */
	struct gicv5_ppis vppis;
	uint64_t dvi[2];
	uint64_t vctlr, vmcr, contextr;
	uint32_t vactive_priorities;    /* ICH_APR_EL2 */

	bool line, vline;               /* as last told */
	bool changed;                   /* on the list of CPUs to look at */
};

struct gicv5_lpi {
	uint32_t cpu;
	uint8_t priority;
	bool enable, pending, active;
};

struct gicv5 {
	struct gicv5_config config;
	struct gicv5_lpi *lpis;
	uint32_t irs_cr0, irs_selected;
	uint32_t *changed;              /* CPUs whose lines may have changed, oldest first: a ring; each CPU at most once */
	uint32_t changed_head, changed_count;
	struct gicv5_cpu cpu[];
};

struct gicv5_candidate {
	uint64_t intid;
	uint32_t priority;              /* GICV5_IDLE_PRIORITY: there is none */
};

/* gicv5.c */
void gicv5_cpu_changed(struct gicv5 *gic, uint32_t cpu);
/* Physical pending state of 64 PPIs. */
uint64_t gicv5_ppi_pending(const struct gicv5 *gic, uint32_t cpu, uint32_t word);
uint32_t gicv5_running_priority(uint32_t active_priorities);
/* The best of 128 PPIs, given which are pending. */
struct gicv5_candidate gicv5_best_ppi(const struct gicv5_ppis *ppis, const uint64_t pending[2]);

/* gicv5_physical.c */
bool gicv5_line(const struct gicv5 *gic, uint32_t cpu);

/* gicv5_virtual.c */
bool gicv5_virtual_line(const struct gicv5 *gic, uint32_t cpu);
bool gicv5_virtual_read(struct gicv5 *gic, uint32_t cpu, enum sysreg reg, uint64_t *value);
bool gicv5_virtual_write(struct gicv5 *gic, uint32_t cpu, enum sysreg reg, uint64_t value);

/* gicv5_lpi.c */
struct gicv5_candidate gicv5_best_lpi(const struct gicv5 *gic, uint32_t cpu);
void gicv5_lpi_acknowledge(struct gicv5 *gic, uint32_t lpi);
void gicv5_lpi_instruction(struct gicv5 *gic, enum sysreg reg, uint64_t value);

/* Eight priorities to a register, one a byte. */
static inline uint64_t gicv5_priorities(const struct gicv5_ppis *ppis, uint32_t reg)
{
	uint64_t value = 0;

	for (uint32_t n = 0; n < 8; n++)
		value |= (uint64_t)ppis->priority[8 * reg + n] << 8 * n;
	return value;
}

static inline void gicv5_set_priorities(struct gicv5_ppis *ppis, uint32_t reg, uint64_t value)
{
	for (uint32_t n = 0; n < 8; n++)
		ppis->priority[8 * reg + n] = (uint8_t)(value >> 8 * n & 0x1f);
}

#endif
