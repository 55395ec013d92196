// SPDX-License-Identifier: Apache-2.0
/* Filters over the written-down requests; see recording_query.h. */
#include "tests/step/recording_query.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static bool in_stack(const struct request *request, const char *function)
{
	for (uint32_t n = 0; n < request->depth; n++) {
		if (!strcmp(request->stack[n], function))
			return true;
	}
	return false;
}

static bool is_sysreg(const struct request *request)
{
	return request->kind == REQUEST_SYSREG_READ || request->kind == REQUEST_SYSREG_WRITE;
}

static bool matches(const struct request *request, const struct filter *filter)
{
	if (filter->kind && request->kind != filter->kind)
		return false;
	if ((filter->reg || filter->class) && !is_sysreg(request))
		return false;
	if (filter->reg && (int)request->reg + 1 != filter->reg)
		return false;
	if (filter->class && (int)sysreg_class_of(request->reg) + 1 != filter->class)
		return false;
	if (filter->barrier && (request->kind != REQUEST_BARRIER || (int)request->barrier + 1 != filter->barrier))
		return false;
	if (filter->order && (request->kind != REQUEST_LINE_ATOMIC || (int)request->order + 1 != filter->order))
		return false;
	if (filter->line && (!request->line || strcmp(request->line, filter->line)))
		return false;
	if (filter->instance && (!request->line || (int)request->instance + 1 != filter->instance))
		return false;
	if (filter->irqs && request->irqs_on != (filter->irqs == IRQS_ON))
		return false;
	if (filter->address && request->address != filter->address)
		return false;
	if (filter->function && (request->kind != REQUEST_FUNCTION || strcmp(request->stack[request->depth - 1], filter->function)))
		return false;
	if (filter->within && !in_stack(request, filter->within))
		return false;
	return !filter->without || !in_stack(request, filter->without);
}

static size_t end_of(const struct machine *machine, const struct filter *filter)
{
	return filter->until ? filter->until : recording_length(machine);
}

size_t recorded(const struct machine *machine, const struct filter *filter)
{
	size_t count = 0;

	for (size_t n = filter->from; n < end_of(machine, filter); n++)
		count += matches(recording_at(machine, n), filter);
	return count;
}

uint64_t recorded_sum(const struct machine *machine, const struct filter *filter)
{
	uint64_t sum = 0;

	for (size_t n = filter->from; n < end_of(machine, filter); n++) {
		const struct request *request = recording_at(machine, n);

		if (matches(request, filter))
			sum += request->value;
	}
	return sum;
}

static const char *kind_name(enum request_kind kind)
{
	static const char *const names[] = {
		"", "spend", "load/store", "exception entry", "exception return", "sysreg read", "sysreg write", "barrier", "irq save",
		"irq restore", "line read", "line own", "line atomic", "line release", "line wait", "mmio read", "mmio write",
		"run guest", "wait for interrupt", "function",
	};

	return names[kind];
}

static void print_request(const struct machine *machine, size_t n)
{
	const struct request *request = recording_at(machine, n);

	fprintf(stderr, "  %4zu %s", n, kind_name(request->kind));
	if (is_sysreg(request))
		fprintf(stderr, " %s", sysreg_name(request->reg));
	if (request->line)
		fprintf(stderr, " \"%s\"[%u]", request->line, request->instance);
	if (request->address)
		fprintf(stderr, " 0x%llx", (unsigned long long)request->address);
	fprintf(stderr, " = 0x%llx in %s\n", (unsigned long long)request->value,
		request->depth ? request->stack[request->depth - 1] : "nothing");
}

/* What there was of the kind that was asked for. */
static void print_kind(const struct machine *machine, const struct filter *filter)
{
	for (size_t n = filter->from; n < end_of(machine, filter); n++) {
		if (recording_at(machine, n)->kind == filter->kind || matches(recording_at(machine, n), filter))
			print_request(machine, n);
	}
}

void expect_count(const struct machine *machine, size_t expected, const struct filter *filter, const char *text,
		  const char *file, int line)
{
	const size_t count = recorded(machine, filter);

	if (count == expected)
		return;
	print_kind(machine, filter);
	print_error("%zu times, expected %zu: %s\n", count, expected, text);
	_fail(file, line);
}

static size_t find(const struct machine *machine, const struct filter *filter, bool last, const char *file, int line)
{
	size_t found = SIZE_MAX;

	for (size_t n = filter->from; n < end_of(machine, filter); n++) {
		if (!matches(recording_at(machine, n), filter))
			continue;
		found = n;
		if (!last)
			break;
	}
	if (found == SIZE_MAX) {
		print_error("never happened\n");
		_fail(file, line);
	}
	return found;
}

size_t recorded_first(const struct machine *machine, const struct filter *filter, const char *file, int line)
{
	return find(machine, filter, false, file, line);
}

size_t recorded_last(const struct machine *machine, const struct filter *filter, const char *file, int line)
{
	return find(machine, filter, true, file, line);
}

void expect_before(const struct machine *machine, const struct filter *a, const struct filter *b, const char *text,
		   const char *file, int line)
{
	const size_t last_a = recorded_last(machine, a, file, line);
	const size_t first_b = recorded_first(machine, b, file, line);

	if (last_a < first_b)
		return;
	print_request(machine, first_b);
	print_request(machine, last_a);
	print_error("wrong order: %s\n", text);
	_fail(file, line);
}

void expect_registers(const struct machine *machine, const enum sysreg *registers, size_t count, const struct filter *filter,
		      const char *file, int line)
{
	struct filter one = *filter;
	bool good = recorded(machine, filter) == count;

	for (size_t n = 0; n < count; n++) {
		size_t wanted = 0, seen;

		for (size_t other = 0; other < count; other++)
			wanted += registers[other] == registers[n];
		one.reg = (int)registers[n] + 1;
		seen = recorded(machine, &one);
		if (seen != wanted)
			print_error("%s: %zu times, expected %zu\n", sysreg_name(registers[n]), seen, wanted);
		good = good && seen == wanted;
	}
	if (good)
		return;
	print_kind(machine, filter);
	print_error("%zu accesses, expected %zu\n", recorded(machine, filter), count);
	_fail(file, line);
}
