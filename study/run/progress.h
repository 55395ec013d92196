// SPDX-License-Identifier: Apache-2.0
/*
 * Progress on stderr, with the time that is left: one line that is rewritten on a terminal, a plain line now and then
 * elsewhere. Work is counted in vCPUs × simulated time, which is what host time is roughly proportional to.
 */
#ifndef CONVOY_STUDY_RUN_PROGRESS_H
#define CONVOY_STUDY_RUN_PROGRESS_H

#include "study/run/runner.h"

struct progress {
	enum run_progress kind;
	size_t done, count;
	double work_done, work;
	uint64_t start_ns, shown_ns;
};

uint64_t progress_now_ns(void);         /* host's monotonic clock */
void progress_start(struct progress *progress, enum run_progress kind, size_t count, double work);
void progress_step(struct progress *progress, const struct run_job *job, double work);

/* Removes the line from the terminal: something else is printed next. */
void progress_clear(const struct progress *progress);

/* "1 min 05 s", "12 s". */
void progress_format_time(double seconds, char *out, size_t size);

#endif
