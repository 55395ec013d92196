// SPDX-License-Identifier: Apache-2.0
/*
 * A data abort on an address that a device in the kernel answers: kvm_handle_guest_abort (arch/arm64/kvm/mmu.c),
 * io_mem_abort and kvm_handle_mmio_return (mmio.c), kvm_io_bus_read and the SRCU around it all.
 *
 * Shared state is only read: the memory slots and the bus of devices under SRCU, whose reader counts are per CPU (two
 * atomics and two barriers, on a line that nobody else writes). Look-ups by comparison pay one call for each step, for a
 * VM of usual size: some eight memory slots and about eight devices on the bus, so three steps each.
 * Not modelled: writes of devices other than the vGIC, faults on memory, addresses that need an instruction fetch to decode.
 */
#include "model/kvm/kvm.h"

#define LOOK_UP_STEPS 3

static void srcu_read_lock(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	FUNCTION(cpu);

	line_atomic(cpu, vcpu->srcu_line, ORDER_RELAXED);
	cpu_barrier(cpu, BARRIER_DMB);
}

static void srcu_read_unlock(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	FUNCTION(cpu);

	cpu_barrier(cpu, BARRIER_DMB);
	line_atomic(cpu, vcpu->srcu_line, ORDER_RELAXED);
}

static void gfn_to_memslot(struct cpu *cpu)
{
	FUNCTION(cpu);

	cpu_load_store(cpu, 2 + 3 * LOOK_UP_STEPS);  /* tree of slots: node, base, size */
}

static void gfn_to_hva_memslot_prot(struct cpu *cpu)
{
	FUNCTION(cpu);

	cpu_load_store(cpu, 2);  /* no slot there: not memory */
}

/* lib/bsearch.c: a call for the search, one through a pointer for each comparison. */
void kvm_bsearch(struct cpu *cpu, unsigned int steps, void (*compare)(struct cpu *cpu))
{
	FUNCTION_NAMED(cpu, "bsearch");

	for (unsigned int step = 0; step < steps; step++)
		compare(cpu);
}

static void kvm_io_bus_sort_cmp(struct cpu *cpu)
{
	FUNCTION(cpu);

	cpu_load_store(cpu, 4);
}

static void kvm_io_bus_get_first_dev(struct cpu *cpu)
{
	FUNCTION(cpu);

	kvm_bsearch(cpu, LOOK_UP_STEPS, kvm_io_bus_sort_cmp);
	cpu_load_store(cpu, 2);  /* the first of those that compare equal */
}

static void kvm_io_bus_read(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	FUNCTION(cpu);

	line_read(cpu, vcpu->kvm->io_bus_line);
	kvm_io_bus_get_first_dev(cpu);
	cpu_load_store(cpu, 4);  /* the device and its operations */
	dispatch_mmio_read(cpu);
}

static void kvm_io_bus_write(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	const struct guest_step *step = &vcpu->guest.step;
	FUNCTION(cpu);

	line_read(cpu, vcpu->kvm->io_bus_line);
	for (int n = 0; n < LOOK_UP_STEPS; n++)
		kvm_io_bus_sort_cmp(cpu);
	cpu_load_store(cpu, 4);
	if (step->operation == GUEST_SGI)
		dispatch_mmio_write(cpu, vcpu, VGIC_SGIR, step->argument);
	else
		dispatch_mmio_write(cpu, vcpu, (enum vgic_register)(step->argument >> 32), (uint32_t)step->argument);
}

void kvm_handle_mmio_return(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	FUNCTION(cpu);

	cpu_load_store(cpu, 12);
	vcpu->mmio_pending = false;
}

static void io_mem_abort(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	FUNCTION(cpu);

	cpu_load_store(cpu, 6);  /* syndrome: width, register, direction */
	if (vcpu->guest.step.operation == GUEST_MMIO_READ_VGIC)
		kvm_io_bus_read(cpu, vcpu);
	else
		kvm_io_bus_write(cpu, vcpu);
	cpu_load_store(cpu, 4);  /* kvm_run's data, statistics */
	kvm_handle_mmio_return(cpu, vcpu);
}

void kvm_handle_guest_abort(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	FUNCTION(cpu);

	cpu_load_store(cpu, 6);  /* syndrome, fault address, kind of fault */
	srcu_read_lock(cpu, vcpu);
	gfn_to_memslot(cpu);
	gfn_to_hva_memslot_prot(cpu);
	io_mem_abort(cpu, vcpu);
	srcu_read_unlock(cpu, vcpu);
}
