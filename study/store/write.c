// SPDX-License-Identifier: Apache-2.0
/*
 * Opens, makes and closes a results file for writing; see store.h.
 *
 * A new file is made whole under another name (schema and study), then renamed: there is never a half-made results file.
 * A writer holds a flock on the file besides SQLite's own locks, which are only held during a transaction: two commands
 * that simulate the same study into the same file would do the work twice and trip over each other's runs.
 * Journal: the default rollback journal; with synchronous=NORMAL a killed process loses nothing that was stored.
 */
#include "study/store/write.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "study/keep.h"
#include "study/store/head.h"

const char *store_version(void)
{
	return CONVOY_VERSION;
}

uint32_t store_point_id(const struct study *study, size_t variant, size_t axis_index)
{
	return (uint32_t)(variant * study->axis_count + axis_index);
}

bool store_has_run(const struct store *store, uint32_t point, uint32_t replication)
{
	return point < store->points && replication < store->replications &&
	       store->present[(size_t)point * store->replications + replication];
}

size_t store_run_count(const struct store *store)
{
	return store->run_count;
}

/* Makes the file under the name `temporary`: schema, study, parameters. */
static cv_result make_file(const char *temporary, const char *path, const struct study *study,
			   const struct store_options *options)
{
	struct store maker = {.path = (char *)path, .lock_fd = -1};
	cv_result result;

	unlink(temporary);
	if (sqlite3_open_v2(temporary, &maker.db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) != SQLITE_OK) {
		result = sql_error(maker.db, path);
		sqlite3_close(maker.db);
		return result;
	}
	result = head_create_schema(&maker);
	if (result == CV_OK)
		result = insert_prepare(&maker);
	if (result == CV_OK)
		result = sql_exec(maker.db, path, "BEGIN");
	if (result == CV_OK)
		result = head_insert_study(&maker, study, options->command);
	if (result == CV_OK)
		result = head_replace_parameters(&maker, study);
	if (result == CV_OK)
		result = sql_exec(maker.db, path, "COMMIT");
	insert_free(&maker);
	if (sqlite3_close(maker.db) != SQLITE_OK && result == CV_OK)
		result = cv_error_set(CV_INTERNAL, "%s: cannot close the new file", path);
	return result;
}

static cv_result make_new(const char *path, const struct study *study, const struct store_options *options)
{
	const char *temporary = keep_textf("%s.new-%ld", path, (long)getpid());
	cv_result result = make_file(temporary, path, study, options);

	if (result == CV_OK && rename(temporary, path) != 0)
		result = cv_error_set(CV_IO, "%s: %s", path, strerror(errno));
	if (result != CV_OK) {
		unlink(temporary);
		unlink(keep_textf("%s-journal", temporary));
	}
	return result;
}

/* Keeps other writers out for as long as the store is open. */
static cv_result lock_file(struct store *store)
{
	store->lock_fd = open(store->path, O_RDONLY | O_CLOEXEC);
	RETURN_ERROR_IF(store->lock_fd < 0, CV_IO, "%s: %s", store->path, strerror(errno));
	RETURN_ERROR_IF(flock(store->lock_fd, LOCK_EX | LOCK_NB) != 0, CV_IO,
			"%s: locked by another process (a convoy that writes it): wait for it or use another file",
			store->path);
	RETURN_ERROR_IF(access(store->path, W_OK) != 0, CV_IO, "%s: may not be written (%s)", store->path,
			strerror(errno));
	return CV_OK;
}

static cv_result load_present(struct store *store)
{
	sqlite3_stmt *statement;
	bool row;

	store->present = calloc((size_t)store->points * store->replications + 1, 1);
	RETURN_ERROR_IF(!store->present, CV_IO, "out of memory");
	FORWARD_IF_ERROR(sql_prepare(store->db, store->path, "SELECT point, replication FROM run", &statement));
	cv_result result = sql_next(store->db, store->path, statement, &row);

	while (result == CV_OK && row) {
		int64_t point = sqlite3_column_int64(statement, 0), replication = sqlite3_column_int64(statement, 1);

		store->run_count++;
		if (point < store->points && replication < store->replications)
			store->present[point * store->replications + replication] = 1;
		result = sql_next(store->db, store->path, statement, &row);
	}
	sqlite3_finalize(statement);
	return result;
}

/* Brings what may have changed without making it another study up to date: measured rows, sources of parameters. */
static cv_result refresh(struct store *store, const struct study *study, const struct store_options *options)
{
	FORWARD_IF_ERROR(sql_exec(store->db, store->path, "BEGIN IMMEDIATE"));
	cv_result result = head_replace_parameters(store, study);

	if (result == CV_OK)
		result = head_replace_measured(store, options->measured, options->measured_count);
	if (result == CV_OK)
		result = sql_exec(store->db, store->path, "COMMIT");
	if (result != CV_OK)
		sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
	return result;
}

static cv_result open_store(struct store *store, const struct study *study, const struct store_options *options)
{
	struct results head;
	struct stat status;
	bool there = stat(store->path, &status) == 0 && status.st_size > 0;

	if (there && options->fresh) {
		sqlite3 *ours;

		/* Only what is known to be a results file is thrown away, and only if nobody is writing it. */
		FORWARD_IF_ERROR(sql_open_ours(store->path, &ours));
		sqlite3_close(ours);
		FORWARD_IF_ERROR(lock_file(store));
		close(store->lock_fd);
		store->lock_fd = -1;
	}
	if (!there || options->fresh) {
		FORWARD_IF_ERROR(make_new(store->path, study, options));
		store->made_here = true;
	}
	FORWARD_IF_ERROR(lock_file(store));
	FORWARD_IF_ERROR(results_read_head(store->path, &head));
	cv_result result = same_study(&head, study, store->path);

	results_free(&head);
	FORWARD_IF_ERROR(result);
	FORWARD_IF_ERROR(sql_open_ours(store->path, &store->db));
	FORWARD_IF_ERROR(sql_exec(store->db, store->path, "PRAGMA synchronous = NORMAL; PRAGMA temp_store = MEMORY"));
	FORWARD_IF_ERROR(insert_prepare(store));
	FORWARD_IF_ERROR(refresh(store, study, options));
	return load_present(store);
}

cv_result store_open(const char *path, const struct study *study, const struct store_options *options,
		     struct store **out)
{
	struct store *store = calloc(1, sizeof(*store));

	*out = NULL;
	RETURN_ERROR_IF(!store, CV_IO, "out of memory");
	store->lock_fd = -1;
	store->path = strdup(path);
	store->points = (uint32_t)(study->variant_count * study->axis_count);
	store->replications = 1;
	for (size_t v = 0; v < study->variant_count; v++) {
		uint32_t n = param_count(&study->variants[v].params, P_RUN_REPLICATIONS);

		store->replications = n > store->replications ? n : store->replications;
	}
	cv_result result = store->path ? open_store(store, study, options) : cv_error_set(CV_IO, "out of memory");

	if (result != CV_OK) {
		store_close(store, false);
		return result;
	}
	*out = store;
	return CV_OK;
}

cv_result store_close(struct store *store, bool complete)
{
	cv_result result = CV_OK;

	if (store->db && complete)
		result = head_create_indexes(store);
	insert_free(store);
	if (store->db)
		sqlite3_close(store->db);
	if (store->made_here && store->run_count == 0 && store->path)
		unlink(store->path);
	if (store->lock_fd >= 0)
		close(store->lock_fd);
	free(store->present);
	free(store->path);
	free(store);
	return result;
}
