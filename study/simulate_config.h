// SPDX-License-Identifier: Apache-2.0
/*
 * From parameters to the structures that the model takes: the only files that know both. Choices are handed over by their
 * place in the parameter table, so an enum of the model has the order of its choices there.
 */
#ifndef CONVOY_STUDY_SIMULATE_CONFIG_H
#define CONVOY_STUDY_SIMULATE_CONFIG_H

#include "model/cpu/host_config.h"
#include "model/kernel/kernel.h"
#include "study/param.h"

struct host_config sim_host_config(const struct param_set *params);
struct kernel_config sim_kernel_config(const struct param_set *params);

#endif
