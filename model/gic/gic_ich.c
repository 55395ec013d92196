// SPDX-License-Identifier: Apache-2.0
/* See gic_ich.h. */
#include "model/gic/gic_ich.h"

#define HCR_WRITABLE 0xf8007cffu      /* EOIcount, TDIR, TSEI, TALL1, TALL0, TC, the maintenance enables, En */

#define VTR_TDS  (1u << 19)           /* ICH_HCR_EL2.TDIR exists */
#define VTR_NV4  (1u << 20)           /* no direct injection from here */
#define VTR_A3V  (1u << 21)

#define ICV_CTLR_EOIMODE (1u << 1)
#define ICV_CTLR_A3V     (1u << 15)

static bool between(enum sysreg reg, enum sysreg first, enum sysreg last)
{
	return reg >= first && reg <= last;
}

bool gic_ich_has(enum sysreg reg)
{
	return between(reg, SYS_ICV_IAR1_EL1, SYS_ICH_LR15_EL2);
}

/* ListRegs and both numbers of priority bits are one less; IDbits = 0: 16 bits. */
static uint32_t vtr(const struct gic_virtual *v)
{
	return (v->list_registers - 1) | VTR_TDS | VTR_NV4 | VTR_A3V | (v->priority_bits - 1) << 26 | (v->priority_bits - 1) << 29;
}

static uint32_t icv_ctlr(const struct gic_virtual *v)
{
	return (v->vmcr & ICH_VMCR_VEOIM ? ICV_CTLR_EOIMODE : 0) | (v->priority_bits - 1) << 8 | ICV_CTLR_A3V;
}

static void write_field(struct gic_virtual *v, uint32_t mask, uint32_t value)
{
	gic_virtual_write_vmcr(v, (v->vmcr & ~mask) | (value & mask));
}

/* Those that come in arrays; false: another register. */
static bool read_array(const struct gic_virtual *v, enum sysreg reg, uint64_t *value)
{
	if (between(reg, SYS_ICH_LR0_EL2, SYS_ICH_LR15_EL2))
		*value = v->lr[reg - SYS_ICH_LR0_EL2];
	else if (between(reg, SYS_ICH_AP0R0_EL2, SYS_ICH_AP0R3_EL2))
		*value = gic_virtual_read_apr(v, 0, reg - SYS_ICH_AP0R0_EL2);
	else if (between(reg, SYS_ICH_AP1R0_EL2, SYS_ICH_AP1R3_EL2))
		*value = gic_virtual_read_apr(v, 1, reg - SYS_ICH_AP1R0_EL2);
	else
		return false;
	return true;
}

uint64_t gic_ich_read(struct gic_virtual *v, enum sysreg reg)
{
	uint64_t value;

	if (read_array(v, reg, &value))
		return value;
	switch (reg) {
	case SYS_ICV_IAR1_EL1:
		return gic_virtual_acknowledge(v, GIC_VIRTUAL_GROUP1);
	case SYS_ICV_HPPIR1_EL1:
		return gic_virtual_highest(v, GIC_VIRTUAL_GROUP1);
	case SYS_ICV_PMR_EL1:
		return v->vmcr >> ICH_VMCR_VPMR_SHIFT;
	case SYS_ICV_RPR_EL1:
		return gic_virtual_running_priority(v);
	case SYS_ICV_CTLR_EL1:
		return icv_ctlr(v);
	case SYS_ICV_IGRPEN1_EL1:
		return v->vmcr & ICH_VMCR_VENG1 ? 1 : 0;
	case SYS_ICH_HCR_EL2:
		return v->hcr;
	case SYS_ICH_VMCR_EL2:
		return v->vmcr;
	case SYS_ICH_ELRSR_EL2:
		return gic_virtual_elrsr(v);
	case SYS_ICH_EISR_EL2:
		return v->ended;
	case SYS_ICH_MISR_EL2:
		return gic_virtual_misr(v);
	case SYS_ICH_VTR_EL2:
		return vtr(v);
	default:
		return 0;
	}
}

static bool write_array(struct gic_virtual *v, enum sysreg reg, uint64_t value)
{
	if (between(reg, SYS_ICH_LR0_EL2, SYS_ICH_LR15_EL2)) {
		if (reg - SYS_ICH_LR0_EL2 < v->list_registers)
			gic_virtual_write_lr(v, reg - SYS_ICH_LR0_EL2, value);
	} else if (between(reg, SYS_ICH_AP0R0_EL2, SYS_ICH_AP0R3_EL2)) {
		gic_virtual_write_apr(v, 0, reg - SYS_ICH_AP0R0_EL2, (uint32_t)value);
	} else if (between(reg, SYS_ICH_AP1R0_EL2, SYS_ICH_AP1R3_EL2)) {
		gic_virtual_write_apr(v, 1, reg - SYS_ICH_AP1R0_EL2, (uint32_t)value);
	} else {
		return false;
	}
	return true;
}

uint32_t gic_ich_write(struct gic_virtual *v, enum sysreg reg, uint64_t value)
{
	if (write_array(v, reg, value))
		return GIC_NO_INTERRUPT;
	switch (reg) {
	case SYS_ICV_EOIR1_EL1:
		return gic_virtual_end(v, value & 0xffffff, GIC_VIRTUAL_GROUP1);
	case SYS_ICV_DIR_EL1:
		return v->vmcr & ICH_VMCR_VEOIM ? gic_virtual_deactivate(v, value & 0xffffff) : GIC_NO_INTERRUPT;
	case SYS_ICV_PMR_EL1:
		write_field(v, 0xffu << ICH_VMCR_VPMR_SHIFT, (uint32_t)value << ICH_VMCR_VPMR_SHIFT);
		break;
	case SYS_ICV_CTLR_EL1:
		write_field(v, ICH_VMCR_VEOIM, value & ICV_CTLR_EOIMODE ? ICH_VMCR_VEOIM : 0);
		break;
	case SYS_ICV_IGRPEN1_EL1:
		write_field(v, ICH_VMCR_VENG1, value & 1 ? ICH_VMCR_VENG1 : 0);
		break;
	case SYS_ICH_HCR_EL2:
		v->hcr = (uint32_t)value & HCR_WRITABLE;
		break;
	case SYS_ICH_VMCR_EL2:
		gic_virtual_write_vmcr(v, (uint32_t)value);
		break;
	default:
		break;
	}
	return GIC_NO_INTERRUPT;
}
