// SPDX-License-Identifier: Apache-2.0
/*
 * arch/arm64/kvm/vgic/vgic-mmio.c and vgic-mmio-v3.c: the guest reads GICD_IIDR. The register belongs to no interrupt, so
 * no irq_lock is taken. The register's table entry is found by bisection: five steps for some 25 entries.
 * Not modelled: all other registers of the emulated distributor and redistributors.
 */
#include "model/kvm/kvm.h"

#define REGION_STEPS 5

static void match_region(struct cpu *cpu)
{
	FUNCTION(cpu);

	cpu_load_store(cpu, 3);
}

static void vgic_find_mmio_region(struct cpu *cpu)
{
	FUNCTION(cpu);

	kvm_bsearch(cpu, REGION_STEPS, match_region);
}

static void check_region(struct cpu *cpu)
{
	FUNCTION(cpu);

	cpu_load_store(cpu, 3);  /* width and alignment against the entry's */
}

static void vgic_get_mmio_region(struct cpu *cpu)
{
	FUNCTION(cpu);

	vgic_find_mmio_region(cpu);
	check_region(cpu);
}

static void vgic_data_host_to_mmio_bus(struct cpu *cpu)
{
	FUNCTION(cpu);

	cpu_load_store(cpu, 2);  /* in the guest's byte order */
}

static void vgic_mmio_read_v3_misc(struct cpu *cpu)
{
	FUNCTION(cpu);

	cpu_load_store(cpu, 3);  /* product, implementer, revision of this VM's vgic */
}

void dispatch_mmio_read(struct cpu *cpu)
{
	FUNCTION(cpu);

	cpu_load_store(cpu, 4);
	vgic_get_mmio_region(cpu);
	vgic_mmio_read_v3_misc(cpu);
	vgic_data_host_to_mmio_bus(cpu);
}
