// SPDX-License-Identifier: Apache-2.0
/* Opening a file somebody names: is it there, is it SQLite, is it ours, do we know its version? */
#include "study/store/sql.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static cv_result pragma_number(sqlite3 *db, const char *path, const char *pragma, int64_t *out)
{
	sqlite3_stmt *statement;
	bool row;

	FORWARD_IF_ERROR(sql_prepare(db, path, pragma, &statement));
	cv_result result = sql_next(db, path, statement, &row);

	if (result == CV_OK)
		*out = sqlite3_column_int64(statement, 0);
	sqlite3_finalize(statement);
	return result;
}

static cv_result check_ours(sqlite3 *db, const char *path)
{
	int64_t application = 0, version = 0;

	/* The first statement reads the header: here a text file or a picture is found out. */
	FORWARD_IF_ERROR(pragma_number(db, path, "PRAGMA application_id", &application));
	FORWARD_IF_ERROR(pragma_number(db, path, "PRAGMA user_version", &version));
	RETURN_ERROR_IF(application != STORE_APPLICATION_ID, CV_BAD_DATABASE,
			"%s: a database, but not a convoy results file (application id 0x%llx instead of 0x%x)", path,
			(unsigned long long)application & 0xffffffffu, STORE_APPLICATION_ID);
	RETURN_ERROR_IF(version > STORE_USER_VERSION, CV_BAD_DATABASE,
			"%s: written by a newer convoy (format %lld, this one reads format %d): use that convoy", path,
			(long long)version, STORE_USER_VERSION);
	RETURN_ERROR_IF(version < STORE_USER_VERSION, CV_BAD_DATABASE,
			"%s: unknown format %lld, this convoy reads format %d", path, (long long)version,
			STORE_USER_VERSION);
	return CV_OK;
}

cv_result sql_open_ours(const char *path, sqlite3 **out)
{
	struct stat status;

	RETURN_ERROR_IF(stat(path, &status) != 0, errno == ENOENT ? CV_NOT_FOUND : CV_IO, "%s: %s", path,
			strerror(errno));
	RETURN_ERROR_IF(!S_ISREG(status.st_mode), CV_BAD_DATABASE,
			"%s: not a regular file: expected a results file written by `convoy run`", path);
	/* Read-write although some only read: a writer that was killed leaves a journal that the next one rolls back.
	 * SQLite itself falls back to read-only where the file may not be written. */
	if (sqlite3_open_v2(path, out, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK) {
		cv_result result = sql_error(*out, path);

		sqlite3_close(*out);
		*out = NULL;
		return result;
	}
	sqlite3_busy_timeout(*out, 2000);
	cv_result result = check_ours(*out, path);

	if (result != CV_OK) {
		sqlite3_close(*out);
		*out = NULL;
	}
	return result;
}
