// SPDX-License-Identifier: Apache-2.0
/*
 * The state behind gic.h, shared by the files of this folder and nobody else.
 *
 * A block is 32 interrupts: every redistributor has one (INTIDs 0-31), the distributor has one for each
 * 32 SPIs. The same code serves both, because the registers of both have the same meaning.
 */
#ifndef CONVOY_MODEL_GIC_GIC_STATE_H
#define CONVOY_MODEL_GIC_GIC_STATE_H

#include "model/gic/gic.h"

#define GIC_BLOCKS 32          /* block n holds INTIDs 32n … 32n+31; the distributor's block 0 stays unused */
#define GIC_IDLE_PRIORITY 0xffu

#define GICD_CTLR_ENABLE_GRP1 (1u << 1)
#define GICD_CTLR_ENABLES     0x3u        /* EnableGrp0, EnableGrp1 */
#define GICD_CTLR_RWP         (1u << 31)
#define GICR_CTLR_RWP         (1u << 3)
#define GICR_WAKER_PROCESSOR_SLEEP  (1u << 1)
#define GICR_WAKER_CHILDREN_ASLEEP  (1u << 2)

struct gic_block {
	uint32_t valid;     /* the INTIDs that exist; other bits are RAZ/WI everywhere */
	uint32_t group;     /* 1: Group 1 */
	uint32_t enable;    /* what ISENABLER shows */
	uint32_t stopping;  /* disabled, but still forwarded until RWP clears */
	uint32_t latch;     /* made pending by an edge or a write; cleared by acknowledging */
	uint32_t level;     /* the input wires */
	uint32_t edge;      /* 1: edge-triggered */
	uint32_t active;
	uint8_t priority[32];
};

struct gic_cpu {
	uint32_t affinity;

	/* redistributor */
	struct gic_block block;
	bool asleep;         /* GICR_WAKER.ProcessorSleep; ChildrenAsleep follows at once */
	uint64_t rwp_until;  /* GIC_NEVER: no write pending */

	/* CPU interface */
	bool group1_enabled;
	bool eoi_mode;       /* 1: EOIR drops the priority only, DIR deactivates */
	uint8_t priority_mask;
	uint32_t active_priorities[4];  /* bit n: an interrupt of group priority n << (8 - priority_bits) is active */

	uint8_t sgi_sources[16];  /* GICv2: by SGI, the CPUs whose request is pending, a bit each */
	struct gic_virtual virtual_interface;

	/* line towards the CPU */
	bool line;           /* as last told */
	bool changed;        /* on the list of CPUs to look at */
};

/* Who an SPI goes to: a CPU's number, or one of these. */
#define GIC_TARGET_NONE  UINT32_MAX        /* an affinity that no CPU has */
#define GIC_TARGET_ONE_OF_N (UINT32_MAX - 1)

struct gic {
	struct gic_config config;      /* affinity: not kept here, see gic_cpu */
	uint8_t implemented_priority;  /* mask of the implemented bits */

	/* distributor */
	uint32_t ctlr;                 /* the group enables */
	uint64_t rwp_until;
	struct gic_block spi[GIC_BLOCKS];
	uint32_t spi_blocks_ready;     /* bit n: spi[n] has something that could be presented */
	uint64_t router[GIC_BLOCKS * 32];
	uint32_t spi_target[GIC_BLOCKS * 32];
	uint8_t spi_cpus[GIC_BLOCKS * 32];  /* GICv2: GICD_ITARGETSR */

	uint32_t *changed;             /* CPUs whose line may have changed, oldest first: a ring; each CPU at most once */
	uint32_t changed_head, changed_count;

	struct gic_cpu cpu[];
};

struct gic_pending {
	uint32_t irq;       /* GIC_SPURIOUS: none */
	uint8_t priority;
};

/* gic_pending.c: what is presented to whom */
uint32_t gic_block_pending(const struct gic_block *block);
void gic_cpu_changed(struct gic *gic, uint32_t cpu);     /* something that decides about this CPU's line changed */
void gic_all_changed(struct gic *gic);
void gic_spi_block_changed(struct gic *gic, uint32_t block);
struct gic_pending gic_highest_pending(const struct gic *gic, uint32_t cpu);
uint8_t gic_running_priority(const struct gic *gic, uint32_t cpu);

/* gic_block.c: registers that distributor and redistributor share */
bool gic_is_block_register(enum gic_register_id id);
uint32_t gic_block_registers_per_block(enum gic_register_id id);
/* `part`: which register of the block, for those with several (IPRIORITYR 0-7, ICFGR 0-1). */
uint32_t gic_block_read(const struct gic_block *block, enum gic_register_id id, uint32_t part);
/* Returns true when an enabled interrupt was disabled: the caller starts RWP. */
bool gic_block_write(struct gic_block *block, enum gic_register_id id, uint32_t part, uint32_t value,
		     uint8_t implemented_priority);

/* gic_affinity.c */
void gic_router_write(struct gic *gic, uint32_t irq, uint64_t value);
uint32_t gic_cpu_of_affinity(const struct gic *gic, uint32_t affinity);  /* GIC_TARGET_NONE when there is none */
void gic_send_sgi(struct gic *gic, uint32_t from, uint64_t sgi1r);

#endif
