// SPDX-License-Identifier: Apache-2.0
/*
 * GICv5 register state as plain logic: the CPU interfaces with their PPIs, host and guest side, the LPIs by which CPUs
 * interrupt each other, and the few registers of the IRS (interrupt routing service) that a kernel needs. Source: Arm Generic
 * Interrupt Controller version 5 architecture specification (AES0070).
 *
 * PPIs live in the CPU alone: 128 of them, reached by system registers (ICC_PPI_*), no memory-mapped frame. An interrupt
 * is presented when it is pending, enabled, not active, of all such the one with the highest priority (the lowest number),
 * that priority is not below ICC_PCR_EL1 and above the running priority. GICR CDIA acknowledges, GIC CDEOI drops the priority,
 * GIC CDDI deactivates: always two steps.
 *
 * Guest side: the hypervisor's ICH_PPI_* are what the guest sees as ICC_PPI_*. Where ICH_PPI_DVIR is set, the physical PPI's
 * pending state is the virtual one's (direct virtual injection). The guest's interrupt line follows ICH_VCTLR_EL2.En,
 * ICH_VMCR_EL2 and its active priorities. With ICH_VCTLR_EL2.V3 the guest is a GICv3 guest with list registers: not here.
 *
 * Choices the architecture leaves open: equal priorities go by lower number, PPIs before LPIs; every PPI exists; a
 * level-sensitive PPI that was made pending by ICC_PPI_SPENDR stays so until it is acknowledged; LPIs are
 * edge-triggered and targeted, never 1-of-N.
 *
 * Not modelled: SPIs and the IWB, the ITS, tables in memory (LPI state is here), interrupt domains other than one,
 * virtual LPIs and SPIs, doorbells of VPEs (ICH_CONTEXTR_EL2 only keeps its value), NMIs (superpriority), fine-grained
 * traps.
 *
 * Ownership: gicv5_create allocates, gicv5_destroy frees; the configuration is copied.
 */
#ifndef CONVOY_MODEL_GIC_GICV5_H
#define CONVOY_MODEL_GIC_GICV5_H

#include <stdbool.h>
#include <stdint.h>

#include "base/ids.h"
#include "base/result.h"
#include "model/sysreg.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GICV5_PPIS 128u
#define GICV5_IPIS 16u              /* LPIs of each CPU that the kernel uses for IPIs */

/* INTID as the instructions take and return it: type in bits 31:29, number in 23:0. CDIA adds VALID. */
#define GICV5_TYPE_PPI 1u
#define GICV5_TYPE_LPI 2u
#define GICV5_INTID(type, number) ((uint64_t)(type) << 29 | (number))
#define GICV5_CDIA_VALID (1ull << 32)
#define GICV5_CDPEND_PENDING (1ull << 32)

struct gicv5_config {
	uint32_t cpus;             /* 1 … 65536 */
	uint32_t lpis;             /* 0 … 2^20 */
	uint64_t edge_ppis[2];     /* bit n: edge-triggered (ICC_PPI_HMR: 0); all others are level-sensitive */
};

struct gicv5;

/* Everything off, as after reset. CV_BAD_INPUT when the configuration is out of range. */
cv_result gicv5_create(const struct gicv5_config *config, struct gicv5 **out);
void gicv5_destroy(struct gicv5 *gic);

/* ---- registers and instructions of a CPU ------------------------------------------------------- */

/* False: not a register of this GIC. Reading GICR_CDIA or ICV_CDIA acknowledges. */
bool gicv5_register_read(struct gicv5 *gic, cpu_id cpu, enum sysreg reg, uint64_t *value);
/* GIC instructions on LPIs act at once; use gicv5_goes_to_irs to delay them. */
bool gicv5_register_write(struct gicv5 *gic, cpu_id cpu, enum sysreg reg, uint64_t value);
/* An instruction that the IRS carries out, and that another CPU may see. */
bool gicv5_goes_to_irs(enum sysreg reg, uint64_t value);
/* The CPU that an LPI is targeted at; UINT32_MAX: there is no such LPI. */
uint32_t gicv5_lpi_target(const struct gicv5 *gic, uint32_t lpi);

/* ---- IRS: 32-bit registers by offset in its frame ----------------------------------------------- */

uint32_t gicv5_irs_read(struct gicv5 *gic, uint32_t offset);
void gicv5_irs_write(struct gicv5 *gic, uint32_t offset, uint32_t value);

/* ---- wires ----------------------------------------------------------------------------------------- */

void gicv5_set_ppi(struct gicv5 *gic, cpu_id cpu, intid ppi, bool level);

struct gicv5_line {
	cpu_id cpu;
	bool is_virtual, asserted;
};
/* Takes a line that changed since it was last asked for; false when there is none. Call until false after each call above. */
bool gicv5_next_line_change(struct gicv5 *gic, struct gicv5_line *line);

#ifdef __cplusplus
}
#endif

#endif
