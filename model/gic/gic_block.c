// SPDX-License-Identifier: Apache-2.0
/*
 * Registers with one field per interrupt, for 32 interrupts at a time: group, enable, pending, active,
 * priority, trigger. GICD_X<n> and GICR_X0 have the same meaning (IHI 0069, 12.9 and 12.11), so one
 * function serves both.
 *
 * A level-sensitive interrupt is pending while its input is high or while a write to ISPENDR holds it
 * pending; writing ICPENDR takes back the write, never the input. SGIs have no input and are always
 * edge-triggered.
 */
#include <assert.h>

#include "model/gic/gic_state.h"

enum field {
	FIELD_NONE, GROUP, SET_ENABLE, CLEAR_ENABLE, SET_PENDING, CLEAR_PENDING, SET_ACTIVE, CLEAR_ACTIVE, PRIORITY, TRIGGER
};

static const uint8_t field_of[GIC_REGISTER_IDS] = {
	[REG_GICD_IGROUPR] = GROUP,               [REG_GICR_IGROUPR0] = GROUP,
	[REG_GICD_ISENABLER] = SET_ENABLE,        [REG_GICR_ISENABLER0] = SET_ENABLE,
	[REG_GICD_ICENABLER] = CLEAR_ENABLE,      [REG_GICR_ICENABLER0] = CLEAR_ENABLE,
	[REG_GICD_ISPENDR] = SET_PENDING,         [REG_GICR_ISPENDR0] = SET_PENDING,
	[REG_GICD_ICPENDR] = CLEAR_PENDING,       [REG_GICR_ICPENDR0] = CLEAR_PENDING,
	[REG_GICD_ISACTIVER] = SET_ACTIVE,        [REG_GICR_ISACTIVER0] = SET_ACTIVE,
	[REG_GICD_ICACTIVER] = CLEAR_ACTIVE,      [REG_GICR_ICACTIVER0] = CLEAR_ACTIVE,
	[REG_GICD_IPRIORITYR] = PRIORITY,         [REG_GICR_IPRIORITYR] = PRIORITY,
	[REG_GICD_ICFGR] = TRIGGER,               [REG_GICR_ICFGR0] = TRIGGER,  [REG_GICR_ICFGR1] = TRIGGER,
};

bool gic_is_block_register(enum gic_register_id id)
{
	return field_of[id] != FIELD_NONE;
}

uint32_t gic_block_registers_per_block(enum gic_register_id id)
{
	switch (field_of[id]) {
	case PRIORITY:
		return 8;
	case TRIGGER:
		return 2;
	default:
		return 1;
	}
}

/* Two bits per interrupt; only the upper one means something: 1 is edge-triggered. The lower is RES0. */
static uint32_t trigger_read(const struct gic_block *block, uint32_t part)
{
	uint32_t value = 0;

	for (uint32_t i = 0; i < 16; i++)
		value |= (block->edge >> (16 * part + i) & 1u) << (2 * i + 1);
	return value;
}

static void trigger_write(struct gic_block *block, uint32_t part, uint32_t value)
{
	uint32_t edge = 0;

	for (uint32_t i = 0; i < 16; i++)
		edge |= (value >> (2 * i + 1) & 1u) << (16 * part + i);
	block->edge = (block->edge & ~(0xffffu << (16 * part))) | (edge & block->valid);
}

static uint32_t priority_read(const struct gic_block *block, uint32_t part)
{
	const uint8_t *p = &block->priority[4 * part];

	return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static void priority_write(struct gic_block *block, uint32_t part, uint32_t value, uint8_t implemented)
{
	for (uint32_t i = 0; i < 4; i++) {
		if (block->valid >> (4 * part + i) & 1u)
			block->priority[4 * part + i] = (uint8_t)(value >> (8 * i)) & implemented;
	}
}

uint32_t gic_block_read(const struct gic_block *block, enum gic_register_id id, uint32_t part)
{
	switch ((enum field)field_of[id]) {
	case GROUP:
		return block->group;
	case SET_ENABLE:
	case CLEAR_ENABLE:
		return block->enable;
	case SET_PENDING:
	case CLEAR_PENDING:
		return gic_block_pending(block);
	case SET_ACTIVE:
	case CLEAR_ACTIVE:
		return block->active;
	case PRIORITY:
		return priority_read(block, part);
	case TRIGGER:
		return trigger_read(block, part);
	case FIELD_NONE:
		break;
	}
	assert(!"not a block register");
	return 0;
}

bool gic_block_write(struct gic_block *block, enum gic_register_id id, uint32_t part, uint32_t value,
		     uint8_t implemented_priority)
{
	const uint32_t ones = value & block->valid;
	uint32_t disabled;

	switch ((enum field)field_of[id]) {
	case GROUP:
		block->group = ones;
		break;
	case SET_ENABLE:
		block->enable |= ones;
		break;
	case CLEAR_ENABLE:
		disabled = block->enable & ones;
		block->enable &= ~disabled;
		block->stopping |= disabled;
		return disabled != 0;
	case SET_PENDING:
		block->latch |= ones;
		break;
	case CLEAR_PENDING:
		block->latch &= ~ones;
		break;
	case SET_ACTIVE:
		block->active |= ones;
		break;
	case CLEAR_ACTIVE:
		block->active &= ~ones;
		break;
	case PRIORITY:
		priority_write(block, part, value, implemented_priority);
		break;
	case TRIGGER:
		trigger_write(block, part, value);
		break;
	case FIELD_NONE:
		assert(!"not a block register");
		break;
	}
	return false;
}
