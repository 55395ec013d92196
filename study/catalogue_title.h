// SPDX-License-Identifier: Apache-2.0
/* The one line that a catalogue listing shows for a file: `title:`, a study's first sentence, a measurement's metrics. */
#ifndef CONVOY_STUDY_CATALOGUE_TITLE_H
#define CONVOY_STUDY_CATALOGUE_TITLE_H

#include "study/study.h"

cv_result catalogue_title(enum catalogue_kind kind, const char *path, const char **title);

#endif
