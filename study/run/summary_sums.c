// SPDX-License-Identifier: Apache-2.0
/*
 * Adds up CPU time and lock rows over the replications of a point. Rows are gathered, sorted by their names and merged,
 * then sorted for the reader, with the names deciding ties: the order never depends on who came first.
 */
#include "study/run/summary_sums.h"

#include <stdlib.h>
#include <string.h>

/* The reasons in the order of a reader's interest; unknown ones follow by name. */
static const char *const reason_order[] = {"guest", "run", "line transfer", "spin", "device", "idle"};

static size_t reason_rank(const char *reason)
{
	size_t count = sizeof(reason_order) / sizeof(reason_order[0]);

	for (size_t i = 0; i < count; i++)
		if (strcmp(reason_order[i], reason) == 0)
			return i;
	return count;
}

static int stack_by_name(const void *a, const void *b)
{
	const struct summary_stack *left = a, *right = b;
	int order = strcmp(left->stack, right->stack);

	return order ? order : strcmp(left->reason, right->reason);
}

static int stack_by_time(const void *a, const void *b)
{
	const struct summary_stack *left = a, *right = b;

	if (left->ps != right->ps)
		return left->ps < right->ps ? 1 : -1;
	return stack_by_name(a, b);
}

static int reason_by_rank(const void *a, const void *b)
{
	const struct summary_time *left = a, *right = b;
	size_t left_rank = reason_rank(left->name), right_rank = reason_rank(right->name);

	if (left_rank != right_rank)
		return left_rank < right_rank ? -1 : 1;
	return strcmp(left->name, right->name);
}

static void sum_reasons(struct summary *summary, struct arena *arena)
{
	struct summary_time *reasons = arena_alloc(arena, summary->stack_count + 1, sizeof(*reasons));
	size_t count = 0;

	for (size_t i = 0; i < summary->stack_count; i++) {
		size_t r = 0;

		while (r < count && strcmp(reasons[r].name, summary->stacks[i].reason) != 0)
			r++;
		if (r == count)
			reasons[count++].name = summary->stacks[i].reason;
		reasons[r].ps += summary->stacks[i].ps;
		summary->accounted += summary->stacks[i].ps;
	}
	qsort(reasons, count, sizeof(*reasons), reason_by_rank);
	summary->reasons = reasons;
	summary->reason_count = count;
}

void sum_times(struct summary *summary, struct arena *arena)
{
	const struct results_point *point = summary->point;
	size_t total = 0, merged = 0, n = 0;

	for (size_t r = 0; r < point->run_count; r++) {
		total += point->runs[r].sim.account_count;
		summary->measured += point->runs[r].sim.measured;
	}
	struct summary_stack *stacks = arena_alloc(arena, total + 1, sizeof(*stacks));

	for (size_t r = 0; r < point->run_count; r++) {
		const struct sim_result *sim = &point->runs[r].sim;

		for (size_t i = 0; i < sim->account_count; i++)
			stacks[n++] = (struct summary_stack){sim->accounts[i].stack, sim->accounts[i].reason,
							     sim->accounts[i].ps};
	}
	qsort(stacks, n, sizeof(*stacks), stack_by_name);
	for (size_t i = 0; i < n; i++) {
		if (merged && stack_by_name(&stacks[merged - 1], &stacks[i]) == 0)
			stacks[merged - 1].ps += stacks[i].ps;
		else
			stacks[merged++] = stacks[i];
	}
	qsort(stacks, merged, sizeof(*stacks), stack_by_time);
	summary->stacks = stacks;
	summary->stack_count = merged;
	sum_reasons(summary, arena);
}

static int lock_by_name(const void *a, const void *b)
{
	const struct sim_lock_row *left = a, *right = b;
	int order = strcmp(left->lock, right->lock);

	return order ? order : strcmp(left->caller, right->caller);
}

static int lock_by_wait(const void *a, const void *b)
{
	const struct sim_lock_row *left = a, *right = b;

	if (left->wait_total != right->wait_total)
		return left->wait_total < right->wait_total ? 1 : -1;
	if (left->acquisitions != right->acquisitions)
		return left->acquisitions < right->acquisitions ? 1 : -1;
	return lock_by_name(a, b);
}

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static void lock_add(struct sim_lock_row *sum, const struct sim_lock_row *row)
{
	sum->acquisitions += row->acquisitions;
	sum->contended += row->contended;
	sum->queued += row->queued;
	sum->wait_total += row->wait_total;
	sum->hold_total += row->hold_total;
	sum->wait_max = larger(sum->wait_max, row->wait_max);
	sum->hold_max = larger(sum->hold_max, row->hold_max);
}

void sum_locks(struct summary *summary, struct arena *arena)
{
	const struct results_point *point = summary->point;
	size_t total = 0, merged = 0, n = 0;

	for (size_t r = 0; r < point->run_count; r++)
		total += point->runs[r].sim.lock_count;
	struct sim_lock_row *locks = arena_alloc(arena, total + 1, sizeof(*locks));

	for (size_t r = 0; r < point->run_count; r++)
		for (size_t i = 0; i < point->runs[r].sim.lock_count; i++)
			locks[n++] = point->runs[r].sim.locks[i];
	qsort(locks, n, sizeof(*locks), lock_by_name);
	for (size_t i = 0; i < n; i++) {
		if (merged && lock_by_name(&locks[merged - 1], &locks[i]) == 0)
			lock_add(&locks[merged - 1], &locks[i]);
		else
			locks[merged++] = locks[i];
	}
	qsort(locks, merged, sizeof(*locks), lock_by_wait);
	summary->locks = locks;
	summary->lock_count = merged;
}
