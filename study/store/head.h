// SPDX-License-Identifier: Apache-2.0
/* Writes what describes the study: schema, variants, points, parameters, measured rows. Private to this folder. */
#ifndef CONVOY_STUDY_STORE_HEAD_H
#define CONVOY_STUDY_STORE_HEAD_H

#include "study/store/write.h"

cv_result head_create_schema(struct store *store);
cv_result head_insert_study(struct store *store, const struct study *study, const char *command);

/* Parameters with the source of each; those that are the same everywhere once, as point -1. */
cv_result head_replace_parameters(struct store *store, const struct study *study);
cv_result head_replace_measured(struct store *store, const struct store_measured *rows, size_t count);
cv_result head_create_indexes(struct store *store);

#endif
