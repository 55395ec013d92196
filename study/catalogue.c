// SPDX-License-Identifier: Apache-2.0
/*
 * Finding and listing catalogue files; see catalogue.h and study.h.
 *
 * A file that cannot be read is still listed, with the reason in place of its title: one broken file must not hide the
 * others, nor be hidden.
 */
#include "study/catalogue.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "study/catalogue_title.h"
#include "study/keep.h"
#include "study/nearest.h"

static const struct {
	const char *folder, *file, *ending;
} kinds[] = {
	[CATALOGUE_HOSTS] = { "hosts", "host", ".yaml" },
	[CATALOGUE_KERNELS] = { "kernels", "kernel", ".yaml" },
	[CATALOGUE_WORKLOADS] = { "workloads", "workload", ".yaml" },
	[CATALOGUE_STUDIES] = { "studies", "study", ".yaml" },
	[CATALOGUE_MEASUREMENTS] = { "measurements", "measurement", ".csv" },
};

const char *catalogue_folder_name(enum catalogue_kind kind)
{
	return kinds[kind].folder;
}

const char *catalogue_file_name(enum catalogue_kind kind)
{
	return kinds[kind].file;
}

static bool is_folder(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* Below the current directory: relative to it, as people would type it. Symbolic links on the way do not matter. */
static const char *shown_path(const char *path)
{
	char here[PATH_MAX], real[PATH_MAX];
	size_t length;

	if (getcwd(here, sizeof(here)) == NULL || realpath(path, real) == NULL)
		return keep_text(path);
	length = strlen(here);
	if (length > 1 && strncmp(real, here, length) == 0 && real[length] == '/')
		return keep_text(real + length + 1);
	return keep_text(path);
}

cv_result catalogue_root(const char **out)
{
	const char *chosen = getenv("CONVOY_CONFIGS");

	if (chosen != NULL && chosen[0] != '\0') {
		RETURN_ERROR_IF(!is_folder(chosen), CV_NOT_FOUND,
				"%s: no such folder; CONVOY_CONFIGS in the environment must name the folder with hosts/, "
				"kernels/, workloads/, studies/ and measurements/", shown(chosen).text);
		*out = keep_text(chosen);
		return CV_OK;
	}
	if (is_folder(CONVOY_SOURCE_CONFIGS)) {
		*out = shown_path(CONVOY_SOURCE_CONFIGS);
		return CV_OK;
	}
	RETURN_ERROR_IF(!is_folder(CONVOY_INSTALLED_CONFIGS), CV_NOT_FOUND,
			"no configs folder: neither %s nor %s is there; name one with CONVOY_CONFIGS in the environment",
			CONVOY_SOURCE_CONFIGS, CONVOY_INSTALLED_CONFIGS);
	*out = keep_text(CONVOY_INSTALLED_CONFIGS);
	return CV_OK;
}

static bool has_ending(const char *text, const char *ending)
{
	size_t length = strlen(text), end = strlen(ending);

	return length > end && strcmp(text + length - end, ending) == 0;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Numbers inside a name count as numbers: v4.9 before v4.14. Other bytes as they are. */
static int compare_names(const char *a, const char *b)
{
	while (*a && *b) {
		unsigned long left, right;
		char *end;

		if (!is_digit(*a) || !is_digit(*b)) {
			if (*a != *b)
				return (unsigned char)*a < (unsigned char)*b ? -1 : 1;
			a++;
			b++;
			continue;
		}
		left = strtoul(a, &end, 10);
		a = end;
		right = strtoul(b, &end, 10);
		b = end;
		if (left != right)
			return left < right ? -1 : 1;
	}
	return *a ? 1 : *b ? -1 : 0;
}

static int compare_entries(const void *a, const void *b)
{
	const char *left = ((const struct catalogue_entry *)a)->name, *right = ((const struct catalogue_entry *)b)->name;
	int order = compare_names(left, right);

	return order ? order : strcmp(left, right);  /* "v01" and "v1" */
}

/* Names and paths, sorted, without titles. The array is the caller's to free. */
static cv_result list_names(enum catalogue_kind kind, struct catalogue_entry **out, size_t *count)
{
	struct catalogue_entry *entries = NULL;
	const char *root, *folder;
	struct dirent *item;
	size_t used = 0;
	DIR *dir;

	FORWARD_IF_ERROR(catalogue_root(&root));
	folder = keep_textf("%s/%s", root, kinds[kind].folder);
	dir = opendir(folder);
	RETURN_ERROR_IF(dir == NULL, CV_NOT_FOUND, "%s: %s", folder, strerror(errno));
	while ((item = readdir(dir)) != NULL) {
		struct catalogue_entry *grown;

		if (item->d_name[0] == '.' || !has_ending(item->d_name, kinds[kind].ending))
			continue;
		grown = realloc(entries, (used + 1) * sizeof(*entries));
		if (grown == NULL) {
			free(entries);
			closedir(dir);
			RETURN_ERROR(CV_IO, "%s: out of memory", folder);
		}
		entries = grown;
		entries[used++] = (struct catalogue_entry){
			.name = catalogue_name_of(item->d_name),
			.path = keep_textf("%s/%s", folder, item->d_name),
		};
	}
	closedir(dir);
	if (used > 0)
		qsort(entries, used, sizeof(*entries), compare_entries);
	*out = entries;
	*count = used;
	return CV_OK;
}

cv_result catalogue_list(enum catalogue_kind kind, const struct catalogue_entry **out, size_t *count)
{
	struct catalogue_entry *names, *kept;

	FORWARD_IF_ERROR(list_names(kind, &names, count));
	kept = keep_memory(*count * sizeof(*kept));
	for (size_t i = 0; i < *count; i++) {
		kept[i] = names[i];
		if (catalogue_title(kind, names[i].path, &kept[i].title) != CV_OK)
			kept[i].title = keep_textf("unreadable: %s", cv_error_text());
	}
	free(names);
	*out = kept;
	return CV_OK;
}

static bool has_name(enum catalogue_kind kind, const char *name)
{
	struct catalogue_entry *names;
	bool found = false;
	size_t count;

	if (list_names(kind, &names, &count) != CV_OK)
		return false;
	for (size_t i = 0; i < count && !found; i++)
		found = strcmp(names[i].name, name) == 0;
	free(names);
	return found;
}

/* A name of another kind of file: what it is, and what to do with it. */
static cv_result check_other_kinds(enum catalogue_kind kind, const char *name)
{
	for (enum catalogue_kind other = CATALOGUE_HOSTS; other <= CATALOGUE_MEASUREMENTS; other++) {
		if (other == kind || !has_name(other, name))
			continue;
		RETURN_ERROR_IF(other == CATALOGUE_STUDIES, CV_NOT_FOUND,
				"no %s called \"%s\": it is a study (`convoy studies %s` shows it, `convoy run %s` simulates it)",
				kinds[kind].file, name, name, name);
		RETURN_ERROR_IF(kind == CATALOGUE_STUDIES, CV_NOT_FOUND,
				"no study called \"%s\": it is a %s, which a study names by %s: (`convoy studies` lists the studies there are)",
				name, kinds[other].file, kinds[other].file);
		RETURN_ERROR(CV_NOT_FOUND, "no %s called \"%s\": it is a %s, in %s", kinds[kind].file, name, kinds[other].file,
			     kinds[other].folder);
	}
	return CV_OK;
}

cv_result catalogue_find(enum catalogue_kind kind, const char *name, const char **path)
{
	struct nearest near = nearest_to(name);
	struct catalogue_entry *names;
	const char *root;
	size_t count;

	FORWARD_IF_ERROR(list_names(kind, &names, &count));
	FORWARD_IF_ERROR(catalogue_root(&root));
	for (size_t i = 0; i < count; i++) {
		if (strcmp(names[i].name, name) == 0) {
			*path = names[i].path;
			free(names);
			return CV_OK;
		}
		nearest_offer(&near, names[i].name);
	}
	free(names);
	FORWARD_IF_ERROR(check_other_kinds(kind, name));
	RETURN_ERROR_IF(near.name == NULL, CV_NOT_FOUND, "no %s called \"%s\": %s/%s holds none", kinds[kind].file,
			shown(name).text, root, kinds[kind].folder);
	RETURN_ERROR(CV_NOT_FOUND, "no %s called \"%s\" in %s/%s; nearest: %s", kinds[kind].file, shown(name).text, root,
		     kinds[kind].folder, near.name);
}

bool catalogue_is_path(enum catalogue_kind kind, const char *reference)
{
	return has_ending(reference, kinds[kind].ending);
}

cv_result catalogue_resolve(enum catalogue_kind kind, const char *reference, const char *from, const char **path)
{
	const char *slash = from != NULL ? strrchr(from, '/') : NULL;

	if (!catalogue_is_path(kind, reference))
		return catalogue_find(kind, reference, path);
	if (reference[0] == '/' || slash == NULL)
		*path = keep_text(reference);
	else
		*path = keep_textf("%.*s/%s", (int)(slash - from), from, reference);
	return CV_OK;
}

const char *catalogue_name_of(const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;

	/* Only the endings of our own files: "v7.1" is a name too. */
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (has_ending(name, kinds[i].ending))
			return keep_text_n(name, strlen(name) - strlen(kinds[i].ending));
	return keep_text(name);
}
