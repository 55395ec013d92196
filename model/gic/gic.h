// SPDX-License-Identifier: Apache-2.0
/*
 * GICv3 register state as plain logic: distributor, one redistributor and one CPU interface per CPU. No
 * sockets, no queues: the SystemC modules around it add those. Source: IHI 0069 (GICv3/v4 architecture
 * specification).
 *
 * Configuration that is modelled: one Security state (GICD_CTLR.DS = 1), affinity routing always on
 * (ARE = 1), SGIs, PPIs 16-31 and SPIs, level- and edge-sensitive, Group 1 delivery. An interrupt is
 * presented to a CPU when it is pending, enabled, not active, in Group 1, of all such the one with the
 * highest priority, and that priority passes the mask and the running priority.
 *
 * Choices the architecture leaves open: equal priorities go by lower INTID; a 1-of-N SPI goes to the
 * lowest-numbered CPU that is awake and has Group 1 enabled; PPI trigger modes are writable; a write to
 * DIR with EOImode = 0 is ignored; IGROUPR and priorities are 0 after reset.
 *
 * Not modelled: LPIs and the ITS, Group 0 delivery (FIQ), two Security states, extended PPI/SPI ranges,
 * NMIs, message-based SPIs, binary point (all implemented priority bits are group priority),
 * WakeRequest, PMHE. Virtual CPU interfaces: gic_virtual.h.
 *
 * Time: the only thing here that takes time is a disable (RWP). `now` is a monotone count in whatever
 * unit the caller keeps for gic_config.disable_time; accesses to one target come in order of `now`.
 *
 * Ownership: gic_create allocates, gic_destroy frees; the configuration is copied.
 */
#ifndef CONVOY_MODEL_GIC_GIC_H
#define CONVOY_MODEL_GIC_GIC_H

#include <stdbool.h>
#include <stdint.h>

#include "base/ids.h"
#include "base/result.h"
#include "model/gic/gic_virtual.h"
#include "model/gic/registers.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GIC_SPURIOUS 1023u
#define GIC_NEVER UINT64_MAX

struct gic_config {
	uint32_t version;          /* 2: gicv2.h; 3, or 0: GICv3 */
	uint32_t cpus;             /* 1 … 65536; GICv2: 8 */
	uint32_t spis;             /* 0, a multiple of 32 up to 960, or 988; the first has INTID 32 */
	uint32_t priority_bits;    /* 5, 6 or 7, physical and virtual; GICv2: 5 */
	uint32_t list_registers;   /* of each virtual CPU interface, 1 … 16, GICv2: 64; 0: the GIC has none */
	uint32_t edge_ppis;        /* bit n: INTID n is edge-triggered after reset; bits 16-31 count */
	uint32_t iidr;             /* GICD_IIDR and GICR_IIDR */
	uint64_t disable_time;     /* from a write that disables to its effect (RWP), in units of `now`; 0: at once */
	const uint32_t *affinity;  /* per CPU, Aff3:Aff2:Aff1:Aff0 from the top; NULL: 16 CPUs to an Aff1 */
};

struct gic;

/* A GIC after reset, in *out. CV_BAD_INPUT when the configuration is out of range or two CPUs share an affinity. */
cv_result gic_create(const struct gic_config *config, struct gic **out);
void gic_destroy(struct gic *gic);

/* ---- memory-mapped registers ------------------------------------------------------------------- */

enum gic_status {
	GIC_OK,
	GIC_BAD_SIZE  /* size not allowed for this register, or not aligned: nothing happened */
};

/* `offset` is from the start of the target, inside it. `bytes`: 1, 2, 4 or 8. `cpu` names the redistributor; the
 * distributor ignores it. Reserved registers read as zero and ignore writes. Reads have no side effect.
 * */
enum gic_status gic_read(struct gic *gic, enum gic_target target, cpu_id cpu, uint32_t offset, uint32_t bytes,
			 uint64_t now, uint64_t *value);
enum gic_status gic_write(struct gic *gic, enum gic_target target, cpu_id cpu, uint32_t offset, uint32_t bytes,
			  uint64_t now, uint64_t value);

/* Disables of the target whose time has come by `now` take effect and RWP clears. Accesses do this by themselves. */
void gic_settle(struct gic *gic, enum gic_target target, cpu_id cpu, uint64_t now);
/* When RWP of the target will clear; GIC_NEVER when it is clear. */
uint64_t gic_rwp_until(const struct gic *gic, enum gic_target target, cpu_id cpu);

/* ---- CPU interface: system registers, by the names of registers.h -------------------------------- */

/* Reading ICC_IAR1_EL1 acknowledges. Asserts that the register can be read, or written. */
uint64_t gic_icc_read(struct gic *gic, cpu_id cpu, enum gic_offset reg);
void gic_icc_write(struct gic *gic, cpu_id cpu, enum gic_offset reg, uint64_t value);

/*
 * ICC_SGI1R_EL1 in two steps, for callers whose SGIs take time: whom a value reaches, and the SGI becoming pending there.
 * gic_icc_write does both at once.
 */
#define GIC_SGI1R_INTID(sgi1r) ((uint32_t)((sgi1r) >> 24 & 0xf))
bool gic_sgi_reaches(const struct gic *gic, cpu_id from, uint64_t sgi1r, cpu_id to);
void gic_sgi_arrives(struct gic *gic, cpu_id to, uint32_t sgi);

/* Takes an active state away, as a virtual CPU interface asks for an interrupt with the HW bit. */
void gic_deactivate(struct gic *gic, cpu_id cpu, intid irq);

/* The virtual CPU interface of a CPU (gic_virtual.h); NULL: the GIC has none. Lines and deactivation are the caller's. */
struct gic_virtual *gic_virtual_of(struct gic *gic, cpu_id cpu);

/* ---- wires ----------------------------------------------------------------------------------------- */

/* Level of an input; a rising edge makes an edge-triggered interrupt pending. Asserts that the input exists. */
void gic_set_ppi(struct gic *gic, cpu_id cpu, intid irq, bool level);
void gic_set_spi(struct gic *gic, intid irq, bool level);

/* The interrupt line towards a CPU, as it is now. */
bool gic_line(const struct gic *gic, cpu_id cpu);
/*
 * Takes the next CPU whose line changed since it was last asked for; false when there is none. In order of the
 * changes' causes, each CPU at most once. Call until false after every call above that can change something.
 */
bool gic_next_line_change(struct gic *gic, cpu_id *cpu, bool *asserted);

#ifdef __cplusplus
}
#endif

#endif
