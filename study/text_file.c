// SPDX-License-Identifier: Apache-2.0
/* Reading and checking small text files; see text_file.h. */
#include "study/text_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * Decodes one UTF-8 character at text[0 … left-1]: its length in bytes, 0 when it is not valid (overlong forms,
 * surrogates and values above U+10FFFF included).
 */
static size_t utf8_decode(const unsigned char *text, size_t left, uint32_t *character)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t length = text[0] < 0x80 ? 1 : text[0] < 0xc2 ? 0 : text[0] < 0xe0 ? 2 : text[0] < 0xf0 ? 3 : text[0] < 0xf5 ? 4 : 0;
	uint32_t value;

	if (length == 0 || length > left)
		return 0;
	value = length == 1 ? text[0] : text[0] & (0x7fu >> length);
	for (size_t i = 1; i < length; i++) {
		if ((text[i] & 0xc0) != 0x80)
			return 0;
		value = value << 6 | (text[i] & 0x3f);
	}
	if (length > 1 && (value < least[length] || (value >= 0xd800 && value < 0xe000) || value > 0x10ffff))
		return 0;
	*character = value;
	return length;
}

/* What YAML 1.1 calls printable, plus tab and line ends. U+FEFF only at the start of a file. */
static bool is_printable(uint32_t c, size_t offset)
{
	if (c == 0xfeff)
		return offset == 0;
	return c == '\t' || c == '\n' || c == '\r' || (c >= 0x20 && c < 0x7f) || c == 0x85 || (c >= 0xa0 && c < 0xfffe) ||
	       c >= 0x10000;
}

cv_result text_check(const char *path, const char *text, size_t size)
{
	const unsigned char *bytes = (const unsigned char *)text;
	unsigned line = 1, column = 1;

	for (size_t i = 0; i < size;) {
		uint32_t character;
		size_t length = utf8_decode(bytes + i, size - i, &character);

		RETURN_ERROR_IF(length == 0, CV_BAD_INPUT, "%s:%u:%u: byte 0x%02x is not UTF-8; save the file as UTF-8 text",
				path, line, column, bytes[i]);
		RETURN_ERROR_IF(!is_printable(character, i), CV_BAD_INPUT,
				"%s:%u:%u: control character U+%04X is not allowed in a text file", path, line, column,
				(unsigned)character);
		if (character == '\n') {
			line++;
			column = 1;
		} else if (character != 0xfeff) {
			column++;
		}
		i += length;
	}
	RETURN_ERROR_IF(size == 0, CV_BAD_INPUT, "%s: the file is empty", path);
	return CV_OK;
}

static cv_result read_open_file(int file, const char *path, char **text, size_t *size)
{
	struct stat status;
	char *bytes;
	size_t used = 0;

	RETURN_ERROR_IF(fstat(file, &status) != 0, CV_IO, "%s: cannot be read: %s", path, strerror(errno));
	RETURN_ERROR_IF(S_ISDIR(status.st_mode), CV_BAD_INPUT, "%s: is a directory; name a file in it", path);
	RETURN_ERROR_IF(!S_ISREG(status.st_mode), CV_BAD_INPUT, "%s: is not a regular file", path);
	RETURN_ERROR_IF(status.st_size > (off_t)TEXT_FILE_MOST, CV_BAD_INPUT,
			"%s: %lld bytes are too many for such a file; allowed: at most %u", path, (long long)status.st_size,
			TEXT_FILE_MOST);
	bytes = malloc(TEXT_FILE_MOST + 2);
	RETURN_ERROR_IF(bytes == NULL, CV_IO, "%s: out of memory", path);
	for (;;) {
		/* One byte more than allowed, to notice a file that grows meanwhile. */
		ssize_t got = read(file, bytes + used, TEXT_FILE_MOST + 1 - used);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0 || used + (size_t)got > TEXT_FILE_MOST) {
			cv_result result = got < 0 ?
				cv_error_set(CV_IO, "%s: cannot be read: %s", path, strerror(errno)) :
				cv_error_set(CV_BAD_INPUT, "%s: grew beyond %u bytes while it was read", path, TEXT_FILE_MOST);

			free(bytes);
			return result;
		}
		if (got == 0)
			break;
		used += (size_t)got;
	}
	bytes[used] = '\0';
	*text = bytes;
	*size = used;
	return CV_OK;
}

cv_result text_file_read(const char *path, char **text, size_t *size)
{
	/* O_NONBLOCK: opening a FIFO must not wait for a writer. */
	int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	cv_result result;

	RETURN_ERROR_IF(file < 0 && (errno == ENOENT || errno == ENOTDIR), CV_NOT_FOUND, "%s: no such file", path);
	RETURN_ERROR_IF(file < 0, CV_IO, "%s: cannot be opened: %s", path, strerror(errno));
	result = read_open_file(file, path, text, size);
	close(file);
	FORWARD_IF_ERROR(result);
	result = text_check(path, *text, *size);
	if (result != CV_OK) {
		free(*text);
		*text = NULL;
	}
	return result;
}
