// SPDX-License-Identifier: Apache-2.0
/*
 * A table that prints itself for people (aligned, UTF-8), as CSV (RFC 4180, "\n" ends a line), JSON (an array of objects)
 * or Markdown. The names of CSV columns and JSON keys are the same; headings for people may differ.
 */
#ifndef CONVOY_CLI_TABLE_H
#define CONVOY_CLI_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "cli/cli.h"
#include "study/store/arena.h"

struct table_column {
	const char *name;               /* in CSV and JSON; NULL: this column is for people only */
	const char *heading;            /* for people; NULL: this column is for machines only */
	bool number;                    /* right-aligned, unquoted in JSON, empty becomes null */
};

struct table {
	struct arena arena;
	const struct table_column *columns;
	size_t column_count;
	const char **cells;             /* row after row */
	size_t cell_count, cell_size;
};

/* `columns` must outlive the table. */
void table_init(struct table *table, const struct table_column *columns, size_t column_count);

/* The next cell, row by row. NULL or "" is an empty cell. */
void table_text(struct table *table, const char *text);
void table_format(struct table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Prints; FORMAT_TABLE with an indent of two and the heading line only when there are rows. */
void table_print(const struct table *table, struct cli *cli, enum format format);
void table_free(struct table *table);

/* A JSON string with its quotes. */
void json_string(FILE *out, const char *text);

#endif
