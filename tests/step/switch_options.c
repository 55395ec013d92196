// SPDX-License-Identifier: Apache-2.0
/*
 * What do options of cores and guests add to one exit that the kernel answers? Pointer authentication, hardware breakpoints, fine-grained traps,
 * statistical profiling, Spectre-BHB, the EL1 context and stage 2 at every switch. Base: 9 reads and 12 writes of ordinary registers on VHE; nVHE
 * 55 and 68 (the rows of the nVHE world switch added up; a hypercall reads no FAR and no HPFAR).
 */
#include "tests/step/in_kernel.h"

static void use_pauth(struct kvm_vcpu *vcpu) { vcpu->uses_pauth = true; }
static void use_debug(struct kvm_vcpu *vcpu) { vcpu->uses_debug = true; }

static void expect(const struct kernel_config *config, void (*prepare)(struct kvm_vcpu *vcpu), size_t reads, size_t writes, size_t isb, size_t dsb)
{
	struct in_kernel run;

	in_kernel_run(&run, config, GUEST_HYPERCALL, prepare);
	assert_int_equal(in_kernel_reads(&run), reads);
	assert_int_equal(in_kernel_writes(&run), writes);
	EXPECT(isb, run.bench.machine, .kind = REQUEST_BARRIER, .barrier = BARRIER(ISB), .from = run.from, .until = run.until);
	EXPECT(dsb, run.bench.machine, .kind = REQUEST_BARRIER, .barrier = BARRIER(DSB), .from = run.from, .until = run.until);
	bench_stop(&run.bench);
}

static void base(void **state)
{
	const struct kernel_config vhe = recent_kernel(), nvhe = recent_nvhe_kernel();

	(void)state;
	expect(&vhe, NULL, 9, 12, 2, 1);
	expect(&nvhe, NULL, 55, 68, 2, 1 + 2);  /* dsb nshst, and dsb(nsh) each way */
}

/* HCR_EL2 read each way on such cores; 10 writes at entry, 10 reads, 10 writes and an ISB at exit if the guest uses the keys. */
static void pointer_authentication(void **state)
{
	struct kernel_config config = recent_kernel();

	(void)state;
	expect(&config, use_pauth, 9, 12, 2, 1);  /* cores without */
	config.pauth = true;
	expect(&config, NULL, 9 + 2, 12, 2, 1);
	expect(&config, use_pauth, 9 + 2 + 10, 12 + 10 + 10, 2 + 1, 1);
	config.vhe = false;
	expect(&config, use_pauth, 55 + 2 + 10, 68 + 10 + 10, 2 + 1, 3);
}

/* 2 x (breakpoints + watchpoints) and MDCCINT_EL1, read and written, both ways. */
static void debug_registers(void **state)
{
	struct kernel_config config = recent_kernel();

	(void)state;
	config.breakpoints = 6;
	config.watchpoints = 4;
	expect(&config, NULL, 9, 12, 2, 1);
	expect(&config, use_debug, 9 + 2 * 21, 12 + 2 * 21, 2, 1);
	config.vhe = false;
	expect(&config, use_debug, 55 + 2 * 21, 68 + 2 * 21, 2, 3);
}

static const enum sysreg fine_grained[] = { SYS_HCRX_EL2, SYS_HFGRTR_EL2, SYS_HFGWTR_EL2, SYS_HFGITR_EL2, SYS_HDFGRTR_EL2, SYS_HDFGWTR_EL2 };

/* HCRX_EL2 and five trap registers: read and written, and written back; VHE at load and put, nVHE each way. */
static void fine_grained_traps(void **state)
{
	struct kernel_config config = recent_kernel();
	struct in_kernel run;

	(void)state;
	config.fgt = true;
	in_kernel_run(&run, &config, GUEST_HYPERCALL, NULL);
	assert_int_equal(in_kernel_reads(&run), 9);
	assert_int_equal(in_kernel_writes(&run), 12);
	for (size_t n = 0; n < 6; n++) {
		EXPECT(1, run.bench.machine, .kind = REQUEST_SYSREG_READ, .reg = (int)fine_grained[n] + 1, .within = "kvm_arch_vcpu_load");
		EXPECT(1, run.bench.machine, .kind = REQUEST_SYSREG_WRITE, .reg = (int)fine_grained[n] + 1, .within = "kvm_arch_vcpu_load");
		EXPECT(1, run.bench.machine, .kind = REQUEST_SYSREG_WRITE, .reg = (int)fine_grained[n] + 1, .within = "kvm_arch_vcpu_put");
		EXPECT(3, run.bench.machine, .reg = (int)fine_grained[n] + 1);
	}
	bench_stop(&run.bench);
	config.vhe = false;
	expect(&config, NULL, 55 + 6, 68 + 6 + 6, 2, 3);
}

/* PMSIDR, PMBLIMITR, PMSCR read, PMSCR cleared, one DSB; put back after the guest. nVHE only. */
static void profiling_by_the_host(void **state)
{
	struct kernel_config config = recent_kernel();

	(void)state;
	config.spe = true;
	expect(&config, NULL, 9, 12, 2, 1);
	config.vhe = false;
	expect(&config, NULL, 55 + 3, 68 + 2, 2, 3 + 1);
}

/* __kvm_vcpu_run to v4.16: the EL1 context, user registers and traps, 4 reads and 26 writes in, 21 reads and 5 writes out; then not at load. */
static void el1_context_at_every_switch(void **state)
{
	struct kernel_config config = recent_kernel();
	struct in_kernel run;

	(void)state;
	config.sysregs_at_load = false;
	config.stage2_at_load = false;
	expect(&config, NULL, 9 + 25, 12 + 31 + 2, 2, 1);
	in_kernel_run(&run, &config, GUEST_HYPERCALL, NULL);
	EXPECT(0, run.bench.machine, .class = CLASS(ORDINARY), .within = "kvm_arch_vcpu_load");
	EXPECT(0, run.bench.machine, .class = CLASS(ORDINARY), .within = "kvm_arch_vcpu_put");
	EXPECT(1, run.bench.machine, .kind = REQUEST_SYSREG_WRITE, .reg = REG(VMPIDR_EL2), .from = run.from, .until = run.until);
	EXPECT(2, run.bench.machine, .reg = REG(SCTLR_EL1), .from = run.from, .until = run.until);
	bench_stop(&run.bench);
}

/* nVHE before v6.4: no dsb(nsh). */
static void without_the_nvhe_barrier(void **state)
{
	struct kernel_config config = recent_nvhe_kernel();

	(void)state;
	config.nvhe_dsb = false;
	expect(&config, NULL, 55, 68, 2, 1);
}

#define LOOP 75000

/* Once for each exception from the guest and from user space, and nowhere else. */
static void spectre_bhb(void **state)
{
	struct kernel_config config = recent_kernel();
	struct in_kernel run;

	(void)state;
	for (int vhe = 0; vhe <= 1; vhe++) {
		config.vhe = vhe;
		config.bhb_loop = LOOP;
		config.bhb = false;
		in_kernel_run(&run, &config, GUEST_HYPERCALL, NULL);
		assert_int_equal(SUM(run.bench.machine, .kind = REQUEST_SPEND, .within = "__guest_exit"), 0);
		bench_stop(&run.bench);
		config.bhb = true;
		in_kernel_run(&run, &config, GUEST_HYPERCALL, NULL);
		assert_int_equal(SUM(run.bench.machine, .kind = REQUEST_SPEND, .within = "__guest_exit", .from = run.from, .until = run.until), LOOP);
		assert_int_equal(SUM(run.bench.machine, .kind = REQUEST_SPEND, .within = "__guest_exit"), 4 * LOOP);
		/* system call: twice work.syscall (1 each), and the loop */
		assert_int_equal(SUM(run.bench.machine, .kind = REQUEST_SPEND, .within = "el0_svc", .without = "__arm64_sys_ioctl"), LOOP + 2);
		bench_stop(&run.bench);
	}
}

/* A data abort walks the tables first, every time; a hypercall does not. */
static void table_walks(void **state)
{
	struct kernel_config config = recent_kernel();
	struct in_kernel run;

	(void)state;
	config.table_walk = 40000;
	in_kernel_run(&run, &config, GUEST_HYPERCALL, NULL);
	assert_int_equal(SUM(run.bench.machine, .kind = REQUEST_SPEND, .within = "stage-2 walk"), 40000);  /* the one read for the VMM */
	bench_stop(&run.bench);
	in_kernel_run(&run, &config, GUEST_MMIO_READ_VGIC, NULL);
	assert_int_equal(SUM(run.bench.machine, .kind = REQUEST_SPEND, .within = "stage-2 walk"), 4 * 40000);
	EXPECT_BEFORE(run.bench.machine, FILTER(.within = "stage-2 walk", .from = run.from, .until = run.until),
		      FILTER(.kind = REQUEST_EXCEPTION_ENTRY, .from = run.from, .until = run.until));
	bench_stop(&run.bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(base),
		cmocka_unit_test(pointer_authentication),
		cmocka_unit_test(debug_registers),
		cmocka_unit_test(fine_grained_traps),
		cmocka_unit_test(profiling_by_the_host),
		cmocka_unit_test(el1_context_at_every_switch),
		cmocka_unit_test(without_the_nvhe_barrier),
		cmocka_unit_test(spectre_bhb),
		cmocka_unit_test(table_walks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
