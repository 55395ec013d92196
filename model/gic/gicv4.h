// SPDX-License-Identifier: Apache-2.0
/*
 * What a GICv4 adds to the redistributors, as plain logic: which vPE (virtual CPU) is resident on which CPU, and
 * whether an LPI is pending for it. Source: IHI 0069 (GICv3/v4 architecture specification), VLPI_base frame.
 *
 * A vPE is made resident by writing GICR_VPENDBASER with Valid set, and not resident by clearing Valid. GICv4.1: the register
 * names the vPE by number; with Valid set Dirty reads 1 for `scan_time`, while the redistributor reads the pending
 * table. GICv4.0: it holds the table's address, of which 64 KiB units count as the vPE's number here; Dirty says
 * nothing while Valid is set. Valid cleared: Dirty reads 1 for `scan_time` if the table has to be written back, that is
 * if an LPI came or was acknowledged since; then PendingLast says whether one is pending.
 *
 * One flag a vPE stands for all its LPIs. An LPI for a resident vPE asserts the vIRQ of its CPU, after the scan. For
 * one that is not resident: GICv4.1 raises the doorbell if one was asked for when Valid was cleared (bit 62), once;
 * GICv4.0 always (the default doorbell). The doorbell is LPI 8192 + vPE at the CPU where the vPE was last. GICv4.0's is
 * an ordinary LPI of the host, which stays pending while its byte in the LPI configuration table disables it, as after
 * boot; GICv4.1's are enabled from the start.
 *
 * Not modelled: the tables in memory, ITS commands and mappings (LPI n belongs to vPE n: GITS_TRANSLATER of gicv4.hpp),
 * priorities and enables of virtual LPIs, vSGIs, GICR_VPROPBASER's contents, IDAI.
 *
 * Times are in whatever unit the caller keeps; accesses to one CPU's registers come in order of `now`.
 */
#ifndef CONVOY_MODEL_GIC_GICV4_H
#define CONVOY_MODEL_GIC_GICV4_H

#include <stdbool.h>
#include <stdint.h>

#include "base/ids.h"
#include "base/result.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Offsets from VLPI_base. */
enum { GICR_VPROPBASER = 0x70, GICR_VPENDBASER = 0x78 };
#define GICR_VPENDBASER_VALID        (1ull << 63)
#define GICR_VPENDBASER_4_1_DB       (1ull << 62)
#define GICR_VPENDBASER_PENDING_LAST (1ull << 61)
#define GICR_VPENDBASER_DIRTY        (1ull << 60)
#define GICV4_DOORBELLS 8192u
#define GICV4_NO_VPE UINT32_MAX

struct gicv4_vpe_config {
	uint32_t cpus, vpes;
	bool v4_1;
	uint64_t scan_time;
};

struct gicv4_state;

cv_result gicv4_create(const struct gicv4_vpe_config *config, struct gicv4_state **out);
void gicv4_destroy(struct gicv4_state *gic);

/* Registers of a CPU's VLPI_base frame, 64 bits. Reserved ones read as zero and ignore writes. */
uint64_t gicv4_read(const struct gicv4_state *gic, cpu_id cpu, uint32_t offset, uint64_t now);
void gicv4_write(struct gicv4_state *gic, cpu_id cpu, uint32_t offset, uint64_t value, uint64_t now);
/* When the scan or write-back of this CPU ends: not before that does gicv4_vline show the resident vPE's LPIs. */
uint64_t gicv4_dirty_until(const struct gicv4_state *gic, cpu_id cpu);

/* An LPI for `vpe`. Returns the CPU whose lines may have changed, GICV4_NO_VPE: none. */
uint32_t gicv4_lpi(struct gicv4_state *gic, uint32_t vpe);
/* Is an LPI of the resident vPE pending, as the CPU interface sees it? */
bool gicv4_vline(const struct gicv4_state *gic, cpu_id cpu, uint64_t now);
/* The guest acknowledges it: INTID, 1023 if there is none. */
uint32_t gicv4_acknowledge_virtual(struct gicv4_state *gic, cpu_id cpu, uint64_t now);

/* The doorbell's enable in the LPI configuration table, as the redistributor knows it after an INV. */
void gicv4_enable_doorbell(struct gicv4_state *gic, uint32_t vpe, bool enabled);
/* Where it is, or was last. */
uint32_t gicv4_cpu_of(const struct gicv4_state *gic, uint32_t vpe);
/* Doorbells: a host LPI pending and enabled at this CPU, and its acknowledgement (INTID, 1023 if there is none). */
bool gicv4_doorbell(const struct gicv4_state *gic, cpu_id cpu);
uint32_t gicv4_acknowledge_doorbell(struct gicv4_state *gic, cpu_id cpu);

#ifdef __cplusplus
}
#endif

#endif
