// SPDX-License-Identifier: Apache-2.0
/*
 * A vCPU whose thread is a task, on CPU 2 of a recording machine: the step bench with the scheduler. The task does one KVM_RUN and then sleeps for good; what
 * the guest does is a list of steps, of which the last one leaves for the VMM.
 */
#ifndef CONVOY_TESTS_STEP_SCHED_BENCH_H
#define CONVOY_TESTS_STEP_SCHED_BENCH_H

#include "tests/step/step_bench.h"

#define HOST_TIMER_PPI 26
#define OTHER_CPU 1

struct sched_bench {
	struct step_bench b;
	struct task_struct task;       /* the vCPU's */
	const struct guest_step *steps;
	size_t step;
	unsigned int idled;            /* how often CPU 2 was idle */
	bool (*while_idle)(struct sched_bench *bench, struct cpu *cpu);
	void *context;
	bool finished;
};

/* `steps` ends with a GUEST_MMIO_READ_USER; must outlive the bench. */
void sched_bench_start(struct sched_bench *bench, const struct kernel_config *config, const struct guest_step *steps);
void sched_bench_stop(struct sched_bench *bench);
/* Runs CPU 2 until it is idle and stays so. */
void sched_bench_run(struct sched_bench *bench);

/* An SGI of the VM to the vCPU, by software on another CPU. */
void interrupt_from_other_cpu(struct sched_bench *bench);
/* This host interrupt is pending on CPU 2. */
void host_interrupt(struct sched_bench *bench, uint32_t number);

#endif
