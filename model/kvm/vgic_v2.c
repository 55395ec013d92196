// SPDX-License-Identifier: Apache-2.0
/*
 * The virtual CPU interface of GICv2: GICH by MMIO from the host, GICV for the guest (arch/arm64/kvm/vgic/vgic-v2.c;
 * IHI 0048, 5.3 and 5.5). Both are banked: a CPU sees its own. The accesses are relaxed; reads wait for the device,
 * writes are posted.
 *
 *   load, put      GICH_VMCR and GICH_APR (before v4.12 at every switch)
 *   every entry    GICH_HCR and the used list registers, nothing when none is in use, to v6.18
 *   every exit     GICH_ELRSR0, each used list register read unless it is empty, and cleared; then GICH_HCR = 0
 *
 * The old scheme (to v4.6) read eight status registers and all list registers at every exit, and wrote three and all list
 * registers at every entry.
 * An SGI is pending once for each sender, who stands in the list register.
 * Not modelled: GICH_ELRSR1 (more than 32 list registers), GICV pages that have to be trapped.
 */
#include "model/kvm/kvm.h"

enum { GICH_HCR = 0x0, GICH_VMCR = 0x8, GICH_MISR = 0x10, GICH_EISR0 = 0x20, GICH_EISR1 = 0x24, GICH_ELRSR0 = 0x30,
       GICH_ELRSR1 = 0x34, GICH_APR = 0xf0, GICH_LR0 = 0x100 };
enum { GICV_IAR = 0xc, GICV_EOIR = 0x10, GICV_DIR = 0x1000 };

#define GICH_LR_VIRTUALID  0x3ffu
#define GICH_LR_PHYSICALID 10            /* 10 bits; of an SGI without HW: the sender in bits 10 to 12 */
#define GICH_LR_EOI        (1u << 19)    /* without HW */
#define GICH_LR_PRIORITY   23            /* the upper 5 bits of a priority */
#define GICH_LR_PENDING    (1u << 28)
#define GICH_LR_ACTIVE     (1u << 29)
#define GICH_LR_HW         (1u << 31)
#define GICH_HCR_EN        1u
#define GICH_HCR_UIE       2u

static uint64_t gich(struct cpu *cpu, uint32_t offset)
{
	return gic_frame_address(cpu_machine(cpu), GIC_FRAME_HYPERVISOR, cpu_number(cpu)) + offset;
}

static uint64_t gicv(struct cpu *cpu, uint32_t offset)
{
	return gic_frame_address(cpu_machine(cpu), GIC_FRAME_VIRTUAL_CPU, cpu_number(cpu)) + offset;
}

/* VMCR as a guest has it that has booted: its group enabled, priority mask 0xf0. */
#define VMCR_MASK  0xf0000000u
#define VMCR_VENG0 0x1u

static uint64_t encode(const struct vgic_lr *lr)
{
	const uint32_t physical = lr->hw ? lr->host_intid : lr->source;

	return lr->intid | physical << GICH_LR_PHYSICALID | (lr->hw ? GICH_LR_HW : lr->eoi ? GICH_LR_EOI : 0) |
	       (uint32_t)(lr->priority >> 3) << GICH_LR_PRIORITY | (lr->pending ? GICH_LR_PENDING : 0) |
	       (lr->active ? GICH_LR_ACTIVE : 0);
}

static struct vgic_lr decode(uint64_t value)
{
	return (struct vgic_lr){ .intid = value & GICH_LR_VIRTUALID, .pending = value & GICH_LR_PENDING,
				 .active = value & GICH_LR_ACTIVE, .hw = value & GICH_LR_HW,
				 .source = (uint32_t)(value >> GICH_LR_PHYSICALID) & 7 };
}

static void load(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	if (!vcpu->kvm->irqchip_in_kernel || vcpu->kvm->kernel->config.vmcr == VMCR_EVERY_SWITCH)
		return;
	mmio_write(cpu, gich(cpu, GICH_VMCR), (uint32_t)vgic_vmcr(vcpu));
	mmio_write(cpu, gich(cpu, GICH_APR), 0);
}

static void put(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	const struct kernel_config *config = &vcpu->kvm->kernel->config;

	if (!vcpu->kvm->irqchip_in_kernel || config->vmcr == VMCR_EVERY_SWITCH)
		return;
	if (config->vmcr != VMCR_LOAD_AND_EXIT)
		vcpu->vgic.vmcr = mmio_read(cpu, gich(cpu, GICH_VMCR));
	mmio_read(cpu, gich(cpu, GICH_APR));
}

static void write_list_registers(struct cpu *cpu, struct kvm_vcpu *vcpu, uint32_t count)
{
	FUNCTION_NAMED(cpu, "vgic_v2_restore_state");

	mmio_write(cpu, gich(cpu, GICH_HCR), (uint32_t)vcpu->vgic.hcr | GICH_HCR_EN);
	for (uint32_t n = 0; n < count; n++)
		mmio_write(cpu, gich(cpu, GICH_LR0 + 4 * n), (uint32_t)vcpu->vgic.lr[n]);
	cpu_load_store(cpu, count);
}

static void restore_state(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	const struct kernel_config *config = &vcpu->kvm->kernel->config;
	const uint32_t count = config->vgic_lock_per_vm ? config->list_registers : vcpu->vgic.used_lrs;

	if (config->vmcr == VMCR_EVERY_SWITCH) {
		mmio_write(cpu, gich(cpu, GICH_VMCR), (uint32_t)vgic_vmcr(vcpu));
		mmio_write(cpu, gich(cpu, GICH_APR), 0);
	}
	if (count || config->vgic_always)
		write_list_registers(cpu, vcpu, count);
}

static void read_list_registers(struct cpu *cpu, struct kvm_vcpu *vcpu, uint32_t count)
{
	uint32_t empty;
	FUNCTION_NAMED(cpu, "vgic_v2_save_state");

	empty = count ? mmio_read(cpu, gich(cpu, GICH_ELRSR0)) : 0;
	for (uint32_t n = 0; n < count; n++) {
		if (empty & 1u << n)
			vcpu->vgic.lr[n] &= ~(uint64_t)(GICH_LR_PENDING | GICH_LR_ACTIVE);
		else
			vcpu->vgic.lr[n] = mmio_read(cpu, gich(cpu, GICH_LR0 + 4 * n));
		mmio_write(cpu, gich(cpu, GICH_LR0 + 4 * n), 0);
	}
	mmio_write(cpu, gich(cpu, GICH_HCR), 0);
	cpu_load_store(cpu, count);
}

static void save_all(struct cpu *cpu, struct kvm_vcpu *vcpu, const struct kernel_config *config)
{
	static const uint32_t status[] = { GICH_HCR, GICH_MISR, GICH_EISR0, GICH_EISR1, GICH_ELRSR0, GICH_ELRSR1 };
	FUNCTION_NAMED(cpu, "__save_vgic_v2_state");

	for (size_t n = 0; n < sizeof(status) / sizeof(status[0]); n++)
		mmio_read(cpu, gich(cpu, status[n]));
	mmio_write(cpu, gich(cpu, GICH_HCR), 0);
	for (uint32_t n = 0; n < config->list_registers; n++)
		vcpu->vgic.lr[n] = mmio_read(cpu, gich(cpu, GICH_LR0 + 4 * n));
	cpu_load_store(cpu, config->list_registers);
}

static void save_state(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	const struct kernel_config *config = &vcpu->kvm->kernel->config;

	if (config->vmcr != VMCR_LOAD_PUT)
		vcpu->vgic.vmcr = mmio_read(cpu, gich(cpu, GICH_VMCR));
	if (config->vgic_lock_per_vm)
		save_all(cpu, vcpu, config);
	else if (vcpu->vgic.used_lrs || config->vgic_always)
		read_list_registers(cpu, vcpu, vcpu->vgic.used_lrs);
	if (config->vmcr == VMCR_EVERY_SWITCH)
		mmio_read(cpu, gich(cpu, GICH_APR));
}

static void vgic_v2_populate_lr(struct cpu *cpu, struct kvm_vcpu *vcpu, struct vgic_irq *irq, uint32_t n)
{
	struct vgic_lr lr;
	FUNCTION(cpu);

	lr = vgic_lr_of(cpu, vcpu, irq);
	vcpu->vgic.lr[n] = encode(&lr);
}

static void vgic_v2_fold_lr_state(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	FUNCTION(cpu);

	for (uint32_t n = 0; n < vcpu->vgic.used_lrs; n++)
		vgic_fold_lr(cpu, vcpu, decode(vcpu->vgic.lr[n]));
}

static void set_underflow(struct kvm_vcpu *vcpu, bool underflow)
{
	vcpu->vgic.hcr = underflow ? GICH_HCR_UIE : 0;
}

static uint32_t guest_acknowledge(struct cpu *cpu)
{
	return mmio_read(cpu, gicv(cpu, GICV_IAR));
}

static void guest_end(struct cpu *cpu, uint32_t acknowledged, bool split)
{
	mmio_write(cpu, gicv(cpu, GICV_EOIR), acknowledged);
	if (split)
		mmio_write(cpu, gicv(cpu, GICV_DIR), acknowledged);
}

const struct vgic_chip vgic_v2 = {
	.name = "GICv2",
	.sgi_source = true,
	.boot_vmcr = VMCR_MASK | VMCR_VENG0,
	.load = load,
	.put = put,
	.restore_state = restore_state,
	.save_state = save_state,
	.populate_lr = vgic_v2_populate_lr,
	.fold_lr_state = vgic_v2_fold_lr_state,
	.encode = encode,
	.decode = decode,
	.set_underflow = set_underflow,
	.guest_acknowledge = guest_acknowledge,
	.intid_mask = 0x3ff,            /* the sender stands above */
	.guest_end = guest_end,
};
