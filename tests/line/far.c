// SPDX-License-Identifier: Apache-2.0
/*
 * Far atomics (CHI atomic transactions, carried out by the home node) and homes at the mean distance (placement 0).
 *
 * A far atomic: requester→home, home→holders and back, half of the fixed part; then it is carried out, and the result travels back in the other half and
 * home→requester. Nobody holds the line afterwards. A CPU that owns the line does the atomic near, as a hit.
 */
#include <stdlib.h>

#include "tests/line/bench.h"

#define COLUMNS 4
#define ROWS 2
#define PER_CROSSPOINT 2
#define CPUS (COLUMNS * ROWS * PER_CROSSPOINT)
#define HOP (4 * NS)
#define BASE (50 * NS)
#define HIT (1 * NS)
#define ATOMIC (2 * NS)
#define T0 PS_PER_MS
#define STEPS 300
#define STEP_TIME US
#define NOBODY CPUS

static line_id line;
static uint32_t finished, order[CPUS], value;
static ps_t done[CPUS];

static struct host_config mesh_host(void)
{
	struct host_config host = bench_host(CPUS);

	host.placement = 0;
	host.mesh_columns = COLUMNS;
	host.mesh_rows = ROWS;
	host.cpus_per_crosspoint = PER_CROSSPOINT;
	host.mesh_hop = HOP;
	host.atomic = ATOMIC;
	return host;
}

static void start(const struct host_config *host, task_body body)
{
	struct machine *machine = bench_machine(host);

	line = line_create(machine, "line", 0);
	for (uint32_t n = host->cpus; n-- > 0;)
		task_create(machine, (cpu_id){ n }, body, NULL);
	machine_run_until(machine, 10 * T0);
}

static void share(struct cpu *cpu)
{
	spend_until(cpu, (cpu_number(cpu).n + 1) * 10 * US);
	line_own(cpu, line);
}

static ps_t between(uint32_t a, uint32_t b)
{
	const int dx = (int)(a % COLUMNS) - (int)(b % COLUMNS), dy = (int)(a / COLUMNS) - (int)(b / COLUMNS);

	return HOP * (ps_t)(abs(dx) + abs(dy));
}

/* From a CPU to a home that may be at any crosspoint. */
static ps_t to_home(uint32_t cpu)
{
	ps_t sum = 0;

	for (uint32_t home = 0; home < COLUMNS * ROWS; home++)
		sum += between(cpu / PER_CROSSPOINT, home);
	return sum / (COLUMNS * ROWS);
}

enum access { READ, OWN, ATOMIC_ACCESS, ACCESSES };

static void draw(uint32_t step, uint32_t *cpu, enum access *access)
{
	*cpu = (uint32_t)bench_draw(7, "cpu", step, 0, CPUS - 1);
	*access = (enum access)bench_draw(7, "access", step, 0, ACCESSES - 1);
}

static ps_t latency[STEPS];

static void mixed_body(struct cpu *cpu, void *argument)
{
	(void)argument;
	share(cpu);
	for (uint32_t step = 0; step < STEPS; step++) {
		const ps_t when = T0 + step * STEP_TIME;
		enum access access;
		uint32_t who;

		draw(step, &who, &access);
		if (who != cpu_number(cpu).n)
			continue;
		spend_until(cpu, when);
		if (access == READ)
			line_read(cpu, line);
		else if (access == OWN)
			line_own(cpu, line);
		else
			line_atomic(cpu, line, ORDER_RELAXED);
		latency[step] = cpu_now(cpu) - when;
	}
}

/* Replays the steps: who holds the line, and so what each access must have taken. The first step that owns sets the state. */
static void check_latencies(bool far_atomics)
{
	uint32_t owner = NOBODY, hits = 0, transfers = 0;
	bool copy[CPUS] = { false }, known = false;

	for (uint32_t step = 0; step < STEPS; step++) {
		ps_t farthest = 0, expected;
		enum access access;
		uint32_t cpu;
		bool far;

		draw(step, &cpu, &access);
		far = access == ATOMIC_ACCESS && far_atomics;
		expected = HIT + (access == ATOMIC_ACCESS ? ATOMIC : 0);
		for (uint32_t n = 0; n < CPUS; n++) {
			if (copy[n] && n != cpu && access != READ && to_home(n) > farthest)
				farthest = to_home(n);
		}
		if (owner == cpu || (access == READ && copy[cpu])) {
			hits++;
		} else {
			transfers++;
			expected += BASE + to_home(cpu);
			if (far)  /* nothing comes here, so there is no hit either */
				expected += (owner != NOBODY ? 2 * to_home(owner) : 2 * farthest) + to_home(cpu) - HIT;
			else if (owner != NOBODY)
				expected += to_home(owner) + between(owner / PER_CROSSPOINT, cpu / PER_CROSSPOINT);
			else
				expected += 2 * farthest + to_home(cpu);
		}
		bench_context("step %u, access %d by CPU %u", step, (int)access, cpu);
		if (known)
			CHECK_EQUAL(latency[step], expected);
		known = known || access != READ;
		if (access == READ) {
			if (owner == cpu)
				continue;
			if (owner != NOBODY)
				copy[owner] = true;
			copy[cpu] = true;
			owner = NOBODY;
		} else if (owner != cpu) {
			for (uint32_t n = 0; n < CPUS; n++)
				copy[n] = false;
			owner = far ? NOBODY : cpu;
		}
	}
	bench_context("both hits and transfers occur");
	CHECK(hits > 5 && transfers > 100);
}

static void mixed(bool far_atomics)
{
	struct host_config host = mesh_host();

	host.far_atomics = far_atomics;
	start(&host, mixed_body);
	check_latencies(far_atomics);
}

/* Placement 0: every line's home is the mean over all crosspoints. */
void test_mean_home_distance(void)
{
	mixed(false);
}

void test_far_atomics(void)
{
	mixed(true);
}

static void contended_body(struct cpu *cpu, void *argument)
{
	const uint32_t n = cpu_number(cpu).n;

	(void)argument;
	share(cpu);
	spend_until(cpu, T0 - ATOMIC);
	line_atomic(cpu, line, ORDER_RELAXED);
	order[value++] = n;
	done[n] = cpu_now(cpu);
	finished++;
}

/* All at one instant, without distance: half a base apart, in order of the CPUs' numbers; the other half is each result's way back. */
void test_far_atomics_one_at_a_time(void)
{
	struct host_config host = bench_host(CPUS);

	host.far_atomics = true;
	host.atomic = ATOMIC;
	start(&host, contended_body);
	CHECK_EQUAL(finished, CPUS);
	/* the last to share the line owns it still at T0 unless somebody was before it: it is the last in the order, so it is not */
	for (uint32_t n = 0; n < CPUS; n++) {
		bench_context("CPU %u", n);
		CHECK_EQUAL(order[n], n);
		CHECK_EQUAL(done[n], T0 + (n + 1) * BASE / 2 + BASE / 2);
	}
}
