// SPDX-License-Identifier: Apache-2.0
/* Small helps for text that people read. */
#ifndef CONVOY_CLI_TEXT_H
#define CONVOY_CLI_TEXT_H

#include <stddef.h>
#include <stdio.h>

/* Prints running text with an indent of two, broken at blanks before column 100. */
void print_wrapped(FILE *out, const char *text);

/* Columns on the screen: code points, as none of our texts uses wide or combining characters. */
size_t text_width(const char *text);

/* How many bytes at the start of the points' texts ("host=x kernel=before …") are whole words that all of them share. */
size_t shared_words(const char *const *texts, size_t count);

#endif
