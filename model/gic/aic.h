// SPDX-License-Identifier: Apache-2.0
/*
 * Apple's interrupt controller as far as it belongs to a CPU, as plain logic: the FIQ of a CPU and its sources. There
 * is no public specification; names and meaning are those of the Linux driver (drivers/irqchip/irq-apple-aic.c).
 *
 * Sources: the guest timers' outputs, each gated by its bit of SYS_IMP_APL_VM_TMR_FIQ_ENA_EL2 (V: virtual, bit 0; P:
 * physical, bit 1), the host's own EL2 physical timer, which no bit gates, and fast IPIs (SYS_IMP_APL_IPI_SR_EL1 bit 0,
 * write one to clear). The FIQ is the OR of them: no numbers, no priorities, no active state. Here it is the CPU's one
 * interrupt input.
 *
 * Not modelled: device interrupts (AIC event register and masks), performance counters, deferred IPIs.
 */
#ifndef CONVOY_MODEL_GIC_AIC_H
#define CONVOY_MODEL_GIC_AIC_H

#include <stdbool.h>
#include <stdint.h>

#include "base/ids.h"
#include "model/sysreg.h"

#ifdef __cplusplus
extern "C" {
#endif

#define AIC_CPUS_PER_CLUSTER 4u
#define AIC_FIQ_V 1u
#define AIC_FIQ_P 2u

/* Of one CPU. All zero after reset. */
struct aic_cpu {
	uint64_t fiq_enable;
	uint64_t timers;   /* levels, in the order of fiq_enable's bits */
	bool ipi, host_timer;  /* host_timer: no enable, a FIQ whenever it fires */
};

bool aic_fiq(const struct aic_cpu *cpu);
/* PPI 27 and 30 name the guests' timers, 26 the host's (CNTHP), as on a GIC; others are not connected. */
void aic_set_timer(struct aic_cpu *cpu, intid ppi, bool level);
/* False: not a register of this controller. */
bool aic_read(const struct aic_cpu *cpu, enum sysreg reg, uint64_t *value);
bool aic_write(struct aic_cpu *cpu, enum sysreg reg, uint64_t value);
/* Whom a write of an IPI request register is for; false: it is none. The local one names a CPU of the writer's cluster. */
bool aic_ipi_target(cpu_id from, enum sysreg reg, uint64_t value, cpu_id *target);

#ifdef __cplusplus
}
#endif

#endif
