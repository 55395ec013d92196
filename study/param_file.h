// SPDX-License-Identifier: Apache-2.0
/* Host, kernel and workload files; docs/formats.md describes them. */
#ifndef CONVOY_STUDY_PARAM_FILE_H
#define CONVOY_STUDY_PARAM_FILE_H

#include "study/param_leaf.h"
#include "study/study.h"

struct param_file_info {
	const char *path, *title;
	const char *since, *notes;  /* NULL when the file does not say */
};

/* Whether a host file may set the parameter: host.*, and what is fitted for a host: kernel.work.* and workload.vmm_work. */
bool host_file_allows(enum param_id id);

/* Reads the file and puts its values into the set. `kind`: hosts, kernels or workloads. */
cv_result param_file_apply(enum catalogue_kind kind, const char *path, struct param_set *set,
			   struct param_file_info *info);

/* The same from a tree that is already there; `nodes` tells where each value stands. */
cv_result param_file_read(enum catalogue_kind kind, const struct doc *doc, struct param_set *set,
			  struct leaf_nodes *nodes, struct param_file_info *info);

#endif
