// SPDX-License-Identifier: Apache-2.0
/*
 * When are FP registers moved? A guest that uses them traps once after each load, inside the hypervisor (kvm_hyp_handle_fpsimd); the host's go out
 * there (to about v6.13) or at load (later); put stores the guest's. Guests that do not use them: nothing but the eager store at load.
 */
#include "tests/step/in_kernel.h"

#define STATE 32000  /* ps for one store or load of the registers */

static void use_fp(struct kvm_vcpu *vcpu) { vcpu->uses_fp = true; }

static uint64_t spent(const struct in_kernel *run, const char *function)
{
	return SUM(run->bench.machine, .kind = REQUEST_SPEND, .within = function);
}

static struct kernel_config kernel(bool vhe, bool at_load)
{
	struct kernel_config config = recent_kernel();

	config.vhe = vhe;
	config.host_fp_at_load = at_load;
	config.fp_save = STATE;
	return config;
}

static void guest_without_fp(void **state)
{
	struct in_kernel run;

	(void)state;
	for (int at_load = 0; at_load <= 1; at_load++) {
		const struct kernel_config config = kernel(true, at_load);

		in_kernel_run(&run, &config, GUEST_HYPERCALL, NULL);
		EXPECT(0, run.bench.machine, .kind = REQUEST_FUNCTION, .function = "kvm_hyp_handle_fpsimd");
		assert_int_equal(spent(&run, "kvm_arch_vcpu_load"), at_load ? STATE : 0);
		assert_int_equal(spent(&run, "kvm_arch_vcpu_put"), 0);
		/* to about v6.13 the load looks at CPACR_EL1 instead */
		EXPECT(!at_load, run.bench.machine, .kind = REQUEST_SYSREG_READ, .reg = REG(CPACR_EL1), .within = "kvm_arch_vcpu_load_fp");
		bench_stop(&run.bench);
	}
}

static void guest_with_fp(void **state)
{
	struct in_kernel run;

	(void)state;
	for (int how = 0; how < 4; how++) {
		const bool vhe = how & 1, at_load = how & 2;
		const struct kernel_config config = kernel(vhe, at_load);

		in_kernel_run(&run, &config, GUEST_HYPERCALL, use_fp);
		/* one trap for four exits; the host's state goes out in it unless it already has */
		EXPECT(1, run.bench.machine, .kind = REQUEST_FUNCTION, .function = "kvm_hyp_handle_fpsimd");
		assert_int_equal(spent(&run, "kvm_hyp_handle_fpsimd"), at_load ? STATE : 2 * STATE);
		assert_int_equal(spent(&run, "kvm_arch_vcpu_load"), at_load ? STATE : 0);
		assert_int_equal(spent(&run, "kvm_arch_vcpu_put"), STATE);
		/* trap opened, ISB, HCR_EL2, trap register once more */
		EXPECT(2, run.bench.machine, .kind = REQUEST_SYSREG_WRITE, .within = "kvm_hyp_handle_fpsimd");
		EXPECT(2, run.bench.machine, .reg = vhe ? REG(CPACR_EL1) : REG(CPTR_EL2), .within = "kvm_hyp_handle_fpsimd");
		EXPECT(1, run.bench.machine, .kind = REQUEST_SYSREG_READ, .reg = REG(HCR_EL2), .within = "kvm_hyp_handle_fpsimd");
		EXPECT(1, run.bench.machine, .kind = REQUEST_BARRIER, .barrier = BARRIER(ISB), .within = "kvm_hyp_handle_fpsimd");
		/* from then on an exit costs the same as without */
		assert_int_equal(in_kernel_reads(&run), vhe ? 9 : 55);
		assert_int_equal(in_kernel_writes(&run), vhe ? 12 : 68);
		bench_stop(&run.bench);
	}
}

/* The trap does not reach the run loop: vector, register file, fixup, answer, register file, ERET. */
static void the_trap_stays_in_the_hypervisor(void **state)
{
	const struct kernel_config config = kernel(true, false);
	struct step_bench b;
	size_t guest;

	(void)state;
	bench_start(&b, &config, true);
	b.vcpu.uses_fp = true;
	vcpu_load(b.cpu, &b.vcpu);
	recording_clear(b.machine);
	__kvm_vcpu_run_vhe(b.cpu, &b.vcpu);
	EXPECT(2, b.machine, .kind = REQUEST_EXCEPTION_ENTRY);
	EXPECT(2, b.machine, .kind = REQUEST_EXCEPTION_RETURN);
	EXPECT(1, b.machine, .kind = REQUEST_RUN_GUEST);
	guest = FIRST(b.machine, .kind = REQUEST_RUN_GUEST);
	EXPECT(1, b.machine, .kind = REQUEST_EXCEPTION_ENTRY, .until = guest);
	/* traps and MDSCR_EL1 are set once, not taken down in between */
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_WRITE, .reg = REG(HCR_EL2), .until = guest);
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_WRITE, .reg = REG(VBAR_EL1), .until = guest);
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_READ, .reg = REG(MDSCR_EL1), .until = guest);
	EXPECT(2, b.machine, .kind = REQUEST_SYSREG_READ, .reg = REG(ESR_EL2), .until = guest);
	EXPECT(0, b.machine, .kind = REQUEST_LINE_ATOMIC);
	bench_stop(&b);
}

/* Put gives the registers away: the next load brings the next trap. */
static void every_load_traps_again(void **state)
{
	const struct kernel_config config = kernel(true, true);
	struct step_bench b;

	(void)state;
	bench_start(&b, &config, true);
	b.vcpu.uses_fp = true;
	for (int round = 0; round < 3; round++)
		kvm_run_ioctl(b.cpu, &b.vcpu);
	EXPECT(3, b.machine, .kind = REQUEST_FUNCTION, .function = "kvm_hyp_handle_fpsimd");
	EXPECT(3, b.machine, .kind = REQUEST_SPEND, .within = "kvm_arch_vcpu_put_fp", .irqs = IRQS_OFF);
	bench_stop(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(guest_without_fp),
		cmocka_unit_test(guest_with_fp),
		cmocka_unit_test(the_trap_stays_in_the_hypervisor),
		cmocka_unit_test(every_load_traps_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
