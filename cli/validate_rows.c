// SPDX-License-Identifier: Apache-2.0
/* Gathers the rows; see validate.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/validate.h"
#include "study/measurement.h"

static struct validate_row *find_or_add(struct validate_rows *rows, const struct results_measured *measured)
{
	for (size_t i = 0; i < rows->count; i++)
		if (strcmp(rows->rows[i].measured.measurement, measured->measurement) == 0 &&
		    rows->rows[i].measured.row == measured->row)
			return &rows->rows[i];
	if (rows->count == rows->size) {
		rows->size = rows->size ? rows->size * 2 : 64;
		struct validate_row *grown = realloc(rows->rows, rows->size * sizeof(*grown));

		if (!grown)
			abort();
		rows->rows = grown;
	}
	struct validate_row *row = &rows->rows[rows->count++];

	*row = (struct validate_row){.measured = *measured, .note = ""};
	row->measured.measurement = arena_string(&rows->arena, measured->measurement);
	row->measured.point_text = arena_string(&rows->arena, measured->point_text);
	row->measured.metric = arena_string(&rows->arena, measured->metric);
	row->measured.unit = arena_string(&rows->arena, measured->unit);
	row->measured.role = arena_string(&rows->arena, measured->role);
	row->unexplained = baseline_unexplained(&row->measured);
	return row;
}

cv_result validate_add_results(struct validate_rows *rows, const char *path)
{
	struct results results;

	FORWARD_IF_ERROR(results_read(path, &results));
	struct summary *summaries = summarize(&results);
	struct compare_row *compared = compare_rows(&results, summaries);

	for (size_t i = 0; i < results.measured_count; i++) {
		struct validate_row *row = find_or_add(rows, &results.measured[i]);

		if (row->has_prediction || !compared[i].has_prediction)
			continue;
		row->has_prediction = true;
		row->predicted = compared[i].predicted;
		row->error_pct = compared[i].error_pct;
		const char *note = summary_note(&rows->arena, compared[i].summary);

		row->note = !compared[i].what_if ? note :
			    arena_format(&rows->arena, "what-if: measured on another machine%s%s", *note ? "; " : "", note);
	}
	results_free(&results);
	return CV_OK;
}

cv_result validate_add_measurement(struct validate_rows *rows, const char *name)
{
	struct measurement measurement;

	FORWARD_IF_ERROR(measurement_load(name, &measurement));
	for (size_t r = 0; r < measurement.row_count; r++) {
		const struct measurement_row *row = &measurement.rows[r];

		find_or_add(rows, &(struct results_measured){
			.measurement = measurement.name, .row = (int64_t)r, .point = -1, .minus = -1, .point_text = row->point,
			.metric = row->metric, .unit = row->unit, .role = measurement_role_name(row->role),
			.value = row->value});
	}
	return CV_OK;
}

void validate_add_baselines(struct validate_rows *rows)
{
	struct results_measured *measured = arena_alloc(&rows->arena, rows->count + 1, sizeof(*measured));

	for (size_t i = 0; i < rows->count; i++)
		measured[i] = rows->rows[i].measured;
	struct baseline baseline = baseline_make(measured, rows->count);

	for (size_t i = 0; i < rows->count; i++) {
		struct validate_row *row = &rows->rows[i];

		row->has_baseline = baseline_predict(&baseline, &row->measured, &row->baseline);
		if (row->has_baseline)
			row->baseline_pct = (row->baseline - row->measured.value) / row->measured.value * 100;
	}
}

void validate_free(struct validate_rows *rows)
{
	free(rows->rows);
	arena_free(&rows->arena);
	*rows = (struct validate_rows){0};
}
