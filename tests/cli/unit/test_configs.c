// SPDX-License-Identifier: Apache-2.0
/* The shipped catalogue: every file loads, every study is whole, and the files say what they claim. */
#define _GNU_SOURCE  /* strverscmp: v4.9 before v4.14 */
#include "tests/cli/unit/test_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "study/measurement.h"
#include "study/param_file.h"

static void every_file_is_readable(void **state)
{
	static const size_t least[] = { [CATALOGUE_HOSTS] = 2, [CATALOGUE_KERNELS] = 3, [CATALOGUE_WORKLOADS] = 2,
					[CATALOGUE_STUDIES] = 2, [CATALOGUE_MEASUREMENTS] = 1 };

	(void)state;
	for (int kind = CATALOGUE_HOSTS; kind <= CATALOGUE_MEASUREMENTS; kind++) {
		const struct catalogue_entry *entries;
		size_t count;

		assert_ok(catalogue_list((enum catalogue_kind)kind, &entries, &count));
		assert_true(count >= least[kind]);
		for (size_t i = 0; i < count; i++) {
			const char *path;

			if (strncmp(entries[i].title, "unreadable", 10) == 0)
				fail_msg("%s", entries[i].title);
			assert_true(strlen(entries[i].title) > 0);
			assert_ok(catalogue_find((enum catalogue_kind)kind, entries[i].name, &path));
			assert_string_equal(path, entries[i].path);
			if (i > 0)
				assert_true(strverscmp(entries[i - 1].name, entries[i].name) < 0);
		}
	}
}

static void every_study_loads(void **state)
{
	const struct catalogue_entry *entries;
	size_t count;

	(void)state;
	assert_ok(catalogue_list(CATALOGUE_STUDIES, &entries, &count));
	for (size_t i = 0; i < count; i++) {
		struct study study;
		struct param_set set;

		assert_ok(study_load(entries[i].name, NULL, 0, &study));
		assert_string_equal(study.name, entries[i].name);
		assert_int_equal(entries[i].title[strlen(entries[i].title) - 1], '?');  /* a study begins with its question */
		for (size_t v = 0; v < study.variant_count; v++)
			for (size_t a = 0; a < study.axis_count; a++)
				assert_ok(study_point_params(&study, v, a, &set));
	}
}

static void hosts_say_everything_about_themselves(void **state)
{
	const struct catalogue_entry *entries;
	size_t count;

	(void)state;
	assert_ok(catalogue_list(CATALOGUE_HOSTS, &entries, &count));
	for (size_t i = 0; i < count; i++) {
		struct param_file_info info;
		struct param_set set = { 0 };

		assert_ok(param_file_apply(CATALOGUE_HOSTS, entries[i].path, &set, &info));
		for (size_t p = 0; p < P_KERNEL_EL2; p++)
			if (!set.value[p].present)
				fail_msg("%s: %s is missing", entries[i].path, param_table[p].name);
	}
}

/* The two kernels of the main study must differ in nothing else, or the comparison would compare something else. */
static void before_and_after_differ_in_one_switch(void **state)
{
	struct param_set before = { 0 }, after = { 0 };
	struct param_file_info info;
	const char *path;

	(void)state;
	assert_ok(catalogue_find(CATALOGUE_KERNELS, "v7.1", &path));
	assert_ok(param_file_apply(CATALOGUE_KERNELS, path, &before, &info));
	assert_ok(catalogue_find(CATALOGUE_KERNELS, "v7.1-percpu-state", &path));
	assert_ok(param_file_apply(CATALOGUE_KERNELS, path, &after, &info));
	for (size_t i = 0; i < PARAM_IDS; i++) {
		assert_int_equal(before.value[i].present, after.value[i].present);
		if (i == P_KERNEL_IRQ_STATE)
			assert_int_not_equal(before.value[i].number, after.value[i].number);
		else
			assert_int_equal(before.value[i].number, after.value[i].number);
	}
}

static void the_timer_study_asks_what_it_should(void **state)
{
	static const int vcpus[] = { 1, 2, 4, 6, 8, 9, 10, 11, 12, 13, 16, 20, 24, 31 };
	struct measurement measurement;
	struct study study;
	size_t fit = 0;

	(void)state;
	assert_ok(study_load("timer-descriptor-lock", NULL, 0, &study));
	assert_int_equal(study.axis_count, sizeof(vcpus) / sizeof(vcpus[0]));
	for (size_t i = 0; i < study.axis_count; i++)
		assert_int_equal(study.axis_values[i].number, vcpus[i]);
	assert_int_equal(study.variant_count, 6);
	assert_true(study.free_count >= 1 && study.free_count <= 6);
	assert_ok(measurement_load(study.measurement_path, &measurement));
	for (size_t i = 0; i < measurement.row_count; i++) {
		struct measurement_answer answer;

		assert_true(measurement_point(&measurement, &measurement.rows[i], &study, &answer));
		assert_true(answer.variant < 4);
		fit += measurement.rows[i].role == MEASUREMENT_FIT;
	}
	assert_int_equal(fit, 5);
	/* Starting values lie within the bounds of calibration. */
	for (size_t i = 0; i < study.free_count; i++) {
		const struct study_free_param *free_param = &study.free_params[i];
		const struct param_value *start = &study.variants[0].params.value[free_param->id];

		assert_int_equal(start->in_cycles, free_param->low.in_cycles);
		assert_in_range(start->number, free_param->low.number, free_param->high.number);
	}
}

/*
 * Three rows steer three values on the N1, two rows two on the Kunpeng 920, none on the Altra, which may have no fitted value of its own. What no row of
 * the Kunpeng 920 steers is the N1's there too.
 */
static void the_microbench_studies_keep_their_roles(void **state)
{
	static const char *const names[] = { "n1-microbench", "altra-microbench", "kunpeng920-microbench" };
	static const size_t steering[] = { 3, 0, 2 };
	static const enum param_id fitted[] = { P_KERNEL_WORK_RUN_LOOP, P_WORKLOAD_VMM_WORK, P_HOST_CPU_ICH_WRITE };
	struct study studies[3];

	(void)state;
	for (size_t s = 0; s < 3; s++) {
		struct measurement measurement;
		size_t fit = 0, answered = 0;

		assert_ok(study_load(names[s], NULL, 0, &studies[s]));
		assert_ok(measurement_load(studies[s].measurement_path, &measurement));
		for (size_t i = 0; i < measurement.row_count; i++) {
			struct measurement_answer answer;

			fit += measurement.rows[i].role == MEASUREMENT_FIT;
			if (!measurement_point(&measurement, &measurement.rows[i], &studies[s], &answer))
				continue;
			assert_string_equal(measurement.rows[i].metric, studies[s].variants[answer.variant].name);
			answered++;
		}
		assert_int_equal(measurement.row_count, 7);
		assert_int_equal(answered, 6);
		assert_int_equal(fit, steering[s]);
		assert_int_equal(studies[s].free_count, steering[s]);
	}
	for (size_t i = 0; i < sizeof(fitted) / sizeof(fitted[0]); i++) {
		const struct param_value *n1 = &studies[0].variants[0].params.value[fitted[i]];
		const struct param_value *altra = &studies[1].variants[0].params.value[fitted[i]];

		assert_int_equal(altra->number, n1->number);
		assert_int_equal(altra->in_cycles, n1->in_cycles);
	}
	assert_int_equal(studies[2].variants[0].params.value[P_HOST_CPU_ICH_WRITE].number, studies[0].variants[0].params.value[P_HOST_CPU_ICH_WRITE].number);
}

static void the_ideal_machine_costs_nothing(void **state)
{
	struct study study;

	(void)state;
	assert_ok(study_load("one-lock", NULL, 0, &study));
	for (size_t i = 0; i < P_KERNEL_EL2; i++)
		if (param_table[i].type == PARAM_TIME || param_table[i].type == PARAM_COST)
			assert_int_equal(param_ps(&study.variants[0].params, (enum param_id)i), 0);
	assert_int_equal(param_ps(&study.variants[0].params, P_KERNEL_WORK_CALL), 0);
}

static void catalogues_elsewhere(void **state)
{
	const struct catalogue_entry *entries;
	const char *path;
	size_t count;

	(void)state;
	assert_int_equal(setenv("CONVOY_CONFIGS", "nowhere", 1), 0);
	assert_error(catalogue_list(CATALOGUE_HOSTS, &entries, &count), CV_NOT_FOUND,
		     "nowhere: no such folder; CONVOY_CONFIGS in the environment must name the folder with hosts/, kernels/, "
		     "workloads/, studies/ and measurements/");
	assert_int_equal(mkdir("mine", 0777) | mkdir("mine/hosts", 0777), 0);
	assert_int_equal(setenv("CONVOY_CONFIGS", "mine", 1), 0);
	assert_error(catalogue_list(CATALOGUE_KERNELS, &entries, &count), CV_NOT_FOUND,
		     "mine/kernels: No such file or directory");
	assert_ok(catalogue_list(CATALOGUE_HOSTS, &entries, &count));
	assert_int_equal(count, 0);
	assert_error(catalogue_find(CATALOGUE_HOSTS, "x", &path), CV_NOT_FOUND,
		     "no host called \"x\": mine/hosts holds none");
	write_text("mine/hosts/b.yaml", "title: [");
	write_text("mine/hosts/a.yaml", "title: Mine\n");
	write_text("mine/hosts/a.yaml~", "rubbish");
	write_text("mine/hosts/.hidden.yaml", "rubbish");
	assert_ok(catalogue_list(CATALOGUE_HOSTS, &entries, &count));
	assert_int_equal(count, 2);
	assert_string_equal(entries[0].name, "a");
	assert_string_equal(entries[0].title, "Mine");
	assert_string_equal(entries[0].path, "mine/hosts/a.yaml");
	assert_non_null(strstr(entries[1].title, "unreadable: mine/hosts/b.yaml:2:1: not YAML"));
	/* Without the variable: beside the sources. */
	assert_int_equal(unsetenv("CONVOY_CONFIGS"), 0);
	assert_ok(catalogue_find(CATALOGUE_HOSTS, "ideal-64", &path));
	assert_int_equal(strncmp(path, shipped_configs(), strlen(shipped_configs())), 0);
	/* Below the current directory, paths are shown as one would type them. */
	assert_int_equal(chdir(shipped_configs()) | chdir(".."), 0);
	assert_ok(catalogue_find(CATALOGUE_HOSTS, "ideal-64", &path));
	assert_string_equal(path, "configs/hosts/ideal-64.yaml");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		UNIT_TEST(every_file_is_readable),
		UNIT_TEST(every_study_loads),
		UNIT_TEST(hosts_say_everything_about_themselves),
		UNIT_TEST(before_and_after_differ_in_one_switch),
		UNIT_TEST(the_timer_study_asks_what_it_should),
		UNIT_TEST(the_microbench_studies_keep_their_roles),
		UNIT_TEST(the_ideal_machine_costs_nothing),
		UNIT_TEST(catalogues_elsewhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
