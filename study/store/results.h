// SPDX-License-Identifier: Apache-2.0
/*
 * A results file, read whole: what `show`, `validate` and the summaries work on.
 *
 * Everything is sorted by its keys (variant, axis, replication; names inside a run), never by the order of insertion, so
 * that what is printed does not depend on the number of workers. The memory belongs to the struct: results_free.
 */
#ifndef CONVOY_STUDY_STORE_RESULTS_H
#define CONVOY_STUDY_STORE_RESULTS_H

#include "base/result.h"
#include "study/simulate.h"
#include "study/store/arena.h"
#include "study/study.h"

struct results_run {
	uint32_t point, replication;
	uint64_t seed;
	ps_t warmup;
	ps_t batch;                     /* length of the windows in sim.batches; 0 when unknown */
	struct sim_result sim;
};

struct results_variant { const char *name, *meaning, *kernel; };

struct results_point {
	uint32_t id, variant, axis_index;
	const char *axis_value;
	const struct results_run *runs; /* by replication; run_count may be 0: not simulated yet */
	size_t run_count;
};

struct results_param {
	int64_t point;                  /* -1: all points */
	const char *name, *value, *source_class, *source, *place;
};

struct results_measured {
	const char *measurement;
	int64_t row;                    /* counts from 0 in the file's order */
	int64_t point;                  /* id of the point that answers it; -1: none */
	const char *point_text, *metric, *unit, *role;
	double value;
	int64_t minus;                  /* id of a point whose value is taken off; -1: none */
	enum study_quantity quantity;
	uint64_t clock_hz;              /* of the point's host; 0 unknown */
};

struct results {
	struct arena arena;
	const char *path;
	const char *name, *question, *study_path, *text, *axis, *axis_name, *measurement, *command, *version;
	const struct results_variant *variants;
	const struct results_point *points;
	const struct results_run *runs;
	const struct results_param *params;
	const struct results_measured *measured;
	size_t variant_count, point_count, run_count, param_count, measured_count;
};

/* Reads the file. Errors: not there, not a database, not ours, newer, locked, damaged. */
cv_result results_read(const char *path, struct results *out);

/* Only what describes the study: no runs. */
cv_result results_read_head(const char *path, struct results *out);

void results_free(struct results *results);

/* The value of one parameter at one point as written in a file, or NULL. */
const char *results_param_value(const struct results *results, uint32_t point, const char *name);

/* The value of a metric of one run; false when that run has none of that name. */
bool results_metric(const struct results_run *run, const char *name, uint64_t *out);

#endif
