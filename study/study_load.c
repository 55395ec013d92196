// SPDX-License-Identifier: Apache-2.0
/*
 * Loading a study: the file's top-level keys, the files it names, --set, and the check of every point. The larger keys
 * are in study_axis.c, study_variants.c, study_calibrate.c and study_measured.c.
 */
#include <stdio.h>
#include <string.h>

#include "study/catalogue.h"
#include "study/keep.h"
#include "study/param_file.h"
#include "study/study_parts.h"

static const char *const top_keys[] = {
	"study", "question", "host", "workload", "gic", "mode", "axis", "variants", "differences", "measurement", "set", "run",
	"calibrate", "range",
};

static cv_result need(const struct study_reader *reader, const char *key, const struct doc_node **out)
{
	*out = doc_find(reader->doc.root, key);
	if (*out == NULL)
		return doc_fail(&reader->doc, reader->doc.root, key,
				"missing; a study has study, question, host, workload, axis and variants");
	return CV_OK;
}

static cv_result need_text(const struct study_reader *reader, const char *key, const char **out)
{
	const struct doc_node *node;

	FORWARD_IF_ERROR(need(reader, key, &node));
	return doc_get_text(&reader->doc, node, key, out);
}

/* A host or workload file into the machine layer. */
static cv_result apply_file(struct study_reader *reader, const char *key, enum catalogue_kind kind, const char **name,
			    const char **path)
{
	const struct doc_node *node;
	struct param_file_info info;

	FORWARD_IF_ERROR(need(reader, key, &node));
	FORWARD_IF_ERROR(doc_get_text(&reader->doc, node, key, name));
	FORWARD_WITH_CONTEXT(catalogue_resolve(kind, *name, reader->doc.path, path), "%s: %s",
			     doc_where(&reader->doc, node), key);
	FORWARD_IF_ERROR(param_file_apply(kind, *path, &reader->machine, &info));
	*name = catalogue_name_of(*name);
	return CV_OK;
}

static bool run_allows(enum param_id id)
{
	return id >= P_RUN_REPLICATIONS;
}

static bool anything(enum param_id id)
{
	(void)id;
	return true;
}

static bool no_replications(enum param_id id)
{
	return id != P_RUN_REPLICATIONS && id != P_RUN_SEED;
}

struct leaf_rules study_set_rules(const struct study_reader *reader, bool in_variant)
{
	return (struct leaf_rules){
		.allows = in_variant ? no_replications : anything,
		.refusal = "holds for the whole study: variants are compared run by run; set it under run:",
		.default_source = reader->source,
	};
}

static cv_result read_common(struct study_reader *reader)
{
	const struct doc_node *set = doc_find(reader->doc.root, "set"), *run = doc_find(reader->doc.root, "run");
	struct leaf_rules set_rules = study_set_rules(reader, false);
	struct leaf_rules run_rules = {
		.allows = run_allows,
		.refusal = "is not a parameter of run:",
		.default_source = reader->source,
	};
	struct leaf_nodes nodes = { { NULL } };

	if (set != NULL && set->kind != DOC_MAPPING)
		return doc_fail(&reader->doc, set, "set", "is %s; allowed: a mapping of parameters to values",
				doc_kind_name(set));
	if (run != NULL && run->kind != DOC_MAPPING)
		return doc_fail(&reader->doc, run, "run", "is %s; allowed: a mapping of replications, warmup, measure, batch, "
				"seed", doc_kind_name(run));
	if (set != NULL)
		FORWARD_IF_ERROR(param_leaves_read(&reader->doc, "", set, &set_rules, &reader->common, &nodes));
	FORWARD_IF_ERROR(study_read_short(reader, reader->doc.root, &nodes, &reader->common));
	if (run != NULL)
		FORWARD_IF_ERROR(param_leaves_read(&reader->doc, "run", run, &run_rules, &reader->common, &nodes));
	return CV_OK;
}

/* Keys of a study file, which people try with --set; the parameter nearest by its letters would mislead. */
static cv_result check_no_key(const struct study_override *set)
{
	static const struct { const char *key, *what_to_do; } keys[] = {
		{ "kernel", "the kernel is chosen in the study, by kernel: of each variant (`convoy kernels` lists them)" },
		{ "host", "the host is chosen in the study, by host: (`convoy hosts` lists them)" },
		{ "workload", "the workload is chosen in the study, by workload: (`convoy workloads` lists them)" },
		{ "gic", "the interrupt controller is host.gic.version" },
		{ "mode", "the mode is kernel.el2" },
	};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		RETURN_ERROR_IF(strcmp(set->name, keys[i].key) == 0, CV_BAD_INPUT, "--set: %s: no such parameter; %s", set->name,
				keys[i].what_to_do);
	return CV_OK;
}

static cv_result read_overrides(struct study_reader *reader, const struct study_override *sets, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct param_value *value;
		enum param_id id;

		FORWARD_IF_ERROR(check_no_key(&sets[i]));
		FORWARD_WITH_CONTEXT(param_find(sets[i].name, &id), "--set");
		value = &reader->overrides.value[id];
		RETURN_ERROR_IF(value->present, CV_BAD_INPUT, "--set: %s: given twice", sets[i].name);
		FORWARD_WITH_CONTEXT(param_parse(id, sets[i].value, value), "--set");
		value->source = "--set";
		value->where = "--set";
	}
	return CV_OK;
}

/* The axis is varied by the study; setting it as well would be ignored in silence. */
static cv_result check_axis_is_free(const struct study_reader *reader)
{
	const struct study *study = reader->study;
	const struct param_value *const set[] = { &reader->overrides.value[study->axis], &reader->common.value[study->axis] };

	for (size_t i = 0; i < 2; i++)
		RETURN_ERROR_IF(set[i]->present, CV_BAD_INPUT,
				"%s: %s: is the axis of study %s, which varies it (%s); leave it out, or edit the axis",
				set[i]->where, param_table[study->axis].name, study->name, study->axis_values[0].where);
	return CV_OK;
}

static cv_result check_points(const struct study *study)
{
	struct param_set set;

	for (size_t v = 0; v < study->variant_count; v++)
		for (size_t a = 0; a < study->axis_count; a++)
			FORWARD_IF_ERROR(study_point_params(study, v, a, &set));
	return CV_OK;
}

static cv_result read_study(struct study_reader *reader, const struct study_override *sets, size_t set_count)
{
	struct study *study = reader->study;
	const struct doc_node *axis, *variants, *differences, *measurement, *calibrate, *ranges;

	FORWARD_IF_ERROR(doc_only_keys(&reader->doc, reader->doc.root, "", top_keys,
				       sizeof(top_keys) / sizeof(top_keys[0])));
	FORWARD_IF_ERROR(need_text(reader, "study", &study->name));
	FORWARD_IF_ERROR(need_text(reader, "question", &study->question));
	reader->source = keep_textf("chosen in study %s", study->name);
	param_set_defaults(&reader->machine);
	FORWARD_IF_ERROR(apply_file(reader, "host", CATALOGUE_HOSTS, &study->host, &study->host_path));
	FORWARD_IF_ERROR(apply_file(reader, "workload", CATALOGUE_WORKLOADS, &study->workload, &study->workload_path));
	FORWARD_IF_ERROR(read_common(reader));
	FORWARD_IF_ERROR(read_overrides(reader, sets, set_count));

	FORWARD_IF_ERROR(need(reader, "axis", &axis));
	FORWARD_IF_ERROR(study_read_axis(reader, axis));
	FORWARD_IF_ERROR(check_axis_is_free(reader));
	FORWARD_IF_ERROR(need(reader, "variants", &variants));
	FORWARD_IF_ERROR(study_read_variants(reader, variants));
	differences = doc_find(reader->doc.root, "differences");
	if (differences != NULL)
		FORWARD_IF_ERROR(study_read_differences(reader, differences));
	measurement = doc_find(reader->doc.root, "measurement");
	if (measurement != NULL) {
		FORWARD_IF_ERROR(doc_get_text(&reader->doc, measurement, "measurement", &study->measurement));
		FORWARD_WITH_CONTEXT(catalogue_resolve(CATALOGUE_MEASUREMENTS, study->measurement, reader->doc.path,
						       &study->measurement_path),
				     "%s: measurement", doc_where(&reader->doc, measurement));
		study->measurement = catalogue_name_of(study->measurement_path);
	}
	FORWARD_IF_ERROR(study_check_measurement(reader, measurement));
	calibrate = doc_find(reader->doc.root, "calibrate");
	if (calibrate != NULL)
		FORWARD_IF_ERROR(study_read_calibrate(reader, calibrate));
	ranges = doc_find(reader->doc.root, "range");
	if (ranges != NULL)
		FORWARD_IF_ERROR(study_read_ranges(reader, ranges));
	return CV_OK;
}

cv_result study_load_unchecked(const char *name_or_path, const struct study_override *sets, size_t set_count,
			       struct study *out)
{
	struct study_reader reader = { .study = out };
	const char *path;
	cv_result result;

	memset(out, 0, sizeof(*out));
	FORWARD_IF_ERROR(catalogue_resolve(CATALOGUE_STUDIES, name_or_path, NULL, &path));
	FORWARD_IF_ERROR(doc_load(path, &reader.doc));
	out->path = keep_text(path);
	out->text = keep_text_n(reader.doc.text, reader.doc.size);
	result = read_study(&reader, sets, set_count);
	doc_free(&reader.doc);
	return result;
}

cv_result study_load(const char *name_or_path, const struct study_override *sets, size_t set_count, struct study *out)
{
	FORWARD_IF_ERROR(study_load_unchecked(name_or_path, sets, set_count, out));
	return check_points(out);
}

void study_point_values(const struct study *study, size_t variant, size_t axis_index, struct param_set *out)
{
	*out = study->variants[variant].params;
	out->value[study->axis] = study->axis_values[axis_index];
}

cv_result study_point_params(const struct study *study, size_t variant, size_t axis_index, struct param_set *out)
{
	cv_result result;

	study_point_values(study, variant, axis_index, out);
	result = param_set_check(out);
	if (result != CV_OK) /* the place stays first; the variant goes to the end */
		return cv_error_set(result, "%s (variant \"%s\")", keep_text(cv_error_text()),
				    shown(study->variants[variant].name).text);
	return CV_OK;
}
