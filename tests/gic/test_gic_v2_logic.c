// SPDX-License-Identifier: Apache-2.0
/*
 * GICv2 register state without SystemC, so that it runs under the sanitizers: the register table, and long random use of every register by every CPU
 * with the rules of IHI 0048 checked after each step, from what software can see alone.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/gic/gicv2.h"

enum { CPUS = 3, SPIS = 64, IRQS = 32 + SPIS, LIST_REGISTERS = 6, SPURIOUS = 1023 };

static void table_is_in_order(void **state)
{
	(void)state;
	for (size_t i = 0; i < GICV2_REGISTER_IDS; i++) {
		const struct gicv2_register *row = &gicv2_registers[i];

		assert_int_equal(row->id, i);
		assert_int_equal(row->offset % row->width, 0);
		if (i && row[-1].frame == row->frame)
			assert_true(row->offset >= row[-1].offset + row[-1].count * row[-1].width);
		for (uint32_t n = 0; n < row->count; n++) {
			uint32_t position;

			assert_ptr_equal(gicv2_register_find(row->frame, row->offset + 4 * n, &position), row);
			assert_int_equal(position, n);
		}
	}
}

static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static uint32_t get(struct gic *gic, enum gicv2_frame frame, cpu_id cpu, uint32_t offset, uint32_t bytes)
{
	uint32_t value;

	assert_int_equal(gicv2_read(gic, frame, cpu, offset, bytes, &value), GIC_OK);
	return value;
}

static uint32_t bit(struct gic *gic, cpu_id cpu, uint32_t offset, uint32_t irq)
{
	return get(gic, GICV2_GICD, cpu, offset + irq / 32 * 4, 4) >> irq % 32 & 1;
}

/* HPPIR and the line, worked out from the registers of the distributor and the CPU interface. */
static void check_physical(struct gic *gic, cpu_id cpu)
{
	const bool open = get(gic, GICV2_GICD, cpu, V2_GICD_CTLR, 4) & get(gic, GICV2_GICC, cpu, V2_GICC_CTLR, 4) & 1;
	uint32_t best = SPURIOUS, best_priority = 0xff, sender;

	for (uint32_t irq = 0; open && irq < IRQS; irq++) {
		const uint32_t priority = get(gic, GICV2_GICD, cpu, V2_GICD_IPRIORITYR + irq, 1);

		if (!bit(gic, cpu, V2_GICD_ISPENDR, irq) || bit(gic, cpu, V2_GICD_ISACTIVER, irq) ||
		    !bit(gic, cpu, V2_GICD_ISENABLER, irq) ||
		    !(get(gic, GICV2_GICD, cpu, V2_GICD_ITARGETSR + irq, 1) >> cpu.n & 1))
			continue;
		if (best == SPURIOUS || priority < best_priority) {
			best = irq;
			best_priority = priority;
		}
	}
	assert_int_equal(gic_line(gic, cpu), best != SPURIOUS && best_priority < get(gic, GICV2_GICC, cpu, V2_GICC_PMR, 4) &&
						     best_priority < get(gic, GICV2_GICC, cpu, V2_GICC_RPR, 4));
	if (best < 16) {
		sender = get(gic, GICV2_GICD, cpu, V2_GICD_SPENDSGIR + best, 1);
		assert_int_not_equal(sender, 0);
		best |= (uint32_t)__builtin_ctz(sender) << 10;
	}
	assert_int_equal(get(gic, GICV2_GICC, cpu, V2_GICC_HPPIR, 4), best);
}

/* The vIRQ line and the status registers, worked out from the list registers, HCR and VMCR. */
static void check_virtual(struct gic *gic, cpu_id cpu)
{
	const uint32_t hcr = get(gic, GICV2_GICH, cpu, V2_GICH_HCR, 4), vmcr = get(gic, GICV2_GICH, cpu, V2_GICH_VMCR, 4);
	uint32_t best_priority = 0x100, eisr = 0, elrsr = 0, valid = 0, pending = 0, misr;
	bool irq = false;

	for (uint32_t n = 0; n < LIST_REGISTERS; n++) {
		const uint32_t lr = get(gic, GICV2_GICH, cpu, V2_GICH_LR + 4 * n, 4), lr_state = lr >> 28 & 3;
		const bool group1 = lr >> 30 & 1, ends = !(lr >> 31) && lr >> 19 & 1;
		const uint32_t priority = (lr >> 23 & 0x1f) << 3;

		eisr |= (uint32_t)(!lr_state && ends) << n;
		elrsr |= (uint32_t)(!lr_state && !ends) << n;
		valid += lr_state != 0;
		pending += lr_state == 1;
		if (lr_state == 1 && vmcr >> group1 & 1 && priority < best_priority) {
			best_priority = priority;
			irq = group1 || !(vmcr >> 3 & 1);
		}
	}
	misr = (eisr != 0) | (uint32_t)(hcr >> 1 & 1 && valid < 2) << 1 | (uint32_t)(hcr >> 2 & 1 && hcr >> 27) << 2 |
	       (uint32_t)(hcr >> 3 & 1 && !pending) << 3 | (hcr & (vmcr & 1 ? 0x10 : 0x20)) | (hcr & (vmcr & 2 ? 0x40 : 0x80));
	assert_int_equal(get(gic, GICV2_GICH, cpu, V2_GICH_EISR, 4), eisr);
	assert_int_equal(get(gic, GICV2_GICH, cpu, V2_GICH_ELRSR, 4), elrsr);
	assert_int_equal(get(gic, GICV2_GICH, cpu, V2_GICH_MISR, 4), misr);
	assert_int_equal(gic_virtual_maintenance(gic_virtual_of(gic, cpu)), hcr & 1 && misr);
	assert_int_equal(gic_virtual_line(gic_virtual_of(gic, cpu)),
			 hcr & 1 && irq && best_priority < vmcr >> 24 && best_priority < get(gic, GICV2_GICV, cpu, V2_GICV_RPR, 4));
}

static void random_access(struct gic *gic, uint64_t *seed, cpu_id cpu)
{
	const struct gicv2_register *row = &gicv2_registers[next_random(seed) % GICV2_REGISTER_IDS];
	const uint32_t bytes = row->sizes & 1 ? 1 : 4;
	const uint32_t reachable = bytes == 1 ? (row->count > 16 ? IRQS : 16) : row->count < LIST_REGISTERS ? row->count : LIST_REGISTERS;
	const uint32_t offset = row->offset + (uint32_t)(next_random(seed) % reachable) * bytes;
	uint32_t value = (uint32_t)(next_random(seed) & next_random(seed));

	if (row->id == REG2_GICD_CTLR || row->id == REG2_GICH_HCR)  /* mostly on */
		value |= next_random(seed) % 8 != 0;
	if (row->id == REG2_GICC_PMR || row->id == REG2_GICV_PMR)
		value |= 0x80;
	if (row->id == REG2_GICH_VMCR || row->id == REG2_GICV_CTLR || row->id == REG2_GICC_CTLR)
		value |= next_random(seed) % 4 ? 0x80000003u : 0;
	if (row->id == REG2_GICC_APR || row->id == REG2_GICH_APR || row->id == REG2_GICV_APR)  /* mostly idle */
		value &= next_random(seed) % 4 ? 0 : 0xff0000;
	if (next_random(seed) % 8 == 0)
		get(gic, row->frame, cpu, offset, bytes);
	else
		assert_int_equal(gicv2_write(gic, row->frame, cpu, offset, bytes, value), GIC_OK);
}

/* An acknowledged interrupt is active; ending it at once (EOImode 0) leaves it inactive. */
static void acknowledge(struct gic *gic, uint64_t *seed, cpu_id cpu)
{
	const uint32_t answer = get(gic, GICV2_GICC, cpu, V2_GICC_IAR, 4), irq = answer & 0x3ff;

	if (irq == SPURIOUS)
		return;
	assert_int_equal(bit(gic, cpu, V2_GICD_ISACTIVER, irq), 1);
	if (next_random(seed) % 2)
		return;
	assert_int_equal(gicv2_write(gic, GICV2_GICC, cpu, V2_GICC_EOIR, 4, answer), GIC_OK);
	if (!(get(gic, GICV2_GICC, cpu, V2_GICC_CTLR, 4) >> 9 & 1))
		assert_int_equal(bit(gic, cpu, V2_GICD_ISACTIVER, irq), 0);
}

static void random_step(struct gic *gic, uint64_t *seed)
{
	const cpu_id cpu = { (uint32_t)(next_random(seed) % CPUS) };

	switch (next_random(seed) % 8) {
	case 0:
		gic_set_ppi(gic, cpu, (intid){ 16 + (uint32_t)(next_random(seed) % 16) }, next_random(seed) & 1);
		break;
	case 1:
		gic_set_spi(gic, (intid){ 32 + (uint32_t)(next_random(seed) % SPIS) }, next_random(seed) & 1);
		break;
	case 2:
		acknowledge(gic, seed, cpu);
		break;
	case 3:
		assert_int_equal(gicv2_write(gic, GICV2_GICV, cpu, V2_GICV_EOIR, 4, get(gic, GICV2_GICV, cpu, V2_GICV_IAR, 4)),
				 GIC_OK);
		break;
	case 4:
		assert_int_equal(gicv2_write(gic, GICV2_GICH, cpu, V2_GICH_LR + 4 * (uint32_t)(next_random(seed) % LIST_REGISTERS), 4,
					     (uint32_t)next_random(seed)), GIC_OK);
		break;
	default:
		random_access(gic, seed, cpu);
	}
}

static void random_use_keeps_the_rules(void **state)
{
	const struct gic_config config = { .version = 2, .cpus = CPUS, .spis = SPIS, .priority_bits = 5,
					   .list_registers = LIST_REGISTERS, .edge_ppis = 0x5550000 };
	uint64_t seed = 20240301, presented = 0, signalled = 0;
	bool line[CPUS] = { false };
	struct gic *gic;

	(void)state;
	assert_int_equal(gic_create(&config, &gic), CV_OK);
	for (int step = 0; step < 20000; step++) {
		cpu_id cpu;
		bool asserted;

		random_step(gic, &seed);
		while (gic_next_line_change(gic, &cpu, &asserted)) {
			assert_true(line[cpu.n] != asserted);
			line[cpu.n] = asserted;
		}
		for (cpu.n = 0; cpu.n < CPUS; cpu.n++) {
			check_physical(gic, cpu);
			check_virtual(gic, cpu);
			assert_int_equal(line[cpu.n], gic_line(gic, cpu));  /* no change goes untold */
			presented += line[cpu.n];
			signalled += gic_virtual_line(gic_virtual_of(gic, cpu));
		}
	}
	assert_true(presented > 1000);  /* the walk did reach what it is about */
	assert_true(signalled > 1000);
	gic_destroy(gic);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(table_is_in_order),
		cmocka_unit_test(random_use_keeps_the_rules),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
