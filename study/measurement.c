// SPDX-License-Identifier: Apache-2.0
/* Reading measurement files and matching their rows with the points of a study; see measurement.h. */
#include "study/measurement.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study/catalogue.h"
#include "study/keep.h"
#include "study/nearest.h"
#include "study/text_file.h"

#define MOST_COLUMNS 64u

static const char *const tail_columns[] = { "metric", "unit", "value", "role" };
enum { TAIL_METRIC, TAIL_UNIT, TAIL_VALUE, TAIL_ROLE, TAIL_COUNT };

static const char *const role_names[] = { [MEASUREMENT_FIT] = "fit", [MEASUREMENT_HELD] = "held" };

const char *measurement_role_name(enum measurement_role role)
{
	return role_names[role];
}

/* One line of the file, split into fields. */
struct csv_line {
	const char *path;
	unsigned line;
	size_t count;
	const char *field[MOST_COLUMNS];
	unsigned column[MOST_COLUMNS];   /* where each field starts, in bytes from 1 */
};

#define FAIL_FIELD(csv, index, format, ...)                                                        \
	RETURN_ERROR(CV_BAD_INPUT, "%s:%u:%u: " format, (csv)->path, (csv)->line, (csv)->column[index], __VA_ARGS__)

/* Splits text[0 … length-1]. A quoted field may hold commas, and "" for a quote. */
static cv_result split(const char *text, size_t length, struct csv_line *csv)
{
	char *buffer = malloc(length + 1);
	size_t i = 0;
	cv_result result = CV_OK;

	RETURN_ERROR_IF(buffer == NULL, CV_IO, "%s: out of memory", csv->path);
	csv->count = 0;
	for (;;) {
		size_t used = 0;
		bool quoted = i < length && text[i] == '"';

		if (csv->count == MOST_COLUMNS) {
			result = cv_error_set(CV_BAD_INPUT, "%s:%u: more than %u columns", csv->path, csv->line, MOST_COLUMNS);
			break;
		}
		csv->column[csv->count] = (unsigned)i + 1;
		if (quoted) {
			for (i++; i < length && (text[i] != '"' || (i + 1 < length && text[i + 1] == '"')); i++) {
				buffer[used++] = text[i];
				i += text[i] == '"';
			}
			if (i == length || (i + 1 < length && text[i + 1] != ',')) {
				result = cv_error_set(CV_BAD_INPUT, "%s:%u:%u: the quoted field does not end in \" before the %s",
						      csv->path, csv->line, csv->column[csv->count],
						      i == length ? "line's end" : "next comma");
				break;
			}
			i++;
		} else {
			while (i < length && text[i] != ',')
				buffer[used++] = text[i++];
		}
		csv->field[csv->count++] = keep_text_n(buffer, used);
		if (i == length)
			break;
		i++;
	}
	free(buffer);
	return result;
}

static cv_result read_header(const struct csv_line *csv, struct measurement *out)
{
	const char **columns;

	if (csv->count <= TAIL_COUNT)
		FAIL_FIELD(csv, 0, "%zu columns; a measurement file starts with the names of its axes, then "
			   "metric,unit,value,role", csv->count);
	out->column_count = csv->count - TAIL_COUNT;
	for (size_t i = 0; i < TAIL_COUNT; i++)
		if (strcmp(csv->field[out->column_count + i], tail_columns[i]) != 0)
			FAIL_FIELD(csv, out->column_count + i, "column \"%s\" where \"%s\" is expected; the last four columns "
				   "are metric,unit,value,role", shown(csv->field[out->column_count + i]).text,
				   tail_columns[i]);
	columns = keep_memory(out->column_count * sizeof(*columns));
	for (size_t i = 0; i < out->column_count; i++) {
		columns[i] = csv->field[i];
		if (columns[i][0] == '\0')
			FAIL_FIELD(csv, i, "%s", "a column without a name");
		for (size_t before = 0; before < i; before++)
			if (strcmp(columns[before], columns[i]) == 0)
				FAIL_FIELD(csv, i, "column \"%s\" is here twice", shown(columns[i]).text);
	}
	out->columns = columns;
	return CV_OK;
}

/* Decimal notation only: no hexadecimal, no infinity, nothing that depends on a locale. */
static cv_result read_value(const struct csv_line *csv, size_t index, double *out)
{
	const char *text = csv->field[index];
	char *end;

	*out = strtod(text, &end);
	if (text[0] == '\0' || strspn(text, "0123456789+-.eE") != strlen(text) || *end != '\0' || !isfinite(*out))
		FAIL_FIELD(csv, index, "value: \"%s\" is not a number; allowed: a decimal number", shown(text).text);
	return CV_OK;
}

static const char *point_text(const struct measurement *measurement, const char *const *axes)
{
	const char *text = "";

	for (size_t i = 0; i < measurement->column_count; i++)
		if (axes[i][0] != '\0')
			text = keep_textf("%s%s%s=%s", text, text[0] ? " " : "", measurement->columns[i], axes[i]);
	return text;
}

static cv_result read_row(const struct csv_line *csv, const struct measurement *measurement, struct measurement_row *row)
{
	size_t tail = measurement->column_count;
	const char **axes;

	if (csv->count != tail + TAIL_COUNT)
		RETURN_ERROR(CV_BAD_INPUT, "%s:%u: %zu fields, but the header has %zu columns", csv->path, csv->line, csv->count,
			     tail + TAIL_COUNT);
	axes = keep_memory(tail * sizeof(*axes));
	memcpy(axes, csv->field, tail * sizeof(*axes));
	*row = (struct measurement_row){
		.line = csv->line,
		.axes = axes,
		.point = point_text(measurement, axes),
		.metric = csv->field[tail + TAIL_METRIC],
		.unit = csv->field[tail + TAIL_UNIT],
		.value_text = csv->field[tail + TAIL_VALUE],
	};
	if (row->metric[0] == '\0')
		FAIL_FIELD(csv, tail + TAIL_METRIC, "%s", "metric: empty; allowed: the name of what was measured");
	if (row->unit[0] == '\0')
		FAIL_FIELD(csv, tail + TAIL_UNIT, "%s", "unit: empty; allowed: a unit, such as 1/s");
	FORWARD_IF_ERROR(read_value(csv, tail + TAIL_VALUE, &row->value));
	if (strcmp(csv->field[tail + TAIL_ROLE], "fit") == 0)
		row->role = MEASUREMENT_FIT;
	else if (strcmp(csv->field[tail + TAIL_ROLE], "held") == 0)
		row->role = MEASUREMENT_HELD;
	else
		FAIL_FIELD(csv, tail + TAIL_ROLE, "role: \"%s\" is not a role; allowed: fit, held",
			   shown(csv->field[tail + TAIL_ROLE]).text);
	return CV_OK;
}

static cv_result check_new(const struct csv_line *csv, const struct measurement_row *rows, size_t count)
{
	const struct measurement_row *row = &rows[count];

	/* Texts are interned: equal texts are the same pointer. */
	for (size_t i = 0; i < count; i++)
		RETURN_ERROR_IF(rows[i].point == row->point && rows[i].metric == row->metric, CV_BAD_INPUT,
				"%s:%u: the same point and metric as line %u", csv->path, csv->line, rows[i].line);
	return CV_OK;
}

cv_result measurement_parse(const char *path, const char *text, size_t size, struct measurement *out)
{
	struct csv_line csv = { .path = path };
	struct measurement_row *rows;
	size_t lines = 1;

	FORWARD_IF_ERROR(text_check(path, text, size));
	*out = (struct measurement){ .name = catalogue_name_of(path), .path = keep_text(path) };
	for (size_t i = 0; i < size; i++)
		lines += text[i] == '\n';
	rows = keep_memory(lines * sizeof(*rows));
	for (size_t start = size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0; start < size;) {
		const char *end = memchr(text + start, '\n', size - start);
		size_t length = end != NULL ? (size_t)(end - text) - start : size - start, next = start + length + 1;

		csv.line++;
		if (length > 0 && text[start + length - 1] == '\r')
			length--;
		if (length == 0)
			RETURN_ERROR(CV_BAD_INPUT, "%s:%u: an empty line; remove it", path, csv.line);
		FORWARD_IF_ERROR(split(text + start, length, &csv));
		if (out->columns == NULL) {
			FORWARD_IF_ERROR(read_header(&csv, out));
		} else {
			FORWARD_IF_ERROR(read_row(&csv, out, &rows[out->row_count]));
			FORWARD_IF_ERROR(check_new(&csv, rows, out->row_count));
			out->row_count++;
		}
		start = next;
	}
	RETURN_ERROR_IF(out->row_count == 0, CV_BAD_INPUT, "%s: no measured values below the header", path);
	out->rows = rows;
	return CV_OK;
}

cv_result measurement_load(const char *name_or_path, struct measurement *out)
{
	const char *path;
	cv_result result;
	size_t size;
	char *text;

	FORWARD_IF_ERROR(catalogue_resolve(CATALOGUE_MEASUREMENTS, name_or_path, NULL, &path));
	FORWARD_IF_ERROR(text_file_read(path, &text, &size));
	result = measurement_parse(path, text, size, out);
	free(text);
	return result;
}

int measurement_column(const struct measurement *measurement, const char *name)
{
	for (size_t i = 0; i < measurement->column_count; i++)
		if (strcmp(measurement->columns[i], name) == 0)
			return (int)i;
	return -1;
}

bool measurement_is_operation(const char *metric)
{
	size_t length = strlen(metric);

	if (strchr(metric, '|') != NULL)
		return false;
	for (const char *at = param_table[P_WORKLOAD_EXIT].choices; at != NULL; at = strchr(at, '|')) {
		at += *at == '|';
		if (strncmp(at, metric, length) == 0 && (at[length] == '|' || at[length] == '\0'))
			return true;
	}
	return false;
}

static const struct study_metric *own_metric(const struct measurement_row *row, const struct study_variant *variant)
{
	for (size_t i = 0; i < variant->metric_count; i++)
		if (strcmp(variant->metrics[i].metric, row->metric) == 0)
			return &variant->metrics[i];
	return NULL;
}

static bool metric_fits(const struct measurement_row *row, const struct study_variant *variant)
{
	const struct param_set *params = &variant->params;
	bool operation = measurement_is_operation(row->metric);

	if (variant->metric_count > 0)
		return own_metric(row, variant) != NULL;
	if (!param_choice_is(params, P_WORKLOAD_KIND, "microbench"))
		return !operation;
	return operation && param_choice_is(params, P_WORKLOAD_EXIT, row->metric);
}

bool measurement_row_matches(const struct measurement *measurement, const struct measurement_row *row,
			     const struct study_variant *variant)
{
	for (size_t i = 0; i < variant->match_count; i++) {
		int column = measurement_column(measurement, variant->match[i].column);

		if (column < 0 || strcmp(row->axes[column], variant->match[i].value) != 0)
			return false;
	}
	return variant->match_count > 0 && metric_fits(row, variant);
}

/* The place of the axis that a row is about, -1 when the study has none such. */
static int row_axis(const struct measurement *measurement, const struct measurement_row *row, const struct study *study)
{
	int column = measurement_column(measurement, study->axis_name);

	if (column < 0)
		return study->axis_count == 1 ? 0 : -1;
	for (size_t a = 0; a < study->axis_count; a++) {
		char text[64];

		param_format(study->axis, &study->axis_values[a], text, sizeof(text));
		if (strcmp(text, row->axes[column]) == 0)
			return (int)a;
	}
	return -1;
}

static enum study_quantity quantity_of(const struct measurement_row *row, const struct study_variant *variant)
{
	const struct study_metric *metric = own_metric(row, variant);

	return metric != NULL ? metric->quantity : QUANTITY_BY_METRIC;
}

bool measurement_point(const struct measurement *measurement, const struct measurement_row *row,
		       const struct study *study, struct measurement_answer *out)
{
	int axis = row_axis(measurement, row, study);

	if (axis < 0)
		return false;
	for (size_t v = 0; v < study->variant_count; v++) {
		if (!measurement_row_matches(measurement, row, &study->variants[v]))
			continue;
		*out = (struct measurement_answer){ .variant = v, .axis_index = (size_t)axis,
						    .quantity = quantity_of(row, &study->variants[v]) };
		return true;
	}
	for (size_t d = 0; d < study->difference_count; d++) {
		const struct study_difference *difference = &study->differences[d];

		if (!measurement_row_matches(measurement, row, &difference->rows))
			continue;
		*out = (struct measurement_answer){ .variant = difference->of, .axis_index = (size_t)axis, .difference = true,
						    .minus = difference->minus, .quantity = quantity_of(row, &difference->rows) };
		return true;
	}
	return false;
}
