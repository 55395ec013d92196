// SPDX-License-Identifier: Apache-2.0
/* See aic.h. */
#include "model/gic/aic.h"

bool aic_fiq(const struct aic_cpu *cpu)
{
	return cpu->ipi || cpu->host_timer || (cpu->timers & cpu->fiq_enable);
}

void aic_set_timer(struct aic_cpu *cpu, intid ppi, bool level)
{
	const uint64_t bit = ppi.n == 27 ? AIC_FIQ_V : ppi.n == 30 ? AIC_FIQ_P : 0;

	if (ppi.n == 26)
		cpu->host_timer = level;
	cpu->timers = level ? cpu->timers | bit : cpu->timers & ~bit;
}

bool aic_read(const struct aic_cpu *cpu, enum sysreg reg, uint64_t *value)
{
	switch (reg) {
	case SYS_IMP_APL_VM_TMR_FIQ_ENA_EL2:
		*value = cpu->fiq_enable;
		return true;
	case SYS_IMP_APL_IPI_SR_EL1:
		*value = cpu->ipi;
		return true;
	default:
		return false;
	}
}

bool aic_write(struct aic_cpu *cpu, enum sysreg reg, uint64_t value)
{
	switch (reg) {
	case SYS_IMP_APL_VM_TMR_FIQ_ENA_EL2:
		cpu->fiq_enable = value & (AIC_FIQ_V | AIC_FIQ_P);
		return true;
	case SYS_IMP_APL_IPI_SR_EL1:
		cpu->ipi = cpu->ipi && !(value & 1);
		return true;
	default:
		return false;
	}
}

bool aic_ipi_target(cpu_id from, enum sysreg reg, uint64_t value, cpu_id *target)
{
	const uint32_t cpu = value & 0xff, cluster = value >> 16 & 0xff;

	switch (reg) {
	case SYS_IMP_APL_IPI_RR_LOCAL_EL1:
		target->n = from.n / AIC_CPUS_PER_CLUSTER * AIC_CPUS_PER_CLUSTER + cpu;
		return true;
	case SYS_IMP_APL_IPI_RR_GLOBAL_EL1:
		target->n = AIC_CPUS_PER_CLUSTER * cluster + cpu;
		return true;
	default:
		return false;
	}
}
