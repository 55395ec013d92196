// SPDX-License-Identifier: Apache-2.0
/* See options.h. */
#include "cli/options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "study/keep.h"
#include "study/nearest.h"

static cv_result unknown_option(const struct command *command, const char *typed, size_t length)
{
	char wanted[64];
	struct nearest near;

	snprintf(wanted, sizeof(wanted), "%.*s", (int)length, typed);
	near = nearest_to(wanted);
	nearest_offer(&near, "--help");
	for (const struct option_spec *spec = command->options(); spec->name; spec++)
		nearest_offer(&near, keep_textf("--%s", spec->name));
	RETURN_ERROR(CV_BAD_INPUT, "%s: unknown option %s: did you mean %s? (`convoy %s --help` lists them)",
		     command->name, wanted, near.name, command->name);
}

static const struct option_spec *find_option(const struct command *command, const char *typed, size_t length)
{
	for (const struct option_spec *spec = command->options(); spec->name; spec++) {
		if (typed[1] == '-' && strlen(spec->name) == length - 2 && strncmp(spec->name, typed + 2, length - 2) == 0)
			return spec;
		if (typed[1] != '-' && length == 2 && spec->letter == typed[1])
			return spec;
	}
	return NULL;
}

/* One option at argv[*at]; its value may be the next word. */
static cv_result parse_option(const struct command *command, int argc, char **argv, int *at, struct option_value *out)
{
	const char *typed = argv[*at];
	const char *equals = typed[1] == '-' ? strchr(typed, '=') : NULL;
	size_t length = equals ? (size_t)(equals - typed) : strlen(typed);
	const char *attached = equals ? equals + 1 : NULL;

	if (typed[1] != '-' && length > 2) {    /* -j4 */
		attached = typed + 2;
		length = 2;
	}
	const struct option_spec *spec = find_option(command, typed, length);

	if (!spec)
		return unknown_option(command, typed, equals ? length : strlen(typed));
	*out = (struct option_value){.spec = spec, .value = ""};
	if (!spec->argument) {
		RETURN_ERROR_IF(attached, CV_BAD_INPUT, "%s: --%s takes no value", command->name, spec->name);
		return CV_OK;
	}
	if (!attached) {
		RETURN_ERROR_IF(*at + 1 >= argc, CV_BAD_INPUT, "%s: --%s needs a value: %s", command->name, spec->name,
				spec->argument);
		attached = argv[++*at];
	}
	out->value = attached;
	return CV_OK;
}

cv_result options_parse(const struct command *command, int argc, char **argv, struct arguments *out)
{
	struct option_value *options = keep_memory(((size_t)argc + 1) * sizeof(*options));
	const char **words = keep_memory(((size_t)argc + 1) * sizeof(*words));
	bool only_words = false;

	*out = (struct arguments){.options = options, .words = words, .argv = argv, .argc = argc};
	for (int i = 1; i < argc; i++) {
		if (only_words || argv[i][0] != '-' || argv[i][1] == '\0') {
			words[out->word_count++] = argv[i];
		} else if (strcmp(argv[i], "--") == 0) {
			only_words = true;
		} else if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
			out->help = true;
		} else {
			struct option_value option;

			FORWARD_IF_ERROR(parse_option(command, argc, argv, &i, &option));
			RETURN_ERROR_IF(!option.spec->many && option_given(out, option.spec->name), CV_BAD_INPUT,
					"%s: --%s is given twice", command->name, option.spec->name);
			options[out->option_count++] = option;
		}
	}
	return CV_OK;
}

const char *option_value(const struct arguments *arguments, const char *name)
{
	for (size_t i = 0; i < arguments->option_count; i++)
		if (strcmp(arguments->options[i].spec->name, name) == 0)
			return arguments->options[i].value;
	return NULL;
}

bool option_given(const struct arguments *arguments, const char *name)
{
	return option_value(arguments, name) != NULL;
}

cv_result option_number(const struct arguments *arguments, const char *name, unsigned long minimum,
			unsigned long maximum, unsigned long fallback, unsigned long *out)
{
	const char *text = option_value(arguments, name);
	char *end;

	*out = fallback;
	if (!text)
		return CV_OK;
	errno = 0;
	*out = strtoul(text, &end, 10);
	RETURN_ERROR_IF(text[0] < '0' || text[0] > '9' || *end || errno || *out < minimum || *out > maximum,
			CV_BAD_INPUT, "--%s: \"%s\" is not a whole number between %lu and %lu", name, text, minimum, maximum);
	return CV_OK;
}

cv_result options_words(const struct arguments *arguments, size_t minimum, size_t maximum, const char *what)
{
	RETURN_ERROR_IF(arguments->word_count < minimum, CV_BAD_INPUT, "%s: %s is missing (see `convoy %s --help`)",
			arguments->argv[0], what, arguments->argv[0]);
	RETURN_ERROR_IF(arguments->word_count > maximum, CV_BAD_INPUT, "%s: \"%s\" is too much: %s is expected",
			arguments->argv[0], arguments->words[maximum], what);
	return CV_OK;
}
