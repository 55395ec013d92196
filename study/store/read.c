// SPDX-License-Identifier: Apache-2.0
/* Reads the study, its variants, points, parameters and measured rows; read_runs.c reads the rest. See results.h. */
#include "study/store/read.h"

#include <string.h>

#include "study/param.h"

static const char *column_text(struct results *results, sqlite3_stmt *statement, int column)
{
	return arena_string(&results->arena, (const char *)sqlite3_column_text(statement, column));
}

cv_result read_count(sqlite3 *db, const char *path, const char *table, size_t *out)
{
	char text[100];
	sqlite3_stmt *statement;
	bool row;

	sqlite3_snprintf(sizeof(text), text, "SELECT COUNT(*) FROM %w", table);
	FORWARD_IF_ERROR(sql_prepare(db, path, text, &statement));
	cv_result result = sql_next(db, path, statement, &row);

	*out = result == CV_OK && row ? (size_t)sqlite3_column_int64(statement, 0) : 0;
	sqlite3_finalize(statement);
	return result;
}

/* One table: `size`-byte records, `fill` makes one from the current row. */
typedef void fill_fn(struct results *results, sqlite3_stmt *statement, void *record);

static cv_result read_table(sqlite3 *db, struct results *results, const char *table, const char *select, size_t size,
			    fill_fn *fill, void *records_out, size_t *count_out)
{
	sqlite3_stmt *statement;
	size_t count, n = 0;
	bool row = true;

	FORWARD_IF_ERROR(read_count(db, results->path, table, &count));
	char *records = arena_alloc(&results->arena, count + 1, size);

	FORWARD_IF_ERROR(sql_prepare(db, results->path, select, &statement));
	cv_result result = sql_next(db, results->path, statement, &row);

	while (result == CV_OK && row && n < count) {
		fill(results, statement, records + n++ * size);
		result = sql_next(db, results->path, statement, &row);
	}
	sqlite3_finalize(statement);
	memcpy(records_out, &records, sizeof(records));
	*count_out = n;
	return result;
}

static void fill_study(struct results *results, sqlite3_stmt *statement, void *record)
{
	const char **field[] = {&results->name, &results->question, &results->study_path, &results->text,
				&results->axis, &results->axis_name, &results->measurement, &results->command,
				&results->version};

	(void)record;
	for (int i = 0; i < (int)(sizeof(field) / sizeof(field[0])); i++)
		*field[i] = column_text(results, statement, i);
}

static void fill_variant(struct results *results, sqlite3_stmt *statement, void *record)
{
	struct results_variant *variant = record;

	variant->name = column_text(results, statement, 0);
	variant->meaning = column_text(results, statement, 1);
	variant->kernel = column_text(results, statement, 2);
}

static void fill_point(struct results *results, sqlite3_stmt *statement, void *record)
{
	struct results_point *point = record;

	(void)results;
	point->id = (uint32_t)sqlite3_column_int64(statement, 0);
	point->variant = (uint32_t)sqlite3_column_int64(statement, 1);
	point->axis_index = (uint32_t)sqlite3_column_int64(statement, 2);
	point->axis_value = column_text(results, statement, 3);
}

static void fill_param(struct results *results, sqlite3_stmt *statement, void *record)
{
	struct results_param *param = record;

	param->point = sqlite3_column_int64(statement, 0);
	param->name = column_text(results, statement, 1);
	param->value = column_text(results, statement, 2);
	param->source_class = column_text(results, statement, 3);
	param->source = column_text(results, statement, 4);
	param->place = column_text(results, statement, 5);
}

static void fill_measured(struct results *results, sqlite3_stmt *statement, void *record)
{
	struct results_measured *measured = record;

	measured->measurement = column_text(results, statement, 0);
	measured->row = sqlite3_column_int64(statement, 1);
	measured->point = sqlite3_column_type(statement, 2) == SQLITE_NULL ? -1 : sqlite3_column_int64(statement, 2);
	measured->point_text = column_text(results, statement, 3);
	measured->metric = column_text(results, statement, 4);
	measured->unit = column_text(results, statement, 5);
	measured->value = sqlite3_column_double(statement, 6);
	measured->role = column_text(results, statement, 7);
	measured->minus = sqlite3_column_type(statement, 8) == SQLITE_NULL ? -1 : sqlite3_column_int64(statement, 8);
	measured->quantity = (enum study_quantity)sqlite3_column_int(statement, 9);
	measured->clock_hz = (uint64_t)sqlite3_column_int64(statement, 10);
}

#define MEASURED "SELECT measurement, row, point, point_text, metric, unit, value, role, "
#define IN_ORDER " ORDER BY measurement, row"

/* Files of before the table `answer`: every row's metric says itself what it is. */
static cv_result select_measured(sqlite3 *db, const struct results *results, const char **select)
{
	sqlite3_stmt *statement;
	bool row;

	FORWARD_IF_ERROR(sql_prepare(db, results->path, "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'answer'",
				     &statement));
	cv_result result = sql_next(db, results->path, statement, &row);

	*select = result == CV_OK && row ? MEASURED "minus, quantity, clock_hz FROM measured LEFT JOIN answer USING (measurement, row)"
						    IN_ORDER
					 : MEASURED "NULL, 0, 0 FROM measured" IN_ORDER;
	sqlite3_finalize(statement);
	return result;
}

static cv_result read_head(sqlite3 *db, struct results *results)
{
	const char *measured;
	void *study;
	size_t study_rows;

	FORWARD_IF_ERROR(read_table(db, results, "study",
		"SELECT name, question, path, text, axis, axis_name, measurement, command, version FROM study",
		1, fill_study, &study, &study_rows));
	RETURN_ERROR_IF(study_rows != 1, CV_BAD_DATABASE, "%s: damaged: it holds no study", results->path);
	FORWARD_IF_ERROR(read_table(db, results, "variant", "SELECT name, meaning, kernel FROM variant ORDER BY id",
		sizeof(struct results_variant), fill_variant, &results->variants, &results->variant_count));
	FORWARD_IF_ERROR(read_table(db, results, "point",
		"SELECT id, variant, axis_index, axis_value FROM point ORDER BY variant, axis_index",
		sizeof(struct results_point), fill_point, &results->points, &results->point_count));
	FORWARD_IF_ERROR(read_table(db, results, "parameter",
		"SELECT point, text, value, source_class, source, place FROM parameter JOIN name ON name.id = parameter "
		"ORDER BY point, text", sizeof(struct results_param), fill_param, &results->params,
		&results->param_count));
	FORWARD_IF_ERROR(select_measured(db, results, &measured));
	FORWARD_IF_ERROR(read_table(db, results, "measured", measured, sizeof(struct results_measured), fill_measured, &results->measured,
		&results->measured_count));
	for (size_t i = 0; i < results->point_count; i++)
		RETURN_ERROR_IF(results->points[i].variant >= results->variant_count, CV_BAD_DATABASE,
				"%s: damaged: a point of a variant that is not there", results->path);
	return CV_OK;
}

static cv_result read_file(const char *path, struct results *out, bool with_runs)
{
	sqlite3 *db;

	memset(out, 0, sizeof(*out));
	FORWARD_IF_ERROR(sql_open_ours(path, &db));
	out->path = arena_string(&out->arena, path);
	/* One transaction: a consistent picture, even of a file that is being written. */
	cv_result result = sql_exec(db, path, "BEGIN");

	if (result == CV_OK)
		result = read_head(db, out);
	if (result == CV_OK && with_runs)
		result = read_runs(db, out);
	sqlite3_close(db);
	if (result != CV_OK)
		results_free(out);
	return result;
}

cv_result results_read(const char *path, struct results *out)
{
	return read_file(path, out, true);
}

cv_result results_read_head(const char *path, struct results *out)
{
	return read_file(path, out, false);
}

void results_free(struct results *results)
{
	arena_free(&results->arena);
	memset(results, 0, sizeof(*results));
}

const char *results_param_value(const struct results *results, uint32_t point, const char *name)
{
	for (size_t i = 0; i < results->param_count; i++) {
		const struct results_param *param = &results->params[i];

		if ((param->point == -1 || param->point == (int64_t)point) && strcmp(param->name, name) == 0)
			return param->value;
	}
	return NULL;
}

bool results_metric(const struct results_run *run, const char *name, uint64_t *out)
{
	for (size_t i = 0; i < run->sim.metric_count; i++) {
		if (strcmp(run->sim.metrics[i].name, name) == 0) {
			*out = run->sim.metrics[i].value;
			return true;
		}
	}
	return false;
}
