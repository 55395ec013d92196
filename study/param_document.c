// SPDX-License-Identifier: Apache-2.0
/* The parameter table as a Markdown document; see param_document.h. */
#include "study/param_document.h"

#include <string.h>

#include "study/param.h"

static const struct {
	const char *prefix, *title;
} groups[] = {
	{ "host.", "Host: the hardware" },
	{ "kernel.", "Kernel: what differs between kernels" },
	{ "workload.", "Workload: what the guests and their VMM do" },
	{ "run.", "Run: how a point is simulated" },
};

static const char *const type_names[] = {
	[PARAM_TIME] = "time",         [PARAM_COST] = "cost",         [PARAM_FREQUENCY] = "frequency",
	[PARAM_COUNT] = "count",       [PARAM_FRACTION] = "fraction", [PARAM_CHOICE] = "choice",
	[PARAM_SWITCH] = "yes or no",
};

static void write_range(FILE *out, const struct param_row *row)
{
	if (row->type == PARAM_CHOICE) {
		fputc('`', out);
		for (const char *c = row->choices; *c != '\0'; c++)
			fputs(*c == '|' ? "`, `" : (char[]){ *c, '\0' }, out);
		fputc('`', out);
	} else if (row->type == PARAM_SWITCH) {
		fputs("`yes`, `no`", out);
	} else {
		fprintf(out, "%s to %s", row->minimum, row->maximum);
	}
}

void param_document(FILE *out)
{
	fputs("<!-- Written from study/param_table.def by `parameters-document`; a test compares the two. -->\n"
	      "# Parameters\n"
	      "\n"
	      "Every number and switch of the model. A *time* is written `97ns` (ps, ns, us, ms, s), a *cost* as a time or as\n"
	      "`12cycles` of `host.clock`, a *frequency* `1.7GHz` (Hz, kHz, MHz, GHz), a *count* `12`, a *fraction* `0.04`. All are\n"
	      "exact decimals. \"required\" means that no default exists: a file must say it. Which file sets what, and in which\n"
	      "order they count, is in [formats.md](formats.md).\n", out);
	for (size_t g = 0; g < sizeof(groups) / sizeof(groups[0]); g++) {
		fprintf(out, "\n## %s\n\n| parameter | type | default | allowed | meaning |\n|---|---|---|---|---|\n",
			groups[g].title);
		for (size_t i = 0; i < PARAM_IDS; i++) {
			const struct param_row *row = &param_table[i];

			if (strncmp(row->name, groups[g].prefix, strlen(groups[g].prefix)) != 0)
				continue;
			fprintf(out, "| `%s` | %s | %s | ", row->name, type_names[row->type],
				row->fallback[0] != '\0' ? row->fallback : "required");
			write_range(out, row);
			fprintf(out, " | %s |\n", row->meaning);
		}
	}
}
