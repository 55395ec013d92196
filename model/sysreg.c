// SPDX-License-Identifier: Apache-2.0
/* Names and cost classes of the system registers; see sysreg.def. */
#include "model/sysreg.h"

static const struct {
	const char *name;
	enum sysreg_class class;
} sysregs[SYSREG_COUNT] = {
#define SYSREG(name, class) { #name, SYSREG_##class },
#include "model/sysreg.def"
#undef SYSREG
};

enum sysreg_class sysreg_class_of(enum sysreg reg)
{
	return sysregs[reg].class;
}

const char *sysreg_name(enum sysreg reg)
{
	return sysregs[reg].name;
}
