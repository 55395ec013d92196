// SPDX-License-Identifier: Apache-2.0
/*
 * Requests to a vCPU and kicking it (include/linux/kvm_host.h, virt/kvm/kvm_main.c).
 *
 * vcpu->requests, mode and cpu are one line. Whoever runs the vCPU writes the mode at every entry and exit and looks at
 * the requests after it; whoever makes a request sets the bit, then looks at the mode by compare-and-swap. So one of
 * the two sees the other. A vCPU in the guest on another CPU is interrupted by the reschedule IPI, whose handler does
 * nothing: leaving the guest was the point. The kicker's own vCPU is not in the guest.
 * Not modelled: waiting for the target (KVM_REQUEST_WAIT).
 */
#include "model/kernel/sched.h"
#include "model/kvm/kvm.h"

#define PPI_MAINTENANCE 25u  /* of the virtual CPU interface: base system architecture */

void kvm_make_request(struct cpu *cpu, uint32_t request, struct kvm_vcpu *vcpu)
{
	cpu_barrier(cpu, BARRIER_DMB);  /* what the request is about comes first */
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

/* True: it was in the guest, and leaves it now. */
static bool kvm_vcpu_exiting_guest_mode(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	enum vcpu_mode before;

	line_atomic(cpu, vcpu->requests_line, ORDER_ACQUIRE_RELEASE);
	before = vcpu->mode;
	if (before == IN_GUEST_MODE)
		vcpu->mode = EXITING_GUEST_MODE;
	return before == IN_GUEST_MODE;
}

void kvm_vcpu_kick(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	struct kernel *kernel = vcpu->kvm->kernel;
	const uint32_t here = cpu_number(cpu).n;
	FUNCTION(cpu);

	if (kvm_vcpu_wake_up(cpu, vcpu))
		return;
	cpu_load_store(cpu, 3);
	if (kernel->running_vcpu[here] == vcpu) {
		if (vcpu->mode == IN_GUEST_MODE)
			vcpu->mode = EXITING_GUEST_MODE;
		return;
	}
	if (!kvm_vcpu_exiting_guest_mode(cpu, vcpu))
		return;
	line_read(cpu, vcpu->requests_line);  /* vcpu->cpu */
	if (vcpu->cpu == here || vcpu->cpu == NO_CPU)
		return;
	if (kernel->sched)
		kernel->sched->counts.reschedule_interrupts++;
	kernel->chip->send_sgi(kernel, cpu, (cpu_id){ vcpu->cpu }, IPI_RESCHEDULE);
}

static bool scheduler_ipi(struct cpu *cpu, void *context, intid interrupt)
{
	FUNCTION(cpu);

	(void)context;
	(void)interrupt;
	return false;
}

/* Sync has to look at the list registers, which it does at every exit. */
static bool vgic_maintenance_handler(struct cpu *cpu, void *context, intid interrupt)
{
	FUNCTION(cpu);

	(void)context;
	(void)interrupt;
	return false;
}

void kvm_kick_init(struct kernel *kernel)
{
	struct interrupt_handlers *handlers = &kernel->handlers;

	if (!handlers->handler[IPI_RESCHEDULE])  /* the scheduler may have it already */
		request_percpu_irq(kernel, (intid){ IPI_RESCHEDULE }, scheduler_ipi, kernel);
	request_percpu_irq(kernel, (intid){ PPI_MAINTENANCE }, vgic_maintenance_handler, kernel);
}
