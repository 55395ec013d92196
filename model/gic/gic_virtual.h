// SPDX-License-Identifier: Apache-2.0
/*
 * The virtual CPU interface of one CPU as plain logic: list registers, what they signal to the guest, what the guest does
 * to them, and the maintenance interrupt. Sources: IHI 0069 (GICv3/v4), chapter "Virtual interrupt handling" and the
 * descriptions of ICH_* and ICV_*; IHI 0048 (GICv2), chapter "GIC support for virtualization".
 *
 * GICv2, GICv3 and GICv4 share it, and a controller of another maker that gives guests an Arm CPU interface. Registers are
 * kept in the form of ICH_*_EL2; gic_ich.h is their face as system registers, gicv2_virtual.c the one as the frames GICH
 * and GICV.
 *
 * A list register: invalid, pending, active, or pending and active. The guest acknowledges the pending one with the highest
 * priority (equal: the lowest list register) of the enabled groups, if that passes the virtual mask and running priority; it
 * becomes active, and its priority the running one. The guest's EOI drops the priority and, with VMCR.VEOIM = 0,
 * deactivates; with VEOIM = 1 DIR deactivates. Deactivating makes the list register invalid (or pending). With the HW
 * bit the physical interrupt is deactivated too: functions return its number, and whoever owns the physical interrupts
 * acts on it.
 *
 * Choices the architecture leaves open: EOI with no active priority, or of a group that is not the running one, does
 * nothing; DIR with VEOIM = 0 is ignored; equal priorities go by list register.
 *
 * Not modelled: binary points (all implemented bits are group priority; the fields keep what is written), vFIQ (Group 0
 * with VFIQEn = 1 is not signalled), traps (ICH_HCR_EL2.TC, TALL0, TALL1, TDIR keep what is written; whether a guest's access
 * is one is for the software that models the guest), virtual NMIs, direct injection (vPEs).
 *
 * Ownership: plain data; the owner initialises it once and asks for the two lines after each call.
 */
#ifndef CONVOY_MODEL_GIC_GIC_VIRTUAL_H
#define CONVOY_MODEL_GIC_GIC_VIRTUAL_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GIC_LIST_REGISTERS_MAX 64u  /* GICv2; 16 as system registers */
#define GIC_NO_INTERRUPT UINT32_MAX
#define GIC_PPI_MAINTENANCE 25u     /* by the base system architecture */

/* A list register, as ICH_LR<n>_EL2. */
#define ICH_LR_VINTID     0xffffull               /* 16 bits of INTID */
#define ICH_LR_PINTID(lr) ((uint32_t)((lr) >> 32 & 0x1fff))
#define ICH_LR_EOI        (1ull << 41)            /* only with HW = 0 */
#define ICH_LR_CPUID(lr)  ((uint32_t)((lr) >> 32 & 7))  /* GICv2, HW = 0: the CPU that asked for this SGI */
#define ICH_LR_GROUP1     (1ull << 60)
#define ICH_LR_HW         (1ull << 61)
#define ICH_LR_PENDING    (1ull << 62)
#define ICH_LR_ACTIVE     (1ull << 63)
#define ICH_LR_STATE      (ICH_LR_PENDING | ICH_LR_ACTIVE)

#define ICH_HCR_EN        (1u << 0)
#define ICH_HCR_UIE       (1u << 1)
#define ICH_HCR_LRENPIE   (1u << 2)
#define ICH_HCR_NPIE      (1u << 3)
#define ICH_HCR_EOICOUNT_SHIFT 27

#define ICH_MISR_EOI      (1u << 0)
#define ICH_MISR_U        (1u << 1)
#define ICH_MISR_LRENP    (1u << 2)
#define ICH_MISR_NP       (1u << 3)

#define ICH_VMCR_VENG0    (1u << 0)
#define ICH_VMCR_VENG1    (1u << 1)
#define ICH_VMCR_VACKCTL  (1u << 2)
#define ICH_VMCR_VFIQEN   (1u << 3)
#define ICH_VMCR_VEOIM    (1u << 9)
#define ICH_VMCR_VPMR_SHIFT 24

struct gic_virtual {
	uint32_t list_registers;  /* 1 … 16, GICv2: 1 … 64 */
	uint32_t priority_bits;   /* 5, 6 or 7 */
	bool system_registers;    /* else GICv2: memory-mapped, SGIs carry the CPU they come from */

	uint64_t lr[GIC_LIST_REGISTERS_MAX];
	uint32_t hcr, vmcr;
	uint32_t active_priorities[2][4];  /* by group: ICH_AP0R<n>, ICH_AP1R<n>; GICv2: GICH_APR is [0][0], for both groups */

	/* of lr, one bit each */
	uint64_t pending;         /* pending and not active: what can be signalled */
	uint64_t valid;           /* not invalid */
	uint64_t ended;           /* ICH_EISR */
};

/* After reset. Asserts the ranges above. */
void gic_virtual_init(struct gic_virtual *v, uint32_t list_registers, uint32_t priority_bits, bool system_registers);

/* ---- the hypervisor's side; all others are fields -------------------------------------------- */

void gic_virtual_write_lr(struct gic_virtual *v, uint32_t n, uint64_t value);
void gic_virtual_write_vmcr(struct gic_virtual *v, uint32_t value);
/* List registers free to be overwritten, a bit each. */
uint64_t gic_virtual_elrsr(const struct gic_virtual *v);
uint32_t gic_virtual_misr(const struct gic_virtual *v);
/* ICH_AP<group>R<n>: 1, 2 or 4 of a group by priority_bits; the others read as zero. */
uint32_t gic_virtual_read_apr(const struct gic_virtual *v, uint32_t group, uint32_t n);
void gic_virtual_write_apr(struct gic_virtual *v, uint32_t group, uint32_t n, uint32_t value);

/* ---- the guest's side -------------------------------------------------------------------------- */

enum gic_virtual_groups { GIC_VIRTUAL_GROUP0 = 1, GIC_VIRTUAL_GROUP1 = 2, GIC_VIRTUAL_BOTH = 3 };

/*
 * What an acknowledge would return: 1023 if there is nothing, 1022 if it is Group 1 and only Group 0 is asked for. With
 * GICv2 bits 12:10 name the CPU that asked for an SGI.
 */
uint32_t gic_virtual_highest(const struct gic_virtual *v, enum gic_virtual_groups groups);
uint32_t gic_virtual_acknowledge(struct gic_virtual *v, enum gic_virtual_groups groups);
/* Both return the physical interrupt to deactivate, or GIC_NO_INTERRUPT. */
uint32_t gic_virtual_end(struct gic_virtual *v, uint32_t interrupt, enum gic_virtual_groups groups);
uint32_t gic_virtual_deactivate(struct gic_virtual *v, uint32_t interrupt);
uint32_t gic_virtual_running_priority(const struct gic_virtual *v);

/* ---- lines ----------------------------------------------------------------------------------------- */

bool gic_virtual_line(const struct gic_virtual *v);         /* vIRQ */
bool gic_virtual_maintenance(const struct gic_virtual *v);  /* the maintenance interrupt, level */

#ifdef __cplusplus
}
#endif

#endif
