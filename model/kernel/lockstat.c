// SPDX-License-Identifier: Apache-2.0
/* Lock statistics; see lockstat.h. One simulation a process, so the classes are a static list. */
#include "model/kernel/lockstat.h"

#include <stdlib.h>
#include <string.h>

static struct lock_class *classes;
static ps_t window_start, window_end = UINT64_MAX;

struct lock_class *lockstat_class(const char *name)
{
	struct lock_class *class;

	for (class = classes; class; class = class->next) {
		if (!strcmp(class->name, name))
			return class;
	}
	class = calloc(1, sizeof(*class));
	if (!class)
		abort();
	class->name = name;
	class->next = classes;
	classes = class;
	return class;
}

struct lock_site *lockstat_site(struct lock_class *class, const char *caller)
{
	struct lock_site *site;

	/* Callers are static strings: most look-ups end at the first pointer comparison. */
	for (site = class->sites; site; site = site->next) {
		if (site->caller == caller || !strcmp(site->caller, caller))
			return site;
	}
	site = calloc(1, sizeof(*site));
	if (!site)
		abort();
	site->lock = class->name;
	site->caller = caller;
	site->next = class->sites;
	class->sites = site;
	return site;
}

void lockstat_set_window(ps_t start, ps_t end)
{
	window_start = start;
	window_end = end;
}

static bool in_window(ps_t when)
{
	return when >= window_start && when < window_end;
}

void lockstat_acquired(struct lock_site *site, ps_t asked, ps_t got, bool contended, bool queued)
{
	ps_t wait = got - asked;

	if (!in_window(got))
		return;
	site->acquisitions++;
	if (!contended)
		return;
	site->contended++;
	site->queued += queued;
	site->wait_total += wait;
	if (wait > site->wait_max)
		site->wait_max = wait;
}

void lockstat_released(struct lock_site *site, ps_t got, ps_t released)
{
	ps_t hold = released - got;

	if (!in_window(got))
		return;
	site->hold_total += hold;
	if (hold > site->hold_max)
		site->hold_max = hold;
}

void lockstat_visit(lockstat_visitor visit, void *context)
{
	for (struct lock_class *class = classes; class; class = class->next) {
		for (struct lock_site *site = class->sites; site; site = site->next)
			visit(context, site);
	}
}
