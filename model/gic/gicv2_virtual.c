// SPDX-License-Identifier: Apache-2.0
/*
 * GICH and GICV of a GICv2 (IHI 0048, 5.3 and 5.5): the memory-mapped face of gic_virtual.h. GICH_VMCR has the layout of
 * ICH_VMCR_EL2, and its lower bits are those of GICV_CTLR. A list register's 32 bits spread over the 64 of ICH_LR<n>_EL2; the 10
 * bits of PhysicalID keep their meaning there, EOI and CPUID among them.
 */
#include <assert.h>

#include "model/gic/gicv2_state.h"

#define HCR_WRITABLE   0xf80000ffu  /* EOICount, the maintenance enables, En */
#define CTLR_OF_VMCR   0x21fu       /* EnableGrp0, EnableGrp1, AckCtl, FIQEn, CBPR, EOImode */
#define VMCR_ABPR      18
#define VMCR_BPR       21
#define VMCR_BPR_MASK  7u

static uint64_t lr_from(uint32_t lr)
{
	return (lr & 0x3ffull) | (lr & 0xffc00ull) << 22 | (lr & 0xf800000ull) << 28 | (lr & 0x30000000ull) << 34 |
	       (lr & 0xc0000000ull) << 30;
}

static uint32_t lr_to(uint64_t lr)
{
	return (uint32_t)((lr & 0x3ff) | (lr >> 22 & 0xffc00) | (lr >> 28 & 0xf800000) | (lr >> 34 & 0x30000000) |
			  (lr >> 30 & 0xc0000000));
}

/* PRIbits and PREbits are one less than 5 each. */
static uint32_t vtr(const struct gic_virtual *v)
{
	return (v->list_registers - 1) | (v->priority_bits - 1) << 26 | (v->priority_bits - 1) << 29;
}

static enum gic_virtual_groups groups_of_iar(const struct gic_virtual *v)
{
	return v->vmcr & ICH_VMCR_VACKCTL ? GIC_VIRTUAL_BOTH : GIC_VIRTUAL_GROUP0;
}

static uint32_t half(uint64_t value, uint32_t position)
{
	return (uint32_t)(value >> 32 * position);
}

uint32_t gicv2_virtual_read(struct gic *gic, const struct gicv2_register *row, cpu_id cpu, uint32_t position)
{
	struct gic_virtual *v = &gic->cpu[cpu.n].virtual_interface;

	switch (row->id) {
	case REG2_GICH_HCR:
		return v->hcr;
	case REG2_GICH_VTR:
		return vtr(v);
	case REG2_GICH_VMCR:
		return v->vmcr;
	case REG2_GICH_MISR:
		return gic_virtual_misr(v);
	case REG2_GICH_EISR:
		return half(v->ended, position);
	case REG2_GICH_ELRSR:
		return half(gic_virtual_elrsr(v), position);
	case REG2_GICH_APR:
	case REG2_GICV_APR:
		return gic_virtual_read_apr(v, 0, 0);
	case REG2_GICH_LR:
		return lr_to(v->lr[position]);
	case REG2_GICV_CTLR:
		return v->vmcr & CTLR_OF_VMCR;
	case REG2_GICV_PMR:
		return v->vmcr >> ICH_VMCR_VPMR_SHIFT;
	case REG2_GICV_BPR:
		return v->vmcr >> VMCR_BPR & VMCR_BPR_MASK;
	case REG2_GICV_ABPR:
		return v->vmcr >> VMCR_ABPR & VMCR_BPR_MASK;
	case REG2_GICV_IAR:
		return gic_virtual_acknowledge(v, groups_of_iar(v));
	case REG2_GICV_AIAR:
		return gic_virtual_acknowledge(v, GIC_VIRTUAL_GROUP1);
	case REG2_GICV_HPPIR:
		return gic_virtual_highest(v, groups_of_iar(v));
	case REG2_GICV_AHPPIR:
		return gic_virtual_highest(v, GIC_VIRTUAL_GROUP1);
	case REG2_GICV_RPR:
		return gic_virtual_running_priority(v);
	case REG2_GICV_IIDR:
		return gic->config.iidr;
	default:
		assert(!"a readable register without a read");
		return 0;
	}
}

static void write_field(struct gic_virtual *v, uint32_t mask, uint32_t value)
{
	gic_virtual_write_vmcr(v, (v->vmcr & ~mask) | (value & mask));
}

static void deactivate(struct gic *gic, cpu_id cpu, uint32_t physical)
{
	if (physical != GIC_NO_INTERRUPT)
		gic_deactivate(gic, cpu, (intid){ physical });
}

void gicv2_virtual_write(struct gic *gic, const struct gicv2_register *row, cpu_id cpu, uint32_t position, uint32_t value)
{
	struct gic_virtual *v = &gic->cpu[cpu.n].virtual_interface;

	switch (row->id) {
	case REG2_GICH_HCR:
		v->hcr = value & HCR_WRITABLE;
		break;
	case REG2_GICH_VMCR:
		gic_virtual_write_vmcr(v, value);
		break;
	case REG2_GICH_APR:
	case REG2_GICV_APR:
		gic_virtual_write_apr(v, 0, 0, value);
		break;
	case REG2_GICH_LR:
		if (position < v->list_registers)
			gic_virtual_write_lr(v, position, lr_from(value));
		break;
	case REG2_GICV_CTLR:
		write_field(v, CTLR_OF_VMCR, value);
		break;
	case REG2_GICV_PMR:
		write_field(v, 0xffu << ICH_VMCR_VPMR_SHIFT, value << ICH_VMCR_VPMR_SHIFT);
		break;
	case REG2_GICV_BPR:
		write_field(v, VMCR_BPR_MASK << VMCR_BPR, value << VMCR_BPR);
		break;
	case REG2_GICV_ABPR:
		write_field(v, VMCR_BPR_MASK << VMCR_ABPR, value << VMCR_ABPR);
		break;
	case REG2_GICV_EOIR:
		deactivate(gic, cpu, gic_virtual_end(v, value & 0x1fff, GIC_VIRTUAL_BOTH));
		break;
	case REG2_GICV_AEOIR:
		deactivate(gic, cpu, gic_virtual_end(v, value & 0x1fff, GIC_VIRTUAL_GROUP1));
		break;
	case REG2_GICV_DIR:
		if (v->vmcr & ICH_VMCR_VEOIM)
			deactivate(gic, cpu, gic_virtual_deactivate(v, value & 0x1fff));
		break;
	default:
		assert(!"a writable register without a write");
	}
}
