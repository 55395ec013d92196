// SPDX-License-Identifier: Apache-2.0
/*
 * What one handover of a saturated lock takes, against the number of CPUs, without distance: the ticket lock grows with every waiter, because each
 * unlock and each arrival takes all copies away and all are fetched again; the queued lock moves a constant number of lines.
 */
#include "tests/line/bench.h"

#define WARMUP (200 * US)
#define WINDOW (1000 * US)
#define OCCUPANCY (10 * NS)

struct saturated { const struct spinlock_ops *ops; uint32_t cpus; };

static struct kernel *kernel;
static struct raw_spinlock lock;
static uint64_t turns;

static void body(struct cpu *cpu, void *argument)
{
	(void)argument;
	cpu_spend(cpu, cpu_number(cpu).n * 37 * NS);
	for (;;) {
		raw_spin_lock(kernel, cpu, &lock, "test");
		if (cpu_now(cpu) >= WARMUP && cpu_now(cpu) < WARMUP + WINDOW)
			turns++;
		raw_spin_unlock(cpu, &lock);
		cpu_spend(cpu, 100 * NS);
	}
}

static void measure(const void *argument, void *result)
{
	const struct saturated *s = argument;
	struct host_config host = bench_host(s->cpus);
	struct machine *machine;

	host.line_read_occupancy = OCCUPANCY;
	machine = bench_machine(&host);
	kernel = bench_kernel(machine, s->cpus, s->ops);
	spin_lock_init(kernel, &lock, line_create(machine, "lock", 0), "test");
	for (uint32_t n = 0; n < s->cpus; n++)
		task_create(machine, (cpu_id){ n }, body, NULL);
	machine_run_until(machine, WARMUP + WINDOW);
	*(uint64_t *)result = turns ? WINDOW / turns : 0;
}

static uint64_t handover(const struct spinlock_ops *ops, uint32_t cpus)
{
	const struct saturated s = { ops, cpus };
	uint64_t time;

	in_child(measure, &s, &time, sizeof(time));
	return time;
}

void test_ticket_collapses(void)
{
	const uint64_t h8 = handover(&spinlock_ticket, 8), h16 = handover(&spinlock_ticket, 16), h31 = handover(&spinlock_ticket, 31),
		       h62 = handover(&spinlock_ticket, 62);
	const uint64_t slope = (h62 - h31) / 31;

	bench_context("ticket, ps per handover %llu %llu %llu %llu", (unsigned long long)h8, (unsigned long long)h16,
		      (unsigned long long)h31, (unsigned long long)h62);
	/* each waiter's fetch after the unlock and after the newcomer's atomic: between one and two and a bit occupancies a CPU */
	CHECK_BETWEEN(slope, OCCUPANCY, 22 * OCCUPANCY / 10);
	/* a straight line: the same slope in each part */
	CHECK_BETWEEN((h16 - h8) / 8, slope * 8 / 10, slope * 12 / 10);
	CHECK_BETWEEN((h31 - h16) / 15, slope * 8 / 10, slope * 12 / 10);
	CHECK(h62 > 3 * h8);
}

void test_queued_has_a_plateau(void)
{
	const uint64_t h8 = handover(&spinlock_queued, 8), h16 = handover(&spinlock_queued, 16), h31 = handover(&spinlock_queued, 31),
		       h62 = handover(&spinlock_queued, 62);

	bench_context("qspinlock, ps per handover %llu %llu %llu %llu", (unsigned long long)h8, (unsigned long long)h16,
		      (unsigned long long)h31, (unsigned long long)h62);
	CHECK_BETWEEN(h16, h8 * 9 / 10, h8 * 11 / 10);
	CHECK_BETWEEN(h31, h8 * 9 / 10, h8 * 11 / 10);
	CHECK_BETWEEN(h62, h8 * 9 / 10, h8 * 11 / 10);
	/* wake-up of the head, its read, its store, the next one's node: not less than three transfers of 50 ns, not more than eight */
	CHECK_BETWEEN(h31, 150 * NS, 400 * NS);
}
