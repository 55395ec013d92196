// SPDX-License-Identifier: Apache-2.0
/* One spinlock on a recording machine of eight CPUs. What other CPUs do meanwhile is scripted in while_waiting. */
#ifndef CONVOY_TESTS_STEP_LOCK_BENCH_H
#define CONVOY_TESTS_STEP_LOCK_BENCH_H

#include "tests/step/step_bench.h"

#define LOCK "the lock"
#define ME 1      /* the CPU under test */
#define OTHER 2
#define LOCK_CPUS 8
#define LOCK_CNA_HANDOVERS 3

struct lock_bench {
	struct machine *machine;
	struct cpu *cpu;
	struct kernel *kernel;
	struct raw_spinlock lock;
	unsigned int waits;
};

/* `cpus_per_node`: NUMA; 0 = one node. */
void lock_bench_start(struct lock_bench *b, const struct spinlock_ops *ops, uint32_t cpus_per_node);
void lock_bench_stop(struct lock_bench *b);

/* The requests on lines, in order, as "kind line" letters: A atomic, O own, R read, L release, W wait; l the lock, n own node, o other node. */
void lock_bench_steps(const struct lock_bench *b, char *steps, size_t size);
void expect_steps(const struct lock_bench *b, const char *expected);

#endif
