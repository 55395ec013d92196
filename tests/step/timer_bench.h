// SPDX-License-Identifier: Apache-2.0
/*
 * For the tests timer_*: kernels of each generation of the timer code, and one turn of the run loop to look at.
 */
#ifndef CONVOY_TESTS_STEP_TIMER_BENCH_H
#define CONVOY_TESTS_STEP_TIMER_BENCH_H

#include "tests/step/step_bench.h"

/* Up to v4.14: registers in every world switch; active state after v4.5's way. VHE as from the VHE-aware code on. */
static inline struct kernel_config every_switch_kernel(bool vhe)
{
	struct kernel_config config = recent_kernel();

	config.vhe = vhe;
	config.timer_regs = TIMER_REGS_HYP_EVERY_SWITCH;
	config.active_state = ACTIVE_STATE_CACHED_CLEAR;
	config.ptimer_direct_on_vhe = false;
	config.inject_at_load = false;
	config.timer_traps = TIMER_TRAPS_BOOT;
	config.timer_trap = TIMER_TRAP_MEMORY;
	return config;
}

/* v4.15 to v4.19. */
static inline struct kernel_config first_load_put_kernel(bool vhe)
{
	struct kernel_config config = every_switch_kernel(vhe);

	config.timer_regs = TIMER_REGS_LOAD_PUT;
	config.active_state = ACTIVE_STATE_LOAD;
	return config;
}

struct timer_turn {
	struct step_bench b;
	size_t exit, entry;  /* from .exit to .entry: one exit and the entry after it */
	unsigned int completed;
};

static inline void turn_over(struct cpu *cpu, void *context)
{
	struct timer_turn *turn = context;

	(void)cpu;
	if (++turn->completed == 3)
		turn->b.vcpu.guest.step.operation = GUEST_MMIO_READ_USER;
}

/* KVM_RUN with three operations, each an exit that the kernel handles; .exit and .entry enclose the second one. `setup` may be NULL. */
static inline void turn_start(struct timer_turn *turn, const struct kernel_config *config, bool irqchip_in_kernel,
			      enum guest_operation operation, void (*setup)(struct timer_turn *turn))
{
	turn->completed = 0;
	bench_start(&turn->b, config, irqchip_in_kernel);
	turn->b.vcpu.guest = (struct guest_program){ .step = { 1000, operation, 0 }, .completed = turn_over, .context = turn };
	if (setup)
		setup(turn);
	kvm_run_ioctl(turn->b.cpu, &turn->b.vcpu);
	assert_int_equal(turn->completed, 3);
	turn->exit = FIRST(turn->b.machine, .kind = REQUEST_RUN_GUEST);
	turn->exit = FIRST(turn->b.machine, .kind = REQUEST_RUN_GUEST, .from = turn->exit + 1);
	turn->entry = FIRST(turn->b.machine, .kind = REQUEST_RUN_GUEST, .from = turn->exit + 1);
}

#define IN_TURN(turn) .from = (turn).exit, .until = (turn).entry
#define READS(turn, name) \
	recorded((turn).b.machine, &FILTER(.kind = REQUEST_SYSREG_READ, .reg = REG(name), IN_TURN(turn)))
#define WRITES(turn, name) \
	recorded((turn).b.machine, &FILTER(.kind = REQUEST_SYSREG_WRITE, .reg = REG(name), IN_TURN(turn)))

#endif
