// SPDX-License-Identifier: Apache-2.0
/*
 * A guest sends an SGI. GICv3: it writes ICC_SGI1R_EL1, which traps (access_gic_sgi, vgic_v3_dispatch_sgi); the target
 * is an affinity, 16 vCPUs to a value of Aff1. GICv2: it writes GICD_SGIR, with a target list of eight.
 *
 * How the vCPU is found (kernel.sgi_lookup):
 *
 *   linear   all vCPUs from the first on, until all targets are found: for each a step through the array (xarray:
 *            xa_find_after, xas_find, xas_load) and its MPIDR from memory (match_mpidr, vcpu_read_sys_reg), two lines
 *            of that vCPU. To v6.6
 *   group    the same, but only the 16 vCPUs of the target's affinity group; a proposal of 2023
 *   hash     a table from compressed affinity to vCPU, and one comparison
 *
 * For the target: irq_lock, and unless it is on a list ap_list_lock; a request; the kick.
 * Not modelled: broadcast, several targets at a time, groups other than 1, GICv4.1's direct SGIs; lines of the visited
 * vCPUs that the caches lose in between.
 */
#include "model/kernel/unmodelled.h"
#include "model/kvm/kvm.h"

#define AFFINITY_GROUP 16u

/* One step of kvm_for_each_vcpu. */
static void xas_load(struct cpu *cpu)
{
	FUNCTION(cpu);

	cpu_load_store(cpu, 8);  /* root, node, shift, slot, entry */
}

static void xas_find(struct cpu *cpu)
{
	FUNCTION(cpu);

	cpu_load_store(cpu, 3);
	xas_load(cpu);
}

static void xa_find_after(struct cpu *cpu, const struct kvm *kvm)
{
	FUNCTION(cpu);

	line_read(cpu, kvm->vcpu_array_line);
	cpu_load_store(cpu, 12);  /* a new state on the stack, RCU read section */
	xas_find(cpu);
}

static void vcpu_read_sys_reg(struct cpu *cpu, const struct kvm_vcpu *vcpu)
{
	FUNCTION(cpu);

	line_read(cpu, vcpu->flags_line);
	line_read(cpu, vcpu->mpidr_line);
	cpu_load_store(cpu, 3);
}

static bool match_mpidr(struct cpu *cpu, struct kvm_vcpu *visited, const struct kvm_vcpu *wanted)
{
	FUNCTION(cpu);

	vcpu_read_sys_reg(cpu, visited);
	cpu_load_store(cpu, 5);
	return visited == wanted;
}

static void walk(struct cpu *cpu, const struct kvm *kvm, uint32_t first, const struct kvm_vcpu *wanted)
{
	for (uint32_t n = first; n < kvm->vcpu_count; n++) {
		xa_find_after(cpu, kvm);
		if (match_mpidr(cpu, kvm->vcpus[n], wanted))
			return;
	}
}

static void kvm_mpidr_to_vcpu(struct cpu *cpu, const struct kvm *kvm, const struct kvm_vcpu *wanted)
{
	FUNCTION(cpu);

	line_read(cpu, kvm->vcpu_array_line);  /* mpidr_data: mask, table */
	cpu_load_store(cpu, 12);               /* RCU, compressing the affinity, the array of vCPUs */
	vcpu_read_sys_reg(cpu, wanted);
}

static void vgic_v3_queue_sgi(struct cpu *cpu, struct kvm_vcpu *from, struct kvm_vcpu *to, uint32_t sgi)
{
	FUNCTION(cpu);

	cpu_load_store(cpu, 4);
	to->kvm->vgic_ops->send_sgi(cpu, from, to, sgi);
}

static void vgic_v3_dispatch_sgi(struct cpu *cpu, struct kvm_vcpu *vcpu, struct kvm_vcpu *to, uint32_t sgi)
{
	const struct kvm *kvm = vcpu->kvm;
	FUNCTION(cpu);

	cpu_load_store(cpu, 8);  /* SGI, target list, affinity, group from the register's value */
	switch (kvm->kernel->config.sgi_lookup) {
	case SGI_LOOKUP_LINEAR:
		walk(cpu, kvm, 0, to);
		break;
	case SGI_LOOKUP_GROUP:
		walk(cpu, kvm, to->id.n / AFFINITY_GROUP * AFFINITY_GROUP, to);
		break;
	case SGI_LOOKUP_HASH:
		kvm_mpidr_to_vcpu(cpu, kvm, to);
		break;
	}
	vgic_v3_queue_sgi(cpu, vcpu, to, sgi);
}

static struct kvm_vcpu *target_of(struct kvm_vcpu *vcpu, uint32_t target)
{
	if (target >= vcpu->kvm->vcpu_count)
		unmodelled("an SGI to a vCPU that the VM does not have");
	return vcpu->kvm->vcpus[target];
}

void access_gic_sgi(struct cpu *cpu, struct kvm_vcpu *vcpu, uint32_t target, uint32_t sgi)
{
	FUNCTION(cpu);

	cpu_load_store(cpu, 4);
	vgic_v3_dispatch_sgi(cpu, vcpu, target_of(vcpu, target), sgi);
}

/* The target list is a bit for each of eight vCPUs: every vCPU of the VM is looked at (kvm_for_each_vcpu), whatever the version. */
void vgic_mmio_write_sgir(struct cpu *cpu, struct kvm_vcpu *vcpu, uint32_t target, uint32_t sgi)
{
	FUNCTION(cpu);

	cpu_load_store(cpu, 4 + 2 * vcpu->kvm->vcpu_count);
	vcpu->kvm->vgic_ops->send_sgi(cpu, vcpu, target_of(vcpu, target), sgi);
}

void vgic_guest_sgi(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	if (vcpu->kvm->vgic_chip == &vgic_v2)
		kvm_handle_guest_abort(cpu, vcpu);
	else
		kvm_handle_sys_reg(cpu, vcpu);
}
