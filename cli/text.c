// SPDX-License-Identifier: Apache-2.0
/* See text.h. */
#include "cli/text.h"

#include <string.h>

enum { RIGHT_EDGE = 100 };

void print_wrapped(FILE *out, const char *text)
{
	int column = 0;

	while (*(text += strspn(text, " \n"))) {
		int length = (int)strcspn(text, " \n");

		if (column && column + 1 + length > RIGHT_EDGE) {
			fputc('\n', out);
			column = 0;
		}
		column += fprintf(out, "%s%.*s", column ? " " : "  ", length, text);
		text += length;
	}
	fputc('\n', out);
}

size_t text_width(const char *text)
{
	size_t width = 0;

	for (; *text; text++)
		width += ((unsigned char)*text & 0xc0) != 0x80;
	return width;
}

size_t shared_words(const char *const *texts, size_t count)
{
	size_t shared = 0, same = 0;

	if (count < 2)
		return 0;
	for (;; same++) {
		char c = texts[0][same];

		for (size_t i = 1; i < count; i++)
			if (texts[i][same] != c)
				return shared;
		if (c == '\0')
			return shared;
		if (c == ' ')
			shared = same + 1;
	}
}
