// SPDX-License-Identifier: Apache-2.0
/*
 * Distance: what a transfer takes on a mesh. The home node of a line is not told, so the test finds the one crosspoint that explains every latency
 * it has measured; if none does, the latencies are not base + hop × distance.
 *
 * Rules (model/cpu/coherence.hpp): from an owner: requester→home→owner→requester; own with copies about: requester→home, home→farthest
 * sharer and back, home→requester; otherwise requester→home→requester. Held already: a hit.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/line/bench.h"

#define COLUMNS 4
#define ROWS 3
#define PER_CROSSPOINT 2
#define CPUS (COLUMNS * ROWS * PER_CROSSPOINT)
#define HOP (3 * NS)
#define BASE (50 * NS)
#define HIT (1 * NS)
#define STEPS 200
#define LINES 24
#define SPACING US
#define FIRST (20 * US)  /* further apart than a CPU may run ahead: the first two uses of a line */
#define LINE_TIME (3 * FIRST + STEPS * SPACING)
#define NOBODY CPUS

struct measured { uint32_t cpu; bool own; ps_t latency; };

static line_id lines[LINES];
static struct measured steps[LINES][STEPS];

static ps_t distance(uint32_t a, uint32_t b)
{
	const int dx = (int)(a % COLUMNS) - (int)(b % COLUMNS), dy = (int)(a / COLUMNS) - (int)(b / COLUMNS);

	return HOP * (ps_t)(abs(dx) + abs(dy));
}

static uint32_t place(uint32_t cpu)
{
	return cpu / PER_CROSSPOINT;
}

static void draw(uint32_t which, uint32_t step, uint32_t *cpu, bool *own)
{
	/* The first two steps make the line shared. */
	*cpu = step < 2 ? step : (uint32_t)bench_draw(which, "cpu", step, 0, CPUS - 1);
	*own = step < 2 || bench_draw(which, "own", step, 0, 2) == 0;
}

static ps_t time_of(uint32_t which, uint32_t step)
{
	return (which + 1) * LINE_TIME + (step < 2 ? step * FIRST : 2 * FIRST + step * SPACING);
}

static void body(struct cpu *cpu, void *argument)
{
	(void)argument;
	for (uint32_t which = 0; which < LINES; which++) {
		for (uint32_t step = 0; step < STEPS; step++) {
			const ps_t when = time_of(which, step);
			uint32_t who;
			bool own;

			draw(which, step, &who, &own);
			if (who != cpu_number(cpu).n)
				continue;
			spend_until(cpu, when);
			if (own)
				line_own(cpu, lines[which]);
			else
				line_read(cpu, lines[which]);
			steps[which][step] = (struct measured){ who, own, cpu_now(cpu) - when };
		}
	}
}

/* Does the line live at `home`? Replays the steps. */
static bool explains(uint32_t which, uint32_t home)
{
	uint32_t owner = 1;
	bool copy[CPUS] = { false };

	for (uint32_t step = 2; step < STEPS; step++) {
		const struct measured *m = &steps[which][step];
		ps_t expected = HIT;

		if (owner != m->cpu && (m->own || !copy[m->cpu])) {
			expected += BASE + distance(place(m->cpu), home);
			if (owner != NOBODY) {
				expected += distance(home, place(owner)) + distance(place(owner), place(m->cpu));
			} else {
				ps_t farthest = 0;

				for (uint32_t n = 0; m->own && n < CPUS; n++) {
					if (copy[n] && n != m->cpu && distance(home, place(n)) > farthest)
						farthest = distance(home, place(n));
				}
				expected += 2 * farthest + distance(home, place(m->cpu));
			}
		}
		if (m->latency != expected)
			return false;
		if (m->own) {
			owner = m->cpu;
			memset(copy, 0, sizeof(copy));
		} else if (owner != m->cpu) {
			if (owner != NOBODY)
				copy[owner] = true;
			owner = NOBODY;
			copy[m->cpu] = true;
		}
	}
	return true;
}

struct layout { uint64_t placement; bool others_first, reversed; };

static void find_homes(const void *argument, void *result)
{
	const struct layout *layout = argument;
	uint32_t *homes = result;
	struct host_config host = bench_host(CPUS);
	struct machine *machine;

	host.placement = layout->placement;
	host.mesh_columns = COLUMNS;
	host.mesh_rows = ROWS;
	host.cpus_per_crosspoint = PER_CROSSPOINT;
	host.mesh_hop = HOP;
	machine = bench_machine(&host);
	if (layout->others_first) {
		for (uint32_t n = 0; n < 100; n++)
			line_create(machine, "something else", n);
	}
	for (uint32_t n = 0; n < LINES; n++) {
		const uint32_t which = layout->reversed ? LINES - 1 - n : n;

		lines[which] = line_create(machine, which % 2 ? "odd" : "even", which);
	}
	for (uint32_t n = 0; n < CPUS; n++)
		task_create(machine, (cpu_id){ n }, body, NULL);
	machine_run_until(machine, (LINES + 2) * LINE_TIME);
	for (uint32_t which = 0; which < LINES; which++) {
		uint32_t count = 0;

		for (uint32_t home = 0; home < COLUMNS * ROWS; home++) {
			if (explains(which, home)) {
				homes[which] = home;
				count++;
			}
		}
		bench_context("line %u: crosspoints that explain its latencies", which);
		CHECK_EQUAL(count, 1);
	}
}

void test_transfer_latency(void)
{
	const struct layout layout = { 1, false, false };
	uint32_t homes[LINES], used = 0, different = 0;

	in_child(find_homes, &layout, homes, sizeof(homes));
	for (uint32_t n = 0; n < LINES; n++)
		used |= 1u << homes[n];
	for (; used; used &= used - 1)
		different++;
	bench_context("24 lines on 12 crosspoints");
	CHECK(different >= 6);
}

/* The home depends on name, instance and placement, and on nothing else. */
void test_homes_do_not_move(void)
{
	static const struct layout layouts[] = { { 1, false, false }, { 1, true, false }, { 1, true, true }, { 2, false, false } };
	uint32_t homes[4][LINES], moved = 0;

	for (int n = 0; n < 4; n++)
		in_child(find_homes, &layouts[n], homes[n], sizeof(homes[n]));
	for (uint32_t n = 0; n < LINES; n++) {
		bench_context("line %u", n);
		CHECK_EQUAL(homes[1][n], homes[0][n]);
		CHECK_EQUAL(homes[2][n], homes[0][n]);
		moved += homes[3][n] != homes[0][n];
	}
	bench_context("another placement");
	CHECK(moved >= LINES / 2);
}
