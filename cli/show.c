// SPDX-License-Identifier: Apache-2.0
/* See show.h. */
#include "cli/show.h"

#include <string.h>

#include "cli/text.h"
#include "study/run/plan.h"

/* "variant=before, in-kernel vcpus=8": the variant's name may hold blanks and commas, so it ends at " AXIS=". */
static cv_result select_points(const struct show *show)
{
	const struct results *results = show->results;
	const char *text = show->options->point;
	size_t found = 0;

	for (size_t p = 0; p < results->point_count; p++) {
		const struct results_point *point = &results->points[p];
		const char *variant = results->variants[point->variant].name;
		struct arena *arena = &show->results->arena;
		const char *named = arena_format(arena, "variant=%s", variant);
		const char *axis = arena_format(arena, "%s=%s", results->axis_name, point->axis_value);
		const char *whole = plan_point_label(arena, variant, results->axis_name, point->axis_value);

		show->selected[p] = !text || strcmp(text, whole) == 0 || strcmp(text, named) == 0 || strcmp(text, axis) == 0;
		found += show->selected[p];
	}
	RETURN_ERROR_IF(found == 0 && results->point_count, CV_BAD_INPUT,
			"--point: %s has no point \"%s\"; a point is named like \"variant=%s %s=%s\"", results->path,
			text, results->variants[0].name, results->axis_name, results->points[0].axis_value);
	return CV_OK;
}

/* The largest simulated point of a variant, or point_count. */
static size_t largest_point(const struct show *show, size_t variant)
{
	size_t largest = show->results->point_count;

	for (size_t p = 0; p < show->results->point_count; p++)
		if (show->results->points[p].variant == variant && show->summaries[p].runs && show->selected[p])
			largest = p;
	return largest;
}

static void print_and_free(const struct show *show, struct table *table)
{
	table_print(table, show->cli, show->options->format);
	table_free(table);
}

static void point_heading(const struct show *show, size_t p)
{
	const struct summary *summary = &show->summaries[p];

	print_heading(show->cli, "Locks at variant=%s %s=%s (%zu runs, %.1f ms measured)", summary->variant->name,
		      show->results->axis_name, summary->point->axis_value, summary->runs,
		      (double)summary->measured / (double)PS_PER_MS);
}

static void people_locks(const struct show *show, bool all_points)
{
	struct table table;

	for (size_t v = 0; v < show->results->variant_count; v++) {
		for (size_t p = 0; p < show->results->point_count; p++) {
			if (show->results->points[p].variant != v || !show->selected[p] || !show->summaries[p].runs ||
			    (!all_points && p != largest_point(show, v)))
				continue;
			show_lock_table(show, &table, true, p);
			if (table.cell_count || all_points) {
				fputc('\n', show->cli->out);
				point_heading(show, p);
				if (!table.cell_count)
					fputs("  no lock was taken\n", show->cli->out);
			}
			print_and_free(show, &table);
		}
	}
}

static void people_limits(const struct show *show)
{
	struct table table;

	show_limits_heading(show);
	show_limits_table(show, &table);
	print_and_free(show, &table);
}

static void people_kinds(const struct show *show, bool few)
{
	struct table table;

	show_kinds_table(show, &table, few);
	if (table.cell_count) {
		print_heading(show->cli, "What do the kinds of exits cost the host? (N: %s)", show->results->axis_name);
		print_and_free(show, &table);
		fputc('\n', show->cli->out);
	} else {
		if (!few)
			fputs("  This workload does not tell kinds of exits apart.\n", show->cli->out);
		table_free(&table);
	}
}

/* Nothing was asked for in full. */
static bool everything(const struct show_options *options)
{
	return !options->locks && !options->time && !options->limits && !options->kinds;
}

static void people_all(const struct show *show)
{
	const struct results *results = show->results;
	FILE *out = show->cli->out;
	struct table table;
	size_t simulated = 0;

	for (size_t p = 0; p < results->point_count; p++)
		simulated += show->summaries[p].runs > 0;
	print_heading(show->cli, "%s", results->name);
	print_wrapped(out, results->question);
	fprintf(out, "  %zu of %zu points, %zu runs, convoy %s\n\n", simulated, results->point_count, results->run_count,
		results->version);
	print_heading(show->cli, "How does it scale? (N: %s)", results->axis_name);
	show_curve_table(show, &table);
	print_and_free(show, &table);
	fputc('\n', out);
	if (show_has_limits(show)) {
		people_limits(show);
		fputc('\n', out);
	}
	people_kinds(show, true);
	show_sleep_table(show, &table);
	if (table.cell_count) {
		print_heading(show->cli, "Waking and scheduling (N: %s)", results->axis_name);
		print_and_free(show, &table);
		fputc('\n', out);
	} else {
		table_free(&table);
	}
	print_heading(show->cli, "Why? Share of CPU time by reason, at a few points of each variant");
	show_time_table(show, &table, true);
	print_and_free(show, &table);
	people_locks(show, show->options->point != NULL);
	fputs("\n  More: --locks and --time for every point and function, --point \"variant=NAME AXIS=N\" for one.\n\n", out);
	print_heading(show->cli, "How far can I trust it?");
	if (results->measured_count)
		fprintf(out, "  %s: %.*s\n", results->measurement, (int)show_shared_words(show),
			results->measured[0].point_text);
	show_measured_table(show, &table);
	print_and_free(show, &table);
	show_trust(show);
	fprintf(out, "  Made by: %s\n", results->command);
}

static void people(const struct show *show)
{
	struct table table;

	if (everything(show->options)) {
		people_all(show);
		return;
	}
	if (show->options->limits)
		people_limits(show);
	if (show->options->kinds)
		people_kinds(show, false);
	if (show->options->time) {
		print_heading(show->cli, "Share of CPU time by reason (N: %s)", show->results->axis_name);
		show_time_table(show, &table, false);
		print_and_free(show, &table);
		fputc('\n', show->cli->out);
		print_heading(show->cli, "Share of CPU time by function, the largest of each point");
		show_stack_table(show, &table);
		print_and_free(show, &table);
	}
	if (show->options->locks)
		people_locks(show, true);
}

static void json_part(const struct show *show, const char *name, struct table *table)
{
	fprintf(show->cli->out, ",\n\"%s\": ", name);
	print_and_free(show, table);
}

static void json(const struct show *show)
{
	bool all = everything(show->options);
	struct table table;
	FILE *out = show->cli->out;

	fputs("{\"study\": ", out);
	json_string(out, show->results->name);
	fputs(", \"question\": ", out);
	json_string(out, show->results->question);
	fputs(", \"version\": ", out);
	json_string(out, show->results->version);
	if (all) {
		show_curve_table(show, &table);
		json_part(show, "curve", &table);
		show_measured_table(show, &table);
		json_part(show, "measured", &table);
	}
	if (all || show->options->limits) {
		show_limits_table(show, &table);
		json_part(show, "limits", &table);
	}
	if (all || show->options->kinds) {
		show_kinds_table(show, &table, false);
		json_part(show, "kinds", &table);
	}
	if (all || show->options->time) {
		show_time_table(show, &table, false);
		json_part(show, "time", &table);
	}
	if (show->options->time) {
		show_stack_table(show, &table);
		json_part(show, "functions", &table);
	}
	if (all || show->options->locks) {
		show_lock_table(show, &table, false, 0);
		json_part(show, "locks", &table);
	}
	fputs("}\n", out);
}

/* One table a file: the curve, or what was asked for. --time gives every function; the shares by reason are its sums. */
static cv_result csv(const struct show *show)
{
	struct table table;

	RETURN_ERROR_IF(show->options->locks + show->options->time + show->options->limits + show->options->kinds > 1, CV_BAD_INPUT,
			"--format csv holds one table: give --limits, --kinds, --locks or --time, not several");
	if (show->options->locks)
		show_lock_table(show, &table, false, 0);
	else if (show->options->limits)
		show_limits_table(show, &table);
	else if (show->options->kinds)
		show_kinds_table(show, &table, false);
	else if (show->options->time)
		show_stack_table(show, &table);
	else
		show_curve_table(show, &table);
	print_and_free(show, &table);
	return CV_OK;
}

static cv_result show_results(struct show *show)
{
	show->selected = arena_alloc(&show->results->arena, show->results->point_count + 1, sizeof(*show->selected));
	FORWARD_IF_ERROR(select_points(show));
	show->summaries = summarize(show->results);
	show->rows = compare_rows(show->results, show->summaries);
	if (show->options->format == FORMAT_CSV)
		return csv(show);
	if (show->options->format == FORMAT_JSON)
		json(show);
	else
		people(show);
	return CV_OK;
}

cv_result show_file(struct cli *cli, const char *path, const struct show_options *options)
{
	struct results results;
	struct show show = {.cli = cli, .results = &results, .options = options};

	FORWARD_IF_ERROR(results_read(path, &results));
	cv_result result = show_results(&show);

	results_free(&results);
	return result;
}
