// SPDX-License-Identifier: Apache-2.0
/* Between yaml.c and yaml_build.c only: the tree's memory and its construction. */
#ifndef CONVOY_STUDY_YAML_BUILD_H
#define CONVOY_STUDY_YAML_BUILD_H

#include "study/yaml.h"

/* Zeroed memory that goes with the doc. */
void *doc_allocate(struct doc *doc, size_t size);

/* Fills doc->root from doc->text. */
cv_result doc_build(struct doc *doc);

#endif
