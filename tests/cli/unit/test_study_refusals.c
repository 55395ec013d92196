// SPDX-License-Identifier: Apache-2.0
/* Bad studies, bad --set, bad points: each with its whole message. Each case replaces one line of a good study. */
#include "tests/cli/unit/test_files.h"

#include <stdio.h>
#include <string.h>

#include "study/study.h"

/* The lines of a good study, so that a test can name the one it spoils. */
enum { NAME, QUESTION, HOST, WORKLOAD, AXIS, MEASUREMENT, SET, RUN, VARIANTS, FIRST, SECOND, CALIBRATE, LINES };

static const char *const good[LINES] = {
	[NAME] = "study: little",
	[QUESTION] = "question: Why not?",
	[HOST] = "host: h.yaml",
	[WORKLOAD] = "workload: exit-to-userspace",
	[AXIS] = "axis: { workload.vcpus: [1, 8] }",
	[MEASUREMENT] = "measurement: altra-exits",
	[SET] = "set: { host.line.read_occupancy: 1ns }",
	[RUN] = "run: { seed: 7 }",
	[VARIANTS] = "variants:",
	[FIRST] = "  - { name: a, meaning: m, kernel: v7.1, measurement: { kernel: before } }",
	[SECOND] = "  - { name: b, meaning: m, kernel: v7.1, measurement: { kernel: after } }",
	[CALIBRATE] = "calibrate: { free: { host.line.base: [10ns, 200ns] } }",
};

static cv_result load_with(int line, const char *text, const struct study_override *sets, size_t count)
{
	char whole[4000] = "";
	struct study study;

	write_text("h.yaml", "title: H\n"
			     "host:\n"
			     "  cpus: { value: 8, class: chosen, source: s }\n"
			     "  clock: { value: 1GHz, class: chosen, source: s }\n"
			     "  line: { base: { value: 40ns, class: estimated, source: s } }\n");
	for (int i = 0; i < LINES; i++) {
		strcat(whole, i == line ? text : good[i]);
		strcat(whole, "\n");
	}
	write_text("s.yaml", whole);
	return study_load("s.yaml", sets, count, &study);
}

#define REFUSES(line, text, message) assert_error(load_with(line, text, NULL, 0), CV_BAD_INPUT, message)

static void the_good_one_is_good(void **state)
{
	(void)state;
	assert_ok(load_with(-1, "", NULL, 0));
	assert_ok(load_with(MEASUREMENT, "measurement: altra-exits # with a comment", NULL, 0));
}

static void top_level(void **state)
{
	char message[600];

	(void)state;
	REFUSES(RUN, "runs: { seed: 7 }",
		"s.yaml:8:1: runs: unknown key; allowed: study, question, host, workload, gic, mode, axis, variants, differences, measurement, set, run, "
		"calibrate, range; nearest: run");
	REFUSES(QUESTION, "", "s.yaml:1:1: question: missing; a study has study, question, host, workload, axis and variants");
	REFUSES(QUESTION, "question:", "s.yaml:2:10: question: has no value; allowed: text");
	REFUSES(RUN, "run: { seeds: 7 }",
		"s.yaml:8:8: run.seeds: no such parameter (`convoy params` lists them); nearest known name: run.seed");
	REFUSES(RUN, "run: 5", "s.yaml:8:6: run: is text; allowed: a mapping of replications, warmup, measure, batch, seed");
	REFUSES(SET, "set: [1]", "s.yaml:7:6: set: is a list; allowed: a mapping of parameters to values");
	REFUSES(SET, "set: { run.seed: 8 }", "s.yaml:8:8: run.seed: is here twice; first on line 7");
	REFUSES(SET, "set: { host.line.read_occupancy: 1 }",
		"s.yaml:7:34: host.line.read_occupancy: \"1\" has no unit; allowed: a time from 0ns to 10us, with its unit: ps, "
		"ns, us, ms or s");
	REFUSES(SET, "set: { workload.vcpus: 4 }",
		"s.yaml:7:24: workload.vcpus: is the axis of study little, which varies it (s.yaml:5:26); leave it out, or edit "
		"the axis");
	snprintf(message, sizeof(message),
		 "s.yaml:3:7: host: no host called \"ampere-altra-23\" in %s/hosts; nearest: ampere-altra-32", shipped_configs());
	assert_error(load_with(HOST, "host: ampere-altra-23", NULL, 0), CV_NOT_FOUND, message);
	assert_error(load_with(HOST, "host: elsewhere.yaml", NULL, 0), CV_NOT_FOUND, "elsewhere.yaml: no such file");
}

static void axes(void **state)
{
	(void)state;
	REFUSES(AXIS, "axis: workload.vcpus",
		"s.yaml:5:7: axis: is text; allowed: one parameter and its values, such as {workload.vcpus: [1, 2, 4]}");
	REFUSES(AXIS, "axis: { workload.vcpus: [1], host.cpus: [2] }",
		"s.yaml:5:7: axis: is a mapping of none or several; allowed: one parameter and its values, such as "
		"{workload.vcpus: [1, 2, 4]}");
	REFUSES(AXIS, "axis: { workload.vcpu: [1] }",
		"s.yaml:5:9: axis: workload.vcpu: no such parameter (`convoy params` lists them); nearest known name: "
		"workload.vcpus");
	REFUSES(AXIS, "axis: { workload.vcpus: 4 }",
		"s.yaml:5:25: workload.vcpus: is text; allowed: a list of 1 to 1000 values, such as [1, 2, 4]");
	REFUSES(AXIS, "axis: { workload.vcpus: [] }",
		"s.yaml:5:25: workload.vcpus: is a list of none or too many; allowed: a list of 1 to 1000 values, such as "
		"[1, 2, 4]");
	REFUSES(AXIS, "axis: { workload.vcpus: [1, 2, 1] }", "s.yaml:5:32: workload.vcpus: 1 is in the list twice");
	REFUSES(AXIS, "axis: { workload.vcpus: [1, [2]] }",
		"s.yaml:5:29: workload.vcpus: is a list; allowed: a whole number from 1 to 1000, without a unit");
	REFUSES(AXIS, "axis: { workload.vcpus: [1, 31] }",
		"s.yaml:5:29: workload.vcpus: 31 vCPUs, but the host has 8 CPUs (host.cpus, h.yaml:3:18) and each vCPU needs one "
		"of its own; allowed: 1 to 8 (variant \"a\")");
	REFUSES(AXIS, "axis: { run.seed: [1, 2] }",
		"s.yaml:5:9: run.seed: holds for the whole study; it cannot be an axis");
}

static void variants(void **state)
{
	char message[600];

	(void)state;
	REFUSES(FIRST, "  - { name: a, meaning: m }",
		"s.yaml:10:5: kernel: missing; a variant has name, meaning and kernel, and may have host, gic, mode, set, "
		"measurement and metrics");
	REFUSES(FIRST, "  - { name: a, meaning: m, kernel: v7.1, sets: {} }",
		"s.yaml:10:42: variants: sets: unknown key; allowed: name, meaning, kernel, host, gic, mode, set, measurement, metrics; "
		"nearest: set");
	REFUSES(FIRST, "  - text", "s.yaml:10:5: variants: is text; allowed: {name: …, meaning: …, kernel: …}");
	REFUSES(FIRST, "  - { name: b, meaning: m, kernel: v7.1 }",
		"s.yaml:11:13: name: \"b\" is the name of another variant too");
	REFUSES(FIRST, "  - { name: a, meaning: m, kernel: v7.1, set: { kernel.spinlock: tickets } }",
		"s.yaml:10:66: kernel.spinlock: \"tickets\" is not one of the choices; allowed: ticket, qspinlock, mcs, cna; nearest: "
		"ticket");
	REFUSES(FIRST, "  - { name: a, meaning: m, kernel: v7.1, set: { workload.vcpus: 4 } }",
		"s.yaml:10:49: workload.vcpus: is the axis of the study, which varies it; leave it out");
	REFUSES(FIRST, "  - { name: a, meaning: m, kernel: v7.1, set: { run.replications: 4 } }",
		"s.yaml:10:49: run.replications: holds for the whole study: variants are compared run by run; set it under run:");
	snprintf(message, sizeof(message), "s.yaml:10:36: kernel: no kernel called \"v7.2\" in %s/kernels; nearest: v7.1",
		 shipped_configs());
	assert_error(load_with(FIRST, "  - { name: a, meaning: m, kernel: v7.2 }", NULL, 0), CV_NOT_FOUND, message);
}

static void short_keys(void **state)
{
	char message[600];

	(void)state;
	assert_ok(load_with(FIRST, "  - { name: a, meaning: m, kernel: v7.1, gic: v3, mode: nvhe }", NULL, 0));
	REFUSES(FIRST, "  - { name: a, meaning: m, kernel: v7.1, gic: v3, set: { host.gic.version: v3 } }",
		"s.yaml:10:42: gic: is short for host.gic.version, which set: gives as well (line 10); leave one of them out");
	REFUSES(FIRST, "  - { name: a, meaning: m, kernel: v7.1, mode: nvhe, set: { kernel.el2: nvhe } }",
		"s.yaml:10:42: mode: is short for kernel.el2, which set: gives as well (line 10); leave one of them out");
	REFUSES(FIRST, "  - { name: a, meaning: m, kernel: v7.1, gic: v6 }",
		"gic: s.yaml:10:47: host.gic.version: \"v6\" is not one of the choices; allowed: v2, v3, v4.0, v4.1, v5, aic; "
		"nearest: v2");
	REFUSES(SET, "mode: vhee",
		"mode: s.yaml:7:7: kernel.el2: \"vhee\" is not one of the choices; allowed: vhe, nvhe; nearest: vhe");
	snprintf(message, sizeof(message), "%s/kernels/v7.1.yaml:8:12: kernel.el2: vhe, but this kernel knows no VHE (kernel.vhe: "
		 "no, s.yaml:10:61); use nvhe (variant \"a\")", shipped_configs());
	REFUSES(FIRST, "  - { name: a, meaning: m, kernel: v7.1, set: { kernel.vhe: no } }", message);
}

/* What guests may ask of the host's interrupt controller. */
static void guest_gic(void **state)
{
	(void)state;
	assert_ok(load_with(FIRST, "  - { name: a, meaning: m, kernel: v7.1, gic: v5, set: { workload.vgic: v3 } }", NULL, 0));
	assert_ok(load_with(FIRST, "  - { name: a, meaning: m, kernel: v7.1, gic: v4.0, set: { workload.direct_msi: yes } }", NULL, 0));
	assert_ok(load_with(FIRST, "  - { name: a, meaning: m, kernel: v7.1, gic: v5, mode: nvhe }", NULL, 0));
	REFUSES(FIRST, "  - { name: a, meaning: m, kernel: v7.1, gic: v3, set: { workload.vgic: v3 } }",
		"s.yaml:10:73: workload.vgic: v3 is the compat mode of GICv5 hosts, and this host has another controller "
		"(host.gic.version, s.yaml:10:47); allowed: native (variant \"a\")");
	REFUSES(FIRST, "  - { name: a, meaning: m, kernel: v7.1, gic: v5, set: { workload.irqchip: userspace } }",
		"s.yaml:10:76: workload.irqchip: userspace on a GICv5 host (host.gic.version, s.yaml:10:47): KVM gives such guests no "
		"timer interrupts; allowed: in-kernel (variant \"a\")");
	REFUSES(FIRST, "  - { name: a, meaning: m, kernel: v7.1, gic: v3, set: { workload.direct_msi: yes } }",
		"s.yaml:10:79: workload.direct_msi: yes needs a GICv4.0 or v4.1 (host.gic.version, s.yaml:10:47); allowed here: no "
		"(variant \"a\")");
	REFUSES(FIRST, "  - { name: a, meaning: m, kernel: v7.1, gic: v5, set: { host.gic.priority_bits: 6 } }",
		"s.yaml:10:82: host.gic.priority_bits: a GICv5 has 5 priority bits at most (host.gic.version, s.yaml:10:47); allowed: 5 "
		"(variant \"a\")");
	REFUSES(FIRST, "  - { name: a, meaning: m, kernel: v7.1, gic: aic, mode: nvhe }",
		"s.yaml:10:58: kernel.el2: nvhe, but the cores with an AIC (host.gic.version, s.yaml:10:47) have VHE always on; use vhe "
		"(variant \"a\")");
	REFUSES(FIRST, "  - { name: a, meaning: m, kernel: v7.1, gic: v5, "
		"set: { workload.kind: microbench, workload.exit: mmio_read_vgic } }",
		"s.yaml:10:100: workload.exit: mmio_read_vgic reads GICD_IIDR, and a GICv5 guest has no distributor (host.gic.version, "
		"s.yaml:10:47); use workload.vgic: v3 (variant \"a\")");
}

static void measurements(void **state)
{
	char message[600];

	(void)state;
	snprintf(message, sizeof(message),
		 "s.yaml:10:57: measurement: %s/measurements/altra-exits.csv has no column \"kernal\" before metric; nearest: "
		 "kernel", shipped_configs());
	REFUSES(FIRST, "  - { name: a, meaning: m, kernel: v7.1, measurement: { kernal: before } }", message);
	snprintf(message, sizeof(message),
		 "s.yaml:10:65: measurement: no row of %s/measurements/altra-exits.csv has kernel \"befor\"; nearest: before",
		 shipped_configs());
	REFUSES(FIRST, "  - { name: a, meaning: m, kernel: v7.1, measurement: { kernel: befor } }", message);
	snprintf(message, sizeof(message),
		 "s.yaml:11:55: measurement: line 6 of %s/measurements/altra-exits.csv is matched by variant \"a\" too; a row has "
		 "one answer", shipped_configs());
	REFUSES(FIRST, "  - { name: a, meaning: m, kernel: v7.1, measurement: { irqchip: in-kernel, kernel: after } }", message);
	REFUSES(FIRST, "  - { name: a, meaning: m, kernel: v7.1, measurement: {} }",
		"s.yaml:10:55: measurement: is empty; allowed: columns of the measurement file and their values, such as "
		"{irqchip: in-kernel}");
	REFUSES(MEASUREMENT, "", "s.yaml:10:55: measurement: the study names no measurement: file to match rows of");
	/* The axis is fine, but the measurement cannot answer it. */
	snprintf(message, sizeof(message), "s.yaml:6:14: measurement: %s/measurements/altra-exits.csv has no column \"hop\" for "
		 "the axis", shipped_configs());
	REFUSES(AXIS, "axis: { host.mesh.hop: [1ns, 2ns] }", message);
}

static void calibration(void **state)
{
	(void)state;
	REFUSES(CALIBRATE, "calibrate: { free: { host.line.base: 10ns } }",
		"s.yaml:12:38: host.line.base: is text; allowed: a list of two bounds, such as [20ns, 200ns]");
	REFUSES(CALIBRATE, "calibrate: { free: { host.line.base: [10ns] } }",
		"s.yaml:12:38: host.line.base: is not a pair; allowed: a list of two bounds, such as [20ns, 200ns]");
	REFUSES(CALIBRATE, "calibrate: { free: { host.line.base: [20ns, 10ns] } }",
		"s.yaml:12:38: host.line.base: the bounds are not in order; allowed: [low, high]");
	REFUSES(CALIBRATE, "calibrate: { free: { host.cpu.isb: [1cycles, 10ns] } }",
		"s.yaml:12:36: host.cpu.isb: one bound is in cycles, the other a time; use one kind");
	REFUSES(CALIBRATE, "calibrate: { free: { host.cpu.isb: [1cycles, 9cycles] } }",
		"s.yaml:12:22: host.cpu.isb: its value comes from default, not from the host file h.yaml where the fitted one is "
		"written; set it there");
	REFUSES(CALIBRATE, "calibrate: { free: { workload.guest_work: [1ns, 9ns] } }",
		"s.yaml:12:22: workload.guest_work: cannot be free; allowed: times, costs, frequencies and fractions of host.* and "
		"kernel.work.*, and workload.vmm_work");
	REFUSES(CALIBRATE, "calibrate: { free: { kernel.work.call: [1cycles, 9cycles] } }",
		"s.yaml:12:22: kernel.work.call: its value comes from default, not from the host file h.yaml where the fitted one "
		"is written; set it there");
	REFUSES(CALIBRATE, "calibrate: { fre: {} }", "s.yaml:12:14: calibrate.fre: unknown key; allowed: free; nearest: free");
	REFUSES(CALIBRATE, "calibrate: {}",
		"s.yaml:12:12: calibrate.free: is missing; allowed: {parameter: [low, high]}, at least one");
	REFUSES(SET, "set: { host.line.base: 30ns }",
		"s.yaml:12:22: host.line.base: is set at s.yaml:7:24, which hides the host file's value; it cannot be free");
}

static void ranges(void **state)
{
	(void)state;
	assert_ok(load_with(SET, "range: { host.cpu.isb: [20cycles, 50cycles], kernel.halt_poll: [0ns, 1ms] }", NULL, 0));
	REFUSES(SET, "range: {}", "s.yaml:7:8: range: is empty; allowed: {parameter: [low, high]}, at least one");
	REFUSES(SET, "range: { host.cpu.isb: 5cycles }",
		"s.yaml:7:24: host.cpu.isb: is text; allowed: a list of two bounds, such as [20ns, 200ns]");
	REFUSES(SET, "range: { host.cpu.isb: [50cycles, 20cycles] }",
		"s.yaml:7:24: host.cpu.isb: the bounds are not in order; allowed: [low, high]");
	REFUSES(SET, "range: { kernel.spinlock: [ticket, mcs] }",
		"s.yaml:7:10: kernel.spinlock: has no range; allowed: times, costs, frequencies, counts and fractions of host.*, "
		"kernel.* and workload.*");
	REFUSES(SET, "range: { run.measure: [1ms, 2ms] }",
		"s.yaml:7:10: run.measure: has no range; allowed: times, costs, frequencies, counts and fractions of host.*, "
		"kernel.* and workload.*");
	REFUSES(SET, "range: { workload.vcpus: [1, 8] }",
		"s.yaml:7:10: workload.vcpus: is the axis of the study, which varies it");
}

#define SET_REFUSES(name, value, message)                                                          \
	do {                                                                                       \
		const struct study_override set = { name, value };                                 \
		assert_error(load_with(-1, "", &set, 1), CV_BAD_INPUT, message);                   \
	} while (0)

static void overrides(void **state)
{
	const struct study_override twice[] = { { "host.vhe", "yes" }, { "host.vhe", "no" } };

	(void)state;
	SET_REFUSES("host.lin.base", "1ns",
		    "--set: host.lin.base: no such parameter (`convoy params` lists them); nearest known name: host.line.base");
	SET_REFUSES("host.line.base", "1",
		    "--set: host.line.base: \"1\" has no unit; allowed: a time from 0ns to 10us, with its unit: ps, ns, us, ms or "
		    "s");
	SET_REFUSES("workload.vcpus", "4",
		    "--set: workload.vcpus: is the axis of study little, which varies it (s.yaml:5:26); leave it out, or edit the "
		    "axis");
	SET_REFUSES("host.cpus", "4",
		    "s.yaml:5:29: workload.vcpus: 8 vCPUs, but the host has 4 CPUs (host.cpus, --set) and each vCPU needs one of "
		    "its own; allowed: 1 to 4 (variant \"a\")");
	assert_error(load_with(-1, "", twice, 2), CV_BAD_INPUT, "--set: host.vhe: given twice");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		UNIT_TEST(the_good_one_is_good), UNIT_TEST(top_level),    UNIT_TEST(axes),      UNIT_TEST(variants),
		UNIT_TEST(short_keys), UNIT_TEST(guest_gic), UNIT_TEST(ranges),
		UNIT_TEST(measurements),         UNIT_TEST(calibration),  UNIT_TEST(overrides),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
