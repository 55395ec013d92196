// SPDX-License-Identifier: Apache-2.0
/* See limits.h. */
#include "study/run/limits.h"

#include <string.h>

struct waiting { const char *name; uint64_t ps; };

static struct waiting *find(struct waiting *list, size_t *count, const char *name)
{
	for (size_t i = 0; i < *count; i++)
		if (strcmp(list[i].name, name) == 0)
			return &list[i];
	list[*count].name = name;
	return &list[(*count)++];
}

static bool part_of_a_lock(const char *function, size_t length)
{
	static const char mark[] = "spin_lock";

	for (size_t i = 0; i + sizeof(mark) - 1 <= length; i++)
		if (strncmp(function + i, mark, sizeof(mark) - 1) == 0)
			return true;
	return false;
}

/* The innermost function of the stack outside of a lock's code; *in_lock: there is such code in it. */
static const char *outside_of_locks(const char *stack, struct arena *arena, bool *in_lock)
{
	const char *function = "";
	size_t size = 0;

	*in_lock = false;
	while (*stack && !*in_lock) {
		size_t length = strcspn(stack, ";");

		*in_lock = part_of_a_lock(stack, length);
		if (!*in_lock) {
			function = stack;
			size = length;
		}
		stack += length + (stack[length] == ';');
	}
	return arena_format(arena, "%.*s", (int)size, function);
}

static void add_stack(struct waiting *list, size_t *count, const struct summary_stack *stack, struct arena *arena)
{
	bool device = strcmp(stack->reason, "device") == 0, line = strcmp(stack->reason, "line transfer") == 0, in_lock;
	const char *function;

	if (!device && !line)
		return;
	function = outside_of_locks(stack->stack, arena, &in_lock);
	if (device || !in_lock)
		find(list, count, arena_format(arena, "%s in %s", device ? "device" : "cache line", function))->ps += stack->ps;
}

static void what_is_waited_for(struct limit *limit, struct arena *arena)
{
	const struct summary *summary = limit->last;
	struct waiting *list = arena_alloc(arena, summary->stack_count + summary->lock_count + 1, sizeof(*list));
	const struct waiting *longest = NULL;
	size_t count = 0;

	for (size_t i = 0; i < summary->lock_count; i++)
		find(list, &count, summary->locks[i].lock)->ps += summary->locks[i].wait_total;
	for (size_t i = 0; i < summary->stack_count; i++)
		add_stack(list, &count, &summary->stacks[i], arena);
	for (size_t i = 0; i < count; i++)
		if (list[i].ps > 0 && (!longest || list[i].ps > longest->ps))
			longest = &list[i];
	limit->waits_for = longest ? longest->name : "";
	limit->share = longest && summary->accounted ? (double)longest->ps / (double)summary->accounted : 0;
}

static void find_one(struct results *results, const struct summary *summaries, const bool *selected, size_t v,
		     struct limit *limit)
{
	struct knee_point *points = arena_alloc(&results->arena, results->point_count + 1, sizeof(*points));
	bool over_vcpus = strcmp(results->axis, "workload.vcpus") == 0;

	limit->variant = &results->variants[v];
	limit->waits_for = "";
	for (size_t p = 0; p < results->point_count; p++) {
		const struct summary *summary = &summaries[p];

		if (results->points[p].variant != v || !selected[p] || summary->runs == 0)
			continue;
		limit->first = limit->first ? limit->first : summary;
		limit->last = summary;
		if (summary->has_rate)
			points[p] = (struct knee_point){summary->vcpus, summary->predicted};
	}
	if (!limit->last)
		return;
	what_is_waited_for(limit, &results->arena);
	if (!over_vcpus)
		return;
	limit->knee = knee_find(points, results->point_count);
	if (!limit->knee.known)
		return;
	limit->from = &summaries[limit->knee.from];
	limit->first = &summaries[limit->knee.first];
	if (&summaries[limit->knee.last] != limit->last) {
		limit->last = &summaries[limit->knee.last];
		what_is_waited_for(limit, &results->arena);
	}
}

struct limit *limits_find(struct results *results, const struct summary *summaries, const bool *selected)
{
	struct limit *limits = arena_alloc(&results->arena, results->variant_count + 1, sizeof(*limits));

	for (size_t v = 0; v < results->variant_count; v++)
		find_one(results, summaries, selected, v, &limits[v]);
	return limits;
}
