// SPDX-License-Identifier: Apache-2.0
/*
 * The virtual CPU interface as system registers: ICH_*_EL2 for the hypervisor, ICV_*_EL1 for the guest (IHI 0069, chapter
 * "Programmers' model": the ICH and ICV registers). In hardware ICV_* share their encodings with ICC_*; here the guest's
 * accesses have names of their own, so no exception level needs to be known.
 */
#ifndef CONVOY_MODEL_GIC_GIC_ICH_H
#define CONVOY_MODEL_GIC_GIC_ICH_H

#include "model/gic/gic_virtual.h"
#include "model/sysreg.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Is it one of these registers? */
bool gic_ich_has(enum sysreg reg);

/* Of a register that gic_ich_has. Reading ICV_IAR1_EL1 acknowledges; write-only registers read as zero. */
uint64_t gic_ich_read(struct gic_virtual *v, enum sysreg reg);
/* Returns the physical interrupt to deactivate, or GIC_NO_INTERRUPT. Read-only registers ignore it. */
uint32_t gic_ich_write(struct gic_virtual *v, enum sysreg reg, uint64_t value);

#ifdef __cplusplus
}
#endif

#endif
