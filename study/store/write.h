// SPDX-License-Identifier: Apache-2.0
/* What the parts of the writer share. Private to this folder. */
#ifndef CONVOY_STUDY_STORE_WRITE_H
#define CONVOY_STUDY_STORE_WRITE_H

#include "study/store/results.h"
#include "study/store/sql.h"
#include "study/store/store.h"

struct store_insert;    /* the prepared statements of add_run.c */

struct store {
	char *path;
	sqlite3 *db;
	int lock_fd;            /* holds the advisory lock that keeps other writers out; -1: none */
	bool made_here;         /* store_open made the file: remove it again if it stays empty */
	uint32_t points, replications;   /* size of `present`; replications grows */
	uint8_t *present;       /* [point * replications + replication] */
	size_t run_count;
	struct store_insert *insert;
};

/* Refuses when the file's study is not this one, and says what differs. */
cv_result same_study(const struct results *head, const struct study *study, const char *path);

/* Whether a parameter takes part in the comparison: run.replications does not, more may be added at any time. */
bool same_study_compares(enum param_id id);

cv_result insert_prepare(struct store *store);
void insert_free(struct store *store);

/* The id of an interned text, made when it is new. */
cv_result insert_name(struct store *store, const char *text, int64_t *id);

#endif
