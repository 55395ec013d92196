// SPDX-License-Identifier: Apache-2.0
/*
 * The GICv3 driver's part (drivers/irqchip/irq-gic-v3.c): setting or clearing the active state of a PPI in the own
 * redistributor.
 *
 * What is read afterwards changed over the versions (switch gicv3_active_io): one read of GICR_CTLR up to v5.17 (the
 * wait for GICR_CTLR.RWP tested the wrong bit and always fell through), a real RWP poll in v5.18, nothing from v5.19,
 * and since about v6.12 a read-back of GICR_ISACTIVER0 when setting. Accesses are relaxed: no barrier of their own.
 */
#include "model/kernel/irqdesc.h"
#include "model/kernel/kernel.h"

enum { GICR_CTLR = 0x0, GICR_SGI_BASE = 0x10000, GICR_ISACTIVER0 = GICR_SGI_BASE + 0x300, GICR_ICACTIVER0 = GICR_SGI_BASE + 0x380 };
#define GICR_CTLR_RWP (1u << 3)

void gic_irq_set_irqchip_state(struct kernel *kernel, struct cpu *cpu, intid hwirq, bool active)
{
	const uint64_t base = gic_redistributor_address(kernel->machine, cpu_number(cpu));
	FUNCTION(cpu);

	cpu_load_store(cpu, 2);  /* this CPU's redistributor base */
	mmio_write(cpu, base + (active ? GICR_ISACTIVER0 : GICR_ICACTIVER0), 1u << hwirq.n);
	switch (kernel->config.gicv3_active_io) {
	case ACTIVE_IO_CTLR_READ:
		mmio_read(cpu, base + GICR_CTLR);
		break;
	case ACTIVE_IO_RWP_POLL:
		while (mmio_read(cpu, base + GICR_CTLR) & GICR_CTLR_RWP)
			;
		break;
	case ACTIVE_IO_WRITE:
		break;
	case ACTIVE_IO_READ_BACK_SET:
		if (active)
			mmio_read(cpu, base + GICR_ISACTIVER0);
		break;
	}
}
