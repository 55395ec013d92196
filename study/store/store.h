// SPDX-License-Identifier: Apache-2.0
/*
 * Writing a results file (study/schema.sql). One process writes a file; while it does, others are refused.
 *
 * States: store_open makes the file (whole, under another name, then renamed) or opens one of the same study; each
 * store_add_run is one transaction, so a run that is there is whole; store_close makes the indexes when the study is
 * complete. A process that dies in between leaves a file with the finished runs, and store_open of the same study goes on.
 * "Same" means: same study text, same effective parameters of every point, same convoy version; the number of
 * replications may grow.
 */
#ifndef CONVOY_STUDY_STORE_STORE_H
#define CONVOY_STUDY_STORE_STORE_H

#include "study/simulate.h"
#include "study/study.h"

struct store;

/* One row of a measurement file, kept with the results. `point` is store_point_id() or -1: no point answers it. */
struct store_measured {
	const char *measurement;
	int64_t row, point;
	const char *point_text, *metric, *unit, *role;
	double value;
	int64_t minus;                  /* a point whose value is taken off, or -1 */
	enum study_quantity quantity;
	uint64_t clock_hz;              /* of the point's host: turns time into cycles */
};

struct store_options {
	const char *command;            /* the command that makes this file again */
	bool fresh;                     /* throw away what the file holds (only if it is a results file) */
	const struct store_measured *measured;
	size_t measured_count;
};

/* The id of a point inside the file: dense, in the order of the study. */
uint32_t store_point_id(const struct study *study, size_t variant, size_t axis_index);

/* Errors: another study's results (says what differs), not a results file, newer, locked, read-only, disk full. */
cv_result store_open(const char *path, const struct study *study, const struct store_options *options,
		     struct store **out);

/* Whether this run is stored already. */
bool store_has_run(const struct store *store, uint32_t point, uint32_t replication);

/* Runs stored, those of earlier commands included. */
size_t store_run_count(const struct store *store);

/* Stores a finished run, in one transaction. */
cv_result store_add_run(struct store *store, uint32_t point, uint32_t replication, const struct param_set *params,
			const struct sim_result *result);

/* `complete`: make the indexes. A file that this store made and that holds no run is removed. Frees the store always. */
cv_result store_close(struct store *store, bool complete);

/* convoy's version as it stands in the file: "0.1.0". */
const char *store_version(void);

#endif
