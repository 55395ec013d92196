// SPDX-License-Identifier: Apache-2.0
/* Writes docs/parameters.md to standard output: build/…/parameters-document > docs/parameters.md */
#include "study/param_document.h"

int main(void)
{
	param_document(stdout);
	return fflush(stdout) == 0 ? 0 : 2;
}
