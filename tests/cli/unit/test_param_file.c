// SPDX-License-Identifier: Apache-2.0
/* Host, kernel and workload files: values with class, source and place, and what each kind refuses. */
#include "tests/cli/unit/test_files.h"

#include <stdio.h>
#include <string.h>

#include "study/param_file.h"

static struct param_set set;
static struct param_file_info info;

static cv_result apply(enum catalogue_kind kind, const char *text)
{
	write_text("x.yaml", text);
	param_set_defaults(&set);
	return param_file_apply(kind, "x.yaml", &set, &info);
}

static cv_result host(const char *text)
{
	return apply(CATALOGUE_HOSTS, text);
}

static cv_result workload(const char *text)
{
	return apply(CATALOGUE_WORKLOADS, text);
}

static void a_host_file(void **state)
{
	(void)state;
	assert_ok(host("title: A host\n"
		       "notes: >\n  two\n  lines\n"
		       "host:\n"
		       "  cpus: { value: 32, class: paper, source: \"a mail\" }\n"
		       "  line:\n"
		       "    base:\n"
		       "      value: 97.25ns\n"
		       "      class: fitted\n"
		       "      source: altra-exits\n"
		       "  mesh.columns: { value: 7, class: spec, source: a manual }\n"
		       "workload: { vmm_work: { value: 1us, class: estimated, source: a guess } }\n"));
	assert_string_equal(info.title, "A host");
	assert_string_equal(info.notes, "two lines");
	assert_null(info.since);
	assert_int_equal(param_count(&set, P_HOST_CPUS), 32);
	assert_int_equal(param_ps(&set, P_HOST_LINE_BASE), 97250);
	assert_int_equal(set.value[P_HOST_LINE_BASE].source_class, SOURCE_FITTED);
	assert_string_equal(set.value[P_HOST_LINE_BASE].source, "altra-exits");
	assert_string_equal(set.value[P_HOST_LINE_BASE].where, "x.yaml:9:14");
	assert_int_equal(param_count(&set, P_HOST_MESH_COLUMNS), 7);
	assert_int_equal(param_ps(&set, P_WORKLOAD_VMM_WORK), 1000000);
	assert_string_equal(set.value[P_HOST_MESH_ROWS].where, "default");
}

static void host_file_refusals(void **state)
{
	(void)state;
	assert_error(host("title: t\nhost:\n  cpus: 32\n"), CV_BAD_INPUT,
		     "x.yaml:3:9: host.cpus: has no class and source; write {value: …, class: …, source: \"…\"}");
	assert_error(host("title: t\nhost:\n  cpus: {value: 32, class: spec}\n"), CV_BAD_INPUT,
		     "x.yaml:3:9: host.cpus: has no source; write {value: …, class: …, source: \"…\"}");
	assert_error(host("title: t\nhost:\n  cpus: {class: spec, source: s}\n"), CV_BAD_INPUT,
		     "x.yaml:3:9: host.cpus: has no value; write {value: …, class: …, source: \"…\"}");
	assert_error(host("title: t\nhost:\n  cpus: {value: 32, class: guess, source: s}\n"), CV_BAD_INPUT,
		     "x.yaml:3:28: host.cpus.class: \"guess\" is not a source class; allowed: spec, measured, paper, estimated, "
		     "fitted, chosen; nearest: spec");
	assert_error(host("title: t\nhost:\n  cpus: {value: 32, class: spec, source: ' '}\n"), CV_BAD_INPUT,
		     "x.yaml:3:42: host.cpus.source: has no value; allowed: text");
	assert_error(host("title: t\nhost:\n  cpus: {value: 32, clas: spec, source: s}\n"), CV_BAD_INPUT,
		     "x.yaml:3:21: host.cpus.clas: unknown key; allowed: value, class, source; nearest: class");
	assert_error(host("title: t\nhost:\n  cpus: {value: [32], class: spec, source: s}\n"), CV_BAD_INPUT,
		     "x.yaml:3:17: host.cpus: is a list; allowed: a whole number from 1 to 1000, without a unit");
	assert_error(host("title: t\nhost:\n  cpus: {value: , class: spec, source: s}\n"), CV_BAD_INPUT,
		     "x.yaml:3:17: host.cpus: has no value; allowed: a whole number from 1 to 1000, without a unit");
	assert_error(host("title: t\nhost:\n  cpus: {value: 2000, class: spec, source: s}\n"), CV_BAD_INPUT,
		     "x.yaml:3:17: host.cpus: \"2000\" is out of range; allowed: a whole number from 1 to 1000, without a unit");
	assert_error(host("title: t\nhost:\n  lin:\n    base: 1ns\n"), CV_BAD_INPUT,
		     "x.yaml:3:3: host.lin: no such parameter (`convoy params` lists them); nearest known name: host.line");
	assert_error(host("title: t\nhost:\n  line:\n    bass: 1ns\n"), CV_BAD_INPUT,
		     "x.yaml:4:5: host.line.bass: no such parameter (`convoy params` lists them); nearest known name: "
		     "host.line.base");
	assert_error(host("title: t\nhost:\n  line: 4ns\n"), CV_BAD_INPUT,
		     "x.yaml:3:9: host.line: is text, but host.line is a group; allowed: a mapping of its parameters");
	assert_error(host("title: t\nhots:\n  line: 4ns\n"), CV_BAD_INPUT,
		     "x.yaml:2:1: hots: unknown key; allowed: title, since, notes and groups of parameters; nearest: host");
	assert_error(host("title: t\nhost.mesh.rows: {value: 2, class: spec, source: s}\nhost: {mesh: {rows: {value: 3, class: "
			  "spec, source: s}}}\n"), CV_BAD_INPUT,
		     "x.yaml:3:15: host.mesh.rows: is here twice; first on line 2");
	assert_error(host("title: t\nkernel: {spinlock: ticket}\n"), CV_BAD_INPUT,
		     "x.yaml:2:10: kernel.spinlock: does not belong in a host file; a host file sets host.*, "
		     "kernel.work.* and workload.vmm_work");
	assert_error(host("title: t\nworkload: {vcpus: 4}\n"), CV_BAD_INPUT,
		     "x.yaml:2:12: workload.vcpus: does not belong in a host file; a host file sets host.*, "
		     "kernel.work.* and workload.vmm_work");
	assert_error(host("host: {}\n"), CV_BAD_INPUT, "x.yaml:1:1: title: missing; a host file starts with title: and one line");
	assert_error(host("title: [a]\n"), CV_BAD_INPUT, "x.yaml:1:8: title: is a list; allowed: text");
}

static void a_workload_file_may_be_plain(void **state)
{
	(void)state;
	assert_ok(workload("title: W\nworkload:\n  kind: lock-loop\n  lock_loop: { hold: 250ns }\n  guest_work: { value: 5ns }\n"));
	assert_true(param_choice_is(&set, P_WORKLOAD_KIND, "lock-loop"));
	assert_int_equal(param_ps(&set, P_WORKLOAD_HOLD), 250000);
	assert_int_equal(set.value[P_WORKLOAD_HOLD].source_class, SOURCE_CHOSEN);
	assert_string_equal(set.value[P_WORKLOAD_HOLD].source, "chosen in workload file x");
	assert_string_equal(set.value[P_WORKLOAD_HOLD].where, "x.yaml:4:22");
	assert_int_equal(param_ps(&set, P_WORKLOAD_GUEST_WORK), 5000);
	assert_error(workload("title: W\nworkload:\n  guest_work: { value: 5ns, class: measured }\n"), CV_BAD_INPUT,
		     "x.yaml:3:15: workload.guest_work: has a class but no source; write {value: …, class: …, source: \"…\"}");
	assert_error(workload("title: W\nhost: {vhe: no}\n"), CV_BAD_INPUT,
		     "x.yaml:2:8: host.vhe: does not belong in a workload file; a workload file sets workload.*");
}

static void a_kernel_file_sets_every_switch(void **state)
{
	(void)state;
	assert_error(apply(CATALOGUE_KERNELS, "title: K\nkernel: {el2: vhe, irq_state: per-cpu}\n"), CV_BAD_INPUT,
		     "x.yaml:1:1: kernel.vhe: missing; a kernel file sets every switch (the kernel can run at EL2 on cores with VHE "
		     "(v4.6 and later))");
	assert_error(apply(CATALOGUE_KERNELS, "title: K\nkernel: {el2: vhe, vhe: yes, irq_state: per-cpu}\n"), CV_BAD_INPUT,
		     "x.yaml:1:1: kernel.spinlock: missing; a kernel file sets every switch (raw spinlock algorithm: ticket up to "
		     "v4.18, qspinlock from v4.19; mcs and cna are in no arm64 kernel)");
	assert_error(apply(CATALOGUE_KERNELS, "title: K\nkernel: v7.1\n"), CV_BAD_INPUT,
		     "x.yaml:2:9: kernel: is text, but kernel is a group; allowed: a mapping of its parameters");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		UNIT_TEST(a_host_file),
		UNIT_TEST(host_file_refusals),
		UNIT_TEST(a_workload_file_may_be_plain),
		UNIT_TEST(a_kernel_file_sets_every_switch),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
