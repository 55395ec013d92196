// SPDX-License-Identifier: Apache-2.0
/*
 * Timer registers switched by the host around every entry: the state between two patches of the series that became v4.15
 * (commit 688c50aa72f6, "Move timer save/restore out of the hyp code"). The steps of timer_hyp_switch.c in the host, with
 * interrupts off; on nVHE CNTVOFF_EL2 then needs a hypervisor call each way, and CNTHCTL_EL2 stays in the world switch.
 */
#include "model/kvm/timer_policy.h"
#include "model/kvm/timer_steps.h"

static void loop_flush_hwstate(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	struct arch_timer_context *vtimer = &vcpu->vtimer;

	timer_flush_hwstate(cpu, vcpu);
	line_read(cpu, vcpu->kvm->timer_data_line);
	set_cntvoff(cpu, vcpu, 0);
	cpu_sysreg_write(cpu, SYS_CNTV_CVAL_EL0, vtimer->cval);
	cpu_barrier(cpu, BARRIER_ISB);
	cpu_sysreg_write(cpu, SYS_CNTV_CTL_EL0, vtimer->ctl);
	vtimer->loaded = true;
}

static void loop_sync_hwstate(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	struct arch_timer_context *vtimer = &vcpu->vtimer;

	vtimer->ctl = cpu_sysreg_read(cpu, SYS_CNTV_CTL_EL0) & (CTL_ENABLE | CTL_IMASK);
	vtimer->cval = cpu_sysreg_read(cpu, SYS_CNTV_CVAL_EL0);
	cpu_sysreg_write(cpu, SYS_CNTV_CTL_EL0, 0);
	set_cntvoff(cpu, vcpu, 0);
	vtimer->loaded = false;
	timer_sync_hwstate(cpu, vcpu);
}

const struct timer_policy timer_host_loop = {
	.name = "host-every-loop",
	.put = timer_forget_active_state,
	.flush_hwstate = loop_flush_hwstate,
	.sync_hwstate = loop_sync_hwstate,
	.hyp_enter = timer_hyp_traps_enter,
	.hyp_exit = timer_hyp_traps_exit,
};
