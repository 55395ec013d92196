// SPDX-License-Identifier: Apache-2.0
/*
 * The host's own timer (drivers/clocksource/arm_arch_timer.c): CNTHP_*_EL2 on a VHE host, CNTP_*_EL0 at EL1 without. The
 * guest's timers are other comparators, so nothing is shared. In the interrupt the timer is masked before the handler runs
 * (level-sensitive), which also stops it until it is programmed again.
 * Not modelled: TVAL (used up to v5.15), the broadcast timer of deep idle states.
 */
#include "model/kernel/hrtimer.h"
#include "model/kernel/kernel.h"

#define PPI_HYP_PHYSICAL_TIMER 26
#define PPI_PHYSICAL_TIMER 30

#define CTL_ENABLE  1u
#define CTL_IMASK   2u
#define CTL_ISTATUS 4u

static enum sysreg ctl_reg(const struct kernel *kernel)
{
	return kernel->config.vhe ? SYS_CNTHP_CTL_EL2 : SYS_CNTP_CTL_EL0;
}

static bool arch_timer_handler_phys(struct cpu *cpu, void *context, intid interrupt)
{
	struct kernel *kernel = context;
	uint64_t ctl;
	FUNCTION(cpu);

	(void)interrupt;
	ctl = cpu_sysreg_read(cpu, ctl_reg(kernel));
	if (!(ctl & CTL_ISTATUS))
		return false;
	cpu_sysreg_write(cpu, ctl_reg(kernel), CTL_ENABLE | CTL_IMASK);
	hrtimer_interrupt(kernel, cpu);
	return false;
}

void clock_event_init(struct kernel *kernel)
{
	const intid ppi = { kernel->config.vhe ? PPI_HYP_PHYSICAL_TIMER : PPI_PHYSICAL_TIMER };

	request_percpu_irq(kernel, ppi, arch_timer_handler_phys, kernel);
}

void clock_event_program(struct kernel *kernel, struct cpu *cpu, uint64_t when)
{
	FUNCTION_NAMED(cpu, "arch_timer_set_next_event_phys");

	cpu_sysreg_write(cpu, kernel->config.vhe ? SYS_CNTHP_CVAL_EL2 : SYS_CNTP_CVAL_EL0, when);
	cpu_sysreg_write(cpu, ctl_reg(kernel), CTL_ENABLE);
}

uint64_t ktime_get(struct cpu *cpu)
{
	return cpu_sysreg_read(cpu, SYS_CNTPCT_EL0);
}
