// SPDX-License-Identifier: Apache-2.0
/*
 * The guest with nothing to do: WFI that does not trap, and an idle loop that polls (poll_idle() of the guest's kernel, with
 * TIF_POLLING_NRFLAG): a flag in guest memory is looked at again and again, at most for so long; who raises it while it is
 * polled saves the interrupt. Interrupts end either at once.
 * A turn of the loop is POLL_TURN of guest work and a look at the flag's line. Not modelled: polling by WFE.
 */
#include "model/kvm/kvm.h"

#define POLL_TURN (50 * PS_PER_NS)

enum guest_exit guest_wfi(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	(void)vcpu;
	return cpu_guest_wait(cpu);
}

static void set_polled(struct cpu *cpu, struct guest_flag *flag, bool polled)
{
	line_own(cpu, flag->line);
	flag->polled = polled;
}

/* Goes on after an interrupt with what is left of its time. */
enum guest_exit guest_poll(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	struct guest_flag *flag = vcpu->guest.flag;
	enum guest_exit why = GUEST_EXIT_TRAP;

	if (!flag->polled) {
		set_polled(cpu, flag, true);
		vcpu->poll_left = vcpu->guest.step.argument;
	}
	for (;;) {
		const ps_t turn = vcpu->poll_left < POLL_TURN ? vcpu->poll_left : POLL_TURN;

		line_read(cpu, flag->line);
		if (flag->raised || !turn)
			break;
		why = cpu_run_guest(cpu, turn);
		if (why != GUEST_EXIT_TRAP)
			return why;
		vcpu->poll_left -= turn;
	}
	set_polled(cpu, flag, false);
	return GUEST_EXIT_TRAP;
}

bool guest_flag_raise(struct cpu *cpu, struct guest_flag *flag)
{
	line_atomic(cpu, flag->line, ORDER_ACQUIRE_RELEASE);
	flag->raised = true;
	return flag->polled;
}
