// SPDX-License-Identifier: Apache-2.0
/*
 * The guest's virtual timer from firing to the guest's end of its interrupt, VHE and nVHE: the host acknowledges and drops the priority, samples the timer
 * once, injects (three lock atomics, a request, no kick), does not deactivate and takes no descriptor lock; the next entry has it in a list register with
 * the HW bit; the guest takes it there.
 */
#include "tests/step/vgic_bench.h"

#define HOST_INTERRUPT "el1_interrupt"

static const enum guest_exit script[] = { GUEST_EXIT_IRQ, GUEST_INTERRUPT, GUEST_EXIT_TRAP };
static unsigned int runs, handled;

static void in_guest(struct cpu *cpu)
{
	if (runs++)
		return;
	recording_set_sysreg(cpu, SYS_CNTV_CVAL_EL0, 0);
	recording_set_sysreg(cpu, SYS_CNTV_CTL_EL0, 1);
	recording_set_sysreg(cpu, SYS_ICC_IAR1_EL1, VTIMER_PPI);
	recording_set_sysreg(cpu, SYS_ICV_IAR1_EL1, VTIMER_PPI);
}

/* Stops the timer before it ends the interrupt, so that the line is low by then. */
static void handler(struct cpu *cpu, void *context, uint32_t interrupt)
{
	(void)context;
	assert_int_equal(interrupt, VTIMER_PPI);
	cpu_sysreg_write(cpu, SYS_CNTV_CTL_EL0, 3);
	recording_set_sysreg(cpu, SYS_ICH_ELRSR_EL2, 1);  /* its end empties the list register */
	handled++;
}

static void life_cycle(const struct kernel_config *config)
{
	const char *restore = config->vhe ? "kvm_vgic_flush_hwstate" : "__hyp_vgic_restore_state";
	struct step_bench b;
	size_t host, entry;

	bench_start(&b, config, true);
	runs = handled = 0;
	b.vcpu.guest.interrupt = handler;
	recording_script_guest(b.machine, script, 3);
	recording_in_guest(b.machine, in_guest);
	kvm_run_ioctl(b.cpu, &b.vcpu);
	assert_int_equal(handled, 1);
	EXPECT(1, b.machine, .function = HOST_INTERRUPT);
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_READ, .class = CLASS(TIMER), .within = HOST_INTERRUPT);
	EXPECT(3 + 1, b.machine, .kind = REQUEST_LINE_ATOMIC, .within = HOST_INTERRUPT);
	EXPECT(2, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = VTIMER_LINE, .within = HOST_INTERRUPT);
	EXPECT(1, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = AP_LIST, .within = HOST_INTERRUPT);
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_WRITE, .reg = REG(ICC_EOIR1_EL1), .within = HOST_INTERRUPT);
	EXPECT(0, b.machine, .reg = REG(ICC_DIR_EL1));
	EXPECT(0, b.machine, .reg = REG(ICC_SGI1R_EL1));
	host = FIRST(b.machine, .function = HOST_INTERRUPT);
	EXPECT(0, b.machine, .line = DESC_LOCK, .from = host, .until = FIRST(b.machine, .within = "kvm_arch_vcpu_put"));
	/* the entry after it */
	entry = FIRST(b.machine, .kind = REQUEST_RUN_GUEST, .from = host);
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_WRITE, .reg = REG(ICH_LR0_EL2), .from = host, .until = entry);
	assert_int_equal(recording_at(b.machine, FIRST(b.machine, .kind = REQUEST_SYSREG_WRITE, .reg = REG(ICH_LR0_EL2), .from = host, .within = restore))->value,
			 VTIMER_LR);
	/* taken without an exit, and gone from the list after the next one */
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_WRITE, .reg = REG(ICV_EOIR1_EL1));
	EXPECT(3, b.machine, .kind = REQUEST_RUN_GUEST);
	EXPECT(2, b.machine, .kind = REQUEST_FUNCTION, .function = "kvm_vgic_sync_hwstate");
	assert_null(b.vcpu.vgic.ap_list);
	assert_int_equal(b.vcpu.requests, 0);
	bench_stop(&b);
}

static void versions(void **state)
{
	struct kernel_config config = recent_kernel();

	(void)state;
	life_cycle(&config);
	config.vgic_always = true;              /* v6.19 */
	config.vmcr = VMCR_LOAD_AND_EXIT;
	life_cycle(&config);
	config = recent_kernel();
	config.timer_before_vgic = false;       /* v6.14 and before */
	config.stage2_at_load = false;
	config.gicv3_active_io = ACTIVE_IO_CTLR_READ;
	life_cycle(&config);
	config = recent_nvhe_kernel();
	life_cycle(&config);
	config.nvhe_vgic_calls = 2;
	config.vgic_always = true;
	life_cycle(&config);
}

/* v4.19: VMCR and active priorities by a hypervisor call each, at load and at put. */
static void hypervisor_calls(void **state)
{
	(void)state;
	for (uint32_t calls = 1; calls <= 2; calls++) {
		struct kernel_config config = recent_nvhe_kernel();
		struct step_bench b;

		config.nvhe_vgic_calls = calls;
		bench_start(&b, &config, true);
		kvm_vgic_load(b.cpu, &b.vcpu);
		EXPECT(calls, b.machine, .kind = REQUEST_EXCEPTION_ENTRY);
		EXPECT(1, b.machine, .kind = REQUEST_SYSREG_WRITE, .reg = REG(ICH_VMCR_EL2));
		kvm_vgic_put(b.cpu, &b.vcpu);
		EXPECT(2 * calls, b.machine, .kind = REQUEST_EXCEPTION_ENTRY);
		EXPECT(2 * calls, b.machine, .kind = REQUEST_EXCEPTION_RETURN);
		bench_stop(&b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(versions),
		cmocka_unit_test(hypervisor_calls),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
