// SPDX-License-Identifier: Apache-2.0
/* The parent's loop: start children, gather results, notice Ctrl-C. See runner.h. */
#define _GNU_SOURCE   /* ppoll */
#include "study/run/runner.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "study/run/child.h"
#include "study/run/progress.h"

struct runner {
	const struct run_job **queue;   /* biggest first */
	size_t count, next;
	struct child *children;
	unsigned workers, running;
	const struct run_options *options;
	run_done_fn *done;
	void *context;
	struct run_totals *totals;
	struct progress progress;
	cv_result failure;              /* the first one; its text is in failure_text */
	char *failure_text;
};

static volatile sig_atomic_t stop_signal;

static void on_stop(int number)
{
	stop_signal = number;
}

static double job_work(const struct run_job *job)
{
	const struct param_value *value = job->params->value;

	return (double)value[P_WORKLOAD_VCPUS].number *
	       (double)(value[P_RUN_WARMUP].number + value[P_RUN_MEASURE].number);
}

static int bigger_first(const void *a, const void *b)
{
	const struct run_job *left = *(const struct run_job *const *)a, *right = *(const struct run_job *const *)b;
	double difference = job_work(right) - job_work(left);

	if (difference != 0)
		return difference > 0 ? 1 : -1;
	return left < right ? -1 : left > right;
}

static void remember_failure(struct runner *runner, cv_result code)
{
	if (runner->failure != CV_OK)
		return;
	runner->failure = code;
	runner->failure_text = strdup(cv_error_text());
}

/* A crash costs one run; everything else that fails would fail again. */
static bool may_start(const struct runner *runner)
{
	return runner->next < runner->count && (runner->failure == CV_OK || runner->failure == CV_CHILD_FAILED);
}

static void start_children(struct runner *runner)
{
	for (unsigned i = 0; i < runner->workers && may_start(runner); i++) {
		if (runner->children[i].pid)
			continue;
		cv_result code = child_start(&runner->children[i], runner->queue[runner->next], runner->options->simulate);

		if (code != CV_OK) {
			remember_failure(runner, code);
			return;
		}
		runner->next++;
		runner->running++;
	}
}

static void add_totals(struct run_totals *totals, const struct run_job *job, const struct sim_result *result)
{
	totals->done++;
	totals->simulated_ps += (uint64_t)job->params->value[P_RUN_WARMUP].number + result->measured;
	for (size_t i = 0; i < result->metric_count; i++) {
		if (strcmp(result->metrics[i].name, "exits") == 0)
			totals->exits += result->metrics[i].value;
		else if (strcmp(result->metrics[i].name, "line-transactions") == 0)
			totals->line_transactions += result->metrics[i].value;
	}
}

static void child_ended(struct runner *runner, struct child *child)
{
	const struct run_job *job = child->job;
	struct arena arena = {0};
	struct sim_result result;
	cv_result code = child_finish(child, &arena, &result);

	runner->running--;
	if (code == CV_OK)
		code = runner->done(runner->context, job, &result);
	if (code == CV_OK) {
		add_totals(runner->totals, job, &result);
		progress_step(&runner->progress, job, job_work(job));
	} else {
		remember_failure(runner, code);
	}
	arena_free(&arena);
}

/* Waits until a child has sent something or a signal came. Signals are only let in here. */
static void wait_and_read(struct runner *runner, struct pollfd *polls, const sigset_t *let_in)
{
	for (unsigned i = 0; i < runner->workers; i++)
		polls[i] = (struct pollfd){.fd = runner->children[i].pid ? runner->children[i].pipe : -1, .events = POLLIN};
	if (ppoll(polls, runner->workers, NULL, let_in) <= 0)
		return;
	for (unsigned i = 0; i < runner->workers; i++) {
		bool ended = false;

		if (polls[i].fd < 0 || !polls[i].revents)
			continue;
		cv_result code = child_read(&runner->children[i], &ended);

		if (code != CV_OK)
			remember_failure(runner, code);
		if (ended)
			child_ended(runner, &runner->children[i]);
	}
}

static void loop(struct runner *runner, const sigset_t *let_in)
{
	struct pollfd *polls = calloc(runner->workers, sizeof(*polls));

	if (!polls) {
		remember_failure(runner, cv_error_set(CV_IO, "out of memory"));
		return;
	}
	for (;;) {
		/* What stops us: a signal, or a callback that cannot store any more. */
		if (stop_signal || (runner->failure != CV_OK && runner->failure != CV_CHILD_FAILED))
			break;
		start_children(runner);
		if (runner->running == 0)
			break;
		wait_and_read(runner, polls, let_in);
	}
	for (unsigned i = 0; i < runner->workers; i++)
		if (runner->children[i].pid)
			child_kill(&runner->children[i]);
	free(polls);
}

static void with_signals(struct runner *runner)
{
	struct sigaction action = {.sa_handler = on_stop}, old_int, old_term;
	sigset_t stops, before, let_in;

	stop_signal = 0;
	sigemptyset(&stops);
	sigaddset(&stops, SIGINT);
	sigaddset(&stops, SIGTERM);
	sigprocmask(SIG_BLOCK, &stops, &before);
	sigaction(SIGINT, &action, &old_int);
	sigaction(SIGTERM, &action, &old_term);
	let_in = before;
	sigdelset(&let_in, SIGINT);
	sigdelset(&let_in, SIGTERM);
	loop(runner, &let_in);
	sigaction(SIGINT, &old_int, NULL);
	sigaction(SIGTERM, &old_term, NULL);
	sigprocmask(SIG_SETMASK, &before, NULL);
}

static cv_result outcome(struct runner *runner)
{
	cv_result code = runner->failure;

	if (stop_signal)
		code = cv_error_set(CV_INTERRUPTED, "interrupted by %s after %zu of %zu runs",
				    stop_signal == SIGINT ? "Ctrl-C" : "SIGTERM", runner->totals->done, runner->count);
	else if (code != CV_OK)
		cv_error_set(code, "%s", runner->failure_text ? runner->failure_text : "out of memory");
	free(runner->failure_text);
	return code;
}

cv_result run_jobs(const struct run_job *jobs, size_t count, const struct run_options *options, run_done_fn *done,
		   void *context, struct run_totals *totals)
{
	struct runner runner = {.count = count, .options = options, .done = done, .context = context, .totals = totals};
	long online = sysconf(_SC_NPROCESSORS_ONLN);
	double work = 0;

	memset(totals, 0, sizeof(*totals));
	runner.workers = options->workers ? options->workers : online > 0 ? (unsigned)online : 1;
	runner.queue = calloc(count + 1, sizeof(*runner.queue));
	runner.children = calloc(runner.workers, sizeof(*runner.children));
	if (!runner.queue || !runner.children) {
		free(runner.queue);
		free(runner.children);
		RETURN_ERROR(CV_IO, "out of memory");
	}
	for (size_t i = 0; i < count; i++) {
		runner.queue[i] = &jobs[i];
		work += job_work(&jobs[i]);
	}
	qsort(runner.queue, count, sizeof(*runner.queue), bigger_first);
	progress_start(&runner.progress, options->progress, count, work);
	with_signals(&runner);
	progress_clear(&runner.progress);
	totals->wall_ns = progress_now_ns() - runner.progress.start_ns;
	free(runner.queue);
	free(runner.children);
	return outcome(&runner);
}
