// SPDX-License-Identifier: Apache-2.0
/*
 * The GICv2 driver (drivers/irqchip/irq-gic.c): everything by MMIO, to a distributor and CPU interfaces that all CPUs reach
 * through one physical interface. Accesses are relaxed; setting a state is one write, never read back.
 *
 * EOImode 1: the acknowledge is followed by GICC_EOIR (priority drop), the end is GICC_DIR, left out for an interrupt forwarded
 * to a guest. Where firmware shows only the first 4 kB of the CPU interface, GICC_DIR is out of reach: EOImode 0, and
 * GICC_EOIR at the end does both, forwarded or not (irqchip_has_active_state).
 * An SGI is acknowledged together with its sender, and both must be written back; the driver keeps that word per CPU.
 *
 * Not modelled: SPIs, the switcher between clusters (gic_migrate_target), the distributor's power states.
 */
#include "model/kernel/irqdesc.h"
#include "model/kernel/kernel.h"

enum { GICD_ISENABLER = 0x100, GICD_ICENABLER = 0x180, GICD_ISACTIVER = 0x300, GICD_ICACTIVER = 0x380, GICD_ICFGR = 0xc00,
       GICD_SGIR = 0xf00 };
enum { GICC_IAR = 0xc, GICC_EOIR = 0x10, GICC_DIR = 0x1000 };
#define IAR_INTID 0x3ffu

static void gicd_write(struct kernel *kernel, struct cpu *cpu, uint32_t offset, uint32_t value)
{
	cpu_load_store(cpu, 1);  /* the distributor's base */
	mmio_write(cpu, gic_frame_address(kernel->machine, GIC_FRAME_DISTRIBUTOR, cpu_number(cpu)) + offset, value);
}

static uint64_t gicc(struct kernel *kernel, struct cpu *cpu, uint32_t offset)
{
	cpu_load_store(cpu, 1);
	return gic_frame_address(kernel->machine, GIC_FRAME_CPU_INTERFACE, cpu_number(cpu)) + offset;
}

static void gic_poke_irq(struct kernel *kernel, struct cpu *cpu, intid hwirq, uint32_t offset)
{
	FUNCTION(cpu);

	gicd_write(kernel, cpu, offset + hwirq.n / 32 * 4, 1u << hwirq.n % 32);
}

static void gic_irq_set_irqchip_state(struct kernel *kernel, struct cpu *cpu, intid hwirq, bool active)
{
	FUNCTION(cpu);

	gic_poke_irq(kernel, cpu, hwirq, active ? GICD_ISACTIVER : GICD_ICACTIVER);
}

static void gic_mask_irq(struct kernel *kernel, struct cpu *cpu, intid hwirq, bool forwarded)
{
	FUNCTION(cpu);

	gic_poke_irq(kernel, cpu, hwirq, GICD_ICENABLER);
	if (forwarded && !kernel->config.gic_cpu_interface_4k)
		gic_poke_irq(kernel, cpu, hwirq, GICD_ICACTIVER);  /* gic_eoimode1_mask_irq() */
}

static void gic_unmask_irq(struct kernel *kernel, struct cpu *cpu, intid hwirq)
{
	FUNCTION(cpu);

	gic_poke_irq(kernel, cpu, hwirq, GICD_ISENABLER);
}

/* The trigger of a PPI is as it should be: read, and left alone. */
static void gic_configure_irq(struct kernel *kernel, struct cpu *cpu, intid hwirq)
{
	FUNCTION(cpu);

	cpu_load_store(cpu, 1);
	mmio_read(cpu, gic_frame_address(kernel->machine, GIC_FRAME_DISTRIBUTOR, cpu_number(cpu)) + GICD_ICFGR + hwirq.n / 16 * 4);
}

static uint32_t gic_read_iar(struct kernel *kernel, struct cpu *cpu)
{
	uint32_t status, interrupt;
	FUNCTION_NAMED(cpu, "gic_handle_irq");

	status = mmio_read(cpu, gicc(kernel, cpu, GICC_IAR));
	interrupt = status & IAR_INTID;
	if (interrupt < 16) {
		kernel->sgi_intid[cpu_number(cpu).n] = status;
		cpu_load_store(cpu, 1);
	}
	return interrupt;
}

/* What was read from GICC_IAR. */
static uint32_t acknowledged(struct kernel *kernel, struct cpu *cpu, uint32_t interrupt)
{
	if (interrupt >= 16)
		return interrupt;
	cpu_load_store(cpu, 1);
	return kernel->sgi_intid[cpu_number(cpu).n];
}

static void gic_priority_drop(struct kernel *kernel, struct cpu *cpu, uint32_t acked)
{
	FUNCTION_NAMED(cpu, "gic_handle_irq");

	if (kernel->config.gic_cpu_interface_4k)
		return;
	mmio_write(cpu, gicc(kernel, cpu, GICC_EOIR), acknowledged(kernel, cpu, acked));
	cpu_barrier(cpu, BARRIER_ISB);
}

static void gic_eoi_irq(struct kernel *kernel, struct cpu *cpu, uint32_t acked, bool forwarded)
{
	FUNCTION(cpu);

	if (kernel->config.gic_cpu_interface_4k)
		mmio_write(cpu, gicc(kernel, cpu, GICC_EOIR), acknowledged(kernel, cpu, acked));
	else if (!forwarded)
		mmio_write(cpu, gicc(kernel, cpu, GICC_DIR), acknowledged(kernel, cpu, acked));
}

static void gic_send_sgi(struct kernel *kernel, struct cpu *cpu, cpu_id target, uint32_t sgi)
{
	FUNCTION_NAMED(cpu, "gic_ipi_send_mask");

	cpu_load_store(cpu, 1);  /* gic_cpu_map */
	cpu_barrier(cpu, BARRIER_DMB);
	gicd_write(kernel, cpu, GICD_SGIR, 1u << (16 + target.n) | sgi);
}

const struct irq_chip irq_chip_gic_v2 = {
	.name = "GICv2",
	.set_active = gic_irq_set_irqchip_state,
	.mask = gic_mask_irq,
	.unmask = gic_unmask_irq,
	.check_type = gic_configure_irq,
	.ack = gic_read_iar,
	.priority_drop = gic_priority_drop,
	.eoi = gic_eoi_irq,
	.send_sgi = gic_send_sgi,
};
