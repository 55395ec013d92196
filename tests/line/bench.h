// SPDX-License-Identifier: Apache-2.0
/*
 * The bench of the line tests: small software on the SystemC machine, driven through model/machine.h.
 *
 * SystemC allows one simulation a process. A test with many scenarios runs each in a child process: in_child() copies what the scenario wrote to
 * `result` back. Checks report and go on; a failed check in a child counts in its parent. A scenario that crashes, asserts or hangs fails the test.
 *
 * Random schedules: everything random is drawn from one seed, which a failure prints (bench_context).
 */
#ifndef CONVOY_TESTS_LINE_BENCH_H
#define CONVOY_TESTS_LINE_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/random.h"
#include "model/cpu/machine_build.h"
#include "model/kernel/kernel.h"

#define NS PS_PER_NS
#define US PS_PER_US

void check_equal(const char *file, int line, const char *what, uint64_t actual, uint64_t expected);
void check_between(const char *file, int line, const char *what, uint64_t actual, uint64_t low, uint64_t high);
#define CHECK_EQUAL(actual, expected) check_equal(__FILE__, __LINE__, #actual, (uint64_t)(actual), (uint64_t)(expected))
#define CHECK_BETWEEN(actual, low, high) \
	check_between(__FILE__, __LINE__, #actual, (uint64_t)(actual), (uint64_t)(low), (uint64_t)(high))
#define CHECK(condition) check_equal(__FILE__, __LINE__, #condition, (condition) ? 1 : 0, 1)

/* What a failing check prints in front of itself: the scenario, with its seed. */
void bench_context(const char *format, ...) __attribute__((format(printf, 1, 2)));

typedef void (*scenario)(const void *argument, void *result);
void in_child(scenario run, const void *argument, void *result, size_t result_size);

/*
 * A host on which nothing costs time but what the tests are about: one crosspoint (no distance), line 50 ns, reads 4 ns apart, a hit 1 ns, WFE 20 ns;
 * device write 100 ns, device read 120 ns. Tests change fields before bench_machine.
 */
struct host_config bench_host(uint32_t cpus);
/* Draws all of that from a seed: also 0, also far apart, so that schedules differ. */
struct host_config bench_random_host(uint32_t cpus, uint64_t seed);

struct machine *bench_machine(const struct host_config *host);
/* With the NUMA nodes of the host that bench_machine built last, and this bound of cna's. */
#define BENCH_CNA_HANDOVERS 20
struct kernel *bench_kernel(struct machine *machine, uint32_t cpus, const struct spinlock_ops *ops);

/* Uniform in [low, high]. */
uint64_t bench_draw(uint64_t seed, const char *stream, uint64_t index, uint64_t low, uint64_t high);

/* Waits, without touching anything, until `when`. */
void spend_until(struct cpu *cpu, ps_t when);

#define LINE_TEST(name) void test_##name(void);
#include "tests/line/tests.def"
#undef LINE_TEST

#endif
