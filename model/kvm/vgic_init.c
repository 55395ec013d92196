// SPDX-License-Identifier: Apache-2.0
/*
 * Laying out a VM's interrupts (arch/arm64/kvm/vgic/vgic-init.c), as they are when the guest has booted: SGIs, its timers and
 * its PMU are enabled, all priorities equal, every SPI goes to the first vCPU.
 *
 * The guest timers that run on hardware are mapped: the host interrupt stands in the list register, and the guest's end of the
 * interrupt deactivates it. Where the host's interrupt controller cannot do that, the line is sampled when the guest has
 * ended the interrupt.
 * Not modelled: LPIs; devices passed through (an SPI with a host interrupt); changing targets, priorities and groups.
 */
#include <stdlib.h>

#include "model/kvm/kvm.h"

#define GUEST_PRIORITY 0xa0
#define VMCR_VEOIM (1u << 9)  /* both in GICH_VMCR and in ICH_VMCR_EL2 */

static const struct vgic_chip *chip_of(const struct kvm *kvm)
{
	if (kvm->vgic_v5)
		return &vgic_v5;
	return kvm->kernel->config.gic == GIC_V2 ? &vgic_v2 : &vgic_v3;
}

static const struct vgic_ops *ops_of(const struct kvm *kvm)
{
	if (kvm->vgic_v5)
		return &vgic_v5_ops;
	return kvm->kernel->config.vgic_lock_per_vm ? &vgic_distributor : &vgic_per_irq;
}

static void irq_init(struct kernel *kernel, struct vgic_irq *irq, uint32_t number, const char *line, uint32_t instance)
{
	irq->intid = number;
	irq->level = number >= VGIC_SGIS;
	irq->priority = GUEST_PRIORITY;
	spin_lock_init(kernel, &irq->irq_lock, line_create(kernel->machine, line, instance), "vgic_irq.irq_lock");
}

static void map_timer(struct kvm_vcpu *vcpu, struct vgic_irq *irq, struct irq_desc *host, bool direct)
{
	irq->enabled = true;
	if (!direct || vcpu->kvm->kernel->config.active_state == ACTIVE_STATE_NONE)
		return;
	irq->host_irq = host;
	irq->get_input_level = kvm_arch_timer_get_input_level;
	irq->resample = vcpu->kvm->kernel->config.gic == GIC_AIC;
}

void kvm_vgic_create(struct kvm *kvm, uint32_t instance)
{
	struct kernel *kernel = kvm->kernel;

	kvm->vgic_chip = chip_of(kvm);
	kvm->vgic_ops = ops_of(kvm);
	spin_lock_init(kernel, &kvm->vgic.lock, line_create(kernel->machine, "vgic_dist", instance), "vgic_dist.lock");
	for (uint32_t n = 0; n < VGIC_SPIS; n++)
		irq_init(kernel, &kvm->vgic.spis[n], VGIC_PRIVATE_IRQS + n, "vgic_irq SPI", instance * VGIC_SPIS + n);
	kvm->vcpu_array_line = line_create(kernel->machine, "kvm vcpu_array", instance);
}

static const char *private_line(uint32_t number)
{
	if (number == VGIC_PPI_VTIMER)
		return "vgic_irq vtimer";
	if (number == VGIC_PPI_PTIMER)
		return "vgic_irq ptimer";
	if (number == VGIC_PPI_PMU)
		return "vgic_irq pmu";
	return number < VGIC_SGIS ? "vgic_irq SGI" : "vgic_irq PPI";
}

static void add_vcpu(struct kvm_vcpu *vcpu)
{
	struct kvm *kvm = vcpu->kvm;

	kvm->vcpus = realloc(kvm->vcpus, (kvm->vcpu_count + 1) * sizeof(*kvm->vcpus));
	if (!kvm->vcpus)
		abort();
	kvm->vcpus[kvm->vcpu_count++] = vcpu;
	for (uint32_t n = 0; n < VGIC_SPIS && kvm->vcpu_count == 1; n++)
		kvm->vgic.spis[n].target_vcpu = vcpu;
}

void kvm_vgic_vcpu_init(struct kvm_vcpu *vcpu)
{
	struct kernel *kernel = vcpu->kvm->kernel;
	struct vgic_irq *irqs = vcpu->vgic.private_irqs;
	const uint32_t id = vcpu->id.n;

	spin_lock_init(kernel, &vcpu->vgic.ap_list_lock, line_create(kernel->machine, "vgic ap_list", id),
		       "vgic_cpu.ap_list_lock");
	for (uint32_t n = 0; n < VGIC_PRIVATE_IRQS; n++) {
		const bool alone = n == VGIC_PPI_VTIMER || n == VGIC_PPI_PTIMER || n == VGIC_PPI_PMU;

		irq_init(kernel, &irqs[n], n, private_line(n), alone ? id : id * VGIC_PRIVATE_IRQS + n);
		irqs[n].target_vcpu = vcpu;
		irqs[n].enabled = n < VGIC_SGIS || n == VGIC_PPI_PMU;
	}
	map_timer(vcpu, &irqs[VGIC_PPI_VTIMER], &kernel->host_vtimer, true);
	map_timer(vcpu, &irqs[VGIC_PPI_PTIMER], &kernel->host_ptimer,
		  kernel->config.vhe && kernel->config.ptimer_direct_on_vhe);
	vcpu->vgic.vmcr = vcpu->kvm->vgic_chip->boot_vmcr;
	add_vcpu(vcpu);
}

uint64_t vgic_vmcr(const struct kvm_vcpu *vcpu)
{
	return vcpu->vgic.vmcr | (vcpu->guest.split_eoi ? VMCR_VEOIM : 0);
}
