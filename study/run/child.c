// SPDX-License-Identifier: Apache-2.0
/* fork, pipe, wait; see child.h. */
#define _GNU_SOURCE   /* pipe2 */
#include "study/run/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static void write_all(int fd, const struct wire_buffer *buffer)
{
	size_t done = 0;

	while (done < buffer->used) {
		ssize_t n = write(fd, buffer->bytes + done, buffer->used - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			_exit(1);
		done += (size_t)n;
	}
}

/* The child's whole life. It leaves by _exit: buffers and handlers belong to the parent. */
static _Noreturn void child_main(const struct run_job *job, run_simulate_fn *simulate, int fd, pid_t parent)
{
	struct wire_buffer buffer = {0};
	struct sim_result result = {0};
	sigset_t none;

	/* Ctrl-C reaches the whole process group; the parent decides what it means. If the parent dies, so do we. */
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_DFL);
	signal(SIGPIPE, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	/* Whatever a simulation prints must not land in the middle of a table. */
	dup2(STDERR_FILENO, STDOUT_FILENO);
	cv_result code = simulate(job->params, job->replication, &result);

	wire_pack(&buffer, code, code == CV_OK ? "" : cv_error_text(), &result);
	write_all(fd, &buffer);
	_exit(0);
}

cv_result child_start(struct child *child, const struct run_job *job, run_simulate_fn *simulate)
{
	pid_t parent = getpid();
	int ends[2];

	RETURN_ERROR_IF(pipe2(ends, O_CLOEXEC) != 0, CV_IO, "cannot make a pipe: %s", strerror(errno));
	pid_t pid = fork();

	if (pid == 0) {
		close(ends[0]);
		child_main(job, simulate, ends[1], parent);
	}
	close(ends[1]);
	if (pid < 0) {
		close(ends[0]);
		RETURN_ERROR(CV_IO, "cannot start a simulation process: %s", strerror(errno));
	}
	*child = (struct child){.pid = pid, .pipe = ends[0], .job = job};
	return CV_OK;
}

cv_result child_read(struct child *child, bool *ended)
{
	unsigned char bytes[65536];
	ssize_t n = read(child->pipe, bytes, sizeof(bytes));

	*ended = n == 0;
	if (n < 0 && errno != EINTR && errno != EAGAIN)
		RETURN_ERROR(CV_IO, "cannot read from a simulation process: %s", strerror(errno));
	if (n > 0)
		wire_append(&child->received, bytes, (size_t)n);
	return CV_OK;
}

static int reap(struct child *child)
{
	int status = 0;

	close(child->pipe);
	while (waitpid(child->pid, &status, 0) < 0 && errno == EINTR)
		;
	child->pid = 0;
	return status;
}

cv_result child_finish(struct child *child, struct arena *arena, struct sim_result *result)
{
	const struct run_job *job = child->job;
	int status = reap(child);
	const char *text = "";
	cv_result code = CV_INTERNAL;
	bool whole = wire_unpack(&child->received, arena, &code, &text, result);

	wire_free(&child->received);
	RETURN_ERROR_IF(WIFSIGNALED(status), CV_CHILD_FAILED,
			"the simulation of %s (replication %u) was killed by signal %d (%s)%s", job->label,
			job->replication, WTERMSIG(status), strsignal(WTERMSIG(status)),
			WTERMSIG(status) == SIGKILL ? ": perhaps out of memory" : "");
	RETURN_ERROR_IF(!whole, CV_CHILD_FAILED, "the simulation of %s (replication %u) ended with code %d and no whole result",
			job->label, job->replication, WEXITSTATUS(status));
	RETURN_ERROR_IF(code != CV_OK, code, "%s (replication %u): %s", job->label, job->replication, text);
	return CV_OK;
}

void child_kill(struct child *child)
{
	kill(child->pid, SIGKILL);
	reap(child);
	wire_free(&child->received);
}
