// SPDX-License-Identifier: Apache-2.0
/*
 * Does each shipped kernel file make each path as long as that kernel has it? For every file, on a host with RAS and without other options, VHE where the
 * kernel has it and nVHE: ordinary registers read and written and barriers of one exit that the kernel answers with its entry, of load, of put, and of the whole
 * exit to user space. Registers of timers and of the GIC: other tests.
 *
 * Exit and entry, VHE: 9 reads, 12 writes; + 2 writes with stage 2 at entry (to v6.6); + 25 reads, 31 writes with the EL1 context at every switch (to v4.16);
 * - 1 read and no DSB and ISB before the entry without a look for pending errors (to v5.2). nVHE: 55 and 68 from the rows of its world switch added up,
 * - 1 read likewise; dsb(nsh) each way from v6.4.
 * Load, VHE: 4 reads, 28 writes (26 without stage 2; none with the context at every switch); put 21 and 5. Both modes: + 1 read, CPACR_EL1, where the host's FP
 * state is saved at first use (to about v6.13).
 * Exit to user space: load, exit and entry, put; the data abort reads FAR_EL2 and HPFAR_EL2 besides.
 */
#include "tests/step/in_kernel.h"

#include <stdio.h>
#include <string.h>

#include "study/param_file.h"
#include "study/simulate_config.h"

struct path { size_t reads, writes; };

struct generation {
	const char *kernel;
	bool vhe;
	struct path exit;        /* and entry */
	size_t exit_dsb, exit_isb;
	struct path load, put;
	size_t vmid_in_loop, vmid_at_load;
};

static const struct generation generations[] = {
	/* kernel, VHE; exit and entry; DSB, ISB; load; put; VMID */
	{ "v3.18", false, { 54, 68 }, 0, 1, { 1, 0 }, { 0, 0 }, 1, 0 },
	{ "v4.4", false, { 54, 68 }, 0, 1, { 1, 0 }, { 0, 0 }, 1, 0 },
	{ "v4.9", false, { 54, 68 }, 0, 1, { 1, 0 }, { 0, 0 }, 1, 0 },
	{ "v4.14", false, { 54, 68 }, 0, 1, { 1, 0 }, { 0, 0 }, 1, 0 },
	{ "v4.19", false, { 54, 68 }, 0, 1, { 1, 0 }, { 0, 0 }, 1, 0 },
	{ "v5.4", false, { 55, 68 }, 1, 2, { 1, 0 }, { 0, 0 }, 1, 0 },
	{ "v5.10", false, { 55, 68 }, 1, 2, { 1, 0 }, { 0, 0 }, 1, 0 },
	{ "v5.15", false, { 55, 68 }, 1, 2, { 1, 0 }, { 0, 0 }, 1, 0 },
	{ "v5.17", false, { 55, 68 }, 1, 2, { 1, 0 }, { 0, 0 }, 1, 0 },
	{ "v6.1", false, { 55, 68 }, 1, 2, { 1, 0 }, { 0, 0 }, 0, 1 },
	{ "v6.6", false, { 55, 68 }, 3, 2, { 1, 0 }, { 0, 0 }, 0, 1 },
	{ "v6.12", false, { 55, 68 }, 3, 2, { 1, 0 }, { 0, 0 }, 0, 1 },
	{ "v6.18", false, { 55, 68 }, 3, 2, { 0, 0 }, { 0, 0 }, 0, 1 },
	{ "v6.19", false, { 55, 68 }, 3, 2, { 0, 0 }, { 0, 0 }, 0, 1 },
	{ "v7.1", false, { 55, 68 }, 3, 2, { 0, 0 }, { 0, 0 }, 0, 1 },
	{ "v7.1-percpu-state", false, { 55, 68 }, 3, 2, { 0, 0 }, { 0, 0 }, 0, 1 },

	{ "v4.9", true, { 33, 45 }, 0, 1, { 1, 0 }, { 0, 0 }, 1, 0 },
	{ "v4.14", true, { 33, 45 }, 0, 1, { 1, 0 }, { 0, 0 }, 1, 0 },
	{ "v4.19", true, { 8, 14 }, 0, 1, { 5, 26 }, { 21, 5 }, 1, 0 },
	{ "v5.4", true, { 9, 14 }, 1, 2, { 5, 26 }, { 21, 5 }, 1, 0 },
	{ "v5.10", true, { 9, 14 }, 1, 2, { 5, 26 }, { 21, 5 }, 1, 0 },
	{ "v5.15", true, { 9, 14 }, 1, 2, { 5, 26 }, { 21, 5 }, 1, 0 },
	{ "v5.17", true, { 9, 14 }, 1, 2, { 5, 26 }, { 21, 5 }, 1, 0 },
	{ "v6.1", true, { 9, 14 }, 1, 2, { 5, 26 }, { 21, 5 }, 0, 1 },
	{ "v6.6", true, { 9, 14 }, 1, 2, { 5, 26 }, { 21, 5 }, 0, 1 },
	{ "v6.12", true, { 9, 12 }, 1, 2, { 5, 28 }, { 21, 5 }, 0, 1 },
	{ "v6.18", true, { 9, 12 }, 1, 2, { 4, 28 }, { 21, 5 }, 0, 1 },
	{ "v6.19", true, { 9, 12 }, 1, 2, { 4, 28 }, { 21, 5 }, 0, 1 },
	{ "v7.1", true, { 9, 12 }, 1, 2, { 4, 28 }, { 21, 5 }, 0, 1 },
	{ "v7.1-percpu-state", true, { 9, 12 }, 1, 2, { 4, 28 }, { 21, 5 }, 0, 1 },
};

#define GENERATIONS (sizeof(generations) / sizeof(generations[0]))

static struct kernel_config kernel_from_file(const struct generation *g)
{
	struct param_file_info info;
	struct kernel_config config;
	struct param_set set;
	const char *path;

	param_set_defaults(&set);
	assert_int_equal(catalogue_find(CATALOGUE_HOSTS, "neoverse-n1", &path), CV_OK);
	assert_int_equal(param_file_apply(CATALOGUE_HOSTS, path, &set, &info), CV_OK);
	assert_int_equal(catalogue_find(CATALOGUE_KERNELS, g->kernel, &path), CV_OK);
	assert_int_equal(param_file_apply(CATALOGUE_KERNELS, path, &set, &info), CV_OK);
	config = sim_kernel_config(&set);
	if (!config.vhe && g->vhe)
		fail_msg("%s has no VHE", g->kernel);
	config.vhe = g->vhe;
	return config;
}

static void expect_path(const struct machine *m, struct path expected, const char *what, const struct filter *filter)
{
	struct filter reads = *filter, writes = *filter;

	reads.kind = REQUEST_SYSREG_READ;
	writes.kind = REQUEST_SYSREG_WRITE;
	reads.class = writes.class = CLASS(ORDINARY);
	reads.without = writes.without = "el1_interrupt";
	expect_count(m, expected.reads, &reads, what, __FILE__, __LINE__);
	expect_count(m, expected.writes, &writes, what, __FILE__, __LINE__);
}

static void expect_generation(const struct generation *g)
{
	const struct kernel_config config = kernel_from_file(g);
	char what[80];
	struct in_kernel run;
	struct machine *m;

	print_message("%s, %s\n", g->kernel, g->vhe ? "VHE" : "nVHE");
	snprintf(what, sizeof(what), "%s, %s", g->kernel, g->vhe ? "VHE" : "nVHE");
	in_kernel_run(&run, &config, GUEST_HYPERCALL, NULL);
	m = run.bench.machine;
	expect_path(m, g->exit, what, &FILTER(.from = run.from, .until = run.until));
	EXPECT(g->exit_dsb, m, .kind = REQUEST_BARRIER, .barrier = BARRIER(DSB), .from = run.from, .until = run.until);
	/* the timers' ISBs, where kernels switch them here, are not counted: entry and the end of the switch */
	EXPECT(g->exit_isb - 1, m, .kind = REQUEST_BARRIER, .barrier = BARRIER(ISB), .within = "__guest_enter", .from = run.from, .until = run.until);
	EXPECT(1, m, .kind = REQUEST_BARRIER, .barrier = BARRIER(DMB), .from = run.from, .until = run.until);
	EXPECT(g->vmid_in_loop, m, .line = "vmid_generation", .from = run.from, .until = run.until);
	EXPECT(g->vhe ? 1 : 2, m, .kind = REQUEST_EXCEPTION_ENTRY, .from = run.from, .until = run.until);
	expect_path(m, g->load, what, &FILTER(.within = "kvm_arch_vcpu_load"));
	expect_path(m, g->put, what, &FILTER(.within = "kvm_arch_vcpu_put"));
	EXPECT(g->vmid_at_load, m, .kind = REQUEST_LINE_ATOMIC, .line = "active_vmids");
	bench_stop(&run.bench);

	bench_start(&run.bench, &config, true);
	kvm_run_ioctl(run.bench.cpu, &run.bench.vcpu);
	expect_path(run.bench.machine, (struct path){ g->load.reads + g->exit.reads + g->put.reads + 2, g->load.writes + g->exit.writes + g->put.writes },
		    what, &FILTER(0));
	bench_stop(&run.bench);
}

static void every_kernel_file(void **state)
{
	(void)state;
	for (size_t n = 0; n < GENERATIONS; n++)
		expect_generation(&generations[n]);
}

/* A new kernel file must come with its counts. */
static void no_file_is_left_out(void **state)
{
	const struct catalogue_entry *entries;
	size_t count;

	(void)state;
	assert_int_equal(catalogue_list(CATALOGUE_KERNELS, &entries, &count), CV_OK);
	for (size_t i = 0; i < count; i++) {
		bool found = false;

		for (size_t n = 0; n < GENERATIONS; n++)
			found = found || !strcmp(generations[n].kernel, entries[i].name);
		if (!found)
			fail_msg("%s has no row here", entries[i].name);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(every_kernel_file), cmocka_unit_test(no_file_is_left_out) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
