// SPDX-License-Identifier: Apache-2.0
/* Inserts one run with everything that was counted in it, in one transaction, with statements prepared once. */
#include "study/store/write.h"

#include <stdlib.h>
#include <string.h>

enum statement {
	INSERT_NAME, FIND_NAME, INSERT_RUN, INSERT_METRIC, INSERT_ACCOUNT, INSERT_LOCK, INSERT_BATCH, INSERT_CPU_EXITS,
	STATEMENTS
};

struct store_insert { sqlite3_stmt *statement[STATEMENTS]; };

static const char *const statement_text[STATEMENTS] = {
	[INSERT_NAME] = "INSERT INTO name (text) VALUES (?)",
	[FIND_NAME] = "SELECT id FROM name WHERE text = ?",
	[INSERT_RUN] = "INSERT INTO run (point, replication, seed, warmup_ps, measured_ps, cpus, host_ns, host_peak_bytes, "
		       "version) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
	[INSERT_METRIC] = "INSERT INTO metric (run, name, unit, value) VALUES (?, ?, ?, ?)",
	[INSERT_ACCOUNT] = "INSERT INTO account (run, stack, reason, ps) VALUES (?, ?, ?, ?)",
	[INSERT_LOCK] = "INSERT INTO lock (run, lock, caller, acquisitions, contended, queued, wait_total_ps, wait_max_ps, "
			"hold_total_ps, hold_max_ps) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
	[INSERT_BATCH] = "INSERT INTO batch (run, idx, exits) VALUES (?, ?, ?)",
	[INSERT_CPU_EXITS] = "INSERT INTO cpu_exits (run, vcpu, exits) VALUES (?, ?, ?)",
};

cv_result insert_prepare(struct store *store)
{
	store->insert = calloc(1, sizeof(*store->insert));
	RETURN_ERROR_IF(!store->insert, CV_IO, "out of memory");
	for (int i = 0; i < STATEMENTS; i++)
		FORWARD_IF_ERROR(sql_prepare(store->db, store->path, statement_text[i], &store->insert->statement[i]));
	return CV_OK;
}

void insert_free(struct store *store)
{
	if (!store->insert)
		return;
	for (int i = 0; i < STATEMENTS; i++)
		sqlite3_finalize(store->insert->statement[i]);
	free(store->insert);
	store->insert = NULL;
}

static cv_result run_statement(struct store *store, enum statement which)
{
	return sql_run(store->db, store->path, store->insert->statement[which]);
}

cv_result insert_name(struct store *store, const char *text, int64_t *id)
{
	sqlite3_stmt *find = store->insert->statement[FIND_NAME];
	sqlite3_stmt *insert = store->insert->statement[INSERT_NAME];
	bool row;

	sqlite3_bind_text(find, 1, text, -1, SQLITE_STATIC);
	cv_result result = sql_next(store->db, store->path, find, &row);

	if (result == CV_OK && row)
		*id = sqlite3_column_int64(find, 0);
	sqlite3_reset(find);
	if (result != CV_OK || row)
		return result;
	sqlite3_bind_text(insert, 1, text, -1, SQLITE_STATIC);
	FORWARD_IF_ERROR(run_statement(store, INSERT_NAME));
	*id = sqlite3_last_insert_rowid(store->db);
	return CV_OK;
}

static cv_result insert_numbers(struct store *store, enum statement which, int64_t run, int64_t a, int64_t b,
				const uint64_t *values, int count)
{
	sqlite3_stmt *statement = store->insert->statement[which];
	int column = 0;

	sqlite3_bind_int64(statement, ++column, run);
	sqlite3_bind_int64(statement, ++column, a);
	if (b >= 0)
		sqlite3_bind_int64(statement, ++column, b);
	for (int i = 0; i < count; i++)
		sql_bind_u64(statement, ++column, values[i]);
	return run_statement(store, which);
}

static cv_result insert_counted(struct store *store, int64_t run, const struct sim_result *result)
{
	int64_t a, b;

	for (size_t i = 0; i < result->metric_count; i++) {
		const struct sim_metric *metric = &result->metrics[i];

		FORWARD_IF_ERROR(insert_name(store, metric->name, &a));
		FORWARD_IF_ERROR(insert_name(store, metric->unit, &b));
		FORWARD_IF_ERROR(insert_numbers(store, INSERT_METRIC, run, a, b, &metric->value, 1));
	}
	for (size_t i = 0; i < result->account_count; i++) {
		const struct sim_account_row *account = &result->accounts[i];

		FORWARD_IF_ERROR(insert_name(store, account->stack, &a));
		FORWARD_IF_ERROR(insert_name(store, account->reason, &b));
		FORWARD_IF_ERROR(insert_numbers(store, INSERT_ACCOUNT, run, a, b, &account->ps, 1));
	}
	for (size_t i = 0; i < result->lock_count; i++) {
		const struct sim_lock_row *lock = &result->locks[i];
		const uint64_t values[] = {lock->acquisitions, lock->contended, lock->queued, lock->wait_total,
					   lock->wait_max, lock->hold_total, lock->hold_max};

		FORWARD_IF_ERROR(insert_name(store, lock->lock, &a));
		FORWARD_IF_ERROR(insert_name(store, lock->caller, &b));
		FORWARD_IF_ERROR(insert_numbers(store, INSERT_LOCK, run, a, b, values, 7));
	}
	for (size_t i = 0; i < result->batch_count; i++)
		FORWARD_IF_ERROR(insert_numbers(store, INSERT_BATCH, run, (int64_t)i, -1, &result->batches[i], 1));
	for (size_t i = 0; i < result->cpu_count; i++)
		FORWARD_IF_ERROR(insert_numbers(store, INSERT_CPU_EXITS, run, (int64_t)i, -1, &result->cpu_exits[i], 1));
	return CV_OK;
}

static cv_result insert_run(struct store *store, uint32_t point, uint32_t replication, const struct param_set *params,
			    const struct sim_result *result)
{
	sqlite3_stmt *statement = store->insert->statement[INSERT_RUN];

	sqlite3_bind_int64(statement, 1, point);
	sqlite3_bind_int64(statement, 2, replication);
	sqlite3_bind_int64(statement, 3, params->value[P_RUN_SEED].number);
	sqlite3_bind_int64(statement, 4, params->value[P_RUN_WARMUP].number);
	sql_bind_u64(statement, 5, result->measured);
	sqlite3_bind_int64(statement, 6, (int64_t)result->cpu_count);
	sql_bind_u64(statement, 7, result->host_ns);
	sql_bind_u64(statement, 8, result->host_peak_bytes);
	sqlite3_bind_text(statement, 9, store_version(), -1, SQLITE_STATIC);
	FORWARD_IF_ERROR(run_statement(store, INSERT_RUN));
	return insert_counted(store, sqlite3_last_insert_rowid(store->db), result);
}

cv_result store_add_run(struct store *store, uint32_t point, uint32_t replication, const struct param_set *params,
			const struct sim_result *result)
{
	FORWARD_IF_ERROR(sql_exec(store->db, store->path, "BEGIN IMMEDIATE"));
	cv_result code = insert_run(store, point, replication, params, result);

	if (code == CV_OK)
		code = sql_exec(store->db, store->path, "COMMIT");
	if (code != CV_OK) {
		/* The text of the first error stays: a failing ROLLBACK only says the same again. */
		sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
		return code;
	}
	if (point < store->points && replication < store->replications)
		store->present[(size_t)point * store->replications + replication] = 1;
	store->run_count++;
	return CV_OK;
}
