// SPDX-License-Identifier: Apache-2.0
/*
 * Where is the VMID checked? To about v5.17 the global generation is compared at every turn of the run loop and nothing is done at load and put; later
 * one relaxed compare-and-swap on this CPU's active_vmids at load, a store at put, and nothing in the loop.
 */
#include "tests/step/in_kernel.h"

static void generation(void **state)
{
	struct kernel_config config = recent_kernel();
	struct in_kernel run;

	(void)state;
	config.active_vmids = false;
	in_kernel_run(&run, &config, GUEST_HYPERCALL, NULL);
	EXPECT(1, run.bench.machine, .line = "vmid_generation", .from = run.from, .until = run.until);
	EXPECT(4, run.bench.machine, .kind = REQUEST_LINE_READ, .line = "vmid_generation");
	EXPECT(4, run.bench.machine, .line = "vmid_generation");  /* only ever read: every CPU keeps a copy */
	EXPECT(4, run.bench.machine, .line = "kvm_s2_mmu", .within = "update_vmid");
	EXPECT(0, run.bench.machine, .line = "vmid_generation", .within = "kvm_arch_vcpu_load");
	EXPECT(0, run.bench.machine, .line = "active_vmids");
	bench_stop(&run.bench);
}

static void active_vmids(void **state)
{
	const struct kernel_config config = recent_kernel();
	struct in_kernel run;

	(void)state;
	in_kernel_run(&run, &config, GUEST_HYPERCALL, NULL);
	EXPECT(0, run.bench.machine, .line = "vmid_generation", .from = run.from, .until = run.until);
	EXPECT(1, run.bench.machine, .line = "vmid_generation");
	EXPECT(1, run.bench.machine, .kind = REQUEST_LINE_READ, .line = "vmid_generation", .within = "kvm_arch_vcpu_load");
	EXPECT(1, run.bench.machine, .kind = REQUEST_LINE_ATOMIC, .line = "active_vmids", .order = ORDER(RELAXED), .within = "kvm_arch_vcpu_load");
	EXPECT(1, run.bench.machine, .kind = REQUEST_LINE_OWN, .line = "active_vmids", .within = "kvm_arch_vcpu_put");
	EXPECT(2, run.bench.machine, .line = "active_vmids");
	bench_stop(&run.bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(generation), cmocka_unit_test(active_vmids) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
