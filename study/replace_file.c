// SPDX-License-Identifier: Apache-2.0
/* Atomic replacement of a file; see replace_file.h. */
#include "study/replace_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int write_all(int file, const char *text, size_t size)
{
	while (size > 0) {
		ssize_t wrote = write(file, text, size);

		if (wrote < 0 && errno == EINTR)
			continue;
		if (wrote < 0)
			return -1;
		text += wrote;
		size -= (size_t)wrote;
	}
	return 0;
}

/* The rename itself must reach the disk too. Some file systems cannot sync a folder; the content is safe all the same. */
static void sync_folder_of(const char *path)
{
	char *folder = strdup(path), *slash = folder != NULL ? strrchr(folder, '/') : NULL;
	int file;

	if (slash != NULL) {
		slash[slash == folder] = '\0';
		file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (file >= 0) {
			(void)fsync(file);
			close(file);
		}
	}
	free(folder);
}

/* `target` has no symbolic link in it; `temporary` ends in XXXXXX. */
static cv_result replace_at(const char *target, char *temporary, const char *text, size_t size)
{
	struct stat status;
	int file, failed;

	RETURN_ERROR_IF(stat(target, &status) != 0, CV_IO, "%s: cannot be read: %s", target, strerror(errno));
	file = mkstemp(temporary);
	RETURN_ERROR_IF(file < 0, CV_IO, "%s: cannot write in its folder: %s", target, strerror(errno));
	if (write_all(file, text, size) != 0 || fchmod(file, status.st_mode & 07777) != 0 || fsync(file) != 0) {
		failed = errno;
		close(file);
		unlink(temporary);
		RETURN_ERROR(CV_IO, "%s: cannot be written: %s; the old file is unchanged", target, strerror(failed));
	}
	if (close(file) != 0 || rename(temporary, target) != 0) {
		failed = errno;
		unlink(temporary);
		RETURN_ERROR(CV_IO, "%s: cannot be replaced: %s; the old file is unchanged", target, strerror(failed));
	}
	sync_folder_of(target);
	return CV_OK;
}

cv_result replace_file(const char *path, const char *text, size_t size)
{
	char *target = realpath(path, NULL), *temporary;
	cv_result result;
	size_t length;

	RETURN_ERROR_IF(target == NULL, CV_IO, "%s: cannot be found: %s", path, strerror(errno));
	length = strlen(target) + sizeof(".new.XXXXXX");
	temporary = malloc(length);
	if (temporary == NULL) {
		free(target);
		RETURN_ERROR(CV_IO, "%s: out of memory", path);
	}
	snprintf(temporary, length, "%s.new.XXXXXX", target);
	result = replace_at(target, temporary, text, size);
	free(temporary);
	free(target);
	return result;
}
