// SPDX-License-Identifier: Apache-2.0
/*
 * virt/kvm/kvm_main.c: the way from the VMM into the kernel and back, and vcpu_load/vcpu_put.
 *
 * One KVM_RUN: SVC, system-call entry, file look-up (one atomic on the file's reference count: a VMM's threads share
 * the file table), ioctl dispatch, vcpu->mutex, the run, mutex, system-call exit, ERET. System-call and dispatch work
 * beyond these steps is charged as kernel.work.syscall and kernel.work.ioctl.
 * Not modelled: signal masks (kvm_sigset_*), the pid check's slow path, tracing.
 */
#include "model/kvm/kvm.h"

#include <stdlib.h>

void kvm_init(struct kvm *kvm, struct kernel *kernel, bool irqchip_in_kernel, uint32_t instance)
{
	*kvm = (struct kvm){ .kernel = kernel, .irqchip_in_kernel = irqchip_in_kernel };
	kvm->direct_msi = irqchip_in_kernel && kernel->config.direct_msi;
	kvm->vgic_v5 = irqchip_in_kernel && kernel->config.gic == GIC_V5 && !kernel->config.guest_gic_v3;
	kvm->vmid_line = line_create(kernel->machine, "kvm_s2_mmu", instance);
	kvm->timer_data_line = line_create(kernel->machine, "kvm timer_data", instance);
	kvm->vmid_generation_line = line_create(kernel->machine, "vmid_generation", 0);
	kvm->io_bus_line = line_create(kernel->machine, "kvm_io_bus", instance);
	kvm->last_vcpu_ran = calloc(kernel->cpus, sizeof(*kvm->last_vcpu_ran));
	if (!kvm->last_vcpu_ran)
		abort();
	kvm_kick_init(kernel);
	kvm_irq_init(kernel);
	request_percpu_irq(kernel, kernel->host_vtimer.hwirq, kvm_arch_timer_handler, kernel);
	if (kernel->config.vhe)  /* without VHE it is the host's own, see clock_event.c */
		request_percpu_irq(kernel, kernel->host_ptimer.hwirq, kvm_arch_timer_handler, kernel);
	kvm_vgic_create(kvm, instance);
}

void kvm_vcpu_init(struct kvm_vcpu *vcpu, struct kvm *kvm, vcpu_id id)
{
	struct kernel *kernel = kvm->kernel;
	struct machine *machine = kernel->machine;

	*vcpu = (struct kvm_vcpu){ .kvm = kvm, .id = id, .cpu = NO_CPU };
	vcpu->srcu_line = line_create(machine, "kvm srcu", id.n);
	vcpu->file_line = line_create(machine, "vcpu file", id.n);
	mutex_init(kernel, &vcpu->mutex, line_create(machine, "vcpu mutex", id.n), "vcpu->mutex.wait_lock");
	vcpu->requests_line = line_create(machine, "vcpu requests", id.n);
	vcpu->active_vmid_line = line_create(machine, "active_vmids", id.n);
	vcpu->mpidr_line = line_create(machine, "vcpu MPIDR", id.n);
	vcpu->flags_line = line_create(machine, "vcpu flags", id.n);
	kvm_vgic_vcpu_init(vcpu);
	if (kvm->direct_msi)
		vgic_v4_vcpu_init(vcpu);
	if (kvm->vgic_v5)
		vgic_v5_vcpu_init(vcpu);
	vcpu->vtimer = (struct arch_timer_context){ .host_irq = &kernel->host_vtimer,
						    .guest_irq = &vcpu->vgic.private_irqs[VGIC_PPI_VTIMER] };
	vcpu->ptimer = (struct arch_timer_context){ .is_ptimer = true, .host_irq = &kernel->host_ptimer,
						    .guest_irq = &vcpu->vgic.private_irqs[VGIC_PPI_PTIMER] };
	vcpu_halt_init(vcpu);
}

void vcpu_load(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	FUNCTION(cpu);

	cpu_load_store(cpu, 5);  /* get_cpu, kvm_running_vcpu, preempt_notifier_register */
	vcpu->kvm->kernel->running_vcpu[cpu_number(cpu).n] = vcpu;
	preempt_notifier_register(cpu, vcpu);
	kvm_arch_vcpu_load(cpu, vcpu);
}

void vcpu_put(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	FUNCTION(cpu);

	kvm_arch_vcpu_put(cpu, vcpu);
	preempt_notifier_unregister(cpu, vcpu);
	vcpu->kvm->kernel->running_vcpu[cpu_number(cpu).n] = NULL;
	cpu_load_store(cpu, 4);
}

static void kvm_vcpu_ioctl(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	FUNCTION(cpu);

	mutex_lock(cpu, &vcpu->mutex);
	cpu_load_store(cpu, 4);  /* pid check */
	kvm_arch_vcpu_ioctl_run(cpu, vcpu);
	mutex_unlock(cpu, &vcpu->mutex);
}

static void sys_ioctl(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	FUNCTION_NAMED(cpu, "__arm64_sys_ioctl");

	line_atomic(cpu, vcpu->file_line, ORDER_RELAXED);  /* fdget */
	cpu_spend(cpu, vcpu->kvm->kernel->config.work_ioctl);
	kvm_vcpu_ioctl(cpu, vcpu);
	line_atomic(cpu, vcpu->file_line, ORDER_RELAXED);  /* fdput */
}

void kvm_run_ioctl(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	const struct kernel_config *config = &vcpu->kvm->kernel->config;
	FUNCTION_NAMED(cpu, "el0_svc");

	cpu_exception_entry(cpu);
	if (config->bhb)
		cpu_spend(cpu, config->bhb_loop);  /* the vectors for user space have the loop too */
	cpu_spend(cpu, config->work_syscall);
	sys_ioctl(cpu, vcpu);
	cpu_spend(cpu, config->work_syscall);
	preempt_enable(vcpu->kvm->kernel, cpu);  /* exit_to_user_mode_loop() */
	cpu_exception_return(cpu);
}
