// SPDX-License-Identifier: Apache-2.0
/* What a calibration found, for people. Private to cmd_calibrate.c. */
#ifndef CONVOY_CLI_CALIBRATE_PRINT_H
#define CONVOY_CLI_CALIBRATE_PRINT_H

#include "cli/cli.h"
#include "study/run/calibrate.h"

void calibrate_print(struct cli *cli, const struct study *study, const struct calibrate_outcome *outcome);

#endif
