// SPDX-License-Identifier: Apache-2.0
/*
 * The declared table, look-up by name, the names of source classes, fallbacks, and typed access.
 * Reading and writing single values is in param_value.c, checking whole sets in param_check.c.
 */
#include "study/param.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study/nearest.h"

const struct param_row param_table[PARAM_IDS] = {
#define PARAM(id, name, type, fallback, minimum, maximum, choices, meaning)                        \
	[P_##id] = { name, PARAM_##type, fallback, minimum, maximum, choices, meaning },
#include "study/param_table.def"
#undef PARAM
};

static const char *const class_names[] = {
	[SOURCE_SPEC] = "spec",           [SOURCE_MEASURED] = "measured", [SOURCE_PAPER] = "paper",
	[SOURCE_ESTIMATED] = "estimated", [SOURCE_FITTED] = "fitted",     [SOURCE_CHOSEN] = "chosen",
};

const char *source_class_name(enum source_class class)
{
	return class_names[class];
}

cv_result source_class_parse(const char *text, enum source_class *out)
{
	struct nearest near = nearest_to(text);

	for (size_t i = 0; i < sizeof(class_names) / sizeof(class_names[0]); i++) {
		if (strcmp(text, class_names[i]) == 0) {
			*out = (enum source_class)i;
			return CV_OK;
		}
		nearest_offer(&near, class_names[i]);
	}
	RETURN_ERROR(CV_BAD_INPUT,
		     "\"%.60s\" is not a source class; allowed: spec, measured, paper, estimated, fitted, chosen; nearest: %s",
		     text, near.name);
}

/* "hop" is the last part of "host.line.hop". */
static bool is_last_part(const char *full, const char *name)
{
	size_t length = strlen(full), end = strlen(name);

	return end > 0 && length > end && full[length - end - 1] == '.' && strcmp(full + length - end, name) == 0;
}

cv_result param_find(const char *name, enum param_id *out)
{
	struct nearest near = nearest_to(name);
	const char *last_part = NULL;

	for (size_t i = 0; i < PARAM_IDS; i++) {
		if (strcmp(name, param_table[i].name) == 0) {
			*out = (enum param_id)i;
			return CV_OK;
		}
		nearest_offer(&near, param_table[i].name);
		if (!last_part && is_last_part(param_table[i].name, name))
			last_part = param_table[i].name;
	}
	RETURN_ERROR(CV_BAD_INPUT, "%.100s: no such parameter (`convoy params` lists them); nearest known name: %s",
		     name, last_part ? last_part : near.name);
}

void param_set_defaults(struct param_set *set)
{
	memset(set, 0, sizeof(*set));
	for (size_t i = 0; i < PARAM_IDS; i++) {
		struct param_value *value = &set->value[i];

		if (param_table[i].fallback[0] == '\0')
			continue;
		if (param_parse((enum param_id)i, param_table[i].fallback, value) != CV_OK) {
			fprintf(stderr, "convoy: bug: param_table.def: %s\n", cv_error_text());
			abort();
		}
		value->source_class = SOURCE_ESTIMATED;
		value->source = "built-in default";
		value->where = "default";
	}
}

static const struct param_value *typed(const struct param_set *set, enum param_id id, enum param_type type)
{
	assert(param_table[id].type == type);
	assert(set->value[id].present);
	(void)type;
	return &set->value[id];
}

ps_t param_ps(const struct param_set *set, enum param_id id)
{
	const struct param_value *value = &set->value[id];
	uint64_t clock;

	assert(param_table[id].type == PARAM_TIME || param_table[id].type == PARAM_COST);
	assert(value->present);
	if (!value->in_cycles)
		return (ps_t)value->number;
	/* Thousandths of a cycle to ps, to the nearest. At most 10^9 (1e6 cycles), so the product stays below 2^64. */
	clock = (uint64_t)typed(set, P_HOST_CLOCK, PARAM_FREQUENCY)->number;
	return ((uint64_t)value->number * 1000000000u + clock / 2) / clock;
}

uint32_t param_count(const struct param_set *set, enum param_id id)
{
	return (uint32_t)typed(set, id, PARAM_COUNT)->number;
}

uint32_t param_choice(const struct param_set *set, enum param_id id)
{
	return (uint32_t)typed(set, id, PARAM_CHOICE)->number;
}

bool param_choice_is(const struct param_set *set, enum param_id id, const char *choice)
{
	const struct param_value *value = typed(set, id, PARAM_CHOICE);
	struct param_value wanted;
	cv_result result = param_parse(id, choice, &wanted);

	assert(result == CV_OK && "not a choice of this parameter");
	return result == CV_OK && wanted.number == value->number;
}

bool param_switch(const struct param_set *set, enum param_id id)
{
	return typed(set, id, PARAM_SWITCH)->number != 0;
}

uint32_t param_millionths(const struct param_set *set, enum param_id id)
{
	return (uint32_t)typed(set, id, PARAM_FRACTION)->number;
}
