// SPDX-License-Identifier: Apache-2.0
/* The results file: what goes in comes out, what is not ours is refused, another study's results are not mixed in. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <sqlite3.h>

#include "study/store/results.h"
#include "study/store/store.h"
#include "tests/cli/sample.h"

static const struct store_options plain = {.command = "convoy run small.yaml"};

#define ok(expression)                                             \
	do {                                                       \
		if ((expression) != CV_OK)                         \
			fail_msg("%s", cv_error_text());           \
	} while (0)

static void refused(cv_result result, cv_result expected, const char *part)
{
	assert_int_equal(result, expected);
	if (!strstr(cv_error_text(), part))
		fail_msg("\"%s\" is not in: %s", part, cv_error_text());
}

static void add(struct store *store, const struct study *study, size_t v, size_t a, uint32_t replication)
{
	struct param_set params;
	struct sim_result result = {0};

	ok(study_point_params(study, v, a, &params));
	ok(sample_simulate(&params, replication, &result));
	ok(store_add_run(store, store_point_id(study, v, a), replication, &params, &result));
}

static void round_trip(void **state)
{
	const char *path = sample_file("r.db");
	struct results results;
	struct store *store;
	struct study study;

	(void)state;
	sample_study(&study, NULL, 0);
	ok(store_open(path, &study, &plain, &store));
	/* Out of order: readers get them sorted. */
	add(store, &study, 1, 2, 1);
	add(store, &study, 0, 1, 0);
	add(store, &study, 1, 2, 0);
	assert_true(store_has_run(store, store_point_id(&study, 1, 2), 1));
	assert_false(store_has_run(store, store_point_id(&study, 1, 2), 2));
	ok(store_close(store, true));

	ok(results_read(path, &results));
	assert_string_equal(results.name, "small");
	assert_string_equal(results.axis_name, "vcpus");
	assert_int_equal(results.variant_count, 2);
	assert_int_equal(results.point_count, 6);
	assert_int_equal(results.run_count, 3);
	const struct results_point *point = &results.points[5];

	assert_int_equal(point->run_count, 2);
	assert_string_equal(point->axis_value, "8");
	const struct results_run *run = &point->runs[1];

	assert_int_equal(run->replication, 1);
	assert_int_equal(run->warmup, 50 * PS_PER_US);
	assert_int_equal(run->batch, 10 * PS_PER_US);
	assert_int_equal(run->sim.measured, 200 * PS_PER_US);
	assert_int_equal(run->sim.cpu_count, 8);
	assert_int_equal(run->sim.batch_count, 25);
	uint64_t exits;

	assert_true(results_metric(run, "exits", &exits));
	assert_int_equal(exits, 8001);
	assert_false(results_metric(run, "nonsense", &exits));
	assert_int_equal(run->sim.lock_count, 1);
	assert_string_equal(run->sim.locks[0].caller, "irq_set_irqchip_state");
	assert_int_equal(run->sim.locks[0].wait_max, 701);
	assert_int_equal(run->sim.account_count, 2);
	assert_string_equal(run->sim.accounts[0].stack, "vcpu_run");
	assert_string_equal(results_param_value(&results, 5, "workload.vcpus"), "8");
	assert_string_equal(results_param_value(&results, 5, "kernel.irq_state"), "per-cpu");
	assert_string_equal(results_param_value(&results, 0, "kernel.irq_state"), "descriptor-lock");
	results_free(&results);
	sample_remove(path);
}

static void goes_on(void **state)
{
	const struct study_override more[] = {{"run.replications", "7"}};
	const char *path = sample_file("r.db");
	struct store *store;
	struct study study;

	(void)state;
	sample_study(&study, NULL, 0);
	ok(store_open(path, &study, &plain, &store));
	add(store, &study, 0, 0, 0);
	ok(store_close(store, false));
	/* More replications are no other study. */
	sample_study(&study, more, 1);
	ok(store_open(path, &study, &plain, &store));
	assert_int_equal(store_run_count(store), 1);
	assert_true(store_has_run(store, 0, 0));
	add(store, &study, 0, 0, 6);
	assert_true(store_has_run(store, 0, 6));
	ok(store_close(store, true));
	sample_remove(path);
}

static void other_study_refused(void **state)
{
	const struct study_override other[] = {{"host.line.base", "77ns"}};
	const struct study_override seed[] = {{"run.seed", "2"}};
	const struct store_options fresh = {.command = "x", .fresh = true};
	const char *path = sample_file("r.db");
	struct store *store;
	struct study study;

	(void)state;
	sample_study(&study, NULL, 0);
	ok(store_open(path, &study, &plain, &store));
	add(store, &study, 0, 0, 0);
	ok(store_close(store, false));
	sample_study(&study, other, 1);
	refused(store_open(path, &study, &plain, &store), CV_BAD_INPUT, "host.line.base was");
	refused(store_open(path, &study, &plain, &store), CV_BAD_INPUT, "is now 77ns (--set)");
	sample_study(&study, seed, 1);
	refused(store_open(path, &study, &plain, &store), CV_BAD_INPUT, "run.seed was 1 and is now 2");
	/* --fresh starts again, with nothing of the other study. */
	ok(store_open(path, &study, &fresh, &store));
	assert_int_equal(store_run_count(store), 0);
	add(store, &study, 0, 0, 0);
	ok(store_close(store, true));
	sample_remove(path);
}

static void empty_file_not_left(void **state)
{
	const char *path = sample_file("r.db");
	struct store *store;
	struct study study;

	(void)state;
	sample_study(&study, NULL, 0);
	ok(store_open(path, &study, &plain, &store));
	ok(store_close(store, false));
	assert_int_not_equal(access(path, F_OK), 0);
	sample_remove(path);
}

static void write_bytes(const char *path, long at, const char *bytes, size_t count)
{
	FILE *file = fopen(path, at < 0 ? "wb" : "r+b");

	assert_non_null(file);
	if (at > 0)
		fseek(file, at, SEEK_SET);
	assert_int_equal(fwrite(bytes, 1, count, file), count);
	fclose(file);
}

static void not_ours(void **state)
{
	const char *path = sample_file("r.db");
	const struct store_options fresh = {.command = "x", .fresh = true};
	struct results results;
	struct store *store;
	struct study study;

	(void)state;
	sample_study(&study, NULL, 0);
	refused(results_read(path, &results), CV_NOT_FOUND, "No such file");
	write_bytes(path, -1, "This is a letter and not a database, as one sees.\n", 50);
	refused(results_read(path, &results), CV_BAD_DATABASE, "not a database");
	refused(store_open(path, &study, &plain, &store), CV_BAD_DATABASE, "not a database");
	/* Not even --fresh throws away what is not ours. */
	refused(store_open(path, &study, &fresh, &store), CV_BAD_DATABASE, "not a database");
	assert_int_equal(access(path, F_OK), 0);
	unlink(path);

	sqlite3 *db;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, "CREATE TABLE t (x)", NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
	refused(results_read(path, &results), CV_BAD_DATABASE, "not a convoy results file");
	refused(store_open(path, &study, &fresh, &store), CV_BAD_DATABASE, "not a convoy results file");
	sample_remove(path);
}

static void newer_version(void **state)
{
	const char *path = sample_file("r.db");
	struct results results;
	struct store *store;
	struct study study;

	(void)state;
	sample_study(&study, NULL, 0);
	ok(store_open(path, &study, &plain, &store));
	add(store, &study, 0, 0, 0);
	ok(store_close(store, true));
	write_bytes(path, 60, "\0\0\0\2", 4);    /* user_version in the file's header */
	refused(results_read(path, &results), CV_BAD_DATABASE, "newer convoy (format 2");
	refused(store_open(path, &study, &plain, &store), CV_BAD_DATABASE, "newer convoy (format 2");
	sample_remove(path);
}

static void one_writer(void **state)
{
	const char *path = sample_file("r.db");
	struct store *store, *second;
	struct study study;
	sqlite3 *db;

	(void)state;
	sample_study(&study, NULL, 0);
	ok(store_open(path, &study, &plain, &store));
	add(store, &study, 0, 0, 0);
	refused(store_open(path, &study, &plain, &second), CV_IO, "locked by another process");
	/* A program that knows nothing of convoy holds SQLite's own lock. */
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, "BEGIN EXCLUSIVE", NULL, NULL, NULL), SQLITE_OK);
	struct param_set params;
	struct sim_result result = {0};

	ok(study_point_params(&study, 0, 0, &params));
	ok(sample_simulate(&params, 1, &result));
	refused(store_add_run(store, 0, 1, &params, &result), CV_IO, "locked by another process");
	sqlite3_exec(db, "COMMIT", NULL, NULL, NULL);
	sqlite3_close(db);
	ok(store_add_run(store, 0, 1, &params, &result));
	ok(store_close(store, true));
	sample_remove(path);
}

static void damaged(void **state)
{
	const char *path = sample_file("r.db");
	struct results results;
	struct store *store;
	struct study study;
	char rubbish[4096];

	(void)state;
	sample_study(&study, NULL, 0);
	ok(store_open(path, &study, &plain, &store));
	add(store, &study, 0, 0, 0);
	ok(store_close(store, true));
	memset(rubbish, 0xa5, sizeof(rubbish));
	write_bytes(path, 4096, rubbish, sizeof(rubbish));
	refused(results_read(path, &results), CV_BAD_DATABASE, "damaged");
	sample_remove(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(round_trip), cmocka_unit_test(goes_on), cmocka_unit_test(other_study_refused),
		cmocka_unit_test(empty_file_not_left), cmocka_unit_test(not_ours), cmocka_unit_test(newer_version),
		cmocka_unit_test(one_writer), cmocka_unit_test(damaged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
