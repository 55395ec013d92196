// SPDX-License-Identifier: Apache-2.0
/* Titles for catalogue listings. Hosts, kernels and workloads are read whole, so that a listing also notices bad files. */
#include "study/catalogue_title.h"

#include <string.h>

#include "study/catalogue.h"
#include "study/keep.h"
#include "study/measurement.h"
#include "study/param_file.h"
#include "study/yaml.h"

/* Up to the first '.' or '?' that ends a word; blanks and line ends become one blank. */
static const char *first_sentence(const char *text)
{
	char line[200];
	size_t used = 0;

	for (size_t i = 0; text[i] != '\0' && used + 1 < sizeof(line); i++) {
		bool blank = strchr(" \t\r\n", text[i]) != NULL;

		if (blank && (used == 0 || line[used - 1] == ' '))
			continue;
		line[used++] = blank ? ' ' : text[i];
		if ((text[i] == '.' || text[i] == '?') && (text[i + 1] == '\0' || strchr(" \t\r\n", text[i + 1]) != NULL))
			break;
	}
	return keep_text_n(line, used);
}

static cv_result study_title(const char *path, const char **title)
{
	const struct doc_node *question;
	const char *text;
	struct doc doc;
	cv_result result;

	FORWARD_IF_ERROR(doc_load(path, &doc));
	question = doc_find(doc.root, "question");
	if (question == NULL)
		result = cv_error_set(CV_BAD_INPUT, "%s: question: missing; a study says what it asks", path);
	else
		result = doc_get_text(&doc, question, "question", &text);
	if (result == CV_OK)
		*title = first_sentence(text);
	doc_free(&doc);
	return result;
}

static cv_result measurement_title(const char *path, const char **title)
{
	struct measurement measurement;
	const char *metrics = NULL;

	FORWARD_IF_ERROR(measurement_load(path, &measurement));
	for (size_t i = 0; i < measurement.row_count; i++) {
		const char *metric = measurement.rows[i].metric;
		size_t before = 0;

		while (before < i && strcmp(measurement.rows[before].metric, metric) != 0)
			before++;
		if (before == i)
			metrics = metrics ? keep_textf("%s, %s", metrics, metric) : metric;
	}
	*title = keep_textf("%zu rows: %s", measurement.row_count, metrics ? metrics : "none");
	return CV_OK;
}

cv_result catalogue_title(enum catalogue_kind kind, const char *path, const char **title)
{
	struct param_file_info info;
	struct param_set set;

	if (kind == CATALOGUE_STUDIES)
		return study_title(path, title);
	if (kind == CATALOGUE_MEASUREMENTS)
		return measurement_title(path, title);
	param_set_defaults(&set);
	FORWARD_IF_ERROR(param_file_apply(kind, path, &set, &info));
	*title = info.title;
	return CV_OK;
}
