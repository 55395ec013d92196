// SPDX-License-Identifier: Apache-2.0
/*
 * Replacing a file's content in one step: a temporary file in the same folder, written and synced, then renamed over it.
 * Keeps the permission bits; follows a symbolic link. On error the old file is untouched and the temporary one is gone.
 */
#ifndef CONVOY_STUDY_REPLACE_FILE_H
#define CONVOY_STUDY_REPLACE_FILE_H

#include <stddef.h>

#include "base/result.h"

cv_result replace_file(const char *path, const char *text, size_t size);

#endif
