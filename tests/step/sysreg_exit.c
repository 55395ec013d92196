// SPDX-License-Identifier: Apache-2.0
/*
 * Exits by instructions: an identification register (kvm_handle_sys_reg, a table searched by bisection, an accessor: memory only), a trapped counter and
 * an SMCCC workaround, which never reach the run loop.
 */
#include "tests/step/in_kernel.h"

static void identification_register(void **state)
{
	const struct kernel_config vhe = recent_kernel(), nvhe = recent_nvhe_kernel();
	struct in_kernel run;

	(void)state;
	for (int which = 0; which <= 1; which++) {
		in_kernel_run(&run, which ? &vhe : &nvhe, GUEST_SYSREG, NULL);
		/* the registers of a hypercall: no FAR, no HPFAR */
		assert_int_equal(in_kernel_reads(&run), which ? 9 : 55);
		assert_int_equal(in_kernel_writes(&run), which ? 12 : 68);
		EXPECT(1, run.bench.machine, .kind = REQUEST_FUNCTION, .function = "kvm_handle_sys_reg", .from = run.from, .until = run.until);
		EXPECT(1, run.bench.machine, .kind = REQUEST_FUNCTION, .function = "access_id_reg", .from = run.from, .until = run.until);
		/* 2^9 = 512 entries */
		EXPECT(9, run.bench.machine, .kind = REQUEST_FUNCTION, .function = "match_sys_reg", .from = run.from, .until = run.until);
		EXPECT(0, run.bench.machine, .within = "kvm_handle_sys_reg", .kind = REQUEST_LINE_READ);
		EXPECT(0, run.bench.machine, .kind = REQUEST_LINE_ATOMIC, .from = run.from, .until = run.until);
		EXPECT(0, run.bench.machine, .within = "kvm_handle_sys_reg", .irqs = IRQS_OFF);
		bench_stop(&run.bench);
	}
}

/* kvm_handle_cntxct: the counter, two loads, back into the guest; the host sees nothing. */
static void trapped_counter(void **state)
{
	const struct kernel_config config = recent_kernel();
	struct in_kernel run;

	(void)state;
	in_kernel_run(&run, &config, GUEST_COUNTER, NULL);
	EXPECT(3, run.bench.machine, .kind = REQUEST_FUNCTION, .function = "kvm_handle_cntxct");
	EXPECT(1, run.bench.machine, .kind = REQUEST_SYSREG_READ, .class = CLASS(COUNTER), .from = run.from, .until = run.until);
	/* vector, register file, fixup: ESR, SP_EL0, SPSR, ESR; back: SP_EL0, ISR */
	assert_int_equal(in_kernel_reads(&run), 6);
	assert_int_equal(in_kernel_writes(&run), 2);
	EXPECT(1, run.bench.machine, .kind = REQUEST_FUNCTION, .function = "handle_exit");
	EXPECT(1, run.bench.machine, .kind = REQUEST_FUNCTION, .function = "__kvm_vcpu_run");
	EXPECT(0, run.bench.machine, .line = "vcpu requests", .from = run.from, .until = run.until);
	bench_stop(&run.bench);
}

/* Answered by the vector: one register read, no register file. */
static void workaround(void **state)
{
	struct kernel_config config = recent_kernel();
	struct in_kernel run;

	(void)state;
	config.bhb = true;
	config.bhb_loop = 75000;
	in_kernel_run(&run, &config, GUEST_WORKAROUND, NULL);
	assert_int_equal(in_kernel_reads(&run), 1);
	assert_int_equal(in_kernel_writes(&run), 0);
	EXPECT(1, run.bench.machine, .kind = REQUEST_EXCEPTION_ENTRY, .from = run.from, .until = run.until);
	EXPECT(1, run.bench.machine, .kind = REQUEST_EXCEPTION_RETURN, .from = run.from, .until = run.until);
	assert_int_equal(SUM(run.bench.machine, .kind = REQUEST_SPEND, .from = run.from, .until = run.until), 75000);
	EXPECT(0, run.bench.machine, .kind = REQUEST_FUNCTION, .function = "__guest_exit", .until = run.until);
	bench_stop(&run.bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(identification_register),
		cmocka_unit_test(trapped_counter),
		cmocka_unit_test(workaround),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
