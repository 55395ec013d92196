// SPDX-License-Identifier: Apache-2.0
/* The parameter table, single values with their messages, and the checks of whole sets. */
#include "tests/cli/unit/test_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study/param.h"
#include "study/param_document.h"

static cv_result parse(enum param_id id, const char *text)
{
	struct param_value value;

	return param_parse(id, text, &value);
}

static void every_text_of_the_table_parses_and_formats_back(void **state)
{
	(void)state;
	for (size_t i = 0; i < PARAM_IDS; i++) {
		const struct param_row *row = &param_table[i];
		const char *const texts[] = { row->fallback, row->minimum, row->maximum };

		for (size_t t = 0; t < 3; t++) {
			struct param_value value, again;
			char text[64];

			if (texts[t][0] == '\0')
				continue;
			assert_ok(param_parse((enum param_id)i, texts[t], &value));
			param_format((enum param_id)i, &value, text, sizeof(text));
			assert_string_equal(text, texts[t]);
			assert_ok(param_parse((enum param_id)i, text, &again));
			assert_int_equal(again.number, value.number);
			assert_int_equal(again.in_cycles, value.in_cycles);
		}
		assert_true(strlen(row->meaning) > 0);
		for (size_t other = 0; other < i; other++)
			assert_string_not_equal(row->name, param_table[other].name);
	}
}

static void every_choice_parses_to_its_index(void **state)
{
	struct param_value value;

	(void)state;
	assert_ok(param_parse(P_KERNEL_SPINLOCK, "ticket", &value));
	assert_int_equal(value.number, 0);
	assert_ok(param_parse(P_KERNEL_SPINLOCK, "qspinlock", &value));
	assert_int_equal(value.number, 1);
	assert_ok(param_parse(P_KERNEL_GICV3_ACTIVE_IO, "read-back-set", &value));
	assert_int_equal(value.number, 3);
	assert_ok(param_parse(P_HOST_VHE, "no", &value));
	assert_int_equal(value.number, 0);
}

static void messages_of_values(void **state)
{
	(void)state;
	assert_error(parse(P_HOST_LINE_BASE, "97"), CV_BAD_INPUT,
		     "host.line.base: \"97\" has no unit; allowed: a time from 0ns to 10us, with its unit: ps, ns, us, ms or s");
	assert_error(parse(P_HOST_LINE_BASE, "97MHz"), CV_BAD_INPUT,
		     "host.line.base: \"97MHz\" has a unit that does not fit; allowed: a time from 0ns to 10us, with its unit: "
		     "ps, ns, us, ms or s");
	assert_error(parse(P_HOST_LINE_BASE, "11us"), CV_BAD_INPUT,
		     "host.line.base: \"11us\" is out of range; allowed: a time from 0ns to 10us, with its unit: ps, ns, us, ms "
		     "or s");
	assert_error(parse(P_HOST_LINE_BASE, "-1ns"), CV_BAD_INPUT,
		     "host.line.base: \"-1ns\" is negative; allowed: a time from 0ns to 10us, with its unit: ps, ns, us, ms or s");
	assert_error(parse(P_HOST_LINE_BASE, "0.0001ns"), CV_BAD_INPUT,
		     "host.line.base: \"0.0001ns\" is more precise than 1ps; allowed: a time from 0ns to 10us, with its unit: "
		     "ps, ns, us, ms or s");
	assert_error(parse(P_HOST_CPU_ISB, "33"), CV_BAD_INPUT,
		     "host.cpu.isb: \"33\" has no unit; allowed: cycles or a time, from 0cycles to 1us, with its unit: cycles, "
		     "ps, ns, us, ms or s");
	assert_error(parse(P_HOST_CLOCK, "50MHz"), CV_BAD_INPUT,
		     "host.clock: \"50MHz\" is out of range; allowed: a frequency from 100MHz to 10GHz, with its unit: Hz, kHz, "
		     "MHz or GHz");
	assert_error(parse(P_HOST_CPUS, "0"), CV_BAD_INPUT,
		     "host.cpus: \"0\" is out of range; allowed: a whole number from 1 to 1000, without a unit");
	assert_error(parse(P_HOST_CPUS, "1.5"), CV_BAD_INPUT,
		     "host.cpus: \"1.5\" is not a whole number; allowed: a whole number from 1 to 1000, without a unit");
	assert_error(parse(P_HOST_CPUS, "8cpus"), CV_BAD_INPUT,
		     "host.cpus: \"8cpus\" has something after the number; allowed: a whole number from 1 to 1000, without a unit");
	assert_error(parse(P_HOST_CPUS, "many"), CV_BAD_INPUT,
		     "host.cpus: \"many\" is not a number; allowed: a whole number from 1 to 1000, without a unit");
	assert_error(parse(P_HOST_CPUS, "012"), CV_BAD_INPUT,
		     "host.cpus: \"012\" starts with a needless zero; allowed: a whole number from 1 to 1000, without a unit");
	assert_error(parse(P_WORKLOAD_VARIATION_CV, "1.01"), CV_BAD_INPUT,
		     "workload.variation_cv: \"1.01\" is out of range; allowed: a number from 0 to 1 with at most 6 decimals, "
		     "without a unit");
	assert_error(parse(P_HOST_VHE, "true"), CV_BAD_INPUT,
		     "host.vhe: \"true\" is neither yes nor no; allowed: yes or no");
	assert_error(parse(P_KERNEL_SPINLOCK, "qspinlok"), CV_BAD_INPUT,
		     "kernel.spinlock: \"qspinlok\" is not one of the choices; allowed: ticket, qspinlock, mcs, cna; nearest: qspinlock");
	/* A terminal must never get a control character from a file. */
	assert_error(parse(P_HOST_VHE, "\x1b[2J"), CV_BAD_INPUT,
		     "host.vhe: \"\\x1b[2J\" is neither yes nor no; allowed: yes or no");
}

static void costs_in_cycles_are_bounded_at_every_clock(void **state)
{
	(void)state;
	/* 1us at the fastest clock, 10 GHz, is 10000 cycles. */
	assert_ok(parse(P_HOST_CPU_ISB, "10000cycles"));
	assert_int_equal(parse(P_HOST_CPU_ISB, "10000.001cycles"), CV_BAD_INPUT);
}

static void names(void **state)
{
	enum param_id id;
	enum source_class class;

	(void)state;
	assert_ok(param_find("host.line.base", &id));
	assert_int_equal(id, P_HOST_LINE_BASE);
	assert_error(param_find("host.lin.base", &id), CV_BAD_INPUT,
		     "host.lin.base: no such parameter (`convoy params` lists them); nearest known name: host.line.base");
	for (int i = SOURCE_SPEC; i <= SOURCE_CHOSEN; i++) {
		assert_ok(source_class_parse(source_class_name((enum source_class)i), &class));
		assert_int_equal(class, i);
	}
	assert_error(source_class_parse("fited", &class), CV_BAD_INPUT,
		     "\"fited\" is not a source class; allowed: spec, measured, paper, estimated, fitted, chosen; nearest: fitted");
}

/* A set that param_set_check accepts. */
static struct param_set good_set(void)
{
	struct param_set set;

	param_set_defaults(&set);
	assert_ok(param_parse(P_HOST_CPUS, "8", &set.value[P_HOST_CPUS]));
	assert_ok(param_parse(P_HOST_CLOCK, "2GHz", &set.value[P_HOST_CLOCK]));
	assert_ok(param_parse(P_KERNEL_IRQ_STATE, "per-cpu", &set.value[P_KERNEL_IRQ_STATE]));
	assert_ok(param_parse(P_WORKLOAD_KIND, "exit-to-userspace", &set.value[P_WORKLOAD_KIND]));
	assert_ok(param_set_check(&set));
	return set;
}

static void put(struct param_set *set, enum param_id id, const char *text, const char *where)
{
	assert_ok(param_parse(id, text, &set->value[id]));
	set->value[id].where = where;
}

static void costs_become_time_through_the_clock(void **state)
{
	struct param_set set = good_set();

	(void)state;
	put(&set, P_HOST_CPU_ISB, "33cycles", "x");
	assert_int_equal(param_ps(&set, P_HOST_CPU_ISB), 16500);
	put(&set, P_HOST_CPU_ISB, "13.2ns", "x");
	assert_int_equal(param_ps(&set, P_HOST_CPU_ISB), 13200);
	put(&set, P_HOST_CLOCK, "3GHz", "x");
	put(&set, P_HOST_CPU_ISB, "1cycles", "x");
	assert_int_equal(param_ps(&set, P_HOST_CPU_ISB), 333);
	put(&set, P_HOST_CPU_ISB, "2cycles", "x");
	assert_int_equal(param_ps(&set, P_HOST_CPU_ISB), 667);
	/* The largest cost there is, at the slowest clock: no overflow on the way. */
	put(&set, P_HOST_CLOCK, "100MHz", "x");
	put(&set, P_KERNEL_WORK_SYSCALL, "1000000cycles", "x");
	assert_int_equal(param_ps(&set, P_KERNEL_WORK_SYSCALL), 10000000000);
}

#define CHECK_REFUSES(id, text, message)                                                           \
	do {                                                                                       \
		struct param_set bad = good_set();                                                 \
		put(&bad, id, text, "f.yaml:3:4");                                                 \
		assert_error(param_set_check(&bad), CV_BAD_INPUT, message);                        \
	} while (0)

static void checks_of_whole_sets(void **state)
{
	struct param_set set = good_set();

	(void)state;
	set.value[P_HOST_CLOCK].present = false;
	assert_error(param_set_check(&set), CV_BAD_INPUT,
		     "host.clock: no file gives it and it has no default; set it in the host file (core clock; turns cycles into "
		     "time)");
	CHECK_REFUSES(P_WORKLOAD_VCPUS, "31",
		      "f.yaml:3:4: workload.vcpus: 31 vCPUs, but the host has 8 CPUs (host.cpus, given directly) and each vCPU "
		      "needs one of its own; allowed: 1 to 8");
	CHECK_REFUSES(P_HOST_CPUS, "33",
		      "f.yaml:3:4: host.cpus: 33 CPUs, but the mesh has room for 32: 4 columns x 2 rows x 2 clusters x 2 CPUs "
		      "(host.mesh.columns, default)");
	CHECK_REFUSES(P_HOST_MESH_GIC_XP, "8",
		      "f.yaml:3:4: host.mesh.gic_crosspoint: crosspoint 8, but the mesh has 8 (host.mesh.columns, default); "
		      "allowed: 0 to 7");
	CHECK_REFUSES(P_HOST_VHE, "no",
		      "default: kernel.el2: vhe, but the host's cores have no VHE (host.vhe: no, f.yaml:3:4); use nvhe");
	/* 2001 cycles at 2 GHz are 1000.5 ns; a cost may be 1 us. */
	CHECK_REFUSES(P_HOST_CPU_ISB, "2001cycles",
		      "f.yaml:3:4: host.cpu.isb: 2001cycles is 1000500 ps at this host.clock (given directly); allowed: at most "
		      "1us");
	CHECK_REFUSES(P_RUN_BATCH, "3ms",
		      "f.yaml:3:4: run.batch: longer than run.measure (default); allowed: at most the measured time");
	CHECK_REFUSES(P_RUN_MEASURE, "100s",
		      "default: run.batch: 1000010 windows in run.warmup and run.measure (f.yaml:3:4); allowed: at most 1000000");
	CHECK_REFUSES(P_WORKLOAD_VARIATION_CV, "0",
		      "f.yaml:3:4: workload.variation_cv: 0 is no gamma distribution (workload.variation, default); for no "
		      "variation set workload.variation: constant");
	set = good_set();
	put(&set, P_WORKLOAD_VARIATION, "uniform", "a");
	put(&set, P_WORKLOAD_VARIATION_CV, "0.6", "b");
	assert_error(param_set_check(&set), CV_BAD_INPUT,
		     "b: workload.variation_cv: too wide for workload.variation: uniform (a), which would become negative; "
		     "allowed: at most 0.57735, or gamma");
	set = good_set();
	put(&set, P_WORKLOAD_KIND, "lock-loop", "a");
	put(&set, P_WORKLOAD_VMM_WORK, "0ns", "b");
	put(&set, P_WORKLOAD_GUEST_WORK, "0ns", "c");
	put(&set, P_WORKLOAD_HOLD, "0ns", "d");
	assert_error(param_set_check(&set), CV_BAD_INPUT,
		     "d: workload.lock_loop.hold: 0, and the private work is 0 too (workload.vmm_work, b): a round would take no "
		     "time; give one of them some");
	set = good_set();
	put(&set, P_WORKLOAD_KIND, "microbench", "a");
	put(&set, P_WORKLOAD_GUEST_WORK, "0ns", "b");
	assert_error(param_set_check(&set), CV_BAD_INPUT,
		     "b: workload.guest_work: 0 with workload.kind: microbench (a): a round could take no time; allowed: 1ps and more");
	set = good_set();
	put(&set, P_WORKLOAD_KIND, "microbench", "a");
	put(&set, P_WORKLOAD_EXIT, "mmio_read_vgic", "b");
	put(&set, P_WORKLOAD_IRQCHIP, "userspace", "c");
	assert_error(param_set_check(&set), CV_BAD_INPUT,
		     "b: workload.exit: mmio_read_vgic needs the vGIC, but the guest's interrupt controller is the VMM's "
		     "(workload.irqchip, c); use in-kernel");
	put(&set, P_WORKLOAD_EXIT, "mmio_read_user", "b");
	assert_ok(param_set_check(&set));
	put(&set, P_WORKLOAD_EXIT, "counter", "b");
	put(&set, P_KERNEL_TIMER_TRAPS, "boot", "d");
	assert_error(param_set_check(&set), CV_BAD_INPUT,
		     "b: workload.exit: counter needs a kernel that answers trapped counters in the hypervisor, v6.4 or later "
		     "(kernel.timer_traps: load, d)");
	set = good_set();
	put(&set, P_WORKLOAD_PAUTH, "yes", "a");
	put(&set, P_HOST_CPU_PAUTH, "no", "b");
	assert_error(param_set_check(&set), CV_BAD_INPUT,
		     "a: workload.pauth: yes, but the host's cores have no pointer authentication (host.cpu.pauth: no, b)");
	put(&set, P_HOST_CPU_PAUTH, "yes", "b");
	assert_ok(param_set_check(&set));
	set = good_set();
	put(&set, P_WORKLOAD_KIND, "atomic-loop", "a");
	put(&set, P_HOST_CPU_LOAD_STORE, "0cycles", "b");
	assert_error(param_set_check(&set), CV_BAD_INPUT,
		     "default: workload.atomic_loop.pause: 0, and the loop takes no time either (host.cpu.load_store: 0, b); give one of "
		     "them some");
}

/* Operations of microbench that end with an interrupt in a guest. */
static void interrupts_of_guests(void **state)
{
	struct param_set set = good_set();

	(void)state;
	put(&set, P_WORKLOAD_KIND, "microbench", "a");
	put(&set, P_WORKLOAD_EXIT, "ipi_hw", "b");
	assert_error(param_set_check(&set), CV_BAD_INPUT,
		     "b: workload.exit: ipi_hw needs SGIs that a GICv4.1 delivers without KVM, which are not modelled "
		     "(host.gic.version, default); use ipi");
	put(&set, P_WORKLOAD_EXIT, "ipi", "b");
	put(&set, P_WORKLOAD_VCPUS, "4", "c");
	assert_ok(param_set_check(&set));
	put(&set, P_WORKLOAD_IPI_TARGET, "4", "d");
	assert_error(param_set_check(&set), CV_BAD_INPUT,
		     "d: workload.ipi_target: vCPU 4, but the VM has 4 (workload.vcpus, c); allowed: 0 (itself) to workload.vcpus - 1");
	put(&set, P_WORKLOAD_IPI_TARGET, "3", "d");
	put(&set, P_WORKLOAD_IRQCHIP, "userspace", "e");
	assert_error(param_set_check(&set), CV_BAD_INPUT,
		     "b: workload.exit: needs the vGIC, but the guest's interrupt controller is the VMM's (workload.irqchip, e); use in-kernel");
	put(&set, P_WORKLOAD_IRQCHIP, "in-kernel", "e");
	put(&set, P_WORKLOAD_EXIT, "timer_10ms", "b");
	put(&set, P_RUN_MEASURE, "19ms", "f");
	assert_error(param_set_check(&set), CV_BAD_INPUT,
		     "f: run.measure: shorter than two rounds of timer_10ms (workload.exit, b); allowed: 20ms and more");
	put(&set, P_RUN_MEASURE, "20ms", "f");
	assert_ok(param_set_check(&set));
}

/* What a workload's guests do needs the same things whatever the workload. */
static void what_guests_do(void **state)
{
	struct param_set set = good_set();

	(void)state;
	put(&set, P_WORKLOAD_KIND, "overcommit", "a");
	put(&set, P_WORKLOAD_EXIT, "ipi", "b");
	assert_error(param_set_check(&set), CV_BAD_INPUT,
		     "b: workload.exit: ends with an interrupt in a guest, for which only microbench has a handler (workload.kind, a); use "
		     "one of the others");
	put(&set, P_WORKLOAD_EXIT, "mmio_read_vgic", "b");
	assert_ok(param_set_check(&set));
	put(&set, P_WORKLOAD_IRQCHIP, "userspace", "c");
	assert_error(param_set_check(&set), CV_BAD_INPUT,
		     "b: workload.exit: mmio_read_vgic needs the vGIC, but the guest's interrupt controller is the VMM's "
		     "(workload.irqchip, c); use in-kernel");
	put(&set, P_WORKLOAD_IRQCHIP, "in-kernel", "c");
	put(&set, P_WORKLOAD_EXIT, "counter", "b");
	put(&set, P_KERNEL_TIMER_TRAPS, "boot", "d");
	assert_error(param_set_check(&set), CV_BAD_INPUT,
		     "b: workload.exit: counter needs a kernel that answers trapped counters in the hypervisor, v6.4 or later "
		     "(kernel.timer_traps: load, d)");

	set = good_set();
	put(&set, P_WORKLOAD_KIND, "wfi-wake", "a");
	put(&set, P_WORKLOAD_VCPUS, "2", "b");
	put(&set, P_HOST_GIC, "v5", "c");
	assert_error(param_set_check(&set), CV_BAD_INPUT,
		     "a: workload.kind: the guests send SGIs, which for a GICv5 guest are LPIs and not modelled (host.gic.version, c); use "
		     "workload.vgic: v3");
	put(&set, P_WORKLOAD_VGIC, "v3", "d");
	assert_ok(param_set_check(&set));

	set = good_set();
	put(&set, P_WORKLOAD_TIMER_ACTIVE, "yes", "a");
	assert_ok(param_set_check(&set));
	put(&set, P_WORKLOAD_KIND, "timer-tick", "b");
	assert_error(param_set_check(&set), CV_BAD_INPUT,
		     "a: workload.timer_active: yes, but a guest whose timer interrupt stays active never takes it, and here it waits for it "
		     "(workload.kind, b); use no");

	set = good_set();
	put(&set, P_WORKLOAD_DIRECT_MSI, "yes", "a");
	put(&set, P_HOST_GIC, "v4.0", "b");
	put(&set, P_WORKLOAD_PINNED, "no", "c");
	assert_error(param_set_check(&set), CV_BAD_INPUT,
		     "c: workload.pinned: no, but a vCPU with direct MSIs (workload.direct_msi, a) cannot move between CPUs without a common "
		     "vPE table, as those of a GICv4.0 or of two nodes; use yes");
	put(&set, P_HOST_GIC, "v4.1", "b");
	assert_ok(param_set_check(&set));

	set = good_set();
	put(&set, P_HOST_GIC, "v2", "a");
	put(&set, P_HOST_CPUS, "8", "b");
	put(&set, P_HOST_DEVICE_READ, "0ns", "c");
	put(&set, P_HOST_GIC_LINE_LATENCY, "1ns", "d");
	assert_error(param_set_check(&set), CV_BAD_INPUT,
		     "c: host.device.read: 0ns, but a GICv2 takes an interrupt off a CPU's line some time after the CPU has read it "
		     "(host.gic.line_latency, d); allowed: 1ps and more, or 0ns there");
	put(&set, P_HOST_GIC_LINE_LATENCY, "0ns", "d");
	assert_ok(param_set_check(&set));
	put(&set, P_WORKLOAD_KIND, "wfi-wake", "c");
	put(&set, P_WORKLOAD_CPUS, "8", "d");
	put(&set, P_WORKLOAD_VCPUS, "10", "e");
	assert_error(param_set_check(&set), CV_BAD_INPUT,
		     "e: workload.vcpus: 10, but a GICv2 has eight CPU interfaces (host.gic.version, a), in a guest too; allowed: at most 8");
}

/* docs/parameters.md is the table, not a copy that ages. `parameters-document` writes it. */
static void the_document_is_up_to_date(void **state)
{
	char *expected = NULL, *actual;
	size_t expected_size, actual_size;
	FILE *out = open_memstream(&expected, &expected_size);

	(void)state;
	param_document(out);
	fclose(out);
	actual = read_text(PARAMETERS_DOCUMENT, &actual_size);
	assert_string_equal(actual, expected);
	free(actual);
	free(expected);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_text_of_the_table_parses_and_formats_back),
		cmocka_unit_test(every_choice_parses_to_its_index),
		cmocka_unit_test(messages_of_values),
		cmocka_unit_test(costs_in_cycles_are_bounded_at_every_clock),
		cmocka_unit_test(names),
		cmocka_unit_test(costs_become_time_through_the_clock),
		cmocka_unit_test(checks_of_whole_sets),
		cmocka_unit_test(interrupts_of_guests),
		cmocka_unit_test(what_guests_do),
		cmocka_unit_test(the_document_is_up_to_date),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
