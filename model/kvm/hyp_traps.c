// SPDX-License-Identifier: Apache-2.0
/*
 * The trap registers that VHE sets at load and nVHE at every entry (arch/arm64/kvm/hyp/include/hyp/switch.h):
 * __activate_traps_common and __deactivate_traps_common. Cores with fine-grained traps (host.cpu.fgt) have HCRX_EL2 and
 * five registers more, read and written here and written back there.
 * Not modelled: FEAT_FGT2, AMU, MPAM.
 */
#include "model/kvm/hyp_entry.h"

static const enum sysreg fine_grained[] = {
	SYS_HCRX_EL2, SYS_HFGRTR_EL2, SYS_HFGWTR_EL2, SYS_HFGITR_EL2, SYS_HDFGRTR_EL2, SYS_HDFGWTR_EL2,
};

#define FINE_GRAINED (sizeof(fine_grained) / sizeof(fine_grained[0]))

static void read_modify_write(struct cpu *cpu, enum sysreg reg)
{
	cpu_sysreg_write(cpu, reg, cpu_sysreg_read(cpu, reg));
}

void activate_traps_common(struct cpu *cpu, const struct kernel_config *config)
{
	FUNCTION_NAMED(cpu, "__activate_traps_common");

	cpu_sysreg_write(cpu, SYS_HSTR_EL2, 0);
	cpu_sysreg_write(cpu, SYS_PMSELR_EL0, 0);
	read_modify_write(cpu, SYS_PMUSERENR_EL0);
	read_modify_write(cpu, SYS_MDCR_EL2);
	for (size_t n = 0; config->fgt && n < FINE_GRAINED; n++)
		read_modify_write(cpu, fine_grained[n]);
}

void deactivate_traps_common(struct cpu *cpu, const struct kernel_config *config)
{
	FUNCTION_NAMED(cpu, "__deactivate_traps_common");

	cpu_sysreg_write(cpu, SYS_MDCR_EL2, 0);
	cpu_sysreg_write(cpu, SYS_HSTR_EL2, 0);
	cpu_sysreg_write(cpu, SYS_PMUSERENR_EL0, 0);
	for (size_t n = 0; config->fgt && n < FINE_GRAINED; n++)
		cpu_sysreg_write(cpu, fine_grained[n], 0);
}
