// SPDX-License-Identifier: Apache-2.0
/*
 * Laying out the kernel's data on the machine; see kernel.h. PPI numbers are those of the base system architecture.
 */
#include "model/kernel/kernel.h"

#include <stdlib.h>

#define PPI_VIRTUAL_TIMER 27
#define PPI_PHYSICAL_TIMER 30

static const struct irq_chip *chip_of(enum gic_version gic)
{
	switch (gic) {
	case GIC_V2:
		return &irq_chip_gic_v2;
	case GIC_V5:
		return &irq_chip_gic_v5;
	case GIC_AIC:
		return &irq_chip_aic;
	default:
		return &irq_chip_gic_v3;
	}
}

static void aic_ipis_init(struct kernel *kernel)
{
	kernel->aic_ipis = calloc(kernel->cpus, sizeof(*kernel->aic_ipis));
	if (!kernel->aic_ipis)
		abort();
	for (uint32_t cpu = 0; cpu < kernel->cpus; cpu++)
		kernel->aic_ipis[cpu].line = line_create(kernel->machine, "aic ipis", cpu);
}

struct kernel *kernel_boot(struct machine *machine, uint32_t cpus, const struct kernel_config *config)
{
	struct kernel *kernel = calloc(1, sizeof(*kernel));

	if (!kernel)
		abort();
	kernel->machine = machine;
	kernel->config = *config;
	kernel->cpus = cpus;
	kernel->chip = chip_of(config->gic);
	kernel->running_vcpu = calloc(cpus, sizeof(*kernel->running_vcpu));
	kernel->sgi_intid = calloc(cpus, sizeof(*kernel->sgi_intid));
	kernel->mcs_nodes = calloc((size_t)cpus * MCS_NESTING, sizeof(*kernel->mcs_nodes));
	if (!kernel->mcs_nodes || !kernel->running_vcpu || !kernel->sgi_intid)
		abort();
	for (uint32_t node = 0; node < cpus * MCS_NESTING; node++)
		kernel->mcs_nodes[node].line = line_create(machine, "qnodes", node);
	if (config->gic == GIC_AIC)
		aic_ipis_init(kernel);
	irq_desc_init(kernel, &kernel->host_vtimer, (intid){ PPI_VIRTUAL_TIMER }, "irq_desc(vtimer).lock", 0);
	irq_desc_init(kernel, &kernel->host_ptimer, (intid){ PPI_PHYSICAL_TIMER }, "irq_desc(ptimer).lock", 1);
	machine_on_interrupt(machine, el1_interrupt, kernel);
	return kernel;
}
