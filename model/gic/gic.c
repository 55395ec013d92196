// SPDX-License-Identifier: Apache-2.0
/*
 * A GIC after reset, and the wires into it. See gic.h.
 */
#include <assert.h>
#include <stdlib.h>

#include "model/gic/gic_state.h"

static cv_result check_v2(const struct gic_config *config)
{
	RETURN_ERROR_IF(config->cpus > 8, CV_BAD_INPUT, "GIC with %u CPUs: a GICv2 has up to 8", config->cpus);
	RETURN_ERROR_IF(config->spis % 32, CV_BAD_INPUT, "GIC with %u SPIs: a GICv2 has a multiple of 32", config->spis);
	RETURN_ERROR_IF(config->priority_bits != 5, CV_BAD_INPUT, "GIC with %u priority bits: a GICv2 is modelled with 5",
			config->priority_bits);
	RETURN_ERROR_IF(config->list_registers > GIC_LIST_REGISTERS_MAX, CV_BAD_INPUT,
			"GIC with %u list registers: a GICv2 has up to 64", config->list_registers);
	return CV_OK;
}

static cv_result check(const struct gic_config *config)
{
	const uint32_t spis = config->spis;
	const uint32_t bits = config->priority_bits;

	RETURN_ERROR_IF(config->cpus < 1 || config->cpus > 65536, CV_BAD_INPUT,
			"GIC with %u CPUs: a GICv3 numbers 1 to 65536 of them", config->cpus);
	RETURN_ERROR_IF((spis > 960 || spis % 32) && spis != 988, CV_BAD_INPUT,
			"GIC with %u SPIs: allowed are multiples of 32 up to 960, and 988", spis);
	RETURN_ERROR_IF(bits < 5 || bits > 7, CV_BAD_INPUT, "GIC with %u priority bits: 5, 6 or 7 are modelled", bits);
	if (config->version == 2)
		return check_v2(config);
	RETURN_ERROR_IF(config->list_registers > 16, CV_BAD_INPUT, "GIC with %u list registers: a GICv3 has up to 16",
			config->list_registers);
	return CV_OK;
}

/* Aff0 stays below 16, so that a target list of ICC_SGI1R_EL1 reaches every CPU. */
static uint32_t default_affinity(uint32_t cpu)
{
	return cpu % 16 | (cpu / 16 % 256) << 8 | (cpu / 4096) << 16;
}

static int compare_affinities(const void *a, const void *b)
{
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static cv_result set_affinities(struct gic *gic, const uint32_t *affinity)
{
	uint32_t *sorted = gic->changed;  /* empty so far, and of the right size */

	for (uint32_t cpu = 0; cpu < gic->config.cpus; cpu++)
		sorted[cpu] = gic->cpu[cpu].affinity = affinity ? affinity[cpu] : default_affinity(cpu);
	qsort(sorted, gic->config.cpus, sizeof(*sorted), compare_affinities);
	for (uint32_t cpu = 1; cpu < gic->config.cpus; cpu++)
		RETURN_ERROR_IF(sorted[cpu] == sorted[cpu - 1], CV_BAD_INPUT,
				"GIC: two CPUs have the affinity %u.%u.%u.%u; each CPU needs its own", sorted[cpu] >> 24,
				sorted[cpu] >> 16 & 0xff, sorted[cpu] >> 8 & 0xff, sorted[cpu] & 0xff);
	return CV_OK;
}

/* No power management, and the Non-secure view: everything is in Group 1. */
static void reset_v2(struct gic *gic)
{
	for (uint32_t cpu = 0; cpu < gic->config.cpus; cpu++) {
		gic->cpu[cpu].asleep = false;
		gic->cpu[cpu].block.group = UINT32_MAX;
	}
	for (uint32_t block = 1; block < GIC_BLOCKS; block++)
		gic->spi[block].group = gic->spi[block].valid;
}

static void reset(struct gic *gic)
{
	gic->rwp_until = GIC_NEVER;
	for (uint32_t cpu = 0; cpu < gic->config.cpus; cpu++) {
		struct gic_cpu *c = &gic->cpu[cpu];

		c->rwp_until = GIC_NEVER;
		c->asleep = gic_registers[REG_GICR_WAKER].reset & GICR_WAKER_PROCESSOR_SLEEP;
		c->block.valid = UINT32_MAX;
		c->block.edge = (gic->config.edge_ppis & 0xffff0000u) | 0xffffu;
		if (gic->config.list_registers)
			gic_virtual_init(&c->virtual_interface, gic->config.list_registers, gic->config.priority_bits,
					 gic->config.version != 2);
	}
	for (uint32_t irq = 32; irq < 32 + gic->config.spis; irq++) {
		gic->spi[irq / 32].valid |= 1u << irq % 32;
		gic_router_write(gic, irq, gic_registers[REG_GICD_IROUTER].reset);
	}
}

cv_result gic_create(const struct gic_config *config, struct gic **out)
{
	struct gic *gic;
	cv_result result;

	FORWARD_IF_ERROR(check(config));
	gic = calloc(1, sizeof(*gic) + config->cpus * sizeof(gic->cpu[0]));
	RETURN_ERROR_IF(!gic, CV_INTERNAL, "no memory for a GIC with %u CPUs", config->cpus);
	gic->config = *config;
	gic->config.affinity = NULL;
	gic->implemented_priority = (uint8_t)(0xff00u >> config->priority_bits);
	gic->changed = calloc(config->cpus, sizeof(gic->changed[0]));
	result = gic->changed ? set_affinities(gic, config->affinity) :
				cv_error_set(CV_INTERNAL, "no memory for a GIC with %u CPUs", config->cpus);
	if (result != CV_OK) {
		gic_destroy(gic);
		return result;
	}
	reset(gic);
	if (gic->config.version == 2)
		reset_v2(gic);
	*out = gic;
	return CV_OK;
}

void gic_destroy(struct gic *gic)
{
	if (!gic)
		return;
	free(gic->changed);
	free(gic);
}

struct gic_virtual *gic_virtual_of(struct gic *gic, cpu_id cpu)
{
	assert(cpu.n < gic->config.cpus);
	return gic->config.list_registers ? &gic->cpu[cpu.n].virtual_interface : NULL;
}

static void set_input(struct gic_block *block, uint32_t bit, bool level)
{
	if (level && !(block->level & bit))
		block->latch |= block->edge & bit;
	block->level = level ? block->level | bit : block->level & ~bit;
}

void gic_set_ppi(struct gic *gic, cpu_id cpu, intid irq, bool level)
{
	assert(cpu.n < gic->config.cpus && irq.n >= 16 && irq.n < 32);
	set_input(&gic->cpu[cpu.n].block, 1u << irq.n, level);
	gic_cpu_changed(gic, cpu.n);
}

void gic_set_spi(struct gic *gic, intid irq, bool level)
{
	assert(irq.n >= 32 && irq.n < 32 + gic->config.spis);
	set_input(&gic->spi[irq.n / 32], 1u << irq.n % 32, level);
	gic_spi_block_changed(gic, irq.n / 32);
}
