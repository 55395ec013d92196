// SPDX-License-Identifier: Apache-2.0
/* System registers by name, with cost classes; the list is sysreg.def. */
#ifndef CONVOY_MODEL_SYSREG_H
#define CONVOY_MODEL_SYSREG_H

#ifdef __cplusplus
extern "C" {
#endif

enum sysreg {
#define SYSREG(name, class) SYS_##name,
#include "model/sysreg.def"
#undef SYSREG
	SYSREG_COUNT
};

enum sysreg_class { SYSREG_ORDINARY, SYSREG_ICH, SYSREG_TIMER, SYSREG_COUNTER, SYSREG_GICV5 };

extern const unsigned char sysreg_classes[SYSREG_COUNT];

static inline enum sysreg_class sysreg_class_of(enum sysreg reg)
{
	return (enum sysreg_class)sysreg_classes[reg];
}

const char *sysreg_name(enum sysreg reg);

#ifdef __cplusplus
}
#endif

#endif
