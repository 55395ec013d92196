// SPDX-License-Identifier: Apache-2.0
/*
 * A guest's access of its physical timer that traps (kvm_handle_sys_reg, access_arch_timer, kvm_arm_timer_read_sysreg and
 * _write_sysreg; before v5.1 kvm_arm_timer_get_reg and _set_reg). kernel.timer_trap says what then happens:
 *
 *   memory     to v5.0: the emulated timer's registers are memory; one counter read
 *   put-load   v5.1 to v6.2: the whole kvm_timer_vcpu_put and kvm_timer_vcpu_load around the access, and so the descriptor
 *              locks and the device accesses of a load
 *   one-timer  v6.3 and later: this timer alone is saved and restored, and an emulated one is memory again
 *
 * Who traps: nVHE always (CNTHCTL_EL2); VHE where the timer is emulated (to v5.0), and later with a counter offset that the
 * hardware cannot apply (no CNTPOFF_EL2).
 */
#include "model/kvm/timer_policy.h"

bool timer_access_traps(struct kvm_vcpu *vcpu)
{
	const struct kernel_config *config = &vcpu->kvm->kernel->config;

	if (!config->vhe || get_timer_map(vcpu).emul_ptimer)
		return true;
	return vcpu->ptimer.offset && !config->cntpoff;
}

/* The register itself, in memory. */
static void kvm_arm_timer_access(struct cpu *cpu, struct arch_timer_context *timer, const uint64_t *cval)
{
	FUNCTION(cpu);

	cpu_load_store(cpu, 4);
	if (cval)
		timer->cval = *cval;
}

static void access_one_timer(struct cpu *cpu, struct kvm_vcpu *vcpu, const uint64_t *cval)
{
	struct arch_timer_context *timer = &vcpu->ptimer;

	if (get_timer_map(vcpu).emul_ptimer == timer) {
		if (cval)
			soft_timer_cancel(cpu, vcpu, &timer->hrtimer);
		kvm_arm_timer_access(cpu, timer, cval);
		if (cval)
			timer_emulate(cpu, vcpu, timer);
		return;
	}
	cpu_load_store(cpu, 2);  /* preemption off and on */
	timer_save_state(cpu, vcpu, timer);
	kvm_arm_timer_access(cpu, timer, cval);
	timer_restore_state(cpu, vcpu, timer);
}

void access_arch_timer(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	const struct guest_step *step = &vcpu->guest.step;
	const uint64_t *cval = step->operation == GUEST_TIMER_WRITE ? &step->argument : NULL;
	FUNCTION(cpu);

	cpu_load_store(cpu, 4);
	switch (vcpu->kvm->kernel->config.timer_trap) {
	case TIMER_TRAP_MEMORY:
		kvm_arm_timer_access(cpu, &vcpu->ptimer, cval);
		cpu_sysreg_read(cpu, SYS_CNTPCT_EL0);
		break;
	case TIMER_TRAP_PUT_LOAD:
		cpu_load_store(cpu, 2);
		kvm_timer_vcpu_put(cpu, vcpu);
		kvm_arm_timer_access(cpu, &vcpu->ptimer, cval);
		kvm_timer_vcpu_load(cpu, vcpu);
		break;
	case TIMER_TRAP_ONE_TIMER:
		access_one_timer(cpu, vcpu, cval);
		break;
	}
}

void timer_guest_access(struct cpu *cpu, const struct kvm_vcpu *vcpu)
{
	if (vcpu->guest.step.operation == GUEST_TIMER_WRITE)
		cpu_sysreg_write(cpu, SYS_CNTP_CVAL_EL0, vcpu->guest.step.argument);
	else
		cpu_sysreg_read(cpu, SYS_CNTP_CVAL_EL0);
}
