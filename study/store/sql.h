// SPDX-License-Identifier: Apache-2.0
/*
 * SQLite with our errors: each failure becomes one line that names the file and says what to do. Private to this folder.
 */
#ifndef CONVOY_STUDY_STORE_SQL_H
#define CONVOY_STUDY_STORE_SQL_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/result.h"

enum { STORE_APPLICATION_ID = 0x43565931 /* "CVY1" */, STORE_USER_VERSION = 1 };

/* Turns the connection's last error into a cv_result and its text. `db` may be NULL: out of memory. */
cv_result sql_error(sqlite3 *db, const char *path);

cv_result sql_exec(sqlite3 *db, const char *path, const char *text);
cv_result sql_prepare(sqlite3 *db, const char *path, const char *text, sqlite3_stmt **out);

/* Runs a statement that returns no row, and makes it ready for the next values. */
cv_result sql_run(sqlite3 *db, const char *path, sqlite3_stmt *statement);

/* Fetches the next row; *row is false at the end. */
cv_result sql_next(sqlite3 *db, const char *path, sqlite3_stmt *statement, bool *row);

/* Opens an existing results file: exists, is SQLite, is ours, is of a version we know. */
cv_result sql_open_ours(const char *path, sqlite3 **out);

/* Binds an unsigned 64-bit number. Times and counts stay far below 2^63: 9.2e18 ps are 106 days. */
void sql_bind_u64(sqlite3_stmt *statement, int index, uint64_t value);

#endif
