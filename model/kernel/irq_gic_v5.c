// SPDX-License-Identifier: Apache-2.0
/*
 * The GICv5 driver (drivers/irqchip/irq-gic-v5.c, v6.17 and later): PPIs by system registers of the own CPU, no device
 * access; acknowledge and end by GIC instructions; an IPI is an LPI of the target CPU.
 *
 * Mask and unmask read and write ICC_PPI_ENABLER<n>_EL1 and need an ISB; setting or clearing an active state is one
 * write, without a barrier. The priority drops right after the acknowledge, deactivation comes at the end (CDDI), unless a
 * guest will do it.
 *
 * IPI n of a CPU is its LPI number 16·cpu + n; ack() returns n for it, as for an SGI of older GICs. Not modelled: SPIs, the ITS,
 * LPI allocation and affinity changes.
 */
#include "model/kernel/kernel.h"

#define TYPE_PPI (1ull << 29)
#define TYPE_LPI (2ull << 29)
#define CDIA_VALID (1ull << 32)
#define CDPEND_PENDING (1ull << 32)
#define IPIS_PER_CPU 16u

static enum sysreg of_word(enum sysreg first, intid ppi)
{
	return (enum sysreg)(first + ppi.n / 64);
}

static uint64_t bit_of(intid ppi)
{
	return 1ull << ppi.n % 64;
}

static void gicv5_ppi_irq_mask(struct kernel *kernel, struct cpu *cpu, intid hwirq, bool forwarded)
{
	const enum sysreg enabler = of_word(SYS_ICC_PPI_ENABLER0_EL1, hwirq);
	uint64_t enabled;
	FUNCTION(cpu);

	(void)kernel;
	(void)forwarded;
	enabled = cpu_sysreg_read(cpu, enabler);
	cpu_sysreg_write(cpu, enabler, enabled & ~bit_of(hwirq));
	cpu_barrier(cpu, BARRIER_ISB);  /* the disable is in effect when this returns */
}

static void gicv5_ppi_irq_unmask(struct kernel *kernel, struct cpu *cpu, intid hwirq)
{
	const enum sysreg enabler = of_word(SYS_ICC_PPI_ENABLER0_EL1, hwirq);
	uint64_t enabled;
	FUNCTION(cpu);

	(void)kernel;
	enabled = cpu_sysreg_read(cpu, enabler);
	cpu_sysreg_write(cpu, enabler, enabled | bit_of(hwirq));
	cpu_barrier(cpu, BARRIER_ISB);  /* the enable takes effect in finite time */
}

static void gicv5_ppi_irq_set_irqchip_state(struct kernel *kernel, struct cpu *cpu, intid hwirq, bool active)
{
	FUNCTION(cpu);

	(void)kernel;
	cpu_sysreg_write(cpu, of_word(active ? SYS_ICC_PPI_SACTIVER0_EL1 : SYS_ICC_PPI_CACTIVER0_EL1, hwirq), bit_of(hwirq));
}

static uint32_t gicv5_acknowledge(struct kernel *kernel, struct cpu *cpu)
{
	uint64_t acked;
	FUNCTION_NAMED(cpu, "gicv5_handle_irq");

	(void)kernel;
	acked = cpu_sysreg_read(cpu, SYS_GICR_CDIA);
	if (!(acked & CDIA_VALID))
		return SPURIOUS_INTERRUPT;
	cpu_sysreg_write(cpu, SYS_GSB_ACK, 0);  /* the acknowledge before all that follows */
	cpu_barrier(cpu, BARRIER_ISB);
	return acked & TYPE_LPI ? acked % IPIS_PER_CPU : acked & 0xffffff;
}

static void gicv5_priority_drop(struct kernel *kernel, struct cpu *cpu, uint32_t acked)
{
	(void)kernel;
	(void)acked;
	cpu_sysreg_write(cpu, SYS_GIC_CDEOI, 0);
}

static void gicv5_irq_eoi(struct kernel *kernel, struct cpu *cpu, uint32_t acked, bool forwarded)
{
	uint64_t interrupt = TYPE_PPI | acked;
	FUNCTION_NAMED(cpu, "gicv5_hwirq_eoi");

	(void)kernel;
	if (forwarded)
		return;
	if (acked < IPIS_PER_CPU)
		interrupt = TYPE_LPI | (IPIS_PER_CPU * cpu_number(cpu).n + acked);
	cpu_sysreg_write(cpu, SYS_GIC_CDDI, interrupt);
}

/* What the IPI is about is in memory before the LPI becomes pending. */
static void gicv5_ipi_send_single(struct kernel *kernel, struct cpu *cpu, cpu_id target, uint32_t sgi)
{
	FUNCTION(cpu);

	(void)kernel;
	cpu_barrier(cpu, BARRIER_DSB);
	cpu_sysreg_write(cpu, SYS_GIC_CDPEND, CDPEND_PENDING | TYPE_LPI | (IPIS_PER_CPU * target.n + sgi));
}

const struct irq_chip irq_chip_gic_v5 = {
	.name = "GICv5",
	.set_active = gicv5_ppi_irq_set_irqchip_state,
	.mask = gicv5_ppi_irq_mask,
	.unmask = gicv5_ppi_irq_unmask,
	.ack = gicv5_acknowledge,
	.priority_drop = gicv5_priority_drop,
	.eoi = gicv5_irq_eoi,
	.send_sgi = gicv5_ipi_send_single,
};
