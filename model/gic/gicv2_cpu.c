// SPDX-License-Identifier: Apache-2.0
/* The CPU interface of a GICv2 (IHI 0048, 4.4), on the logic of the system registers of a GICv3; see gicv2.h. */
#include "model/gic/gicv2_state.h"

#define GICC_CTLR_ENABLE  (1u << 0)
#define GICC_CTLR_EOIMODE (1u << 9)  /* EOImodeNS */
#define INTID 0x3ffu

/* The system register of the same meaning. */
static enum gic_offset system_register(const struct gicv2_register *row)
{
	return (enum gic_offset)gic_registers[row->same].offset;
}

/* An SGI is named together with its sender, in bits 12:10. */
static uint32_t with_sender(const struct gic *gic, cpu_id cpu, uint32_t irq)
{
	return irq < 16 ? irq | (uint32_t)__builtin_ctz(gic->cpu[cpu.n].sgi_sources[irq]) << 10 : irq;
}

static uint32_t acknowledge(struct gic *gic, cpu_id cpu)
{
	struct gic_cpu *c = &gic->cpu[cpu.n];
	const uint32_t irq = (uint32_t)gic_icc_read(gic, cpu, ICC_IAR1_EL1);
	const uint32_t answer = with_sender(gic, cpu, irq);

	if (irq < 16) {
		c->sgi_sources[irq] &= (uint8_t)(c->sgi_sources[irq] - 1);
		if (c->sgi_sources[irq])
			c->block.latch |= 1u << irq;  /* from somebody else */
	}
	return answer;
}

uint32_t gicv2_cpu_read(struct gic *gic, const struct gicv2_register *row, cpu_id cpu)
{
	const struct gic_cpu *c = &gic->cpu[cpu.n];

	switch (row->id) {
	case REG2_GICC_CTLR:
		return (c->group1_enabled ? GICC_CTLR_ENABLE : 0) | (c->eoi_mode ? GICC_CTLR_EOIMODE : 0);
	case REG2_GICC_IAR:
		return acknowledge(gic, cpu);
	case REG2_GICC_HPPIR:
		return with_sender(gic, cpu, (uint32_t)gic_icc_read(gic, cpu, ICC_HPPIR1_EL1));
	case REG2_GICC_IIDR:
		return gic->config.iidr;
	default:
		return (uint32_t)gic_icc_read(gic, cpu, system_register(row));
	}
}

void gicv2_cpu_write(struct gic *gic, const struct gicv2_register *row, cpu_id cpu, uint32_t value)
{
	switch (row->id) {
	case REG2_GICC_CTLR:
		gic->cpu[cpu.n].eoi_mode = value & GICC_CTLR_EOIMODE;
		gic_icc_write(gic, cpu, ICC_IGRPEN1_EL1, value & GICC_CTLR_ENABLE);
		break;
	case REG2_GICC_EOIR:
	case REG2_GICC_DIR:
		gic_icc_write(gic, cpu, system_register(row), value & INTID);
		break;
	default:
		gic_icc_write(gic, cpu, system_register(row), value);
	}
}
