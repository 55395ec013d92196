// SPDX-License-Identifier: Apache-2.0
/*
 * The doorbell of a vPE: the host's LPI that says that an LPI came for a vCPU which is not on a CPU.
 *
 *   GICv4.1                     asked for when the vPE becomes non-resident (vgic_v4_put), costs nothing more
 *   GICv4.0, to v5.4            the vPE is non-resident outside the guest anyway; kvm_arch_vcpu_blocking() enables the
 *                               doorbell's LPI, kvm_arch_vcpu_unblocking() disables it
 *   GICv4.0, v5.5 and later     enabled when a waiting vCPU's vPE becomes non-resident; disabled by the handler, else
 *                               by the next load
 *
 * Enabling and disabling are desc->lock around the byte in the LPI configuration table, an invalidation and the wait for its end:
 * host.gic.doorbell_arm each time. One that came before it was enabled is pending, and comes at once.
 * From v5.17 on the vPE is put before the vCPU polls (block_put.c), so there is nothing to do here.
 * Not modelled: the ITS's own locks and its command queue.
 */
#include "model/kvm/vgic_v4.h"

#include "model/kvm/kvm.h"

#define LPI_CONFIGURATION 0x10000u  /* after GITS_TRANSLATER's frame */

static void set_doorbell(struct cpu *cpu, struct kvm_vcpu *vcpu, bool enabled)
{
	struct kernel *kernel = vcpu->kvm->kernel;
	struct its_vpe *vpe = &vcpu->vpe;
	const uint64_t table = gic_frame_address(kernel->machine, GIC_FRAME_ITS, cpu_number(cpu)) + LPI_CONFIGURATION;
	bool flags;

	flags = raw_spin_lock_irqsave(kernel, cpu, &vpe->irq.lock, enabled ? "enable_irq" : "disable_irq");
	cpu_load_store(cpu, 4);
	if (vpe->doorbell_enabled != enabled) {
		FUNCTION_NAMED(cpu, "its_vpe_send_inv");

		vpe->doorbell_enabled = enabled;
		cpu_spend(cpu, kernel->config.doorbell_arm);
		mmio_write(cpu, table + 4 * vpe->id, enabled);
	}
	raw_spin_unlock_irqrestore(cpu, &vpe->irq.lock, flags);
}

void vgic_v4_enable_doorbell(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	FUNCTION(cpu);

	set_doorbell(cpu, vcpu, true);
}

void vgic_v4_disable_doorbell(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	FUNCTION(cpu);

	set_doorbell(cpu, vcpu, false);
}

void vgic_v4_blocking(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	const struct kernel_config *config = &vcpu->kvm->kernel->config;

	if (!vcpu->kvm->direct_msi)
		return;
	if (!config->gicv4_resident_at_load) {
		vgic_v4_enable_doorbell(cpu, vcpu);
	} else if (config->block == BLOCK_PUT) {
		vcpu->halt.in_wfi = true;
		vgic_v4_put(cpu, vcpu, true);
	}
}

void vgic_v4_unblocking(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	const struct kernel_config *config = &vcpu->kvm->kernel->config;

	if (!vcpu->kvm->direct_msi)
		return;
	if (!config->gicv4_resident_at_load) {
		vgic_v4_disable_doorbell(cpu, vcpu);
	} else if (config->block == BLOCK_PUT) {
		vcpu->halt.in_wfi = false;
		vgic_v4_load(cpu, vcpu);
	}
}
