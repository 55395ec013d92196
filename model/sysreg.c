// SPDX-License-Identifier: Apache-2.0
/* Names and cost classes of the system registers; see sysreg.def. */
#include "model/sysreg.h"

static const char *const names[SYSREG_COUNT] = {
#define SYSREG(name, class) #name,
#include "model/sysreg.def"
#undef SYSREG
};

const unsigned char sysreg_classes[SYSREG_COUNT] = {
#define SYSREG(name, class) SYSREG_##class,
#include "model/sysreg.def"
#undef SYSREG
};

const char *sysreg_name(enum sysreg reg)
{
	return names[reg];
}
