// SPDX-License-Identifier: Apache-2.0
/*
 * Pending errors around the guest (arch/arm64/kvm/hyp/entry.S; "KVM: arm64: Account host/guest SError more precisely",
 * June 2019).
 *
 * Entry: nothing up to v5.2; then an error of the host is made to show before the guest runs (dsb nshst on every core
 * in the first version of the series; dsb nshst and ISB on cores with RAS in the kernel), and ISR_EL1 is looked at.
 * `dsb nshst` waits for device writes that are still out.
 * Exit, cores without RAS: dsb sy in both; up to v5.2 errors are then unmasked for a moment, for which the three
 * registers that a nested exception would change are kept; later a look at ISR_EL1 decides. Cores with RAS have their
 * own way there (ESB), which costs none of this.
 */
#include "model/kvm/hyp_entry.h"

void hyp_serror_entry(struct cpu *cpu, const struct kernel_config *config)
{
	if (config->serror_entry == SERROR_ENTRY_NONE)
		return;
	if (config->serror_entry == SERROR_ENTRY_DSB) {
		cpu_barrier(cpu, BARRIER_DSB);
	} else if (config->ras) {
		cpu_barrier(cpu, BARRIER_DSB);
		cpu_barrier(cpu, BARRIER_ISB);
	}
	cpu_sysreg_read(cpu, SYS_ISR_EL1);
}

void hyp_serror_exit(struct cpu *cpu, const struct kernel_config *config)
{
	if (config->ras)
		return;
	if (config->serror_exit == SERROR_EXIT_ISR) {
		cpu_barrier(cpu, BARRIER_DSB);
		cpu_barrier(cpu, BARRIER_ISB);
		cpu_sysreg_read(cpu, SYS_ISR_EL1);
		return;
	}
	cpu_sysreg_read(cpu, SYS_ELR_EL2);
	cpu_sysreg_read(cpu, SYS_ESR_EL2);
	cpu_sysreg_read(cpu, SYS_SPSR_EL2);
	cpu_barrier(cpu, BARRIER_DSB);
	cpu_sysreg_write(cpu, SYS_DAIF, 0);
	cpu_barrier(cpu, BARRIER_ISB);
	cpu_sysreg_write(cpu, SYS_DAIF, 0);
}
