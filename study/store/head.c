// SPDX-License-Identifier: Apache-2.0
/* The tables that describe the study; see head.h. The caller holds the transaction. */
#include "study/store/head.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "study/store/schema_sql.h"

cv_result head_create_schema(struct store *store)
{
	char pragmas[100];

	sqlite3_snprintf(sizeof(pragmas), pragmas, "PRAGMA application_id = %d; PRAGMA user_version = %d",
			 STORE_APPLICATION_ID, STORE_USER_VERSION);
	FORWARD_IF_ERROR(sql_exec(store->db, store->path, pragmas));
	FORWARD_IF_ERROR(sql_exec(store->db, store->path, "BEGIN"));
	FORWARD_IF_ERROR(sql_exec(store->db, store->path, schema_sql));
	return sql_exec(store->db, store->path, "COMMIT");
}

static void bind_number(sqlite3_stmt *statement, int column, int64_t number, bool or_null)
{
	if (or_null && number == -1)
		sqlite3_bind_null(statement, column);
	else
		sqlite3_bind_int64(statement, column, number);
}

/* Prepares, binds by `types` (t: text, i: int64_t, j: int64_t with -1 for NULL, d: double), runs once. */
static cv_result insert_row(struct store *store, const char *text, const char *types, ...)
{
	sqlite3_stmt *statement;
	va_list arguments;

	FORWARD_IF_ERROR(sql_prepare(store->db, store->path, text, &statement));
	va_start(arguments, types);
	for (int i = 0; types[i]; i++) {
		if (types[i] == 't')
			sqlite3_bind_text(statement, i + 1, va_arg(arguments, const char *), -1, SQLITE_TRANSIENT);
		else if (types[i] == 'd')
			sqlite3_bind_double(statement, i + 1, va_arg(arguments, double));
		else
			bind_number(statement, i + 1, va_arg(arguments, int64_t), types[i] == 'j');
	}
	va_end(arguments);
	cv_result result = sql_run(store->db, store->path, statement);

	sqlite3_finalize(statement);
	return result;
}

static cv_result insert_variant(struct store *store, const struct study *study, size_t v)
{
	const struct study_variant *variant = &study->variants[v];

	FORWARD_IF_ERROR(insert_row(store, "INSERT INTO variant VALUES (?, ?, ?, ?)", "ittt", (int64_t)v, variant->name,
				    variant->meaning ? variant->meaning : "", variant->kernel ? variant->kernel : ""));
	for (size_t m = 0; m < variant->match_count; m++)
		FORWARD_IF_ERROR(insert_row(store, "INSERT INTO variant_match VALUES (?, ?, ?)", "itt", (int64_t)v,
					    variant->match[m].column, variant->match[m].value));
	for (size_t a = 0; a < study->axis_count; a++) {
		char value[64];

		param_format(study->axis, &study->axis_values[a], value, sizeof(value));
		FORWARD_IF_ERROR(insert_row(store, "INSERT INTO point VALUES (?, ?, ?, ?)", "iiit",
					    (int64_t)store_point_id(study, v, a), (int64_t)v, (int64_t)a, value));
	}
	return CV_OK;
}

cv_result head_insert_study(struct store *store, const struct study *study, const char *command)
{
	FORWARD_IF_ERROR(insert_row(store, "INSERT INTO study VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?)", "ttttttttt",
				    study->name, study->question ? study->question : "", study->path, study->text,
				    param_table[study->axis].name, study->axis_name,
				    study->measurement ? study->measurement : "", command, store_version()));
	for (size_t v = 0; v < study->variant_count; v++)
		FORWARD_IF_ERROR(insert_variant(store, study, v));
	return CV_OK;
}

static bool same_everywhere(enum param_id id, const struct param_set *sets, size_t count)
{
	const struct param_value *first = &sets[0].value[id];

	for (size_t i = 1; i < count; i++) {
		const struct param_value *value = &sets[i].value[id];

		if (value->present != first->present || value->number != first->number ||
		    value->in_cycles != first->in_cycles || value->source_class != first->source_class ||
		    strcmp(value->source ? value->source : "", first->source ? first->source : "") != 0 ||
		    strcmp(value->where ? value->where : "", first->where ? first->where : "") != 0)
			return false;
	}
	return true;
}

static cv_result insert_parameter(struct store *store, int64_t point, enum param_id id, const struct param_value *value)
{
	char text[128];
	int64_t name;

	if (!value->present)
		return CV_OK;
	param_format(id, value, text, sizeof(text));
	FORWARD_IF_ERROR(insert_name(store, param_table[id].name, &name));
	return insert_row(store, "INSERT INTO parameter VALUES (?, ?, ?, ?, ?, ?)", "iitttt", point, name, text,
			  source_class_name(value->source_class), value->source ? value->source : "",
			  value->where ? value->where : "");
}

static cv_result insert_parameters(struct store *store, const struct param_set *sets, size_t count)
{
	for (enum param_id id = 0; id < PARAM_IDS; id++) {
		bool once = same_everywhere(id, sets, count);

		for (size_t i = 0; i < (once ? 1 : count); i++)
			FORWARD_IF_ERROR(insert_parameter(store, once ? -1 : (int64_t)i, id, &sets[i].value[id]));
	}
	return CV_OK;
}

cv_result head_replace_parameters(struct store *store, const struct study *study)
{
	size_t count = study->variant_count * study->axis_count;
	struct param_set *sets = calloc(count + 1, sizeof(*sets));
	cv_result result = CV_OK;

	RETURN_ERROR_IF(!sets, CV_IO, "out of memory");
	for (size_t v = 0; v < study->variant_count; v++)
		for (size_t a = 0; a < study->axis_count; a++)
			study_point_values(study, v, a, &sets[store_point_id(study, v, a)]);
	if (result == CV_OK)
		result = sql_exec(store->db, store->path, "DELETE FROM parameter");
	if (result == CV_OK)
		result = insert_parameters(store, sets, count);
	free(sets);
	return result;
}

cv_result head_replace_measured(struct store *store, const struct store_measured *rows, size_t count)
{
	FORWARD_IF_ERROR(sql_exec(store->db, store->path, "DELETE FROM measured; DELETE FROM answer"));
	for (size_t i = 0; i < count; i++)
		FORWARD_IF_ERROR(insert_row(store, "INSERT INTO measured VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
					    "tijtttdt", rows[i].measurement, rows[i].row, rows[i].point, rows[i].point_text,
					    rows[i].metric, rows[i].unit, rows[i].value, rows[i].role));
	for (size_t i = 0; i < count; i++)
		if (rows[i].quantity != QUANTITY_BY_METRIC)
			FORWARD_IF_ERROR(insert_row(store, "INSERT INTO answer VALUES (?, ?, ?, ?, ?)", "tijii", rows[i].measurement,
						    rows[i].row, rows[i].minus, (int64_t)rows[i].quantity,
						    (int64_t)rows[i].clock_hz));
	return CV_OK;
}

cv_result head_create_indexes(struct store *store)
{
	return sql_exec(store->db, store->path,
			"CREATE INDEX IF NOT EXISTS metric_run ON metric (run);"
			"CREATE INDEX IF NOT EXISTS account_run ON account (run);"
			"CREATE INDEX IF NOT EXISTS lock_run ON lock (run);"
			"CREATE INDEX IF NOT EXISTS batch_run ON batch (run);"
			"CREATE INDEX IF NOT EXISTS cpu_exits_run ON cpu_exits (run);"
			"PRAGMA optimize");
}
