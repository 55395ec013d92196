// SPDX-License-Identifier: Apache-2.0
/* See table.h. */
#include "cli/table.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli/text.h"

void table_init(struct table *table, const struct table_column *columns, size_t column_count)
{
	*table = (struct table){.columns = columns, .column_count = column_count};
}

void table_text(struct table *table, const char *text)
{
	if (table->cell_count == table->cell_size) {
		size_t size = table->cell_size ? table->cell_size * 2 : 256;
		const char **cells = realloc(table->cells, size * sizeof(*cells));

		if (!cells)
			abort();
		table->cells = cells;
		table->cell_size = size;
	}
	table->cells[table->cell_count++] = arena_string(&table->arena, text);
}

void table_format(struct table *table, const char *format, ...)
{
	char text[1024];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	table_text(table, text);
}

void table_free(struct table *table)
{
	free(table->cells);
	arena_free(&table->arena);
	*table = (struct table){0};
}

/* Blanks wait until something follows them: no line ends in blanks. */
static void print_padded(FILE *out, const char *text, size_t width, bool right, size_t *blanks)
{
	size_t pad = width - text_width(text);

	*blanks += right ? pad : 0;
	if (*text) {
		fprintf(out, "%*s%s", (int)*blanks, "", text);
		*blanks = 0;
	}
	*blanks += right ? 0 : pad;
}

static size_t column_width(const struct table *table, size_t column)
{
	size_t width = text_width(table->columns[column].heading);

	for (size_t i = column; i < table->cell_count; i += table->column_count) {
		size_t cell = text_width(table->cells[i]);

		width = cell > width ? cell : width;
	}
	return width;
}

/* People are spared the columns that nobody filled, e.g. measured values where nothing was measured. */
static bool column_shown(const struct table *table, size_t column)
{
	if (!table->columns[column].heading)
		return false;
	for (size_t i = column; i < table->cell_count; i += table->column_count)
		if (table->cells[i][0])
			return true;
	return false;
}

static void print_people(const struct table *table, struct cli *cli)
{
	size_t rows = table->cell_count / table->column_count;

	for (size_t r = 0; rows && r <= rows; r++) {
		size_t blanks = 0;

		if (r == 0 && cli->colour)
			fputs("\033[1m", cli->out);
		for (size_t c = 0; c < table->column_count; c++) {
			const struct table_column *column = &table->columns[c];

			if (!column_shown(table, c))
				continue;
			blanks += 2;
			print_padded(cli->out, r ? table->cells[(r - 1) * table->column_count + c] : column->heading,
				     column_width(table, c), column->number, &blanks);
		}
		fputs(r == 0 && cli->colour ? "\033[0m\n" : "\n", cli->out);
	}
}

static void csv_cell(FILE *out, const char *text)
{
	if (!strpbrk(text, ",\"\r\n")) {
		fputs(text, out);
		return;
	}
	fputc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', out);
		fputc(*text, out);
	}
	fputc('"', out);
}

static void print_csv(const struct table *table, FILE *out)
{
	size_t rows = table->cell_count / table->column_count;

	for (size_t r = 0; r <= rows; r++) {
		bool first = true;

		for (size_t c = 0; c < table->column_count; c++) {
			if (!table->columns[c].name)
				continue;
			fputs(first ? "" : ",", out);
			csv_cell(out, r ? table->cells[(r - 1) * table->column_count + c] : table->columns[c].name);
			first = false;
		}
		fputc('\n', out);
	}
}

void json_string(FILE *out, const char *text)
{
	fputc('"', out);
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (c == '"' || c == '\\')
			fprintf(out, "\\%c", c);
		else if (c == '\n')
			fputs("\\n", out);
		else if (c < 0x20)
			fprintf(out, "\\u%04x", c);
		else
			fputc(c, out);
	}
	fputc('"', out);
}

static void json_cell(FILE *out, const struct table_column *column, const char *cell, bool first)
{
	fputs(first ? "" : ", ", out);
	json_string(out, column->name);
	fputs(": ", out);
	if (column->number)
		fputs(*cell ? cell : "null", out);
	else
		json_string(out, cell);
}

static void print_json(const struct table *table, FILE *out)
{
	size_t rows = table->cell_count / table->column_count;

	fputc('[', out);
	for (size_t r = 0; r < rows; r++) {
		bool first = true;

		fputs(r ? ",\n  {" : "\n  {", out);
		for (size_t c = 0; c < table->column_count; c++) {
			if (!table->columns[c].name)
				continue;
			json_cell(out, &table->columns[c], table->cells[r * table->column_count + c], first);
			first = false;
		}
		fputc('}', out);
	}
	fputs(rows ? "\n]" : "]", out);
}

static void markdown_cell(FILE *out, const char *text)
{
	fputc(' ', out);
	for (; *text; text++) {
		if (*text == '|')
			fputc('\\', out);
		fputc(*text, out);
	}
	fputs(" |", out);
}

static void print_markdown(const struct table *table, FILE *out)
{
	size_t rows = table->cell_count / table->column_count;

	for (size_t r = 0; r < rows + 2; r++) {
		fputc('|', out);
		for (size_t c = 0; c < table->column_count; c++) {
			const struct table_column *column = &table->columns[c];

			if (!column->heading)
				continue;
			if (r == 1)
				fputs(column->number ? " ---: |" : " --- |", out);
			else
				markdown_cell(out, r ? table->cells[(r - 2) * table->column_count + c] : column->heading);
		}
		fputc('\n', out);
	}
}

void table_print(const struct table *table, struct cli *cli, enum format format)
{
	assert(table->cell_count % table->column_count == 0);
	switch (format) {
	case FORMAT_TABLE:
		print_people(table, cli);
		break;
	case FORMAT_CSV:
		print_csv(table, cli->out);
		break;
	case FORMAT_JSON:
		print_json(table, cli->out);
		break;
	case FORMAT_MARKDOWN:
		print_markdown(table, cli->out);
		break;
	}
}
