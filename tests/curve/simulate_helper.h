// SPDX-License-Identifier: Apache-2.0
/*
 * Runs one simulation of the workload `lock-loop` for a test, in a child process (SystemC permits one simulation per
 * process), and hands back the numbers the closed forms speak about.
 *
 * How the accounts are read: time whose innermost function is CURVE_PRIVATE is private work, CURVE_HOLD is time inside a
 * lock; everything else of a round is the way into and out of the lock. These are the workload's names.
 */
#ifndef CONVOY_TESTS_CURVE_SIMULATE_HELPER_H
#define CONVOY_TESTS_CURVE_SIMULATE_HELPER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/ids.h"

#define CURVE_PRIVATE "private work"
#define CURVE_HOLD "critical section"
#define CURVE_CPUS 64   /* of the simulated host */
#define CURVE_STATIONS 2

/* What is simulated. Zero-initialised fields mean: staggered start, no costs. */
struct curve_case {
	unsigned int vcpus, stations;
	ps_t think, hold;                           /* means */
	bool think_exponential, hold_exponential;   /* else constant */
	bool start_together;
	const char *spinlock;                       /* kernel.spinlock; NULL: qspinlock */
	ps_t line_base, line_read_occupancy;        /* both 0: the ideal host, a lock is a FIFO station of service `hold` */
	unsigned int cpus_per_node;                 /* 0: one node */
	ps_t node_hop;
	ps_t warmup, measure;
	uint32_t replication;
};

struct curve_lock {
	char name[64];
	uint64_t acquisitions, contended, queued, wait_total, wait_max, hold_total, hold_max;
};

struct curve_result {
	uint64_t measured, exits;
	uint64_t cpu_count, lock_count;
	uint64_t account_total, account_private, account_hold;   /* ps, all CPUs */
	uint64_t cpu_exits[CURVE_CPUS];
	struct curve_lock lock[CURVE_STATIONS];                  /* rows of one lock added up */
};

/* Simulates; fails the running cmocka test, with the simulator's own message, when that is not possible. */
void curve_simulate(const struct curve_case *run, struct curve_result *out);

/*
 * The laws that hold in every run whatever the distributions; fails the test otherwise, naming the run.
 *   all hosts    accounts add up to vCPUs x window, exactly; the vCPUs' rounds add up to the rounds; each station is
 *                visited once a round (to within the rounds under way at the two edges)
 *   ideal host   population N = X (Z + R) and utilisation U = X S, within 0.1 %: Z from the accounts, R and S from the lock
 *                rows, U from the accounts; Little's law for those who wait: accounts and lock rows agree to within
 *                the waits under way at the edges
 *   constant     with constant hold, each station's U = X S with the S that was asked for, within 0.1 %; no hold is longer
 */
void curve_check_laws(const struct curve_case *run, const struct curve_result *result);

/* Rounds of all vCPUs per second. */
double curve_rate(const struct curve_result *result);

/* A window in which about `rounds` rounds happen at `rate` per second, a whole number of microseconds. */
ps_t curve_window(double rounds, double rate);

/* "N=8 think=3000ns/exponential hold=500ns/constant ...", for messages. The buffer is overwritten by the next call. */
const char *curve_describe(const struct curve_case *run);

#endif
