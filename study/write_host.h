// SPDX-License-Identifier: Apache-2.0
/*
 * Writing fitted values back into a host file.
 *
 * Only the texts of value, class and source of the given parameters change; comments, order, blanks and everything else
 * stay byte for byte. The new file is complete beside the old one before it takes its place, so a crash or a full disk
 * leaves the old file. A symbolic link is followed, not replaced.
 */
#ifndef CONVOY_STUDY_WRITE_HOST_H
#define CONVOY_STUDY_WRITE_HOST_H

#include <stddef.h>

#include "study/param.h"

struct host_change {
	enum param_id id;
	struct param_value value;  /* number and in_cycles; the class becomes `fitted` */
	const char *source;        /* one line: what it was fitted to */
};

/* Every parameter must already be a leaf {value, class, source} of the file. On error the file is as it was. */
cv_result write_host(const char *path, const struct host_change *changes, size_t count);

/* The new text alone, without writing: *text is malloc'd, the caller's to free. For tests and dry runs. */
cv_result write_host_text(const char *path, const struct host_change *changes, size_t count, char **text,
			  size_t *size);

#endif
