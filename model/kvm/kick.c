// SPDX-License-Identifier: Apache-2.0
/*
 * Requests and kicks (virt/kvm/kvm_main.c, include/linux/kvm_host.h): whoever has something for a vCPU sets a bit in its
 * requests, then wakes it if it sleeps, or ends its guest by an interrupt if it is in one. The bit is seen before the next
 * entry: the run loop stores IN_GUEST_MODE before it looks, the kicker sets the bit before it looks at the mode.
 */
#include "model/kernel/sched.h"
#include "model/kvm/kvm.h"

void kvm_make_request(struct cpu *cpu, uint32_t request, struct kvm_vcpu *vcpu)
{
	FUNCTION(cpu);

	cpu_barrier(cpu, BARRIER_DMB);
	line_atomic(cpu, vcpu->requests_line, ORDER_RELAXED);
	vcpu->requests |= request;
}

bool kvm_check_request(struct cpu *cpu, uint32_t request, struct kvm_vcpu *vcpu)
{
	if (!(vcpu->requests & request))
		return false;
	line_atomic(cpu, vcpu->requests_line, ORDER_RELAXED);
	vcpu->requests &= ~request;
	cpu_barrier(cpu, BARRIER_DMB);
	return true;
}

/* kvm_vcpu_exiting_guest_mode() */
static bool kvm_arch_vcpu_should_kick(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	FUNCTION(cpu);

	line_atomic(cpu, vcpu->requests_line, ORDER_ACQUIRE_RELEASE);
	if (vcpu->mode != IN_GUEST_MODE)
		return false;
	vcpu->mode = EXITING_GUEST_MODE;
	return true;
}

static void send_reschedule_ipi(struct kernel *kernel, struct cpu *cpu, uint32_t target)
{
	FUNCTION_NAMED(cpu, "smp_send_reschedule");

	if (kernel->sched)
		kernel->sched->counts.reschedule_interrupts++;
	kernel->chip->send_sgi(kernel, cpu, (cpu_id){ target }, IPI_RESCHEDULE);
}

void kvm_vcpu_kick(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	uint32_t target;
	FUNCTION(cpu);

	halt_counts.kicks++;
	if (kvm_vcpu_wake_up(cpu, vcpu))
		return;
	line_read(cpu, vcpu->requests_line);
	target = vcpu->cpu;
	if (target == NO_CPU || target == cpu_number(cpu).n)
		return;
	if (kvm_arch_vcpu_should_kick(cpu, vcpu))
		send_reschedule_ipi(vcpu->kvm->kernel, cpu, target);
}

/* An interrupt whose only purpose is that it ends the guest. */
static bool end_guest(struct cpu *cpu, void *kernel, intid interrupt)
{
	(void)cpu;
	(void)kernel;
	(void)interrupt;
	return false;
}

void kvm_kick_init(struct kernel *kernel)
{
	if (!kernel->handlers.handler[IPI_RESCHEDULE])
		request_percpu_irq(kernel, (intid){ IPI_RESCHEDULE }, end_guest, kernel);
}
