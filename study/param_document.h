// SPDX-License-Identifier: Apache-2.0
/* docs/parameters.md, written from the parameter table. */
#ifndef CONVOY_STUDY_PARAM_DOCUMENT_H
#define CONVOY_STUDY_PARAM_DOCUMENT_H

#include <stdio.h>

/* The whole document, as Markdown. */
void param_document(FILE *out);

#endif
