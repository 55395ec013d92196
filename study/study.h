// SPDX-License-Identifier: Apache-2.0
/*
 * A study: one question, several variants, one axis; and the catalogue of files it is made of.
 *
 * A study file (configs/studies/NAME.yaml, or any path) names a host, a workload, and variants; each variant names a kernel and
 * may override any parameter. A point is one variant at one axis value. See docs/formats.md for the file's keys.
 * Everything here is immutable after study_load; strings live until the process ends.
 */
#ifndef CONVOY_STUDY_STUDY_H
#define CONVOY_STUDY_STUDY_H

#include "study/param.h"

/* In the source of a host parameter that a study has changed: "chosen in study s; what-if: host h has v3". */
#define STUDY_WHAT_IF "what-if: "

struct study_match { const char *column, *value; };   /* which rows of the measurement file a variant answers */

/* What is compared with a measured row whose metric does not say it itself: the time of one operation. */
enum study_quantity { QUANTITY_BY_METRIC, QUANTITY_AVERAGE, QUANTITY_MINIMUM };

struct study_metric { const char *metric; enum study_quantity quantity; };

struct study_variant {
	const char *name;                /* unique, short: "before, in-kernel" */
	const char *meaning;             /* one line */
	const char *kernel;              /* name of the kernel file */
	const char *host;                /* name of its own host file, or NULL: the study's */
	struct param_set params;         /* everything applied except the axis */
	const struct study_match *match;
	size_t match_count;
	const struct study_metric *metrics;  /* of those rows; none: exits, lock-queue-entries, or the operation's name */
	size_t metric_count;
};

struct study_difference {            /* measured rows that are one variant less another */
	size_t of, minus;                /* indexes of the two */
	struct study_variant rows;       /* match and metrics; its parameters are those of `of` */
};

struct study_free_param {            /* one parameter that `calibrate` may move, or whose value is uncertain, with its bounds */
	enum param_id id;
	struct param_value low, high;
};

struct study {
	const char *name, *path, *question, *host, *workload;
	const char *host_path, *workload_path, *measurement_path;  /* the files themselves; measurement_path may be NULL */
	const char *text;                /* the whole file, kept with the results */
	enum param_id axis;              /* the varied parameter, normally P_WORKLOAD_VCPUS */
	const char *axis_name;           /* its column in measurement files: "vcpus" */
	const struct param_value *axis_values;
	size_t axis_count;
	const struct study_variant *variants;
	size_t variant_count;
	const struct study_difference *differences;
	size_t difference_count;
	const char *measurement;         /* name of the measurement file, or NULL */
	const struct study_free_param *free_params;
	size_t free_count;
	const struct study_free_param *ranges;   /* range: what `sensitivity` moves */
	size_t range_count;
};

struct study_override { const char *name, *value; };  /* --set name=value, applied last, to every variant */

/* Loads and checks a study and every file it names. `name_or_path`: a path ending in .yaml, or a catalogue name. */
cv_result study_load(const char *name_or_path, const struct study_override *sets, size_t set_count, struct study *out);

/* The same without the check of its points: for callers that want some of them only and check those (selection_check). */
cv_result study_load_unchecked(const char *name_or_path, const struct study_override *sets, size_t set_count, struct study *out);

/* The full parameter set of one point, as the files say it. */
void study_point_values(const struct study *study, size_t variant, size_t axis_index, struct param_set *out);

/* The same, checked (param_set_check). */
cv_result study_point_params(const struct study *study, size_t variant, size_t axis_index, struct param_set *out);

enum catalogue_kind { CATALOGUE_HOSTS, CATALOGUE_KERNELS, CATALOGUE_WORKLOADS, CATALOGUE_STUDIES, CATALOGUE_MEASUREMENTS };

struct catalogue_entry { const char *name, *path, *title; };

/* The files of one kind, sorted by name, numbers in it as numbers (v4.9 before v4.14). The folder is CONVOY_CONFIGS in the environment, else configs/ beside the sources
 * the binary was built from, else the installed share/convoy/configs. */
cv_result catalogue_list(enum catalogue_kind kind, const struct catalogue_entry **out, size_t *count);

/* The path of one entry; the error names the nearest known one. */
cv_result catalogue_find(enum catalogue_kind kind, const char *name, const char **path);

#endif
