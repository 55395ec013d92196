// SPDX-License-Identifier: Apache-2.0
/*
 * Parameters: the declared table, typed values with their source, and sets of them.
 *
 * A param_set holds a value for every row of param_table.def, each with the class and text of its source and the place
 * (file:line:column) it was read from. It is plain data, copied by assignment; the strings are interned and live until
 * the process ends. Numbers are integers throughout:
 *     TIME ps · COST ps or thousandths of a cycle · FREQUENCY Hz · COUNT as is · FRACTION millionths ·
 *     CHOICE index into the choices · SWITCH 0 or 1
 */
#ifndef CONVOY_STUDY_PARAM_H
#define CONVOY_STUDY_PARAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/ids.h"
#include "base/result.h"

enum param_type { PARAM_TIME, PARAM_COST, PARAM_FREQUENCY, PARAM_COUNT, PARAM_FRACTION, PARAM_CHOICE, PARAM_SWITCH };

enum param_id {
#define PARAM(id, name, type, fallback, minimum, maximum, choices, meaning) P_##id,
#include "study/param_table.def"
#undef PARAM
	PARAM_IDS
};

struct param_row {
	const char *name;
	enum param_type type;
	const char *fallback, *minimum, *maximum, *choices, *meaning;
};

extern const struct param_row param_table[PARAM_IDS];

enum source_class { SOURCE_SPEC, SOURCE_MEASURED, SOURCE_PAPER, SOURCE_ESTIMATED, SOURCE_FITTED, SOURCE_CHOSEN };
/* SOURCE_CHOSEN: set by a study, a kernel file's switch or --set: a choice of the question, not a fact about a machine. */

struct param_value {
	int64_t number;
	bool in_cycles;            /* COST only: number is thousandths of a cycle */
	bool present;              /* false: no file said it and there is no fallback */
	enum source_class source_class;
	const char *source;        /* where the value comes from, for people; never NULL when present */
	const char *where;         /* "file:line:column", "--set", or "default" */
};

struct param_set {
	struct param_value value[PARAM_IDS];
};

/* All fallbacks in place. */
void param_set_defaults(struct param_set *set);

/* Parses `text` as a value of the row, checks unit and range. On error the text says what is allowed. */
cv_result param_parse(enum param_id id, const char *text, struct param_value *out);

/* The value as it would be written in a file: "97ns", "12cycles", "1.7GHz", "0.04", "qspinlock". Exact: parses back. */
void param_format(enum param_id id, const struct param_value *value, char *out, size_t size);

/* What a row allows, for people: "a time from 0ns to 10us, with its unit: ps, ns, us, ms or s". */
void param_allowed(enum param_id id, char *out, size_t size);

/* Finds a row by its dotted name; on failure the error names the nearest known one. */
cv_result param_find(const char *name, enum param_id *out);

const char *source_class_name(enum source_class class);
cv_result source_class_parse(const char *text, enum source_class *out);

/* Typed access for the code that assembles a simulation. Asserts on the type. */
ps_t param_ps(const struct param_set *set, enum param_id id);         /* TIME, or COST through host.clock */
uint32_t param_count(const struct param_set *set, enum param_id id);  /* COUNT */
uint32_t param_choice(const struct param_set *set, enum param_id id); /* CHOICE: index */
bool param_choice_is(const struct param_set *set, enum param_id id, const char *choice);
bool param_switch(const struct param_set *set, enum param_id id);
uint32_t param_millionths(const struct param_set *set, enum param_id id);

/* Every value present, and the combinations that make no sense refused (more vCPUs than CPUs, nVHE off without VHE, …). */
cv_result param_set_check(const struct param_set *set);

#endif
