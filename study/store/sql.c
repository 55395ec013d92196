// SPDX-License-Identifier: Apache-2.0
/* SQLite calls with our errors; see sql.h. */
#include "study/store/sql.h"

#include <assert.h>
#include <errno.h>
#include <string.h>
#include <sys/resource.h>

static cv_result io_error(sqlite3 *db, const char *path)
{
	int number = sqlite3_system_errno(db);
	struct rlimit limit;

	/* SQLite often loses the system's error number on its way; a failed write under a file size limit is that limit. */
	if (number == 0 && sqlite3_extended_errcode(db) == SQLITE_IOERR_WRITE && getrlimit(RLIMIT_FSIZE, &limit) == 0 &&
	    limit.rlim_cur != RLIM_INFINITY)
		number = EFBIG;
	if (number == EFBIG)
		RETURN_ERROR(CV_IO, "%s: the file may not grow any more (file size limit); runs already stored are kept",
			     path);
	if (number == ENOSPC || number == EDQUOT)
		RETURN_ERROR(CV_IO, "%s: disk full; runs already stored are kept: make room and run again", path);
	RETURN_ERROR(CV_IO, "%s: %s%s%s", path, sqlite3_errmsg(db), number ? ": " : "", number ? strerror(number) : "");
}

cv_result sql_error(sqlite3 *db, const char *path)
{
	if (!db)
		RETURN_ERROR(CV_IO, "%s: out of memory", path);
	switch (sqlite3_errcode(db) & 0xff) {
	case SQLITE_FULL:
		RETURN_ERROR(CV_IO, "%s: disk full; runs already stored are kept: make room and run again", path);
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		RETURN_ERROR(CV_IO, "%s: locked by another process (a convoy that writes it, or a database browser): "
				    "wait for it or use another file", path);
	case SQLITE_READONLY:
	case SQLITE_PERM:
		RETURN_ERROR(CV_IO, "%s: may not be written (read-only file or folder)", path);
	case SQLITE_NOTADB:
		RETURN_ERROR(CV_BAD_DATABASE, "%s: not a database: expected a results file written by `convoy run`", path);
	case SQLITE_CORRUPT:
		RETURN_ERROR(CV_BAD_DATABASE, "%s: damaged database (%s): delete it and run the study again", path,
			     sqlite3_errmsg(db));
	case SQLITE_CANTOPEN:
	case SQLITE_IOERR:
		return io_error(db, path);
	case SQLITE_NOMEM:
		RETURN_ERROR(CV_IO, "%s: out of memory", path);
	default:
		RETURN_ERROR(CV_INTERNAL, "%s: SQLite: %s", path, sqlite3_errmsg(db));
	}
}

cv_result sql_exec(sqlite3 *db, const char *path, const char *text)
{
	if (sqlite3_exec(db, text, NULL, NULL, NULL) != SQLITE_OK)
		return sql_error(db, path);
	return CV_OK;
}

cv_result sql_prepare(sqlite3 *db, const char *path, const char *text, sqlite3_stmt **out)
{
	if (sqlite3_prepare_v2(db, text, -1, out, NULL) != SQLITE_OK)
		return sql_error(db, path);
	return CV_OK;
}

cv_result sql_run(sqlite3 *db, const char *path, sqlite3_stmt *statement)
{
	int code = sqlite3_step(statement);

	assert(code != SQLITE_ROW);
	if (code != SQLITE_DONE) {
		cv_result result = sql_error(db, path);

		sqlite3_reset(statement);
		return result;
	}
	sqlite3_reset(statement);
	return CV_OK;
}

cv_result sql_next(sqlite3 *db, const char *path, sqlite3_stmt *statement, bool *row)
{
	int code = sqlite3_step(statement);

	*row = code == SQLITE_ROW;
	if (code != SQLITE_ROW && code != SQLITE_DONE)
		return sql_error(db, path);
	return CV_OK;
}

void sql_bind_u64(sqlite3_stmt *statement, int index, uint64_t value)
{
	assert(value <= INT64_MAX);
	sqlite3_bind_int64(statement, index, (int64_t)value);
}
