// SPDX-License-Identifier: Apache-2.0
/* The bench and the main program: `test_line NAME` runs one test. */
#include "tests/line/bench.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* Host time; the slowest scenario takes about 1 s, under the sanitizers 5. */
#define SCENARIO_SECONDS 60

struct tally {
	unsigned int checks, failures;
};

static struct tally tally;
static char context[160];

void bench_context(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(context, sizeof(context), format, arguments);
	va_end(arguments);
}

static void failed(const char *file, int line, const char *what, uint64_t actual)
{
	tally.failures++;
	fprintf(stderr, "%s:%d: %s%s%s is %llu", file, line, context, context[0] ? ": " : "", what, (unsigned long long)actual);
}

void check_equal(const char *file, int line, const char *what, uint64_t actual, uint64_t expected)
{
	tally.checks++;
	if (actual == expected)
		return;
	failed(file, line, what, actual);
	fprintf(stderr, ", expected %llu\n", (unsigned long long)expected);
}

void check_between(const char *file, int line, const char *what, uint64_t actual, uint64_t low, uint64_t high)
{
	tally.checks++;
	if (actual >= low && actual <= high)
		return;
	failed(file, line, what, actual);
	fprintf(stderr, ", expected %llu to %llu\n", (unsigned long long)low, (unsigned long long)high);
}

static void *shared(size_t size)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED) {
		perror("mmap");
		exit(1);
	}
	return memory;
}

void in_child(scenario run, const void *argument, void *result, size_t result_size)
{
	struct tally *counted = shared(sizeof(*counted));
	void *answer = shared(result_size + 1);
	int status = 0;
	pid_t child;

	fflush(NULL);
	child = fork();
	if (child == 0) {
		alarm(SCENARIO_SECONDS);  /* waiters that wake each other forever at one instant: dies, and does not outlive the test */
		tally = (struct tally){ 0, 0 };
		run(argument, answer);
		*counted = tally;
		fflush(NULL);
		_exit(0);
	}
	if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
		fprintf(stderr, "%s: the scenario died (wait status 0x%x)\n", context, (unsigned int)status);
		tally.failures++;
	}
	tally.checks += counted->checks;
	tally.failures += counted->failures;
	if (result_size)
		memcpy(result, answer, result_size);
	munmap(counted, sizeof(*counted));
	munmap(answer, result_size + 1);
}

struct host_config bench_host(uint32_t cpus)
{
	return (struct host_config){
		.cpus = cpus, .placement = 1,
		.mesh_columns = 1, .mesh_rows = 1, .cpus_per_crosspoint = cpus, .gic = HOST_GIC_V3, .gic_priority_bits = 5, .list_registers = 4,
		.line_base = 50 * NS, .line_hit = 1 * NS, .line_read_occupancy = 4 * NS, .wfe_wake = 20 * NS,
		.write_completion = 100 * NS, .device_read = 120 * NS, .release_waits = true,
	};
}

struct host_config bench_random_host(uint32_t cpus, uint64_t seed)
{
	struct host_config host = bench_host(cpus);

	/* A third of the hosts count in single picoseconds, so that many things happen at one instant. */
	const uint64_t unit = bench_draw(seed, "unit", 0, 0, 2) ? NS : 1;

	host.placement = bench_draw(seed, "placement", 0, 0, 3) ? seed : 0;
	host.far_atomics = bench_draw(seed, "far", 0, 0, 1);
	host.mesh_columns = (uint32_t)bench_draw(seed, "columns", 0, 1, 4);
	host.mesh_rows = (uint32_t)bench_draw(seed, "rows", 0, 1, 4);
	host.cpus_per_crosspoint = (cpus + host.mesh_columns * host.mesh_rows - 1) / (host.mesh_columns * host.mesh_rows);
	host.mesh_hop = unit * bench_draw(seed, "hop", 0, 0, 5);
	host.cpus_per_node = (uint32_t)bench_draw(seed, "node", 0, 1, 2 * cpus);  /* every other host is one node */
	host.node_hop = unit * bench_draw(seed, "node hop", 0, 0, 200);
	host.line_base = unit * bench_draw(seed, "base", 0, 1, 100);
	host.line_hit = unit * bench_draw(seed, "hit", 0, 0, 2);
	host.line_read_occupancy = unit * bench_draw(seed, "occupancy", 0, 0, 10);
	host.wfe_wake = unit * bench_draw(seed, "wfe", 0, 0, 40);
	host.atomic = unit * bench_draw(seed, "atomic", 0, 0, 5);
	host.write_issue = unit * bench_draw(seed, "issue", 0, 0, 5);
	host.write_completion = unit * bench_draw(seed, "completion", 0, 0, 300);
	host.redistributor_service = unit * bench_draw(seed, "service", 0, 0, 10);
	host.release_waits = bench_draw(seed, "waits", 0, 0, 1);
	return host;
}

static uint32_t cpus_per_node;

struct machine *bench_machine(const struct host_config *host)
{
	cpus_per_node = host->cpus_per_node;
	return machine_build(host);
}

struct kernel *bench_kernel(struct machine *machine, uint32_t cpus, const struct spinlock_ops *ops)
{
	const struct kernel_config config = { .spinlock = ops, .gic = GIC_V3, .gic_priority_bits = 5, .vhe = true, .cpus_per_node = cpus_per_node,
					      .cna_handovers = BENCH_CNA_HANDOVERS };

	return kernel_boot(machine, cpus, &config);
}

uint64_t bench_draw(uint64_t seed, const char *stream, uint64_t index, uint64_t low, uint64_t high)
{
	return low + random_u64(seed, random_stream(stream), index) % (high - low + 1);
}

void spend_until(struct cpu *cpu, ps_t when)
{
	if (when > cpu_now(cpu))
		cpu_spend(cpu, when - cpu_now(cpu));
}

static const struct {
	const char *name;
	void (*run)(void);
} tests[] = {
#define LINE_TEST(name) { #name, test_##name },
#include "tests/line/tests.def"
#undef LINE_TEST
};

int main(int argc, char **argv)
{
	for (size_t n = 0; n < sizeof(tests) / sizeof(tests[0]); n++) {
		if (argc != 2 || strcmp(argv[1], tests[n].name) != 0)
			continue;
		tests[n].run();
		printf("%s: %u checks, %u failed\n", tests[n].name, tally.checks, tally.failures);
		return tally.failures || !tally.checks;
	}
	fprintf(stderr, "usage: test_line NAME, with a NAME of tests.def\n");
	return 2;
}
