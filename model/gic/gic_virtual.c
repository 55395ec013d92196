// SPDX-License-Identifier: Apache-2.0
/* See gic_virtual.h. `pending`, `valid` and `ended` follow from the list registers and are kept with every change of one. */
#include "model/gic/gic_virtual.h"

#include <assert.h>
#include <string.h>

#define SPURIOUS       1023u
#define GROUP1_INSTEAD 1022u
#define FIRST_SPECIAL  1020u
#define FIRST_LPI      8192u
#define IDLE_PRIORITY  0xffu

#define LR_WRITABLE    0xf0ff1fff00000000ull  /* State, HW, Group, Priority, pINTID; and vINTID */
#define HCR_EOICOUNT   (0x1fu << ICH_HCR_EOICOUNT_SHIFT)
#define VMCR_WRITABLE  0x00fc021fu            /* and the implemented bits of VPMR */

static uint32_t implemented_priority(const struct gic_virtual *v)
{
	return 0xff00u >> v->priority_bits & 0xff;
}

void gic_virtual_init(struct gic_virtual *v, uint32_t list_registers, uint32_t priority_bits, bool system_registers)
{
	assert(list_registers >= 1 && list_registers <= (system_registers ? 16u : GIC_LIST_REGISTERS_MAX));
	assert(priority_bits >= 5 && priority_bits <= 7);
	memset(v, 0, sizeof(*v));
	v->list_registers = list_registers;
	v->priority_bits = priority_bits;
	v->system_registers = system_registers;
	gic_virtual_write_vmcr(v, 0);
}

static void set_lr(struct gic_virtual *v, uint32_t n, uint64_t value)
{
	const uint64_t bit = 1ull << n;
	const uint64_t state = value & ICH_LR_STATE;

	v->lr[n] = value;
	v->pending = state == ICH_LR_PENDING ? v->pending | bit : v->pending & ~bit;
	v->valid = state ? v->valid | bit : v->valid & ~bit;
	v->ended = !state && !(value & ICH_LR_HW) && value & ICH_LR_EOI ? v->ended | bit : v->ended & ~bit;
}

void gic_virtual_write_lr(struct gic_virtual *v, uint32_t n, uint64_t value)
{
	assert(n < v->list_registers);
	value &= LR_WRITABLE | ICH_LR_VINTID;
	set_lr(v, n, value & ~((uint64_t)(0xff & ~implemented_priority(v)) << 48));
}

void gic_virtual_write_vmcr(struct gic_virtual *v, uint32_t value)
{
	v->vmcr = value & (VMCR_WRITABLE | implemented_priority(v) << ICH_VMCR_VPMR_SHIFT);
	if (v->system_registers)
		v->vmcr |= ICH_VMCR_VFIQEN;
}

uint64_t gic_virtual_elrsr(const struct gic_virtual *v)
{
	const uint64_t all = v->list_registers == 64 ? UINT64_MAX : (1ull << v->list_registers) - 1;

	return all & ~v->valid & ~v->ended;
}

/* Underflow: none or one valid. The four conditions on group enables stand in HCR bits 4-7 and MISR bits 4-7 alike. */
uint32_t gic_virtual_misr(const struct gic_virtual *v)
{
	const uint32_t groups = (v->vmcr & ICH_VMCR_VENG0 ? 1u << 4 : 1u << 5) | (v->vmcr & ICH_VMCR_VENG1 ? 1u << 6 : 1u << 7);

	return (v->ended ? ICH_MISR_EOI : 0) | (v->hcr & ICH_HCR_UIE && !(v->valid & (v->valid - 1)) ? ICH_MISR_U : 0) |
	       (v->hcr & ICH_HCR_LRENPIE && v->hcr & HCR_EOICOUNT ? ICH_MISR_LRENP : 0) |
	       (v->hcr & ICH_HCR_NPIE && !v->pending ? ICH_MISR_NP : 0) | (v->hcr & groups);
}

uint32_t gic_virtual_read_apr(const struct gic_virtual *v, uint32_t group, uint32_t n)
{
	return v->active_priorities[group][n];
}

void gic_virtual_write_apr(struct gic_virtual *v, uint32_t group, uint32_t n, uint32_t value)
{
	if (n < 1u << (v->priority_bits - 5))
		v->active_priorities[group][n] = value;
}

/* The highest active priority of a group in *level; false: none is active. */
static bool highest_active(const struct gic_virtual *v, uint32_t group, uint32_t *level)
{
	for (uint32_t word = 0; word < 4; word++) {
		const uint32_t bits = v->active_priorities[group][word];

		if (bits) {
			*level = 32 * word + (uint32_t)__builtin_ctz(bits);
			return true;
		}
	}
	return false;
}

uint32_t gic_virtual_running_priority(const struct gic_virtual *v)
{
	uint32_t lowest = IDLE_PRIORITY;

	for (uint32_t group = 0; group < 2; group++) {
		uint32_t level;

		if (highest_active(v, group, &level) && level << (8 - v->priority_bits) < lowest)
			lowest = level << (8 - v->priority_bits);
	}
	return lowest;
}

static uint32_t priority_of(uint64_t lr)
{
	return lr >> 48 & 0xff;
}

static bool group_enabled(const struct gic_virtual *v, uint64_t lr)
{
	return v->vmcr & (lr & ICH_LR_GROUP1 ? ICH_VMCR_VENG1 : ICH_VMCR_VENG0);
}

/* The list register that would be presented next; its number, or GIC_NO_INTERRUPT. */
static uint32_t highest_pending(const struct gic_virtual *v)
{
	uint32_t best = GIC_NO_INTERRUPT;

	if (!(v->hcr & ICH_HCR_EN))
		return best;
	for (uint64_t bits = v->pending; bits; bits &= bits - 1) {
		const uint32_t n = (uint32_t)__builtin_ctzll(bits);

		if (group_enabled(v, v->lr[n]) &&
		    (best == GIC_NO_INTERRUPT || priority_of(v->lr[n]) < priority_of(v->lr[best])))
			best = n;
	}
	return best;
}

static bool passes(const struct gic_virtual *v, uint64_t lr)
{
	return priority_of(lr) < v->vmcr >> ICH_VMCR_VPMR_SHIFT && priority_of(lr) < gic_virtual_running_priority(v);
}

/* What the guest sees of a list register's interrupt. */
static uint32_t number_of(const struct gic_virtual *v, uint64_t lr)
{
	const uint32_t vintid = (uint32_t)(lr & ICH_LR_VINTID);

	return v->system_registers || vintid >= 16 || lr & ICH_LR_HW ? vintid : vintid | ICH_LR_CPUID(lr) << 10;
}

static uint32_t answer(const struct gic_virtual *v, uint32_t n, enum gic_virtual_groups groups)
{
	const bool group1 = n != GIC_NO_INTERRUPT && v->lr[n] & ICH_LR_GROUP1;

	if (n == GIC_NO_INTERRUPT)
		return SPURIOUS;
	if (groups & (group1 ? GIC_VIRTUAL_GROUP1 : GIC_VIRTUAL_GROUP0))
		return number_of(v, v->lr[n]);
	return group1 && !v->system_registers ? GROUP1_INSTEAD : SPURIOUS;
}

uint32_t gic_virtual_highest(const struct gic_virtual *v, enum gic_virtual_groups groups)
{
	return answer(v, highest_pending(v), groups);
}

uint32_t gic_virtual_acknowledge(struct gic_virtual *v, enum gic_virtual_groups groups)
{
	const uint32_t n = highest_pending(v);
	uint32_t interrupt, level;
	uint64_t lr;

	if (n == GIC_NO_INTERRUPT || !passes(v, v->lr[n]))
		return SPURIOUS;
	interrupt = answer(v, n, groups);
	if (interrupt == SPURIOUS || interrupt == GROUP1_INSTEAD)
		return interrupt;
	lr = v->lr[n];
	level = priority_of(lr) >> (8 - v->priority_bits);
	v->active_priorities[lr & ICH_LR_GROUP1 && v->system_registers][level / 32] |= 1u << level % 32;
	lr &= ~ICH_LR_PENDING;
	/* LPIs have no active state. */
	set_lr(v, n, interrupt < FIRST_LPI ? lr | ICH_LR_ACTIVE : lr);
	return interrupt;
}

static void count_eoi(struct gic_virtual *v)
{
	v->hcr = (v->hcr & ~HCR_EOICOUNT) | ((v->hcr + (1u << ICH_HCR_EOICOUNT_SHIFT)) & HCR_EOICOUNT);
}

/* 1020-1023 mean no interrupt. GICv2 has the CPU of an SGI above the 10 bits of the number. */
static bool special(const struct gic_virtual *v, uint32_t interrupt)
{
	const uint32_t id = v->system_registers ? interrupt : interrupt & 0x3ff;

	return id >= FIRST_SPECIAL && id < FIRST_LPI;
}

uint32_t gic_virtual_deactivate(struct gic_virtual *v, uint32_t interrupt)
{
	if (special(v, interrupt))
		return GIC_NO_INTERRUPT;
	for (uint64_t bits = v->valid; bits; bits &= bits - 1) {
		const uint32_t n = (uint32_t)__builtin_ctzll(bits);
		const uint64_t lr = v->lr[n];

		if (!(lr & ICH_LR_ACTIVE) || number_of(v, lr) != interrupt)
			continue;
		set_lr(v, n, lr & ~ICH_LR_ACTIVE);
		return lr & ICH_LR_HW ? ICH_LR_PINTID(lr) : GIC_NO_INTERRUPT;
	}
	if (interrupt < FIRST_LPI)
		count_eoi(v);
	return GIC_NO_INTERRUPT;
}

/* Drops the highest active priority if its group is one of `groups`; false: nothing to drop. */
static bool drop_priority(struct gic_virtual *v, enum gic_virtual_groups groups)
{
	uint32_t level[2] = { UINT32_MAX, UINT32_MAX }, group;

	highest_active(v, 0, &level[0]);
	highest_active(v, 1, &level[1]);
	group = level[1] < level[0];
	if (level[group] == UINT32_MAX || (v->system_registers && !(groups & 1u << group)))
		return false;
	v->active_priorities[group][level[group] / 32] &= ~(1u << level[group] % 32);
	return true;
}

uint32_t gic_virtual_end(struct gic_virtual *v, uint32_t interrupt, enum gic_virtual_groups groups)
{
	if (special(v, interrupt))
		return GIC_NO_INTERRUPT;
	if (!drop_priority(v, groups) || v->vmcr & ICH_VMCR_VEOIM)
		return GIC_NO_INTERRUPT;
	return gic_virtual_deactivate(v, interrupt);
}

bool gic_virtual_line(const struct gic_virtual *v)
{
	const uint32_t n = v->pending ? highest_pending(v) : GIC_NO_INTERRUPT;

	return n != GIC_NO_INTERRUPT && (v->lr[n] & ICH_LR_GROUP1 || !(v->vmcr & ICH_VMCR_VFIQEN)) && passes(v, v->lr[n]);
}

bool gic_virtual_maintenance(const struct gic_virtual *v)
{
	return v->hcr & ICH_HCR_EN && gic_virtual_misr(v);
}
