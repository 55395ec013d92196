// SPDX-License-Identifier: Apache-2.0
/* Children that simulate; see simulate_helper.h. The result travels through a pipe as the bytes of the structure. */
#include "tests/curve/simulate_helper.h"

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "study/param.h"
#include "study/simulate.h"

#define CHILD_SECONDS 120

struct message {
	bool failed;
	char text[1024];
	struct curve_result result;
};

/* ---- in the child ------------------------------------------------------------------------------ */

static cv_result set(struct param_set *params, enum param_id id, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static cv_result set(struct param_set *params, enum param_id id, const char *format, ...)
{
	struct param_value value;
	char text[64];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	FORWARD_IF_ERROR(param_parse(id, text, &value));
	value.present = true;
	value.source_class = SOURCE_CHOSEN;
	value.source = "curve test";
	value.where = "tests/curve";
	params->value[id] = value;
	return CV_OK;
}

static cv_result set_ps(struct param_set *params, enum param_id id, ps_t time)
{
	if (time % PS_PER_NS)
		return cv_error_set(CV_INTERNAL, "the tests' times are whole nanoseconds");
	return set(params, id, "%lluns", (unsigned long long)(time / PS_PER_NS));
}

/* Every cost of hardware and kernel is 0, except the two that a run asks for. */
static cv_result set_ideal_host(struct param_set *params)
{
	static const char *const costs[] = { "host.line.", "host.cpu.", "host.device.", "kernel.work." };

	for (int id = 0; id < PARAM_IDS; id++) {
		const struct param_row *row = &param_table[id];

		if (row->type != PARAM_TIME && row->type != PARAM_COST)
			continue;
		for (size_t i = 0; i < sizeof(costs) / sizeof(*costs); i++) {
			if (!strncmp(row->name, costs[i], strlen(costs[i])))
				FORWARD_IF_ERROR(set_ps(params, (enum param_id)id, 0));
		}
	}
	FORWARD_IF_ERROR(set_ps(params, P_HOST_MESH_HOP, 0));
	FORWARD_IF_ERROR(set_ps(params, P_HOST_GIC_SERVICE, 0));
	FORWARD_IF_ERROR(set(params, P_HOST_CLOCK, "1GHz"));
	FORWARD_IF_ERROR(set(params, P_HOST_CPUS, "%d", CURVE_CPUS));
	FORWARD_IF_ERROR(set(params, P_HOST_MESH_COLUMNS, "4"));
	FORWARD_IF_ERROR(set(params, P_HOST_MESH_ROWS, "4"));
	FORWARD_IF_ERROR(set(params, P_HOST_MESH_CPUS_PER_CLUSTER, "2"));
	FORWARD_IF_ERROR(set(params, P_HOST_MESH_CLUSTERS_PER_XP, "2"));
	return set(params, P_KERNEL_IRQ_STATE, "per-cpu");
}

static cv_result set_all(const struct curve_case *run, struct param_set *params)
{
	param_set_defaults(params);
	FORWARD_IF_ERROR(set_ideal_host(params));
	FORWARD_IF_ERROR(set_ps(params, P_HOST_LINE_BASE, run->line_base));
	FORWARD_IF_ERROR(set_ps(params, P_HOST_LINE_READ_OCCUPANCY, run->line_read_occupancy));
	if (run->cpus_per_node)
		FORWARD_IF_ERROR(set(params, P_HOST_MESH_CPUS_PER_NODE, "%u", run->cpus_per_node));
	FORWARD_IF_ERROR(set_ps(params, P_HOST_MESH_NODE_HOP, run->node_hop));
	FORWARD_IF_ERROR(set(params, P_KERNEL_SPINLOCK, "%s", run->spinlock ? run->spinlock : "qspinlock"));
	FORWARD_IF_ERROR(set(params, P_WORKLOAD_KIND, "lock-loop"));
	FORWARD_IF_ERROR(set(params, P_WORKLOAD_VCPUS, "%u", run->vcpus));
	FORWARD_IF_ERROR(set_ps(params, P_WORKLOAD_GUEST_WORK, 0));
	FORWARD_IF_ERROR(set_ps(params, P_WORKLOAD_VMM_WORK, run->think));
	FORWARD_IF_ERROR(set(params, P_WORKLOAD_VARIATION, run->think_exponential ? "exponential" : "constant"));
	FORWARD_IF_ERROR(set(params, P_WORKLOAD_START, run->start_together ? "together" : "staggered"));
	FORWARD_IF_ERROR(set(params, P_WORKLOAD_STATIONS, "%u", run->stations));
	FORWARD_IF_ERROR(set_ps(params, P_WORKLOAD_HOLD, run->hold));
	FORWARD_IF_ERROR(set(params, P_WORKLOAD_HOLD_VARIATION, run->hold_exponential ? "exponential" : "constant"));
	FORWARD_IF_ERROR(set_ps(params, P_RUN_WARMUP, run->warmup));
	FORWARD_IF_ERROR(set_ps(params, P_RUN_MEASURE, run->measure));
	FORWARD_IF_ERROR(set(params, P_RUN_BATCH, "1ms"));
	return param_set_check(params);
}

/* Is `frame` the innermost function of the stack "a;b;c"? */
static bool innermost(const char *stack, const char *frame)
{
	const char *last = strrchr(stack, ';');

	return !strcmp(last ? last + 1 : stack, frame);
}

static cv_result collect(const struct sim_result *sim, struct curve_result *out)
{
	out->measured = sim->measured;
	out->cpu_count = sim->cpu_count;
	RETURN_ERROR_IF(sim->cpu_count > CURVE_CPUS, CV_INTERNAL, "%zu vCPUs in the result", sim->cpu_count);
	for (size_t i = 0; i < sim->cpu_count; i++)
		out->cpu_exits[i] = sim->cpu_exits[i];
	for (size_t i = 0; i < sim->metric_count; i++) {
		if (!strcmp(sim->metrics[i].name, "exits"))
			out->exits = sim->metrics[i].value;
	}
	for (size_t i = 0; i < sim->account_count; i++) {
		const struct sim_account_row *row = &sim->accounts[i];

		out->account_total += row->ps;
		if (innermost(row->stack, CURVE_PRIVATE))
			out->account_private += row->ps;
		else if (innermost(row->stack, CURVE_HOLD))
			out->account_hold += row->ps;
	}
	RETURN_ERROR_IF(!out->account_private, CV_INTERNAL, "no account of the function \"%s\"", CURVE_PRIVATE);
	RETURN_ERROR_IF(!out->account_hold, CV_INTERNAL, "no account of the function \"%s\"", CURVE_HOLD);
	for (size_t i = 0; i < sim->lock_count; i++) {
		const struct sim_lock_row *row = &sim->locks[i];
		struct curve_lock *lock = out->lock;

		while (lock < out->lock + out->lock_count && strcmp(lock->name, row->lock))
			lock++;
		RETURN_ERROR_IF(lock == out->lock + CURVE_STATIONS, CV_INTERNAL, "more than %d locks", CURVE_STATIONS);
		if (lock == out->lock + out->lock_count) {
			snprintf(lock->name, sizeof(lock->name), "%s", row->lock);
			out->lock_count++;
		}
		lock->acquisitions += row->acquisitions;
		lock->contended += row->contended;
		lock->queued += row->queued;
		lock->wait_total += row->wait_total;
		lock->hold_total += row->hold_total;
		lock->wait_max = row->wait_max > lock->wait_max ? row->wait_max : lock->wait_max;
		lock->hold_max = row->hold_max > lock->hold_max ? row->hold_max : lock->hold_max;
	}
	return CV_OK;
}

static cv_result simulate(const struct curve_case *run, struct curve_result *out)
{
	static struct param_set params;
	struct sim_result sim;

	memset(&sim, 0, sizeof(sim));
	FORWARD_IF_ERROR(set_all(run, &params));
	FORWARD_IF_ERROR(simulate_point(&params, run->replication, &sim));
	return collect(&sim, out);
}

static _Noreturn void child(const struct curve_case *run, int pipe_end)
{
	static struct message message;
	size_t sent = 0;

	alarm(CHILD_SECONDS);   /* a simulation that never ends must fail the test, not hang it */
	if (simulate(run, &message.result) != CV_OK) {
		message.failed = true;
		snprintf(message.text, sizeof(message.text), "%s", cv_error_text());
	}
	while (sent < sizeof(message)) {
		ssize_t n = write(pipe_end, (const char *)&message + sent, sizeof(message) - sent);

		if (n < 0 && errno != EINTR)
			_exit(1);
		sent += n > 0 ? (size_t)n : 0;
	}
	_exit(0);   /* not exit(): the parent's test framework and buffers are none of the child's business */
}

/* ---- in the test ------------------------------------------------------------------------------- */

void curve_simulate(const struct curve_case *run, struct curve_result *out)
{
	static struct message message;
	size_t received = 0;
	int ends[2], status;
	pid_t pid;

	fflush(NULL);
	if (pipe(ends))
		fail_msg("cannot make a pipe: %s", strerror(errno));
	pid = fork();
	if (pid < 0)
		fail_msg("cannot fork: %s", strerror(errno));
	if (pid == 0) {
		close(ends[0]);
		child(run, ends[1]);
	}
	close(ends[1]);
	while (received < sizeof(message)) {
		ssize_t n = read(ends[0], (char *)&message + received, sizeof(message) - received);

		if (n == 0 || (n < 0 && errno != EINTR))
			break;
		received += n > 0 ? (size_t)n : 0;
	}
	close(ends[0]);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (received < sizeof(message))
		fail_msg("%s: the simulation %s (wait status 0x%x)", curve_describe(run),
			 WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM ? "does not end" : "ended early",
			 (unsigned int)status);
	if (message.failed)
		fail_msg("%s: %s", curve_describe(run), message.text);
	*out = message.result;
}

double curve_rate(const struct curve_result *result)
{
	return (double)result->exits / (double)result->measured * (double)PS_PER_S;
}

ps_t curve_window(double rounds, double rate)
{
	return (ps_t)(rounds / rate * 1e6) * PS_PER_US;
}

const char *curve_describe(const struct curve_case *run)
{
	static char text[256];

	snprintf(text, sizeof(text), "N=%u think=%lluns/%s hold=%lluns/%s stations=%u %s base=%lluns occupancy=%lluns node_hop=%lluns %s",
		 run->vcpus, (unsigned long long)(run->think / PS_PER_NS), run->think_exponential ? "exponential" : "constant",
		 (unsigned long long)(run->hold / PS_PER_NS), run->hold_exponential ? "exponential" : "constant",
		 run->stations, run->spinlock ? run->spinlock : "qspinlock",
		 (unsigned long long)(run->line_base / PS_PER_NS),
		 (unsigned long long)(run->line_read_occupancy / PS_PER_NS), (unsigned long long)(run->node_hop / PS_PER_NS),
		 run->start_together ? "together" : "staggered");
	return text;
}

static void law(const struct curve_case *run, const char *name, double left, double right, double relative)
{
	if (!(fabs(left - right) <= relative * fabs(right)))
		fail_msg("%s: %s: %.9g against %.9g (%+.4f %%, allowed %.2g %%)", curve_describe(run), name, left, right,
			 100 * (left / right - 1), 100 * relative);
}

/* The two sides of N = X (Z + R) and U = X S come from counters that are kept apart. */
static void check_ideal_laws(const struct curve_case *run, const struct curve_result *result)
{
	const double window = (double)result->measured, n = run->vcpus;
	const double rate = (double)result->exits / window;
	const double z = (double)result->account_private / (double)result->exits;
	double residence = 0, busy = 0, waiting = 0, wait_max = 0;

	for (size_t i = 0; i < result->lock_count; i++) {
		const struct curve_lock *lock = &result->lock[i];

		residence += (double)(lock->wait_total + lock->hold_total) / (double)lock->acquisitions;
		busy += (double)result->exits * ((double)lock->hold_total / (double)lock->acquisitions) / window;
		waiting += (double)lock->wait_total;
		wait_max = fmax(wait_max, (double)lock->wait_max);
		if (run->hold_exponential)
			continue;
		law(run, "U = X S, constant S", (double)lock->hold_total / window, rate * (double)run->hold, 1e-3);
		assert_int_equal(lock->hold_max, run->hold);
	}
	law(run, "N = X (Z + R)", rate * (z + residence), n, 1e-3);
	law(run, "U = X S", (double)result->account_hold / window, busy, 1e-3);

	const double accounted = (double)(result->account_total - result->account_private - result->account_hold);

	if (fabs(accounted - waiting) > 2 * n * wait_max)
		fail_msg("%s: waiting by the accounts %.0f ps, by the lock rows %.0f ps: more apart than the %u waits of at most "
			 "%.0f ps at each edge", curve_describe(run), accounted, waiting, run->vcpus, wait_max);
}

void curve_check_laws(const struct curve_case *run, const struct curve_result *result)
{
	uint64_t rounds = 0;

	if (result->measured != run->measure || result->cpu_count != run->vcpus || result->lock_count != run->stations)
		fail_msg("%s: window %llu ps, %llu CPUs, %llu locks", curve_describe(run), (unsigned long long)result->measured,
			 (unsigned long long)result->cpu_count, (unsigned long long)result->lock_count);
	if (result->account_total != run->vcpus * result->measured)
		fail_msg("%s: accounts add up to %llu ps, vCPUs x window is %llu ps", curve_describe(run),
			 (unsigned long long)result->account_total, (unsigned long long)(run->vcpus * result->measured));
	for (size_t i = 0; i < result->cpu_count; i++)
		rounds += result->cpu_exits[i];
	assert_int_equal(rounds, result->exits);
	for (size_t i = 0; i < result->lock_count; i++) {
		const struct curve_lock *lock = &result->lock[i];

		if (llabs((long long)(lock->acquisitions - result->exits)) > run->vcpus)
			fail_msg("%s: %s: %llu acquisitions in %llu rounds", curve_describe(run), lock->name,
				 (unsigned long long)lock->acquisitions, (unsigned long long)result->exits);
		assert_true(lock->queued <= lock->contended && lock->contended <= lock->acquisitions);
		assert_true(lock->hold_total <= result->measured + lock->hold_max);   /* mutual exclusion */
	}
	if (!run->line_base && !run->line_read_occupancy)
		check_ideal_laws(run, result);
}
