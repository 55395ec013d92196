// SPDX-License-Identifier: Apache-2.0
/*
 * Reads the runs and what was counted in them. Each table is read once in the order of its runs and dealt out to them,
 * so the time is that of one scan and one sort for each table, with or without indexes.
 */
#include "study/store/read.h"

#include <string.h>

/* The runs in order of (point, replication), and where to find a run by its id. */
struct dealer {
	sqlite3 *db;
	struct results *results;
	struct results_run *runs;
	int64_t *ids;
	size_t count;
};

static const char *column_text(struct dealer *dealer, sqlite3_stmt *statement, int column)
{
	return arena_string(&dealer->results->arena, (const char *)sqlite3_column_text(statement, column));
}

typedef void row_fn(struct dealer *dealer, sqlite3_stmt *statement, void *record);

static void lock_row(struct dealer *dealer, sqlite3_stmt *statement, void *record)
{
	struct sim_lock_row *lock = record;

	lock->lock = column_text(dealer, statement, 1);
	lock->caller = column_text(dealer, statement, 2);
	lock->acquisitions = (uint64_t)sqlite3_column_int64(statement, 3);
	lock->contended = (uint64_t)sqlite3_column_int64(statement, 4);
	lock->queued = (uint64_t)sqlite3_column_int64(statement, 5);
	lock->wait_total = (uint64_t)sqlite3_column_int64(statement, 6);
	lock->wait_max = (uint64_t)sqlite3_column_int64(statement, 7);
	lock->hold_total = (uint64_t)sqlite3_column_int64(statement, 8);
	lock->hold_max = (uint64_t)sqlite3_column_int64(statement, 9);
}

static void account_row(struct dealer *dealer, sqlite3_stmt *statement, void *record)
{
	struct sim_account_row *account = record;

	account->stack = column_text(dealer, statement, 1);
	account->reason = column_text(dealer, statement, 2);
	account->ps = (uint64_t)sqlite3_column_int64(statement, 3);
}

static void metric_row(struct dealer *dealer, sqlite3_stmt *statement, void *record)
{
	struct sim_metric *metric = record;

	metric->name = column_text(dealer, statement, 1);
	metric->unit = column_text(dealer, statement, 2);
	metric->value = (uint64_t)sqlite3_column_int64(statement, 3);
}

static void number_row(struct dealer *dealer, sqlite3_stmt *statement, void *record)
{
	uint64_t *number = record;

	(void)dealer;
	*number = (uint64_t)sqlite3_column_int64(statement, 1);
}

enum part { PART_LOCKS, PART_ACCOUNTS, PART_METRICS, PART_BATCHES, PART_CPU_EXITS, PARTS };

static const struct part_table {
	const char *table, *select;
	size_t size;
	row_fn *fill;
} part_table[PARTS] = {
	[PART_LOCKS] = {"lock",
		"SELECT run, l.text, c.text, acquisitions, contended, queued, wait_total_ps, wait_max_ps, hold_total_ps, "
		"hold_max_ps FROM lock JOIN name l ON l.id = lock JOIN name c ON c.id = caller ORDER BY run, l.text, c.text",
		sizeof(struct sim_lock_row), lock_row},
	[PART_ACCOUNTS] = {"account",
		"SELECT run, s.text, r.text, ps FROM account JOIN name s ON s.id = stack JOIN name r ON r.id = reason "
		"ORDER BY run, s.text, r.text", sizeof(struct sim_account_row), account_row},
	[PART_METRICS] = {"metric",
		"SELECT run, n.text, u.text, value FROM metric JOIN name n ON n.id = name JOIN name u ON u.id = unit "
		"ORDER BY run, n.text", sizeof(struct sim_metric), metric_row},
	[PART_BATCHES] = {"batch", "SELECT run, exits FROM batch ORDER BY run, idx", sizeof(uint64_t), number_row},
	[PART_CPU_EXITS] = {"cpu_exits", "SELECT run, exits FROM cpu_exits ORDER BY run, vcpu", sizeof(uint64_t),
		number_row},
};

static void attach(struct sim_result *sim, enum part part, void *records, size_t count)
{
	switch (part) {
	case PART_LOCKS:
		sim->locks = records;
		sim->lock_count = count;
		break;
	case PART_ACCOUNTS:
		sim->accounts = records;
		sim->account_count = count;
		break;
	case PART_METRICS:
		sim->metrics = records;
		sim->metric_count = count;
		break;
	case PART_BATCHES:
		sim->batches = records;
		sim->batch_count = count;
		break;
	case PART_CPU_EXITS:
		sim->cpu_exits = records;
		sim->cpu_count = count;
		break;
	case PARTS:
		break;
	}
}

/* The run with this id. Rows come by ascending id, but the runs are kept by (point, replication). */
static struct results_run *run_of(struct dealer *dealer, int64_t id)
{
	for (size_t i = 0; i < dealer->count; i++)
		if (dealer->ids[i] == id)
			return &dealer->runs[i];
	return NULL;
}

static cv_result deal(struct dealer *dealer, enum part part)
{
	const struct part_table *table = &part_table[part];
	const char *path = dealer->results->path;
	sqlite3_stmt *statement;
	size_t total, n = 0, first = 0;
	int64_t id = -1;
	bool row;

	FORWARD_IF_ERROR(read_count(dealer->db, path, table->table, &total));
	char *records = arena_alloc(&dealer->results->arena, total + 1, table->size);

	FORWARD_IF_ERROR(sql_prepare(dealer->db, path, table->select, &statement));
	cv_result result = sql_next(dealer->db, path, statement, &row);

	while (result == CV_OK) {
		int64_t next = row ? sqlite3_column_int64(statement, 0) : -1;

		if (next != id && n > first) {
			struct results_run *run = run_of(dealer, id);

			if (!run) {
				result = cv_error_set(CV_BAD_DATABASE, "%s: damaged: table %s names run %lld, "
						      "which is not there", path, table->table, (long long)id);
				break;
			}
			attach(&run->sim, part, records + first * table->size, n - first);
			first = n;
		}
		if (!row || n == total)
			break;
		id = next;
		table->fill(dealer, statement, records + n++ * table->size);
		result = sql_next(dealer->db, path, statement, &row);
	}
	sqlite3_finalize(statement);
	return result;
}

static cv_result read_run_rows(struct dealer *dealer)
{
	const char *path = dealer->results->path;
	sqlite3_stmt *statement;
	size_t n = 0;
	bool row;

	FORWARD_IF_ERROR(sql_prepare(dealer->db, path,
		"SELECT run.id, point, replication, seed, warmup_ps, measured_ps, host_ns, host_peak_bytes FROM run "
		"JOIN point ON point.id = point ORDER BY variant, axis_index, replication", &statement));
	cv_result result = sql_next(dealer->db, path, statement, &row);

	while (result == CV_OK && row && n < dealer->count) {
		struct results_run *run = &dealer->runs[n];

		dealer->ids[n++] = sqlite3_column_int64(statement, 0);
		run->point = (uint32_t)sqlite3_column_int64(statement, 1);
		run->replication = (uint32_t)sqlite3_column_int64(statement, 2);
		run->seed = (uint64_t)sqlite3_column_int64(statement, 3);
		run->warmup = (uint64_t)sqlite3_column_int64(statement, 4);
		run->sim.measured = (uint64_t)sqlite3_column_int64(statement, 5);
		run->sim.host_ns = (uint64_t)sqlite3_column_int64(statement, 6);
		run->sim.host_peak_bytes = (uint64_t)sqlite3_column_int64(statement, 7);
		result = sql_next(dealer->db, path, statement, &row);
	}
	sqlite3_finalize(statement);
	dealer->count = n;
	return result;
}

static ps_t batch_length(const struct results *results, uint32_t point)
{
	const char *text = results_param_value(results, point, "run.batch");
	struct param_value value;

	if (!text || param_parse(P_RUN_BATCH, text, &value) != CV_OK)
		return 0;
	return (ps_t)value.number;
}

cv_result read_runs(sqlite3 *db, struct results *results)
{
	struct dealer dealer = {.db = db, .results = results};
	struct results_point *points = (struct results_point *)results->points;
	size_t next = 0;

	FORWARD_IF_ERROR(read_count(db, results->path, "run", &dealer.count));
	dealer.runs = arena_alloc(&results->arena, dealer.count + 1, sizeof(*dealer.runs));
	dealer.ids = arena_alloc(&results->arena, dealer.count + 1, sizeof(*dealer.ids));
	FORWARD_IF_ERROR(read_run_rows(&dealer));
	for (enum part part = 0; part < PARTS; part++)
		FORWARD_IF_ERROR(deal(&dealer, part));
	results->runs = dealer.runs;
	results->run_count = dealer.count;
	for (size_t p = 0; p < results->point_count; p++) {
		points[p].runs = dealer.runs + next;
		while (next < dealer.count && dealer.runs[next].point == points[p].id)
			dealer.runs[next++].batch = batch_length(results, points[p].id);
		points[p].run_count = (size_t)(dealer.runs + next - points[p].runs);
	}
	RETURN_ERROR_IF(next != dealer.count, CV_BAD_DATABASE, "%s: damaged: a run of a point that is not there",
			results->path);
	return CV_OK;
}
