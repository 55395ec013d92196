// SPDX-License-Identifier: Apache-2.0
/*
 * The GICv3 driver (drivers/irqchip/irq-gic-v3.c): states of a PPI in the own redistributor, acknowledge and end, SGIs.
 *
 * What is read afterwards changed over the versions (switch gicv3_active_io): one read of GICR_CTLR up to v5.17 (the
 * wait for GICR_CTLR.RWP tested the wrong bit and always fell through), a real RWP poll in v5.18, nothing from v5.19,
 * and since about v6.12 a read-back of GICR_ISACTIVER0 when setting. Accesses are relaxed: no barrier of their own.
 */
#include "model/kernel/irqdesc.h"
#include "model/kernel/kernel.h"

enum { GICR_CTLR = 0x0, GICR_SGI_BASE = 0x10000, GICR_ISENABLER0 = GICR_SGI_BASE + 0x100,
       GICR_ICENABLER0 = GICR_SGI_BASE + 0x180, GICR_ISACTIVER0 = GICR_SGI_BASE + 0x300, GICR_ICACTIVER0 = GICR_SGI_BASE + 0x380,
       GICR_ICFGR1 = GICR_SGI_BASE + 0xc04 };
#define GICR_CTLR_RWP (1u << 3)

/* gic_redist_wait_for_rwp(). */
static void wait_for_rwp(struct kernel *kernel, struct cpu *cpu, uint64_t base)
{
	uint32_t value;

	do
		value = mmio_read(cpu, base + GICR_CTLR);
	while (value & GICR_CTLR_RWP && kernel->config.gicv3_active_io != ACTIVE_IO_CTLR_READ);
}

static void gic_irq_set_irqchip_state(struct kernel *kernel, struct cpu *cpu, intid hwirq, bool active)
{
	const uint64_t base = gic_frame_address(kernel->machine, GIC_FRAME_REDISTRIBUTOR, cpu_number(cpu));
	FUNCTION(cpu);

	cpu_load_store(cpu, 2);  /* this CPU's redistributor base */
	mmio_write(cpu, base + (active ? GICR_ISACTIVER0 : GICR_ICACTIVER0), 1u << hwirq.n);
	switch (kernel->config.gicv3_active_io) {
	case ACTIVE_IO_CTLR_READ:
	case ACTIVE_IO_RWP_POLL:
		wait_for_rwp(kernel, cpu, base);
		break;
	case ACTIVE_IO_WRITE:
		break;
	case ACTIVE_IO_READ_BACK_SET:
		if (active)
			mmio_read(cpu, base + GICR_ISACTIVER0);
		break;
	}
}

/* gic_eoimode1_mask_irq(). */
static void gic_mask_irq(struct kernel *kernel, struct cpu *cpu, intid hwirq, bool forwarded)
{
	const uint64_t base = gic_frame_address(kernel->machine, GIC_FRAME_REDISTRIBUTOR, cpu_number(cpu));
	FUNCTION(cpu);

	mmio_write(cpu, base + GICR_ICENABLER0, 1u << hwirq.n);
	wait_for_rwp(kernel, cpu, base);
	if (!forwarded)
		return;
	mmio_write(cpu, base + GICR_ICACTIVER0, 1u << hwirq.n);
	if (kernel->config.gicv3_active_io == ACTIVE_IO_CTLR_READ || kernel->config.gicv3_active_io == ACTIVE_IO_RWP_POLL)
		wait_for_rwp(kernel, cpu, base);
}

static void gic_unmask_irq(struct kernel *kernel, struct cpu *cpu, intid hwirq)
{
	const uint64_t base = gic_frame_address(kernel->machine, GIC_FRAME_REDISTRIBUTOR, cpu_number(cpu));
	FUNCTION(cpu);

	mmio_write(cpu, base + GICR_ISENABLER0, 1u << hwirq.n);
	if (kernel->config.gicv3_active_io == ACTIVE_IO_CTLR_READ || kernel->config.gicv3_active_io == ACTIVE_IO_RWP_POLL)
		wait_for_rwp(kernel, cpu, base);
}

/* The trigger of a PPI is as it should be: read, and left alone. */
static void gic_configure_irq(struct kernel *kernel, struct cpu *cpu, intid hwirq)
{
	FUNCTION(cpu);

	(void)hwirq;
	cpu_load_store(cpu, 2);
	mmio_read(cpu, gic_frame_address(kernel->machine, GIC_FRAME_REDISTRIBUTOR, cpu_number(cpu)) + GICR_ICFGR1);
}

static uint32_t gic_read_iar(struct kernel *kernel, struct cpu *cpu)
{
	uint32_t interrupt;
	FUNCTION(cpu);

	(void)kernel;
	interrupt = (uint32_t)cpu_sysreg_read(cpu, SYS_ICC_IAR1_EL1);
	cpu_barrier(cpu, BARRIER_DSB);
	return interrupt;
}

static void gic_write_eoir(struct kernel *kernel, struct cpu *cpu, uint32_t acked)
{
	FUNCTION(cpu);

	(void)kernel;
	cpu_sysreg_write(cpu, SYS_ICC_EOIR1_EL1, acked);
	cpu_barrier(cpu, BARRIER_ISB);
}

static void gic_eoimode1_eoi_irq(struct kernel *kernel, struct cpu *cpu, uint32_t acked, bool forwarded)
{
	FUNCTION(cpu);

	(void)kernel;
	if (forwarded)
		return;
	cpu_sysreg_write(cpu, SYS_ICC_DIR_EL1, acked);
	cpu_barrier(cpu, BARRIER_ISB);
}

/* One target: Aff0 and the target list; 16 CPUs to a value of Aff1, as the machine numbers them. */
static void gic_send_sgi(struct kernel *kernel, struct cpu *cpu, cpu_id target, uint32_t sgi)
{
	FUNCTION_NAMED(cpu, "gic_ipi_send_mask");

	(void)kernel;
	cpu_barrier(cpu, BARRIER_DSB);
	cpu_sysreg_write(cpu, SYS_ICC_SGI1R_EL1, (uint64_t)(target.n / 16) << 16 | (uint64_t)sgi << 24 | 1u << target.n % 16);
	cpu_barrier(cpu, BARRIER_ISB);
}

const struct irq_chip irq_chip_gic_v3 = {
	.name = "GICv3",
	.set_active = gic_irq_set_irqchip_state,
	.mask = gic_mask_irq,
	.unmask = gic_unmask_irq,
	.check_type = gic_configure_irq,
	.ack = gic_read_iar,
	.priority_drop = gic_write_eoir,
	.eoi = gic_eoimode1_eoi_irq,
	.send_sgi = gic_send_sgi,
};
