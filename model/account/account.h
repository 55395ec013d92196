// SPDX-License-Identifier: Apache-2.0
/*
 * Accounting: every picosecond of every CPU belongs to exactly one (function stack, reason).
 *
 * The stacks form one tree for the whole machine; a node is a function under its caller. Each CPU has a current node.
 * Whoever advances a CPU's local time charges the same amount here, so the sum of a CPU's charges is its local time:
 * no gap, no overlap. account_set_window() names the measured window; a charge that crosses one of its edges is cut
 * there, so the window's sum is exact to the picosecond even where a CPU has run ahead of its end.
 *
 * Ownership: the tree and the per-CPU totals belong to struct account; node names belong to the callers (static
 * strings). Not thread-safe: one simulation, one thread.
 */
#ifndef CONVOY_MODEL_ACCOUNT_ACCOUNT_H
#define CONVOY_MODEL_ACCOUNT_ACCOUNT_H

#include <stddef.h>
#include <stdint.h>

#include "base/ids.h"

#ifdef __cplusplus
extern "C" {
#endif

enum account_reason { ACCOUNT_RUN, ACCOUNT_LINE, ACCOUNT_SPIN, ACCOUNT_DEVICE, ACCOUNT_IDLE, ACCOUNT_GUEST, ACCOUNT_REASONS };

const char *account_reason_name(enum account_reason reason);

struct account;

struct account *account_new(uint32_t cpus);
void account_free(struct account *account);

/* Function names are compared by their id; 0 asks for a new one. Returns the id to keep. */
void account_enter(struct account *account, cpu_id cpu, const char *name, uint32_t *id);
void account_leave(struct account *account, cpu_id cpu);

/* The stack that a CPU is in, and entering one that was left like this: what a switch of threads does. 0: the root. */
uint32_t account_stack(const struct account *account, cpu_id cpu);
void account_switch(struct account *account, cpu_id cpu, uint32_t stack);

/*
 * `amount` ps of `cpu`, up to its local time `until`, for `reason`, in the function entered last. Only the part
 * inside the window counts.
 */
void account_charge(struct account *account, cpu_id cpu, enum account_reason reason, ps_t amount, ps_t until);

/* The measured window: [start, end). Charges outside it are dropped, charges across an edge are cut. */
void account_set_window(struct account *account, ps_t start, ps_t end);

/* Total charged to a CPU in the window. */
ps_t account_cpu_total(const struct account *account, cpu_id cpu);

/*
 * Calls `visit` for every (stack, reason) with time in it, in no defined order. `stack` is "a;b;c", valid during
 * the call.
 */
typedef void (*account_visitor)(void *context, const char *stack, enum account_reason reason, ps_t amount);
void account_visit(const struct account *account, account_visitor visit, void *context);

#ifdef __cplusplus
}
#endif

#endif
