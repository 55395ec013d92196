// SPDX-License-Identifier: Apache-2.0
/* Good studies: what is read, which layer wins, and which point answers a measured row. */
#include "tests/cli/unit/test_files.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "study/measurement.h"
#include "study/study.h"

static const char host_text[] =
	"title: H\n"
	"host:\n"
	"  cpus: { value: 8, class: chosen, source: s }\n"
	"  clock: { value: 1GHz, class: chosen, source: s }\n"
	"  line: { base: { value: 40ns, class: estimated, source: s } }\n"
	"workload: { vmm_work: { value: 111ns, class: estimated, source: s } }\n";

static const char study_text[] =
	"study: little\n"
	"question: Does it load?\n"
	"host: h.yaml\n"
	"workload: exit-to-userspace\n"
	"axis: { workload.vcpus: [1, 4, 8] }\n"
	"measurement: m.csv\n"
	"set: { host.line.base: 50ns, host.line.read_occupancy: 1ns }\n"
	"run: { replications: 3, seed: 7 }\n"
	"variants:\n"
	"  - name: before\n"
	"    meaning: with the lock\n"
	"    kernel: v7.1\n"
	"    set: { host.line.base: 60ns, kernel.spinlock: ticket }\n"
	"    measurement: { irq: lock }\n"
	"  - { name: after, meaning: without, kernel: v7.1-percpu-state, measurement: { irq: cpu } }\n"
	"calibrate:\n"
	"  free: { workload.vmm_work: [100ns, 2us] }\n";

static const char csv_text[] =
	"host,irq,vcpus,metric,unit,value,role\n"
	"h,lock,4,exits,1/s/vcpu,1000,fit\n"
	"h,cpu,8,exits,1/s/vcpu,2000.5,held\n"
	"h,cpu,5,exits,1/s/vcpu,3000,held\n"
	",,,total,1/s,9,held\n";

static void write_files(void)
{
	write_text("h.yaml", host_text);
	write_text("m.csv", csv_text);
	write_text("s.yaml", study_text);
}

static void everything_is_read(void **state)
{
	struct study study;

	(void)state;
	write_files();
	assert_ok(study_load("s.yaml", NULL, 0, &study));
	assert_string_equal(study.name, "little");
	assert_string_equal(study.path, "s.yaml");
	assert_string_equal(study.question, "Does it load?");
	assert_string_equal(study.host, "h");
	assert_string_equal(study.host_path, "h.yaml");
	assert_string_equal(study.workload, "exit-to-userspace");
	assert_string_equal(study.measurement, "m");
	assert_string_equal(study.measurement_path, "m.csv");
	assert_string_equal(study.text, study_text);
	assert_int_equal(study.axis, P_WORKLOAD_VCPUS);
	assert_string_equal(study.axis_name, "vcpus");
	assert_int_equal(study.axis_count, 3);
	assert_int_equal(study.axis_values[2].number, 8);
	assert_int_equal(study.variant_count, 2);
	assert_string_equal(study.variants[0].name, "before");
	assert_string_equal(study.variants[0].kernel, "v7.1");
	assert_int_equal(study.variants[0].match_count, 1);
	assert_string_equal(study.variants[0].match[0].column, "irq");
	assert_string_equal(study.variants[0].match[0].value, "lock");
	assert_int_equal(study.free_count, 1);
	assert_int_equal(study.free_params[0].id, P_WORKLOAD_VMM_WORK);
	assert_int_equal(study.free_params[0].low.number, 100000);
	assert_int_equal(study.free_params[0].high.number, 2000000);
}

static void later_layers_win(void **state)
{
	const struct study_override sets[] = { { "workload.variation", "constant" }, { "host.line.read_occupancy", "2ns" } };
	struct study study;
	struct param_set set;

	(void)state;
	write_files();
	assert_ok(study_load("s.yaml", sets, 2, &study));
	assert_ok(study_point_params(&study, 0, 1, &set));
	assert_int_equal(param_count(&set, P_WORKLOAD_VCPUS), 4);
	assert_string_equal(set.value[P_WORKLOAD_VCPUS].where, "s.yaml:5:29");
	assert_int_equal(param_ps(&set, P_WORKLOAD_VMM_WORK), 111000);            /* host over default; workload silent */
	assert_string_equal(set.value[P_WORKLOAD_VMM_WORK].where, "h.yaml:6:32");
	assert_int_equal(param_ps(&set, P_HOST_LINE_BASE), 60000);                /* variant over study over host */
	assert_string_equal(set.value[P_HOST_LINE_BASE].where, "s.yaml:13:28");
	assert_string_equal(set.value[P_HOST_LINE_BASE].source, "chosen in study little; what-if: host h has 40ns");
	assert_true(param_choice_is(&set, P_KERNEL_SPINLOCK, "ticket"));          /* variant over kernel file */
	assert_int_equal(param_ps(&set, P_HOST_LINE_READ_OCCUPANCY), 2000);       /* --set over study */
	assert_string_equal(set.value[P_HOST_LINE_READ_OCCUPANCY].where, "--set");
	assert_true(param_choice_is(&set, P_WORKLOAD_VARIATION, "constant"));     /* --set over workload file */
	assert_int_equal(param_count(&set, P_RUN_REPLICATIONS), 3);
	assert_ok(study_point_params(&study, 1, 0, &set));
	assert_int_equal(param_ps(&set, P_HOST_LINE_BASE), 50000);                /* study over host */
	assert_true(param_choice_is(&set, P_KERNEL_IRQ_STATE, "per-cpu"));        /* from the variant's kernel file */
}

/* Short keys say what set: says, in the same layers; a value that is not the host file's is marked. */
static void short_keys_and_what_ifs(void **state)
{
	struct study study;

	(void)state;
	write_files();
	write_text("s.yaml", "study: little\nquestion: Q?\nhost: h.yaml\nworkload: exit-to-userspace\n"
			     "mode: nvhe\naxis: { workload.vcpus: [1] }\nvariants:\n"
			     "  - { name: a, meaning: m, kernel: v7.1, gic: v3 }\n"
			     "  - { name: b, meaning: m, kernel: v7.1, mode: vhe, set: { host.line.base: 60ns } }\n");
	assert_ok(study_load("s.yaml", NULL, 0, &study));
	assert_true(param_choice_is(&study.variants[0].params, P_KERNEL_EL2, "nvhe"));
	assert_true(param_choice_is(&study.variants[1].params, P_KERNEL_EL2, "vhe"));
	assert_null(strstr(study.variants[0].params.value[P_HOST_GIC].source, STUDY_WHAT_IF));
	assert_string_equal(study.variants[0].params.value[P_HOST_GIC].where, "s.yaml:8:47");
	assert_string_equal(study.variants[1].params.value[P_HOST_LINE_BASE].source,
			    "chosen in study little; what-if: host h has 40ns");
}

static void rows_find_their_point(void **state)
{
	struct measurement measurement;
	struct study study;
	struct measurement_answer answer;

	(void)state;
	write_files();
	assert_ok(study_load("s.yaml", NULL, 0, &study));
	assert_ok(measurement_load(study.measurement_path, &measurement));
	assert_true(measurement_point(&measurement, &measurement.rows[0], &study, &answer));
	assert_int_equal(answer.variant, 0);
	assert_int_equal(answer.axis_index, 1);
	assert_true(measurement_point(&measurement, &measurement.rows[1], &study, &answer));
	assert_int_equal(answer.variant, 1);
	assert_int_equal(answer.axis_index, 2);
	assert_false(measurement_point(&measurement, &measurement.rows[2], &study, &answer)); /* 5 vCPUs: no point */
	assert_false(measurement_point(&measurement, &measurement.rows[3], &study, &answer)); /* matches no variant */
}

static void references_are_taken_from_the_files_folder(void **state)
{
	struct study study;

	(void)state;
	assert_int_equal(mkdir("deep", 0777), 0);
	write_text("deep/h.yaml", host_text);
	write_text("deep/m.csv", csv_text);
	write_text("deep/s.yaml", study_text);
	assert_ok(study_load("deep/s.yaml", NULL, 0, &study));
	assert_string_equal(study.host_path, "deep/h.yaml");
	assert_string_equal(study.measurement_path, "deep/m.csv");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		UNIT_TEST(everything_is_read),
		UNIT_TEST(later_layers_win), UNIT_TEST(short_keys_and_what_ifs),
		UNIT_TEST(rows_find_their_point),
		UNIT_TEST(references_are_taken_from_the_files_folder),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
