// SPDX-License-Identifier: Apache-2.0
/*
 * Between the files study_*.c only: a study while it is being read.
 *
 * Values are collected in layers and laid over one another at the end, later over earlier:
 *     defaults < host file < workload file < kernel file < study (set:, run:) < variant's set: < --set < axis
 */
#ifndef CONVOY_STUDY_STUDY_PARTS_H
#define CONVOY_STUDY_STUDY_PARTS_H

#include "study/param_leaf.h"
#include "study/study.h"
#include "study/yaml.h"

struct study_reader {
	struct doc doc;
	struct study *study;
	const char *source;            /* source of the study's own plain values: "chosen in study NAME" */
	struct param_set machine;      /* defaults, host, workload */
	struct param_set common;       /* the study's set: and run:; only what they set is present */
	struct param_set overrides;    /* --set; only what it sets is present */
	const struct doc_node *const *match_nodes;  /* each variant's measurement: node, NULL without; then each difference's */
};

/* gic: and mode: of the study or of a variant into `out`; `set` is what set: gave at the same place. */
cv_result study_read_short(const struct study_reader *reader, const struct doc_node *mapping, const struct leaf_nodes *set,
			   struct param_set *out);

/* What the variant was before --set, and what its kernel file says. */
struct what_if_base { const struct param_set *before_sets; struct param_value kernel_mode; };

/* Values of the host that the variant does not have any more, and a mode other than that of the kernel that was measured: their
 * sources say it. */
void study_mark_what_if(const struct study_reader *reader, const struct what_if_base *base, struct study_variant *variant);

/* variants: */
cv_result study_read_variants(struct study_reader *reader, const struct doc_node *node);

/* measurement: and metrics: of a variant or a difference. */
cv_result study_read_rows(struct study_reader *reader, const struct doc_node *node, struct study_variant *variant);

/* differences:, after the variants */
cv_result study_read_differences(struct study_reader *reader, const struct doc_node *node);

/* axis: */
cv_result study_read_axis(struct study_reader *reader, const struct doc_node *node);

/* [low, high] of a parameter, in order and of one kind. */
cv_result study_read_bounds(const struct study_reader *reader, const struct doc_node *node, enum param_id id,
			    struct study_free_param *out);

/* range: */
cv_result study_read_ranges(struct study_reader *reader, const struct doc_node *node);

/* calibrate: */
cv_result study_read_calibrate(struct study_reader *reader, const struct doc_node *node);

/* measurement: the file is there, has the columns and values that the variants name, and no row has two answers. */
cv_result study_check_measurement(const struct study_reader *reader, const struct doc_node *node);

/* Rules for a set: of the study or of a variant. */
struct leaf_rules study_set_rules(const struct study_reader *reader, bool in_variant);

#endif
