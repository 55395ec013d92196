// SPDX-License-Identifier: Apache-2.0
/*
 * Running ahead of simulated time changes nothing, and the same seed gives the same events.
 *
 * A random program uses a private line and private device frame of each CPU, a line that all only read, a lock and a line under it. Variant
 * "quiet" leaves the private and read-only lines quiet; variant "shared" has every CPU own each of them once before the program starts, and gives
 * them back, so that every later access must catch up. From the same start at T0 both must show the same events: who, what, and when to
 * the picosecond; all hits cost the same either way. The lock's lines are made shared in both.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/line/bench.h"

#define MAX 16
#define STEPS 120
#define EVENTS (MAX * STEPS + MAX)
#define T0 PS_PER_MS
#define GICR_ICACTIVER0 0x10380

struct program { uint64_t seed; uint32_t cpus; bool share; uint32_t noise; };
struct event { ps_t when; uint32_t cpu, what; };
struct log { uint32_t count; struct event events[EVENTS]; };

static const struct program *program;
static struct kernel *kernel;
static struct raw_spinlock lock;
static line_id private_lines[MAX], read_only, under_lock;
static uint32_t private_value[MAX], shared_value;
static struct log *out;

static void happened(struct cpu *cpu, uint32_t what)
{
	out->events[out->count++] = (struct event){ cpu_now(cpu), cpu_number(cpu).n, what };
}

static void increment(void *object, ps_t when)
{
	(void)when;
	++*(uint32_t *)object;
}

static void under_the_lock(struct cpu *cpu)
{
	raw_spin_lock(kernel, cpu, &lock, "test");
	happened(cpu, shared_value);
	line_own(cpu, under_lock);
	shared_value = shared_value * 5 + cpu_number(cpu).n + 1;
	raw_spin_unlock(cpu, &lock);
}

static void step(struct cpu *cpu, uint64_t index)
{
	const uint32_t n = cpu_number(cpu).n;

	switch (bench_draw(program->seed, "step", index, 0, 7)) {
	case 0:
		line_own(cpu, private_lines[n]);
		private_value[n]++;
		break;
	case 1:
		line_read(cpu, private_lines[n]);
		break;
	case 2:
		line_atomic(cpu, private_lines[n], ORDER_ACQUIRE);
		private_value[n] += 3;
		break;
	case 3:
		line_release(cpu, private_lines[n], increment, &private_value[n]);
		break;
	case 4:
		line_read(cpu, read_only);
		break;
	case 5:
		mmio_write(cpu, gic_frame_address(kernel->machine, GIC_FRAME_REDISTRIBUTOR, (cpu_id){ n }) + GICR_ICACTIVER0, 1u << 27);
		break;
	case 6:
		cpu_barrier(cpu, BARRIER_DSB);
		break;
	default:
		under_the_lock(cpu);
	}
}

static void own_in_turn(struct cpu *cpu, line_id line, uint32_t slot)
{
	spend_until(cpu, (slot * MAX + cpu_number(cpu).n + 1) * US);
	line_own(cpu, line);
}

static void prologue(struct cpu *cpu)
{
	const uint32_t n = cpu_number(cpu).n;

	own_in_turn(cpu, lock.line, 0);
	own_in_turn(cpu, under_lock, 1);
	for (uint32_t node = 0; node < program->cpus; node++)
		own_in_turn(cpu, kernel->mcs_nodes[node].line, 2 + node);
	if (program->share) {
		own_in_turn(cpu, read_only, 20);
		for (uint32_t line = 0; line < program->cpus; line++)
			own_in_turn(cpu, private_lines[line], 21 + line);
	}
	spend_until(cpu, 50 * MAX * US);
	if (program->share) {
		line_own(cpu, private_lines[n]);
		line_read(cpu, read_only);
	}
	spend_until(cpu, T0);
}

static void body(struct cpu *cpu, void *argument)
{
	const uint32_t n = cpu_number(cpu).n;

	(void)argument;
	prologue(cpu);
	for (uint32_t round = 0; round < STEPS; round++) {
		const uint64_t index = n * 1000u + round;

		cpu_spend(cpu, bench_draw(program->seed, "work", index, 0, bench_draw(program->seed, "long", index, 0, 9) ? 100 * NS : 20 * US));
		step(cpu, index);
	}
	cpu_barrier(cpu, BARRIER_DSB);
	happened(cpu, private_value[n]);
}

static void run(const void *argument, void *result)
{
	struct host_config host;
	struct machine *machine;

	program = argument;
	out = result;
	host = bench_random_host(program->cpus, program->seed);
	for (uint32_t n = 0; n < program->noise; n++)
		out->count += malloc(n * 24 + 1) == NULL;  /* other addresses than in the other run */
	machine = bench_machine(&host);
	kernel = bench_kernel(machine, program->cpus, program->seed % 2 ? &spinlock_queued : &spinlock_ticket);
	spin_lock_init(kernel, &lock, line_create(machine, "lock", 0), "test");
	under_lock = line_create(machine, "under lock", 0);
	read_only = line_create(machine, "read only", 0);
	for (uint32_t n = 0; n < program->cpus; n++) {
		private_lines[n] = line_create(machine, "private", n);
		task_create(machine, (cpu_id){ n }, body, NULL);
	}
	machine_run_until(machine, 20 * PS_PER_MS);
	bench_context("seed %llu, %u CPUs", (unsigned long long)program->seed, program->cpus);
	CHECK(out->count > program->cpus);
}

static int in_order(const void *a, const void *b)
{
	const struct event *x = a, *y = b;

	if (x->when != y->when)
		return x->when < y->when ? -1 : 1;
	return x->cpu < y->cpu ? -1 : x->cpu > y->cpu;
}

static void compare(const struct program *a, const struct program *b)
{
	static struct log log[2];

	in_child(run, a, &log[0], sizeof(log[0]));
	in_child(run, b, &log[1], sizeof(log[1]));
	bench_context("seed %llu, %u CPUs", (unsigned long long)a->seed, a->cpus);
	CHECK_EQUAL(log[0].count, log[1].count);
	/* The last event of a CPU comes from private work and is written down ahead of time. */
	for (int n = 0; n < 2; n++)
		qsort(log[n].events, log[n].count, sizeof(struct event), in_order);
	for (uint32_t n = 0; n < log[0].count; n++) {
		CHECK_EQUAL(log[0].events[n].when, log[1].events[n].when);
		CHECK_EQUAL(log[0].events[n].cpu, log[1].events[n].cpu);
		CHECK_EQUAL(log[0].events[n].what, log[1].events[n].what);
	}
}

void test_quiet_lines_change_nothing(void)
{
	for (uint64_t seed = 1; seed <= 30; seed++) {
		const uint32_t cpus = (uint32_t)bench_draw(seed, "cpus", 0, 1, MAX);
		const struct program quiet = { seed, cpus, false, 0 }, shared = { seed, cpus, true, 0 };

		compare(&quiet, &shared);
	}
}

void test_same_twice(void)
{
	for (uint64_t seed = 100; seed <= 110; seed++) {
		const uint32_t cpus = (uint32_t)bench_draw(seed, "cpus", 0, 1, MAX);
		const struct program once = { seed, cpus, false, 0 }, again = { seed, cpus, false, 1000 };

		compare(&once, &again);
	}
}

static struct machine *machine;
static line_id quiet_line;
static uint32_t quiet_value, last_seen;
static ps_t last_use, first_foreign;

/* CPU 0 is ahead by up to the machine's limit when CPU 1 comes: CPU 1 gets the line after CPU 0's last use, and sees what that left. */
static void ending_body(struct cpu *cpu, void *argument)
{
	const uint64_t seed = *(const uint64_t *)argument;
	const ps_t intrusion = bench_draw(seed, "intrusion", 0, 0, 20 * US);

	if (cpu_number(cpu).n == 0) {
		for (uint32_t n = 0; n < 100; n++) {
			cpu_spend(cpu, bench_draw(seed, "pace", n, 0, 500 * NS));
			line_own(cpu, quiet_line);
			if (first_foreign)
				continue;
			quiet_value++;
			last_use = cpu_now(cpu);
		}
	} else {
		spend_until(cpu, intrusion);
		if (bench_draw(seed, "own", 0, 0, 1))
			line_own(cpu, quiet_line);
		else
			line_read(cpu, quiet_line);
		first_foreign = cpu_now(cpu);
		last_seen = quiet_value;
		CHECK(first_foreign >= last_use);
		CHECK(first_foreign >= intrusion);
		CHECK(first_foreign <= intrusion + 10 * US);
	}
}

static void ending(const void *argument, void *result)
{
	const struct host_config host = bench_host(2);
	uint64_t seed = *(const uint64_t *)argument;

	(void)result;
	machine = bench_machine(&host);
	quiet_line = line_create(machine, "quiet", 0);
	task_create(machine, (cpu_id){ 0 }, ending_body, &seed);
	task_create(machine, (cpu_id){ 1 }, ending_body, &seed);
	bench_context("seed %llu", (unsigned long long)seed);
	machine_run_until(machine, PS_PER_MS);
	CHECK(first_foreign > 0);
	CHECK_EQUAL(last_seen, quiet_value);
}

void test_quiet_lines_end_in_order(void)
{
	for (uint64_t seed = 1; seed <= 40; seed++)
		in_child(ending, &seed, NULL, 0);
}
