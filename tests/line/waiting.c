// SPDX-License-Identifier: Apache-2.0
/*
 * One line and its waiters, without distance: when WFE ends, how reads pipeline, how ownership moves, who is first in a tie.
 * Times follow from the rules at the head of model/cpu/coherence.hpp: base 50 ns, reads 4 ns apart, hit 1 ns, WFE 20 ns.
 */
#include "tests/line/bench.h"

#define BASE (50 * NS)
#define HIT (1 * NS)
#define READ_OCCUPANCY (4 * NS)
#define WAKE (20 * NS)
#define T0 PS_PER_MS
#define MAX 64

static struct machine *machine;
static line_id line, other_line;
static ps_t done[MAX];
static uint32_t order[MAX], finished;
static int value;

/* Every CPU has the line once, so that it is shared for good: in order of their numbers, further apart than a CPU may run ahead. */
static void share(struct cpu *cpu, line_id which)
{
	spend_until(cpu, (cpu_number(cpu).n + 1) * 10 * US);
	line_own(cpu, which);
}

static void start(uint32_t cpus, task_body body)
{
	const struct host_config host = bench_host(cpus);

	machine = bench_machine(&host);
	line = line_create(machine, "line", 0);
	other_line = line_create(machine, "other line", 0);
	for (uint32_t n = cpus; n-- > 0;)
		task_create(machine, (cpu_id){ n }, body, NULL);
	machine_run_until(machine, 2 * T0);
}

/* CPU 1 waits in several ways; CPU 0 takes the line; CPU 2 reads it. */
static void wait_body(struct cpu *cpu, void *argument)
{
	const uint32_t n = cpu_number(cpu).n;

	(void)argument;
	share(cpu, line);

	/* asleep when the line is taken */
	spend_until(cpu, T0);
	if (n == 1) {
		line_read(cpu, line);
		line_wait(cpu, line);
		CHECK_EQUAL(cpu_now(cpu), T0 + 1 * US + WAKE);
		line_read(cpu, line);
		CHECK_EQUAL(value, 1);
		CHECK(cpu_now(cpu) >= T0 + 1 * US + BASE);
	} else if (n == 0) {
		spend_until(cpu, T0 + 1 * US);
		line_own(cpu, line);
		CHECK_EQUAL(cpu_now(cpu), T0 + 1 * US + BASE + HIT);
		value = 1;
	}

	/* taken between the look and the wait: no time passes */
	spend_until(cpu, T0 + 10 * US);
	if (n == 1) {
		line_read(cpu, line);
		spend_until(cpu, T0 + 12 * US);
		line_wait(cpu, line);
		CHECK_EQUAL(cpu_now(cpu), T0 + 12 * US);
	} else if (n == 0) {
		spend_until(cpu, T0 + 11 * US);
		line_own(cpu, line);
	}

	/* asked for before the wait, taken after: CPU 0's request at 30 ns waits until CPU 2's copy, asked for at 20, has arrived at 70 */
	spend_until(cpu, T0 + 20 * US);
	if (n == 1) {
		line_read(cpu, line);
		CHECK_EQUAL(cpu_now(cpu), T0 + 20 * US + BASE + HIT);
		line_wait(cpu, line);
		CHECK_EQUAL(cpu_now(cpu), T0 + 20 * US + 70 * NS + WAKE);
	} else if (n == 2) {
		spend_until(cpu, T0 + 20 * US + 20 * NS);
		line_read(cpu, line);
	} else if (n == 0) {
		spend_until(cpu, T0 + 20 * US + 30 * NS);
		line_own(cpu, line);
		CHECK_EQUAL(cpu_now(cpu), T0 + 20 * US + 70 * NS + BASE + HIT);
	}
	finished++;
}

void test_wait_ends_when_the_line_is_taken(void)
{
	start(3, wait_body);
	CHECK_EQUAL(finished, 3);
}

/* Reads by others, stores to other lines and the CPU's own uses do not wake. */
static void wait_on_body(struct cpu *cpu, void *argument)
{
	const uint32_t n = cpu_number(cpu).n;

	(void)argument;
	share(cpu, line);
	share(cpu, other_line);
	for (ps_t round = T0; round < T0 + 40 * US; round += 20 * US) {
		spend_until(cpu, round);
		if (n == 1) {
			if (round > T0)
				line_own(cpu, line);  /* the second time it is the owner that waits */
			line_read(cpu, line);
			line_read(cpu, other_line);
			line_wait(cpu, line);
			CHECK_EQUAL(cpu_now(cpu), round + 5 * US + WAKE);
		} else if (n == 2) {
			spend_until(cpu, round + 1 * US);
			line_read(cpu, line);
		} else {
			spend_until(cpu, round + 2 * US);
			line_own(cpu, other_line);
			spend_until(cpu, round + 5 * US);
			line_own(cpu, line);
		}
	}
	/* nobody takes the line any more: CPU 1 sleeps for good */
	spend_until(cpu, T0 + 50 * US);
	if (n == 1) {
		line_read(cpu, line);
		line_wait(cpu, line);
		CHECK(!"woken without a reason");
	}
	finished++;
}

void test_wait_goes_on_without_that(void)
{
	start(3, wait_on_body);
	CHECK_EQUAL(finished, 2);
}

static void read_body(struct cpu *cpu, void *argument)
{
	const uint32_t n = cpu_number(cpu).n;

	(void)argument;
	share(cpu, line);
	spend_until(cpu, 900 * US);
	if (n == 0)
		line_own(cpu, line);
	spend_until(cpu, T0);
	line_read(cpu, line);
	done[n] = cpu_now(cpu);
}

/* The owner keeps a copy; readers' requests overlap: the last of N has its copy after latency + (N-1) occupancies. */
void test_reads_pipeline(void)
{
	const uint32_t cpus = 33;

	start(cpus, read_body);
	CHECK_EQUAL(done[0], T0 + HIT);
	for (uint32_t n = 1; n < cpus; n++) {
		bench_context("reader %u", n);
		CHECK_EQUAL(done[n], T0 + BASE + (n - 1) * READ_OCCUPANCY + HIT);
	}
	CHECK(done[cpus - 1] < T0 + (cpus - 1) * BASE / 4);
}

static void own_body(struct cpu *cpu, void *argument)
{
	const uint32_t n = cpu_number(cpu).n;

	(void)argument;
	share(cpu, line);
	spend_until(cpu, 900 * US);
	line_read(cpu, line);   /* all have a copy: nobody owns it */
	spend_until(cpu, T0);
	line_own(cpu, line);
	order[finished++] = n;
	done[n] = cpu_now(cpu);
}

/* All at one instant: one after the other, a whole transfer each. */
void test_ownership_moves_one_at_a_time(void)
{
	const uint32_t cpus = 16;

	start(cpus, own_body);
	CHECK_EQUAL(finished, cpus);
	for (uint32_t n = 0; n < cpus; n++) {
		bench_context("CPU %u", n);
		CHECK_EQUAL(done[n], T0 + (n + 1) * BASE + HIT);
	}
}

static void tie_body(struct cpu *cpu, void *argument)
{
	const uint32_t n = cpu_number(cpu).n;

	(void)argument;
	share(cpu, line);
	/* different ways to the same picosecond */
	spend_until(cpu, T0 - 100 * n - 1);
	for (uint32_t step = 0; step < 100 * n; step++)
		cpu_spend(cpu, 1);
	cpu_spend(cpu, 1);
	if (n % 3 == 0)
		line_atomic(cpu, line, ORDER_ACQUIRE);
	else
		line_own(cpu, line);
	order[finished++] = n;
}

/* Tasks were created in falling order; the line goes in rising order. */
void test_ties_go_by_cpu_number(void)
{
	const uint32_t cpus = 64;

	start(cpus, tie_body);
	CHECK_EQUAL(finished, cpus);
	for (uint32_t n = 0; n < cpus; n++) {
		bench_context("position %u", n);
		CHECK_EQUAL(order[n], n);
	}
}
