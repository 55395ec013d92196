// SPDX-License-Identifier: Apache-2.0
/* Child processes: results arrive whole whatever the number of workers, a crash costs one run, errors stop the rest. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "study/run/plan.h"
#include "study/run/runner.h"
#include "study/run/wire.h"
#include "tests/cli/sample.h"

enum { POINTS = 6, REPLICATIONS = 3 };

struct gathered { unsigned runs[POINTS][REPLICATIONS]; uint64_t exits[POINTS][REPLICATIONS]; size_t stop_after, count; };

static cv_result gather(void *context, const struct run_job *job, const struct sim_result *result)
{
	struct gathered *gathered = context;

	gathered->runs[job->point][job->replication]++;
	gathered->exits[job->point][job->replication] = result->metrics[0].value;
	assert_string_equal(result->locks[0].lock, "irq_desc(vtimer).lock");
	gathered->count++;
	if (gathered->stop_after && gathered->count >= gathered->stop_after)
		RETURN_ERROR(CV_IO, "the disk is full");
	return CV_OK;
}

static cv_result simulate_all(run_simulate_fn *simulate, unsigned workers, struct gathered *gathered)
{
	struct run_options options = {.workers = workers, .progress = PROGRESS_NONE, .simulate = simulate};
	struct run_totals totals;
	struct selection selection;
	struct study study;
	struct plan plan;

	sample_study(&study, NULL, 0);
	assert_int_equal(selection_make(&study, NULL, NULL, &selection), CV_OK);
	assert_int_equal(plan_make(&study, &selection, NULL, NULL, &plan), CV_OK);
	assert_int_equal(plan.count, POINTS * REPLICATIONS);
	cv_result result = run_jobs(plan.jobs, plan.count, &options, gather, gathered, &totals);

	if (!gathered->stop_after)
		assert_int_equal(totals.done, gathered->count);
	plan_free(&plan);
	selection_free(&selection);
	return result;
}

static void any_number_of_workers(void **state)
{
	struct gathered one = {0}, many = {0};

	(void)state;
	assert_int_equal(simulate_all(sample_simulate, 1, &one), CV_OK);
	assert_int_equal(simulate_all(sample_simulate, 5, &many), CV_OK);
	assert_memory_equal(&one, &many, sizeof(one));
	for (int p = 0; p < POINTS; p++)
		for (int r = 0; r < REPLICATIONS; r++)
			assert_int_equal(one.runs[p][r], 1);
}

static cv_result crash_once(const struct param_set *params, uint32_t replication, struct sim_result *out)
{
	if (param_count(params, P_WORKLOAD_VCPUS) == 2 && replication == 1) {
		signal(SIGABRT, SIG_DFL);
		raise(SIGKILL);
	}
	return sample_simulate(params, replication, out);
}

static void crash_costs_one_run(void **state)
{
	struct gathered gathered = {0};

	(void)state;
	assert_int_equal(simulate_all(crash_once, 2, &gathered), CV_CHILD_FAILED);
	assert_non_null(strstr(cv_error_text(), "vcpus=2"));
	assert_non_null(strstr(cv_error_text(), "replication 1"));
	assert_non_null(strstr(cv_error_text(), "signal 9"));
	assert_int_equal(gathered.count, POINTS * REPLICATIONS - 2);    /* one in each variant */
}

static cv_result leave_early(const struct param_set *params, uint32_t replication, struct sim_result *out)
{
	if (replication == 2)
		_exit(3);
	return sample_simulate(params, replication, out);
}

static void silence_is_a_failure(void **state)
{
	struct gathered gathered = {0};

	(void)state;
	assert_int_equal(simulate_all(leave_early, 2, &gathered), CV_CHILD_FAILED);
	assert_non_null(strstr(cv_error_text(), "ended with code 3"));
	assert_int_equal(gathered.count, POINTS * (REPLICATIONS - 1));
}

static cv_result refuse(const struct param_set *params, uint32_t replication, struct sim_result *out)
{
	(void)params;
	(void)replication;
	(void)out;
	RETURN_ERROR(CV_BAD_INPUT, "this host is too small");
}

static void error_text_crosses_the_pipe(void **state)
{
	struct gathered gathered = {0};

	(void)state;
	assert_int_equal(simulate_all(refuse, 2, &gathered), CV_BAD_INPUT);
	assert_non_null(strstr(cv_error_text(), "this host is too small"));
	assert_int_equal(gathered.count, 0);
}

static void callback_stops_everything(void **state)
{
	struct gathered gathered = {.stop_after = 4};

	(void)state;
	assert_int_equal(simulate_all(sample_simulate, 2, &gathered), CV_IO);
	assert_string_equal(cv_error_text(), "the disk is full");
	assert_true(gathered.count < POINTS * REPLICATIONS);
}

static cv_result interrupt_parent(const struct param_set *params, uint32_t replication, struct sim_result *out)
{
	if (replication == 1)
		kill(getppid(), SIGINT);
	if (replication > 0)
		usleep(200000);
	return sample_simulate(params, replication, out);
}

static void interrupted(void **state)
{
	struct gathered gathered = {0};

	(void)state;
	assert_int_equal(simulate_all(interrupt_parent, 1, &gathered), CV_INTERRUPTED);
	assert_int_equal(cv_exit_code(CV_INTERRUPTED), 130);
	assert_true(gathered.count >= 1);
	assert_true(gathered.count < POINTS * REPLICATIONS);
}

/* Every truncation of a message and every flipped byte of its frame is noticed. */
static void damaged_messages(void **state)
{
	struct wire_buffer buffer = {0};
	struct sim_result result = {0}, out;
	struct param_set params;
	struct study study;
	const char *text;
	cv_result code;

	(void)state;
	sample_study(&study, NULL, 0);
	assert_int_equal(study_point_params(&study, 0, 0, &params), CV_OK);
	assert_int_equal(sample_simulate(&params, 0, &result), CV_OK);
	wire_pack(&buffer, CV_OK, "", &result);
	for (size_t length = 0; length <= buffer.used; length++) {
		struct wire_buffer part = {malloc(length + 1), length, length};
		struct arena arena = {0};

		memcpy(part.bytes, buffer.bytes, length);
		assert_int_equal(wire_unpack(&part, &arena, &code, &text, &out), length == buffer.used);
		arena_free(&arena);
		wire_free(&part);
	}
	for (size_t at = 0; at < buffer.used; at++) {
		struct arena arena = {0};
		bool whole;

		/* Some bytes are plain values; what matters is that no damage is read beyond the message. */
		buffer.bytes[at] ^= 0x80;
		whole = wire_unpack(&buffer, &arena, &code, &text, &out);
		if (at < 16 || at >= buffer.used - 8)
			assert_false(whole);
		buffer.bytes[at] ^= 0x80;
		arena_free(&arena);
	}
	wire_free(&buffer);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_number_of_workers), cmocka_unit_test(crash_costs_one_run),
		cmocka_unit_test(silence_is_a_failure), cmocka_unit_test(error_text_crosses_the_pipe),
		cmocka_unit_test(callback_stops_everything), cmocka_unit_test(interrupted),
		cmocka_unit_test(damaged_messages),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
