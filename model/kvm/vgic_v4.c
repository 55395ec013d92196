// SPDX-License-Identifier: Apache-2.0
/*
 * Making a vPE resident and taking it away; see vgic_v4.h. Steps of a load:
 *
 *   irq_set_affinity        desc->lock, vpe_lock: the vPE's LPIs go to this CPU. Same CPU as last time: nothing more.
 *                           Another one: VMOVP through the ITS, except on GICv4.1 where both redistributors share the
 *                           vPE table
 *   irq_set_vcpu_affinity   desc->lock; GICv4.0: GICR_VPROPBASER and GICR_VPENDBASER written, GICv4.1: GICR_VPENDBASER alone
 *   clear the doorbell      GICv4.0: desc->lock, GICR_CLRLPIR written, GICR_SYNCR read until idle
 *   its_commit_vpe          GICv4.1: GICR_VPENDBASER read until Dirty clears, kernel.gicv4_vpt_poll between two looks;
 *                           in the load, still under desc->lock, or before the first entry, without a lock
 *                           (kernel.gicv4_vpt_wait)
 *
 * and of a put: Dirty clear, GICR_VPENDBASER read, written with Valid = 0 (and the doorbell request when blocking,
 * under vpe_lock), Dirty clear again with 1 us steps. GICv4.0 redistributors do not signal that a table has been read,
 * so there is nothing to wait for. Up to v5.4 all of it ran at every flush and sync (kernel.gicv4_residency).
 *
 * Which CPUs share a vPE table is taken as: those of one NUMA node. Not modelled: VMOVP (a vPE that moves beyond that stops the
 * simulation), a doorbell on a CPU without a thread, vSGIs.
 */
#include "model/kvm/vgic_v4.h"

#include "model/kernel/unmodelled.h"
#include "model/kvm/kvm.h"

enum { GICR_CLRLPIR = 0x48, GICR_SYNCR = 0xc0, VLPI_BASE = 0x20000, GICR_VPROPBASER = VLPI_BASE + 0x70,
       GICR_VPENDBASER = VLPI_BASE + 0x78 };
#define VPENDBASER_VALID (1ull << 63)
#define VPENDBASER_4_1_DB (1ull << 62)
#define VPENDBASER_PENDING_LAST (1ull << 61)
#define VPENDBASER_DIRTY (1ull << 60)
#define SYNCR_BUSY 1u
#define DIRTY_POLL_AFTER_CLEARING PS_PER_US

/* An LPI came for a vPE that is not resident. */
static bool vgic_v4_doorbell_handler(struct cpu *cpu, void *context, intid interrupt)
{
	struct kvm_vcpu *vcpu = context;
	const struct kernel_config *config = &vcpu->kvm->kernel->config;
	FUNCTION(cpu);

	(void)interrupt;
	cpu_load_store(cpu, 2);
	if (config->gic == GIC_V4_0 && config->gicv4_resident_at_load)
		vgic_v4_disable_doorbell(cpu, vcpu);
	vcpu->vpe.pending_last = true;
	kvm_make_request(cpu, KVM_REQ_IRQ_PENDING, vcpu);
	kvm_vcpu_kick(cpu, vcpu);
	return false;
}

void vgic_v4_vcpu_init(struct kvm_vcpu *vcpu)
{
	struct kernel *kernel = vcpu->kvm->kernel;
	struct its_vpe *vpe = &vcpu->vpe;
	const uint32_t first_instance = 2;  /* after the timers' descriptors */

	vpe->id = vcpu->id.n;
	vpe->col_idx = VPE_ON_NO_CPU;
	irq_desc_init(kernel, &vpe->irq, (intid){ 8192 + vpe->id }, "irq_desc(vpe).lock", first_instance + vpe->id);
	spin_lock_init(kernel, &vpe->vpe_lock, line_create(kernel->machine, "its_vpe", vpe->id), "its_vpe.vpe_lock");
	request_lpi(kernel, &vpe->irq, vgic_v4_doorbell_handler, vcpu);
	vcpu->halt.direct_injection = true;
}

static uint64_t own_redistributor(struct kernel *kernel, struct cpu *cpu)
{
	cpu_load_store(cpu, 2);
	return gic_frame_address(kernel->machine, GIC_FRAME_REDISTRIBUTOR, cpu_number(cpu));
}

/* Reads GICR_VPENDBASER until Dirty is clear; returns the last value. */
static uint64_t wait_for_clean(struct cpu *cpu, uint64_t base, ps_t step)
{
	for (;;) {
		const uint64_t value = mmio_read64(cpu, base + GICR_VPENDBASER);

		if (!(value & VPENDBASER_DIRTY))
			return value;
		cpu_spend(cpu, step);  /* udelay */
	}
}

static bool share_vpe_table(const struct kernel_config *config, uint32_t a, uint32_t b)
{
	return config->gic == GIC_V4_1 && (!config->cpus_per_node || a / config->cpus_per_node == b / config->cpus_per_node);
}

static void its_vpe_set_affinity(struct kernel *kernel, struct cpu *cpu, struct its_vpe *vpe)
{
	const uint32_t here = cpu_number(cpu).n;
	bool flags;
	FUNCTION(cpu);

	flags = raw_spin_lock_irqsave(kernel, cpu, &vpe->vpe_lock, __func__);
	cpu_load_store(cpu, 3);
	if (vpe->col_idx != here && vpe->col_idx != VPE_ON_NO_CPU && !share_vpe_table(&kernel->config, vpe->col_idx, here))
		unmodelled("a vPE that moves to a CPU with another vPE table (VMOVP)");
	vpe->col_idx = here;
	raw_spin_unlock_irqrestore(cpu, &vpe->vpe_lock, flags);
}

static void irq_set_affinity(struct kernel *kernel, struct cpu *cpu, struct its_vpe *vpe)
{
	bool flags;
	FUNCTION(cpu);

	flags = raw_spin_lock_irqsave(kernel, cpu, &vpe->irq.lock, __func__);
	line_read(cpu, vpe->irq.chip_line);
	its_vpe_set_affinity(kernel, cpu, vpe);
	raw_spin_unlock_irqrestore(cpu, &vpe->irq.lock, flags);
}

static void its_wait_vpt_parse_complete(struct kernel *kernel, struct cpu *cpu, uint64_t base)
{
	FUNCTION(cpu);

	wait_for_clean(cpu, base, kernel->config.gicv4_vpt_poll);
}

static void its_vpe_schedule(struct kernel *kernel, struct cpu *cpu, const struct its_vpe *vpe)
{
	const bool v4_1 = kernel->config.gic == GIC_V4_1;
	FUNCTION(cpu);

	const uint64_t base = own_redistributor(kernel, cpu);

	if (!v4_1)
		mmio_write64(cpu, base + GICR_VPROPBASER, 0);
	mmio_write64(cpu, base + GICR_VPENDBASER, VPENDBASER_VALID | (v4_1 ? vpe->id : (uint64_t)vpe->id << 16));
	if (v4_1 && !kernel->config.gicv4_vpt_wait_at_entry)
		its_wait_vpt_parse_complete(kernel, cpu, base);
}

/* irq_set_vcpu_affinity(SCHEDULE_VPE) on the vPE's interrupt. */
static void its_make_vpe_resident(struct kernel *kernel, struct cpu *cpu, struct its_vpe *vpe)
{
	bool flags;
	FUNCTION(cpu);

	flags = raw_spin_lock_irqsave(kernel, cpu, &vpe->irq.lock, __func__);
	line_read(cpu, vpe->irq.chip_line);
	its_vpe_schedule(kernel, cpu, vpe);
	raw_spin_unlock_irqrestore(cpu, &vpe->irq.lock, flags);
	vpe->resident = true;
	vpe->pending_last = false;  /* the hardware's business again */
	vpe->ready = kernel->config.gic != GIC_V4_1 || !kernel->config.gicv4_vpt_wait_at_entry;
}

/* GICv4.0: irq_set_irqchip_state(doorbell, PENDING, false), with direct LPI registers. */
static void clear_doorbell(struct kernel *kernel, struct cpu *cpu, struct its_vpe *vpe)
{
	bool flags;
	FUNCTION_NAMED(cpu, "its_vpe_set_irqchip_state");

	const uint64_t base = own_redistributor(kernel, cpu);

	flags = raw_spin_lock_irqsave(kernel, cpu, &vpe->irq.lock, "irq_set_irqchip_state");
	mmio_write64(cpu, base + GICR_CLRLPIR, vpe->irq.hwirq.n);
	while (mmio_read(cpu, base + GICR_SYNCR) & SYNCR_BUSY)
		;
	raw_spin_unlock_irqrestore(cpu, &vpe->irq.lock, flags);
}

void vgic_v4_load(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	struct kernel *kernel = vcpu->kvm->kernel;
	FUNCTION(cpu);

	cpu_load_store(cpu, 2);
	if (!vcpu->kvm->direct_msi || vcpu->vpe.resident || vcpu->halt.in_wfi)
		return;  /* in a WFI it is loaded to look whether it may go on, not to enter the guest */
	irq_set_affinity(kernel, cpu, &vcpu->vpe);
	its_make_vpe_resident(kernel, cpu, &vcpu->vpe);
	if (kernel->config.gic != GIC_V4_0)
		return;
	if (kernel->config.gicv4_resident_at_load && vcpu->vpe.doorbell_enabled)
		vgic_v4_disable_doorbell(cpu, vcpu);
	clear_doorbell(kernel, cpu, &vcpu->vpe);
}

void vgic_v4_commit(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	struct kernel *kernel = vcpu->kvm->kernel;
	FUNCTION(cpu);

	cpu_load_store(cpu, 2);
	if (!vcpu->kvm->direct_msi || !vcpu->vpe.resident || vcpu->vpe.ready)
		return;
	its_wait_vpt_parse_complete(kernel, cpu, own_redistributor(kernel, cpu));
	vcpu->vpe.ready = true;
}

static uint64_t its_clear_vpend_valid(struct cpu *cpu, uint64_t base, uint64_t request)
{
	uint64_t value;
	FUNCTION(cpu);

	wait_for_clean(cpu, base, DIRTY_POLL_AFTER_CLEARING);
	value = mmio_read64(cpu, base + GICR_VPENDBASER);
	mmio_write64(cpu, base + GICR_VPENDBASER, (value & ~(VPENDBASER_VALID | VPENDBASER_PENDING_LAST)) | request);
	return wait_for_clean(cpu, base, DIRTY_POLL_AFTER_CLEARING);
}

void vgic_v4_put(struct cpu *cpu, struct kvm_vcpu *vcpu, bool need_db)
{
	struct kernel *kernel = vcpu->kvm->kernel;
	struct its_vpe *vpe = &vcpu->vpe;
	const bool request = need_db && kernel->config.gic == GIC_V4_1;
	bool flags = false;
	uint64_t value;
	FUNCTION(cpu);

	cpu_load_store(cpu, 2);
	if (!vcpu->kvm->direct_msi || !vpe->resident)
		return;
	if (need_db && kernel->config.gic == GIC_V4_0)
		vgic_v4_enable_doorbell(cpu, vcpu);
	if (request)
		flags = raw_spin_lock_irqsave(kernel, cpu, &vpe->vpe_lock, "its_make_vpe_non_resident");
	value = its_clear_vpend_valid(cpu, own_redistributor(kernel, cpu), request ? VPENDBASER_4_1_DB : 0);
	vpe->pending_last = value & VPENDBASER_PENDING_LAST;
	if (request)
		raw_spin_unlock_irqrestore(cpu, &vpe->vpe_lock, flags);
	vpe->resident = vpe->ready = false;
}
