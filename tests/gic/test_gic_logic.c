// SPDX-License-Identifier: Apache-2.0
/*
 * The register state without SystemC, so that it runs under the sanitizers everywhere: the register table, and long random
 * use of every register with the architecture's rules checked after each step.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/gic/gic.h"

static const cpu_id cpu0 = { 0 };

/* Rows of one frame stand in order and do not overlap; 64-bit registers are aligned. */
static void table_is_in_order(void **state)
{
	(void)state;
	for (size_t i = 0; i < GIC_REGISTER_IDS; i++) {
		const struct gic_register *row = &gic_registers[i];

		assert_int_equal(row->id, i);
		if (row->frame == GIC_FRAME_ICC)
			continue;
		assert_int_equal(row->offset % row->width, 0);
		assert_true(row->sizes & row->width);
		if (gic_registers[i - 1].frame == row->frame)
			assert_true(row->offset >= row[-1].offset + row[-1].count * row[-1].width);
	}
}

/* The look-up agrees with reading the table from top to bottom, at every offset. */
static void look_up_finds_every_register(void **state)
{
	(void)state;
	for (int target = GIC_DISTRIBUTOR; target <= GIC_REDISTRIBUTOR; target++) {
		for (uint32_t offset = 0; offset < (target == GIC_DISTRIBUTOR ? 0x10000u : 0x20000u); offset++) {
			const struct gic_register *expected = NULL;
			uint32_t position;

			for (size_t i = 0; i < GIC_REGISTER_IDS; i++) {
				const struct gic_register *row = &gic_registers[i];

				if (row->frame == GIC_FRAME_ICC ||
				    (row->frame == GIC_FRAME_GICD) != (target == GIC_DISTRIBUTOR))
					continue;
				if (offset >= row->offset && offset < row->offset + row->count * row->width)
					expected = row;
			}
			assert_ptr_equal(gic_register_find((enum gic_target)target, offset, &position), expected);
			if (expected)
				assert_int_equal(position, (offset - expected->offset) / expected->width);
		}
	}
}

static const char *name_at(enum gic_target target, uint32_t offset)
{
	static char name[32];
	uint32_t position;
	const struct gic_register *row = gic_register_find(target, offset, &position);

	assert_non_null(row);
	gic_register_name(row, position, name, sizeof(name));
	return name;
}

static void names_are_the_architectures(void **state)
{
	char name[32];

	(void)state;
	assert_string_equal(name_at(GIC_DISTRIBUTOR, 0x610c), "GICD_IROUTER33");
	assert_string_equal(name_at(GIC_REDISTRIBUTOR, 0x10300), "GICR_ISACTIVER0");
	assert_string_equal(name_at(GIC_REDISTRIBUTOR, 0x1041c), "GICR_IPRIORITYR7");
	gic_register_name(&gic_registers[REG_ICC_AP1R_EL1], 2, name, sizeof(name));
	assert_string_equal(name, "ICC_AP1R2_EL1");
	assert_int_equal(GICR_ISACTIVER0, 0x10300);
	assert_int_equal(GICR_ICACTIVER0, 0x10380);
	/* Encodings of KVM's and the assembler's S3_0_C12_C12_0 (IAR1) and S3_0_C4_C6_0 (PMR). */
	assert_int_equal(ICC_IAR1_EL1, 3 << 14 | 12 << 7 | 12 << 3);
	assert_int_equal(ICC_PMR_EL1, 3 << 14 | 4 << 7 | 6 << 3);
}

static uint64_t read_as(struct gic *gic, enum gic_target target, cpu_id cpu, uint32_t offset, uint32_t bytes)
{
	uint64_t value;

	assert_int_equal(gic_read(gic, target, cpu, offset, bytes, 0, &value), GIC_OK);
	return value;
}

/* After reset every register shows the table's value, unless it follows from the configuration. */
static void reset_values_are_the_tables(void **state)
{
	const struct gic_config config = { .cpus = 2, .spis = 988, .priority_bits = 5 };
	struct gic *gic;

	(void)state;
	assert_int_equal(gic_create(&config, &gic), CV_OK);
	for (size_t i = 0; i < GIC_REGISTER_IDS; i++) {
		const struct gic_register *row = &gic_registers[i];
		const enum gic_target target = row->frame == GIC_FRAME_GICD ? GIC_DISTRIBUTOR : GIC_REDISTRIBUTOR;

		if (row->reset == GIC_RESET_CONFIGURED || row->access == GIC_ACCESS_WO)
			continue;
		for (uint32_t n = 0; n < row->count; n++) {
			const uint32_t place = row->offset + n * row->width;

			if (row->frame == GIC_FRAME_ICC)
				assert_int_equal(gic_icc_read(gic, cpu0, (enum gic_offset)(row->offset + n)), row->reset);
			else
				assert_int_equal(read_as(gic, target, cpu0, place, row->width), row->reset);
		}
	}
	gic_destroy(gic);
}

/* 6 and 7 priority bits: 2 and 4 active-priority registers, and priorities keep as many bits. */
static void priority_bits(void **state)
{
	(void)state;
	for (uint32_t bits = 5; bits <= 7; bits++) {
		const struct gic_config config = { .cpus = 1, .priority_bits = bits };
		struct gic *gic;

		assert_int_equal(gic_create(&config, &gic), CV_OK);
		gic_icc_write(gic, cpu0, ICC_PMR_EL1, 0xff);
		assert_int_equal(gic_icc_read(gic, cpu0, ICC_PMR_EL1), 0x100 - (1 << (8 - bits)));
		assert_int_equal(gic_icc_read(gic, cpu0, ICC_CTLR_EL1) >> 8 & 7, bits - 1);
		for (uint32_t n = 0; n < 4; n++) {
			const enum gic_offset reg = (enum gic_offset)(ICC_AP1R_EL1 + n);

			gic_icc_write(gic, cpu0, reg, 0x10);
			assert_int_equal(gic_icc_read(gic, cpu0, reg), n < 1u << (bits - 5) ? 0x10 : 0);
		}
		assert_int_equal(gic_icc_read(gic, cpu0, ICC_RPR_EL1), 4 << (8 - bits));
		gic_destroy(gic);
	}
}

/* A small generator of its own: the same walk everywhere (xorshift64). */
static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

struct view {  /* what software can see of one interrupt */
	bool pending, active, enabled, group1;
	uint8_t priority;
	bool targets_cpu;
};

enum { CPUS = 3, SPIS = 64, IRQS = 32 + SPIS };

static bool bit_of(struct gic *gic, cpu_id cpu, uint32_t irq, uint32_t gicd, uint32_t gicr)
{
	if (irq < 32)
		return read_as(gic, GIC_REDISTRIBUTOR, cpu, gicr, 4) >> irq & 1;
	return read_as(gic, GIC_DISTRIBUTOR, cpu, gicd + irq / 32 * 4, 4) >> irq % 32 & 1;
}

static struct view view_of(struct gic *gic, cpu_id cpu, uint32_t irq)
{
	struct view v = {
		.pending = bit_of(gic, cpu, irq, GICD_ISPENDR, GICR_ISPENDR0),
		.active = bit_of(gic, cpu, irq, GICD_ISACTIVER, GICR_ISACTIVER0),
		.enabled = bit_of(gic, cpu, irq, GICD_ISENABLER, GICR_ISENABLER0),
		.group1 = bit_of(gic, cpu, irq, GICD_IGROUPR, GICR_IGROUPR0),
		.targets_cpu = true,
	};

	v.priority = (uint8_t)(irq < 32 ? read_as(gic, GIC_REDISTRIBUTOR, cpu, GICR_IPRIORITYR + irq, 1) :
					  read_as(gic, GIC_DISTRIBUTOR, cpu, GICD_IPRIORITYR + irq, 1));
	if (irq >= 32) {
		const uint64_t router = read_as(gic, GIC_DISTRIBUTOR, cpu, GICD_IROUTER + 8 * (irq - 32), 8);
		const bool any = router >> 31 & 1;
		bool earlier = false;

		for (uint32_t n = 0; n < cpu.n; n++)
			earlier |= gic_icc_read(gic, (cpu_id){ n }, ICC_IGRPEN1_EL1) &&
				   !read_as(gic, GIC_REDISTRIBUTOR, (cpu_id){ n }, GICR_WAKER, 4);
		v.targets_cpu = any ? !earlier : router == cpu.n;  /* affinities 0.0.0.n */
	}
	return v;
}

/* HPPIR and the line, worked out from what software can see alone. */
static void check_cpu(struct gic *gic, cpu_id cpu)
{
	uint32_t best = GIC_SPURIOUS;
	uint8_t best_priority = 0xff;
	const bool open = read_as(gic, GIC_DISTRIBUTOR, cpu, GICD_CTLR, 4) & 2 &&
			  gic_icc_read(gic, cpu, ICC_IGRPEN1_EL1) && !read_as(gic, GIC_REDISTRIBUTOR, cpu, GICR_WAKER, 4);

	for (uint32_t irq = 0; open && irq < IRQS; irq++) {
		const struct view v = view_of(gic, cpu, irq);

		if (!v.pending || v.active || !v.enabled || !v.group1 || !v.targets_cpu)
			continue;
		if (best == GIC_SPURIOUS || v.priority < best_priority) {
			best = irq;
			best_priority = v.priority;
		}
	}
	assert_int_equal(gic_icc_read(gic, cpu, ICC_HPPIR1_EL1), best);
	assert_int_equal(gic_line(gic, cpu), best != GIC_SPURIOUS && best_priority < gic_icc_read(gic, cpu, ICC_PMR_EL1) &&
						     best_priority < gic_icc_read(gic, cpu, ICC_RPR_EL1));
}

static void random_write(struct gic *gic, uint64_t *seed, cpu_id cpu)
{
	const uint32_t mapped = GIC_REGISTER_IDS - REG_GICD_CTLR;
	const struct gic_register *row = &gic_registers[REG_GICD_CTLR + next_random(seed) % mapped];
	const enum gic_target target = row->frame == GIC_FRAME_GICD ? GIC_DISTRIBUTOR : GIC_REDISTRIBUTOR;
	const uint32_t reachable = row->count < 6 ? row->count : 6;
	const uint32_t width = row->id == REG_GICD_IPRIORITYR ? 1 : row->width;
	uint32_t place;
	uint64_t value = next_random(seed) & next_random(seed);

	if (row->id == REG_GICR_WAKER || row->id == REG_GICD_CTLR)  /* mostly awake and on */
		value = next_random(seed) % 8 ? (row->id == REG_GICD_CTLR ? 2 : 0) : value;
	if (row->id == REG_GICD_IROUTER)
		value = next_random(seed) % 4 ? next_random(seed) % (CPUS + 1) : 1ull << 31;
	if (row->id == REG_GICD_IPRIORITYR)
		place = row->offset + (uint32_t)(next_random(seed) % IRQS);
	else
		place = row->offset + (uint32_t)(next_random(seed) % reachable) * width;
	assert_int_equal(gic_write(gic, target, cpu, place, width, 0, value), GIC_OK);
}

static void random_step(struct gic *gic, uint64_t *seed)
{
	const cpu_id cpu = { (uint32_t)(next_random(seed) % CPUS) };
	uint32_t irq;

	switch (next_random(seed) % 8) {
	case 0:
		gic_set_ppi(gic, cpu, (intid){ 16 + (uint32_t)(next_random(seed) % 16) }, next_random(seed) & 1);
		break;
	case 1:
		gic_set_spi(gic, (intid){ 32 + (uint32_t)(next_random(seed) % SPIS) }, next_random(seed) & 1);
		break;
	case 2:
		irq = (uint32_t)gic_icc_read(gic, cpu, ICC_IAR1_EL1);
		if (irq != GIC_SPURIOUS)
			assert_true(bit_of(gic, cpu, irq, GICD_ISACTIVER, GICR_ISACTIVER0));
		break;
	case 3:
		gic_icc_write(gic, cpu, ICC_EOIR1_EL1, next_random(seed) % 1024);
		break;
	case 4:
		gic_icc_write(gic, cpu, next_random(seed) & 1 ? ICC_DIR_EL1 : ICC_CTLR_EL1, next_random(seed) % 1024);
		break;
	case 5:
		gic_icc_write(gic, cpu, ICC_PMR_EL1, 0x80 | next_random(seed));
		gic_icc_write(gic, cpu, ICC_IGRPEN1_EL1, next_random(seed) % 8 != 0);
		gic_icc_write(gic, cpu, ICC_SGI1R_EL1, next_random(seed) & 0x000001000f000007);
		break;
	default:
		random_write(gic, seed, cpu);
	}
}

static void random_use_keeps_the_rules(void **state)
{
	const struct gic_config config = { .cpus = CPUS, .spis = SPIS, .priority_bits = 5, .edge_ppis = 0x5550000 };
	bool line[CPUS] = { false };
	uint64_t seed = 20240229, presented = 0;
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
			check_cpu(gic, cpu);
			assert_int_equal(line[cpu.n], gic_line(gic, cpu));  /* no change goes untold */
			presented += line[cpu.n];
		}
	}
	assert_true(presented > 1000);  /* the walk did reach what it is about */
	gic_destroy(gic);
}

/* RWP in the logic's own units: set from the write to exactly `disable_time` later. */
static void disable_takes_its_time(void **state)
{
	const struct gic_config config = { .cpus = 1, .spis = 32, .priority_bits = 5, .disable_time = 100 };
	struct gic *gic;
	uint64_t value;

	(void)state;
	assert_int_equal(gic_create(&config, &gic), CV_OK);
	assert_int_equal(gic_write(gic, GIC_REDISTRIBUTOR, cpu0, GICR_ISENABLER0, 4, 0, 1u << 27), GIC_OK);
	assert_true(gic_rwp_until(gic, GIC_REDISTRIBUTOR, cpu0) == GIC_NEVER);
	assert_int_equal(gic_write(gic, GIC_REDISTRIBUTOR, cpu0, GICR_ICENABLER0, 4, 50, 1u << 27), GIC_OK);
	assert_true(gic_rwp_until(gic, GIC_REDISTRIBUTOR, cpu0) == 150);
	assert_true(gic_rwp_until(gic, GIC_DISTRIBUTOR, cpu0) == GIC_NEVER);
	assert_int_equal(gic_read(gic, GIC_REDISTRIBUTOR, cpu0, GICR_CTLR, 4, 149, &value), GIC_OK);
	assert_int_equal(value, 1 << 3);
	assert_int_equal(gic_read(gic, GIC_REDISTRIBUTOR, cpu0, GICR_CTLR, 4, 150, &value), GIC_OK);
	assert_int_equal(value, 0);
	gic_destroy(gic);
}

static void bad_configurations_say_what_is_allowed(void **state)
{
	const uint32_t twice[] = { 5, 5 };
	const struct gic_config bad[] = {
		{ .cpus = 0, .priority_bits = 5 },
		{ .cpus = 65537, .priority_bits = 5 },
		{ .cpus = 1, .priority_bits = 3 },
		{ .cpus = 1, .priority_bits = 8 },
		{ .cpus = 1, .priority_bits = 5, .spis = 33 },
		{ .cpus = 1, .priority_bits = 5, .spis = 992 },
		{ .cpus = 2, .priority_bits = 5, .affinity = twice },
	};
	struct gic *gic = NULL;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(gic_create(&bad[i], &gic), CV_BAD_INPUT);
		assert_non_null(strstr(cv_error_text(), "GIC"));
		assert_null(gic);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(table_is_in_order),
		cmocka_unit_test(look_up_finds_every_register),
		cmocka_unit_test(names_are_the_architectures),
		cmocka_unit_test(reset_values_are_the_tables),
		cmocka_unit_test(priority_bits),
		cmocka_unit_test(random_use_keeps_the_rules),
		cmocka_unit_test(disable_takes_its_time),
		cmocka_unit_test(bad_configurations_say_what_is_allowed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
