// SPDX-License-Identifier: Apache-2.0
/*
 * What the guest does; see struct guest_program.
 *
 * EOI: EOIR write of a spurious INTID and an ISB, as in the micro-benchmarks of kvm-unit-tests; the CPU interface answers
 * it without an exit. A guest with timestamps pays one read of the counter, its ISB included, for each operation: what lies
 * between the two samples beside the operation.
 * A memory access that no stage-2 table translates walks the tables first, every time: faults are in no TLB
 * (host.cpu.table_walk). A guest that uses FP (workload.fp) traps before its work when its registers are not in the
 * core. A virtual interrupt ends the work of a step for as long as the guest's handler takes.
 * Not modelled: instructions of the guest one by one, its other exceptions.
 */
#include "model/kvm/hyp_entry.h"

#define SPURIOUS_INTID 1023

static void complete(struct cpu *cpu, const struct guest_program *guest)
{
	if (guest->completed)
		guest->completed(cpu, guest->context);
}

static void begin_step(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	struct guest_program *guest = &vcpu->guest;

	if (guest->begin)
		guest->begin(cpu, guest->context);
	vcpu->in_step = true;
	vcpu->work_left = guest->step.work;
	/* An instant in which an interrupt that is pending already is taken, before WFI: it would not wait. */
	if (guest->step.operation == GUEST_WFI && !vcpu->work_left)
		vcpu->work_left = 1;
}

void guest_step_over(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	struct guest_program *guest = &vcpu->guest;

	complete(cpu, guest);
	if (guest->next)
		guest->step = guest->next(cpu, guest->context);
	vcpu->in_step = false;
}

/* The work of the step, until it is done or an interrupt comes; what is left of it is done after the interrupt. */
static enum guest_exit work(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	const ps_t began = cpu_now(cpu);
	enum guest_exit why = cpu_run_guest(cpu, vcpu->work_left);
	const ps_t done = cpu_now(cpu) - began;

	vcpu->work_left -= done < vcpu->work_left ? done : vcpu->work_left;
	return why;
}

void guest_stop_waiting(struct kvm_vcpu *vcpu)
{
	vcpu->work_left = 0;
}

/* The virtual timer belongs to the guest: no exit. */
static void arm_timer(struct cpu *cpu, uint64_t ticks)
{
	const uint64_t now = cpu_sysreg_read(cpu, SYS_CNTVCT_EL0);

	cpu_sysreg_write(cpu, SYS_CNTV_CVAL_EL0, now + ticks);
	cpu_sysreg_write(cpu, SYS_CNTV_CTL_EL0, 1);
	cpu_barrier(cpu, BARRIER_ISB);
}

/* True: the operation was one that does not leave the guest, and is over. */
static bool stays_in_guest(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	switch (vcpu->guest.step.operation) {
	case GUEST_EOI:
		if (vcpu->kvm->vgic_v5)
			cpu_sysreg_write(cpu, SYS_ICV_CDEOI, 0);  /* with no active priority: nothing to drop */
		else
			cpu_sysreg_write(cpu, SYS_ICC_EOIR1_EL1, SPURIOUS_INTID);
		cpu_barrier(cpu, BARRIER_ISB);
		guest_step_over(cpu, vcpu);
		return true;
	case GUEST_TIMER_READ:
	case GUEST_TIMER_WRITE:
		if (timer_access_traps(vcpu))
			return false;
		timer_guest_access(cpu, vcpu);
		guest_step_over(cpu, vcpu);
		return true;
	case GUEST_TIMER_SET:
		arm_timer(cpu, vcpu->guest.step.argument);
		guest_step_over(cpu, vcpu);
		return true;
	case GUEST_WORK:
		guest_step_over(cpu, vcpu);
		return true;
	case GUEST_WORKAROUND:
		hyp_vector_workaround(cpu, &vcpu->kvm->kernel->config);
		guest_step_over(cpu, vcpu);
		return true;
	default:
		return false;
	}
}

/* The guest's vector, registers by pairs, acknowledge, handler, end; interrupts stay masked until the return. */
static void guest_interrupt(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	const struct vgic_chip *chip = vcpu->kvm->vgic_chip;
	const struct guest_program *guest = &vcpu->guest;
	uint32_t acknowledged, interrupt;
	FUNCTION_NAMED(cpu, "guest interrupt");

	cpu_exception_entry(cpu);
	cpu_guest_mask(cpu, true);
	cpu_load_store(cpu, 16);
	acknowledged = chip->guest_acknowledge(cpu);
	interrupt = acknowledged & chip->intid_mask;
	if (interrupt != SPURIOUS_INTID) {
		if (guest->interrupt)
			guest->interrupt(cpu, guest->context, interrupt);
		chip->guest_end(cpu, acknowledged, guest->split_eoi);
	}
	cpu_load_store(cpu, 16);
	cpu_guest_mask(cpu, false);
	cpu_exception_return(cpu);
	if (guest->step.operation == GUEST_WFI)
		guest_step_over(cpu, vcpu);  /* what it waited for may have come */
}

static void failed_walk(struct cpu *cpu, const struct kernel_config *config)
{
	if (!config->table_walk)
		return;
	FUNCTION_NAMED(cpu, "stage-2 walk");

	cpu_spend(cpu, config->table_walk);
}

/* The operation traps: the syndrome, and what the hardware did before the exception. */
static enum guest_exit trap(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	switch (vcpu->guest.step.operation) {
	case GUEST_MMIO_READ_USER:
	case GUEST_MMIO_READ_VGIC:
	case GUEST_VGIC_WRITE:
		failed_walk(cpu, &vcpu->kvm->kernel->config);
		vcpu->read_outstanding = true;
		vcpu->trap = GUEST_TRAP_DATA_ABORT;
		break;
	case GUEST_SGI:
		vcpu->trap = vcpu->kvm->vgic_chip == &vgic_v2 ? GUEST_TRAP_DATA_ABORT : GUEST_TRAP_OPERATION;
		break;
	case GUEST_COUNTER:
		vcpu->trap = GUEST_TRAP_COUNTER;
		break;
	default:
		vcpu->trap = GUEST_TRAP_OPERATION;
		break;
	}
	return GUEST_EXIT_TRAP;
}

/* Operations that take time in the guest and that an interrupt may end. GUEST_EXIT_TRAP: there is none, or it is over. */
static enum guest_exit idle(struct cpu *cpu, struct kvm_vcpu *vcpu, bool *over)
{
	enum guest_exit why;

	*over = false;
	if (vcpu->guest.step.operation == GUEST_WFI && !vcpu->halt.wfi_traps)
		return guest_wfi(cpu, vcpu);
	if (vcpu->guest.step.operation == GUEST_WFI && vcpu->kvm->vgic_v5)
		return cpu_run_guest(cpu, 1);  /* an interrupt that is pending comes before WFI traps */
	if (vcpu->guest.step.operation != GUEST_POLL)
		return GUEST_EXIT_TRAP;
	why = guest_poll(cpu, vcpu);
	if (why == GUEST_EXIT_TRAP) {
		*over = true;
		guest_step_over(cpu, vcpu);
	}
	return why;
}

static bool needs_fp(const struct kvm_vcpu *vcpu)
{
	return vcpu->uses_fp && !vcpu->fp_guest_owns;
}

enum guest_exit guest_run(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	if (needs_fp(vcpu)) {
		vcpu->trap = GUEST_TRAP_FP;
		return GUEST_EXIT_TRAP;
	}
	if (vcpu->read_outstanding && vcpu->guest.read_barrier)
		cpu_barrier(cpu, BARRIER_DSB);  /* no device of the host is waited for */
	vcpu->read_outstanding = false;
	for (;;) {
		enum guest_exit why;
		bool over;

		if (!vcpu->in_step)
			begin_step(cpu, vcpu);
		why = work(cpu, vcpu);
		if (why == GUEST_INTERRUPT) {
			guest_interrupt(cpu, vcpu);
			continue;
		}
		if (why != GUEST_EXIT_TRAP)
			return why;
		why = idle(cpu, vcpu, &over);
		if (over)
			continue;
		if (why == GUEST_INTERRUPT) {
			guest_interrupt(cpu, vcpu);
			continue;
		}
		if (why != GUEST_EXIT_TRAP)
			return why;
		if (vcpu->guest.timestamps && vcpu->guest.step.operation != GUEST_WORK)
			cpu_sysreg_read(cpu, SYS_CNTVCT_EL0);
		if (!stays_in_guest(cpu, vcpu))
			return trap(cpu, vcpu);
	}
}
