// SPDX-License-Identifier: Apache-2.0
/* One simulation in a child process, seen from the parent. Private to this folder. */
#ifndef CONVOY_STUDY_RUN_CHILD_H
#define CONVOY_STUDY_RUN_CHILD_H

#include <sys/types.h>

#include "study/run/runner.h"
#include "study/run/wire.h"

struct child {
	pid_t pid;                      /* 0: this slot is free */
	int pipe;                       /* read end */
	const struct run_job *job;
	struct wire_buffer received;
};

/* Forks and starts the job. */
cv_result child_start(struct child *child, const struct run_job *job, run_simulate_fn *simulate);

/* Reads what is there; *ended is set at the end of the stream. */
cv_result child_read(struct child *child, bool *ended);

/* After the end of the stream: waits for the process and unpacks what it sent, or explains how it died
 * (CV_CHILD_FAILED). Frees the slot. */
cv_result child_finish(struct child *child, struct arena *arena, struct sim_result *result);

/* Kills the process, waits for it and frees the slot. */
void child_kill(struct child *child);

#endif
