// SPDX-License-Identifier: Apache-2.0
/*
 * arch/arm64/kvm/arm.c: the run loop, and what vcpu_load/vcpu_put do on arm64, as of v6.16 and later with switches
 * for what moved.
 *
 * Locks: none of its own; kvm_timer_vcpu_load takes the timer descriptors' locks, the vGIC its per-vCPU ones.
 * Not modelled: requests other than KVM_REQ_IRQ_PENDING, steal time, nested virtualisation, pKVM.
 */
#include "model/kvm/kvm.h"

void kvm_arch_vcpu_load(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	const struct kernel_config *config = &vcpu->kvm->kernel->config;
	FUNCTION(cpu);

	kvm_arm_vmid_update(cpu, vcpu);
	cpu_load_store(cpu, 3);  /* last_vcpu_ran, vcpu->cpu */
	kvm_flush_if_other_vcpu_ran(cpu, vcpu);
	vcpu->cpu = cpu_number(cpu).n;
	if (config->timer_before_vgic) {
		kvm_timer_vcpu_load(cpu, vcpu);
		kvm_vgic_load(cpu, vcpu);
	} else {
		kvm_vgic_load(cpu, vcpu);
		kvm_timer_vcpu_load(cpu, vcpu);
	}
	if (config->debug_at_load)
		cpu_load_store(cpu, 6);  /* kvm_vcpu_load_debug */
	if (config->vhe)
		kvm_vcpu_load_vhe(cpu, vcpu);
	kvm_arch_vcpu_load_fp(cpu, vcpu);
	if (config->vhe && vcpu->pmu.host_events)
		kvm_vcpu_pmu_restore_guest(cpu, vcpu);
	vcpu_set_wfx_traps(cpu, vcpu);
	cpu_load_store(cpu, 6);  /* trap bits in the copy of HCR_EL2 */
}

void kvm_arch_vcpu_put(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	const struct kernel_config *config = &vcpu->kvm->kernel->config;
	FUNCTION(cpu);

	cpu_load_store(cpu, 4);  /* kvm_vcpu_put_debug */
	kvm_arch_vcpu_put_fp(cpu, vcpu);
	if (config->vhe)
		kvm_vcpu_put_vhe(cpu, vcpu);
	kvm_timer_vcpu_put(cpu, vcpu);
	kvm_vgic_put(cpu, vcpu);
	if (config->vhe && vcpu->pmu.host_events)
		kvm_vcpu_pmu_restore_host(cpu, vcpu);
	kvm_arm_vmid_clear_active(cpu, vcpu);
	vcpu->cpu = NO_CPU;
	cpu_load_store(cpu, 1);
}

/*
 * What asks not to enter the guest: the VMM has to know of a level, a request came after check_vcpu_requests, or another
 * task wants the CPU.
 */
enum exit_request { REQUEST_NONE, REQUEST_AGAIN, REQUEST_USER };

static void check_vcpu_requests(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	line_read(cpu, vcpu->requests_line);
	kvm_check_request(cpu, KVM_REQ_IRQ_PENDING, vcpu);
}

static enum exit_request kvm_vcpu_exit_request(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	struct kernel *kernel = vcpu->kvm->kernel;
	FUNCTION(cpu);

	line_read(cpu, vcpu->requests_line);
	cpu_load_store(cpu, 3);
	if (!vcpu->kvm->irqchip_in_kernel && kvm_timer_should_notify_user(cpu, vcpu))
		return REQUEST_USER;
	return vcpu->requests || (kernel->sched && need_resched(kernel, cpu)) ? REQUEST_AGAIN : REQUEST_NONE;
}

static enum guest_exit enter_guest(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	const struct kernel_config *config = &vcpu->kvm->kernel->config;
	enum guest_exit why;

	if (config->vhe)
		return __kvm_vcpu_run_vhe(cpu, vcpu);
	hyp_call_enter(cpu);
	why = __kvm_vcpu_run_nvhe(cpu, vcpu);
	hyp_call_return(cpu);
	return why;
}

/* After an exit by a physical interrupt: interrupts on for a moment, and the host takes it (el1_interrupt). */
static void take_host_interrupt(struct cpu *cpu)
{
	irq_restore(cpu, true);
	cpu_barrier(cpu, BARRIER_ISB);
	irq_save(cpu);
}

/* Interrupt state of the guest's devices to the hardware, and interrupts off; in which order depends on the timer policy. */
static bool flush_hwstate(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	const bool interrupts_on = kvm_timer_interrupts_on(vcpu->kvm->kernel);
	bool flags = false;

	if (vcpu->pmu.present)
		kvm_pmu_flush_hwstate(cpu, vcpu);
	if (!interrupts_on)
		flags = irq_save(cpu);
	kvm_timer_flush_hwstate(cpu, vcpu);
	kvm_vgic_flush_hwstate(cpu, vcpu);
	return interrupts_on ? irq_save(cpu) : flags;
}

/* The way back. A host interrupt that ended the guest is taken before it where interrupts are on, else after it. */
static void sync_hwstate(struct cpu *cpu, struct kvm_vcpu *vcpu, enum guest_exit why, bool flags)
{
	const bool interrupts_on = kvm_timer_interrupts_on(vcpu->kvm->kernel);

	if (interrupts_on)
		irq_restore(cpu, flags);
	if (vcpu->pmu.present)
		kvm_pmu_sync_hwstate(cpu, vcpu);
	kvm_timer_sync_hwstate(cpu, vcpu);
	kvm_vgic_sync_hwstate(cpu, vcpu);
	if (interrupts_on)
		return;
	if (!vcpu->kvm->irqchip_in_kernel)
		kvm_timer_sync_user(cpu, vcpu);
	if (why == GUEST_EXIT_IRQ)
		take_host_interrupt(cpu);
	irq_restore(cpu, flags);
}

void kvm_arch_vcpu_ioctl_run(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	const struct kernel_config *config = &vcpu->kvm->kernel->config;
	bool again = true;
	FUNCTION(cpu);

	if (vcpu->mmio_pending)
		kvm_handle_mmio_return(cpu, vcpu);
	vcpu_load(cpu, vcpu);
	while (again) {
		enum guest_exit why = GUEST_EXIT_TRAP;
		enum exit_request request;
		bool flags;

		cpu_spend(cpu, config->work_run_loop);
		update_vmid(cpu, vcpu);
		check_vcpu_requests(cpu, vcpu);
		flags = flush_hwstate(cpu, vcpu);
		line_own(cpu, vcpu->requests_line);   /* smp_store_mb(vcpu->mode, IN_GUEST_MODE) */
		vcpu->mode = IN_GUEST_MODE;
		cpu_barrier(cpu, BARRIER_DMB);
		request = kvm_vcpu_exit_request(cpu, vcpu);
		if (request == REQUEST_NONE) {
			if (!config->debug_at_load)
				cpu_load_store(cpu, 6);  /* kvm_arm_setup_debug */
			why = enter_guest(cpu, vcpu);
		}
		line_own(cpu, vcpu->requests_line);
		vcpu->mode = OUTSIDE_GUEST_MODE;
		cpu_load_store(cpu, 2);
		sync_hwstate(cpu, vcpu, why, flags);
		preempt_enable(vcpu->kvm->kernel, cpu);
		if (request == REQUEST_USER)
			break;
		if (request == REQUEST_AGAIN)
			continue;
		again = handle_exit(cpu, vcpu, why);
	}
	if (!vcpu->kvm->irqchip_in_kernel)
		kvm_timer_update_run(cpu, vcpu);
	vcpu_put(cpu, vcpu);
}
