// SPDX-License-Identifier: Apache-2.0
/*
 * Building and running the SystemC machine, for whoever composes a simulation (study/simulate.c). Software never sees
 * this. SystemC allows one simulation per process: machine_build may be called once.
 */
#ifndef CONVOY_MODEL_CPU_MACHINE_BUILD_H
#define CONVOY_MODEL_CPU_MACHINE_BUILD_H

#include "base/ids.h"
#include "model/account/account.h"
#include "model/cpu/host_config.h"
#include "model/machine.h"

#ifdef __cplusplus
extern "C" {
#endif

struct machine *machine_build(const struct host_config *config);
struct account *machine_account(struct machine *machine);

/* Runs simulated time up to `until`, absolute. Threads may have run ahead of it privately. */
void machine_run_until(struct machine *machine, ps_t until);
/*
 * Charges what CPUs that are still waiting at `end` have waited so far, so that the accounts of the window are
 * complete.
 */
void machine_close_accounts(struct machine *machine, ps_t end);

struct machine_counters {
	uint64_t line_transactions;  /* requests that reached a home node */
	uint64_t line_accesses;      /* all line_* calls */
	uint64_t device_writes, device_reads;
	uint64_t sysreg_accesses;
	uint64_t catch_ups;          /* waits for simulated time */
};
struct machine_counters machine_count(const struct machine *machine);

#ifdef __cplusplus
}
#endif

#endif
