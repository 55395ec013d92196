// SPDX-License-Identifier: Apache-2.0
/* See progress.h. Host time appears here and in the totals line only, never in results that are compared. */
#include "study/run/progress.h"

#include <stdio.h>
#include <time.h>

uint64_t progress_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void progress_start(struct progress *progress, enum run_progress kind, size_t count, double work)
{
	*progress = (struct progress){.kind = kind, .count = count, .work = work, .start_ns = progress_now_ns()};
	progress->shown_ns = progress->start_ns;
}

void progress_format_time(double seconds, char *out, size_t size)
{
	unsigned long whole = (unsigned long)(seconds + 0.5);

	if (whole >= 3600)
		snprintf(out, size, "%lu h %02lu min", whole / 3600, whole / 60 % 60);
	else if (whole >= 60)
		snprintf(out, size, "%lu min %02lu s", whole / 60, whole % 60);
	else
		snprintf(out, size, "%lu s", whole);
}

void progress_step(struct progress *progress, const struct run_job *job, double work)
{
	uint64_t now = progress_now_ns();
	uint64_t interval = progress->kind == PROGRESS_TERMINAL ? 100000000u : 10000000000u;
	char left[32];

	progress->done++;
	progress->work_done += work;
	if (progress->kind == PROGRESS_NONE || (now - progress->shown_ns < interval && progress->done < progress->count))
		return;
	/* Short studies on no terminal stay silent: the line at the end says it all. */
	if (progress->kind == PROGRESS_LINES && now - progress->start_ns < interval)
		return;
	progress->shown_ns = now;
	double elapsed = (double)(now - progress->start_ns) / 1e9;

	progress_format_time(progress->work_done > 0 ? elapsed * (progress->work - progress->work_done) /
			     progress->work_done : 0, left, sizeof(left));
	if (progress->kind == PROGRESS_TERMINAL)
		fprintf(stderr, "\r\033[K%zu of %zu runs, %s left · %.60s", progress->done, progress->count, left,
			job->label);
	else
		fprintf(stderr, "convoy: %zu of %zu runs, %s left\n", progress->done, progress->count, left);
	fflush(stderr);
}

void progress_clear(const struct progress *progress)
{
	if (progress->kind == PROGRESS_TERMINAL) {
		fprintf(stderr, "\r\033[K");
		fflush(stderr);
	}
}
