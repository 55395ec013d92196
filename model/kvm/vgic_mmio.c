// SPDX-License-Identifier: Apache-2.0
/*
 * arch/arm64/kvm/vgic/vgic-mmio.c, -v2.c and -v3.c: the guest reads GICD_IIDR, writes GICD_SGIR, or enables, disables,
 * activates or deactivates one of its private interrupts. IIDR belongs to no interrupt, so no irq_lock is taken. The
 * register's table entry is found by bisection: five steps for some 25 entries.
 *
 * Private interrupts: irq_lock of the interrupt, and what becomes deliverable goes to the vCPU's list. An interrupt
 * that is mapped to a host interrupt (a timer) has its state there, too: enabling it samples the line, and activating
 * or deactivating it sets the host interrupt's active state, in both cases under the descriptor's lock, inside
 * irq_lock. The vCPU's own registers, so nobody has to be stopped.
 * Not modelled: all other registers; a vCPU's redistributor written by another one (the whole guest is stopped for
 * ACTIVE); enabling with the old single lock, whose injection does not look at it.
 */
#include "model/kernel/unmodelled.h"
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

/* vgic_mmio_write_senable: a mapped interrupt whose line is low must not stay active in the host. */
static void set_enable(struct cpu *cpu, struct kvm_vcpu *vcpu, struct vgic_irq *irq, bool enable)
{
	struct kernel *kernel = vcpu->kvm->kernel;
	bool flags;
	FUNCTION_NAMED(cpu, "vgic_mmio_write_enable");

	flags = raw_spin_lock_irqsave(kernel, cpu, &irq->irq_lock, "vgic_mmio_write_enable");
	cpu_load_store(cpu, 3);
	if (enable && !irq->enabled && irq->level && irq->host_irq) {
		irq->line_level = irq->get_input_level(cpu, vcpu, irq);
		if (!irq->line_level && !irq->active)
			irq_set_irqchip_state(kernel, cpu, irq->host_irq, false);
	}
	irq->enabled = enable;
	if (enable)
		vgic_queue_irq_unlock(cpu, vcpu->kvm, irq, flags);
	else
		raw_spin_unlock_irqrestore(cpu, &irq->irq_lock, flags);
}

static void vgic_mmio_change_active(struct cpu *cpu, struct kvm_vcpu *vcpu, struct vgic_irq *irq, bool active)
{
	struct kernel *kernel = vcpu->kvm->kernel;
	bool flags;
	FUNCTION(cpu);

	flags = raw_spin_lock_irqsave(kernel, cpu, &irq->irq_lock, __func__);
	cpu_load_store(cpu, 3);
	if (irq->host_irq)
		irq_set_irqchip_state(kernel, cpu, irq->host_irq, active);
	irq->active = active;
	if (active)
		vgic_queue_irq_unlock(cpu, vcpu->kvm, irq, flags);
	else
		raw_spin_unlock_irqrestore(cpu, &irq->irq_lock, flags);
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

void dispatch_mmio_write(struct cpu *cpu, struct kvm_vcpu *vcpu, enum vgic_register reg, uint64_t argument)
{
	struct vgic_irq *irq = &vcpu->vgic.private_irqs[argument % VGIC_PRIVATE_IRQS];
	FUNCTION(cpu);

	cpu_load_store(cpu, 4);
	vgic_find_mmio_region(cpu);
	cpu_load_store(cpu, 5);  /* width and alignment; the value in the host's byte order */
	switch (reg) {
	case VGIC_SGIR:
		vgic_mmio_write_sgir(cpu, vcpu, (uint32_t)argument, GUEST_SGI_INTID);
		break;
	case VGIC_ISENABLER:
	case VGIC_ICENABLER:
		set_enable(cpu, vcpu, irq, reg == VGIC_ISENABLER);
		break;
	case VGIC_ISACTIVER:
	case VGIC_ICACTIVER:
		vgic_mmio_change_active(cpu, vcpu, irq, reg == VGIC_ISACTIVER);
		break;
	case VGIC_IIDR:
		unmodelled("a write of GICD_IIDR");
	}
}
