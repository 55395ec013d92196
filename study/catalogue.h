// SPDX-License-Identifier: Apache-2.0
/*
 * Where the catalogue's files are; catalogue_list and catalogue_find are declared in study.h.
 *
 * A catalogue file is configs/<kind>/<name>.yaml (measurements: .csv); its name is the file's name without the ending.
 * Other endings and names that start with a dot are not part of the catalogue.
 */
#ifndef CONVOY_STUDY_CATALOGUE_H
#define CONVOY_STUDY_CATALOGUE_H

#include <stdbool.h>

#include "study/study.h"

/* "hosts", "kernels", … (the folder) and "host", "kernel", … (one file, for messages). */
const char *catalogue_folder_name(enum catalogue_kind kind);
const char *catalogue_file_name(enum catalogue_kind kind);

/* The configs folder in use; the error says where it was looked for. Shown relative to the current directory when it
 * lies below it. */
cv_result catalogue_root(const char **out);

/* Whether a reference is a path (it ends in .yaml, or .csv for measurements) and not a catalogue name. */
bool catalogue_is_path(enum catalogue_kind kind, const char *reference);

/* The path that a reference in the file `from` means: a path is taken from that file's folder (from == NULL: from the
 * current directory), a name from the catalogue. */
cv_result catalogue_resolve(enum catalogue_kind kind, const char *reference, const char *from, const char **path);

/* The file's name without folder and without .yaml or .csv. */
const char *catalogue_name_of(const char *path);

#endif
