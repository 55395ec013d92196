// SPDX-License-Identifier: Apache-2.0
/*
 * Lock statistics in the manner of `perf lock contention`: by lock class and call site. They cost no simulated time.
 *
 * An acquisition counts when it succeeds inside the measured window, with the whole of its wait and of its hold.
 * `contended`: found the lock held or wanted. `queued`: of these, entered qspinlock's MCS queue, which is where the
 * kernel's contention_begin tracepoint sits; the pending bit's waiter is contended but not queued. Waits are from
 * asking to holding, of contended acquisitions only; holds end when the unlock is visible.
 */
#ifndef CONVOY_MODEL_KERNEL_LOCKSTAT_H
#define CONVOY_MODEL_KERNEL_LOCKSTAT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/ids.h"

struct lock_site {
	const char *lock, *caller;
	uint64_t acquisitions, contended, queued;
	uint64_t wait_total, wait_max, hold_total, hold_max;
	struct lock_site *next;
};

struct lock_class {
	const char *name;
	struct lock_site *sites;
	struct lock_class *next;
};

/* The class of a name, made at first use. */
struct lock_class *lockstat_class(const char *name);
struct lock_site *lockstat_site(struct lock_class *class, const char *caller);

void lockstat_set_window(ps_t start, ps_t end);
void lockstat_acquired(struct lock_site *site, ps_t asked, ps_t got, bool contended, bool queued);
void lockstat_released(struct lock_site *site, ps_t got, ps_t released);

/* Calls `visit` for every call site of every class, in no defined order. */
typedef void (*lockstat_visitor)(void *context, const struct lock_site *site);
void lockstat_visit(lockstat_visitor visit, void *context);

#endif
