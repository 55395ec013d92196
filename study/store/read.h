// SPDX-License-Identifier: Apache-2.0
/* The halves of results_read. Private to this folder. */
#ifndef CONVOY_STUDY_STORE_READ_H
#define CONVOY_STUDY_STORE_READ_H

#include "study/store/results.h"
#include "study/store/sql.h"

cv_result read_runs(sqlite3 *db, struct results *results);

/* Counts the rows of `table` (an identifier of ours, never user input). */
cv_result read_count(sqlite3 *db, const char *path, const char *table, size_t *out);

#endif
