// SPDX-License-Identifier: Apache-2.0
/*
 * Mutual exclusion and progress on random schedules: 2 to 64 CPUs, random hosts (mesh, latencies down to single picoseconds, release_waits or not),
 * random private work and holds, device writes inside some of the critical sections.
 *
 * A shared counter is read at the start of a critical section and written back at its end: with two CPUs inside, an increment is lost. A lost
 * wake-up leaves a CPU asleep at the end of the simulated time.
 */
#include "tests/line/bench.h"

#define GICR_ICACTIVER0 0x10380

static const uint32_t sizes[] = { 2, 3, 4, 8, 17, 31, 64 };
#define SIZES (sizeof(sizes) / sizeof(sizes[0]))
#define SEEDS 8

struct schedule {
	const struct spinlock_ops *ops;
	uint32_t cpus, rounds;
	uint64_t seed;
};

static const struct schedule *schedule;
static struct kernel *kernel;
static struct raw_spinlock lock;
static line_id data_line;
static uint32_t inside, counter, overlaps, finished;

static void critical_section(struct cpu *cpu, uint64_t index)
{
	const uint64_t kind = bench_draw(schedule->seed, "kind", index, 0, 3);
	uint32_t seen;

	overlaps += inside != 0;
	inside++;
	seen = counter;
	if (kind == 1)
		mmio_write(cpu, gic_frame_address(kernel->machine, GIC_FRAME_REDISTRIBUTOR, cpu_number(cpu)) + GICR_ICACTIVER0, 1u << 27);
	if (kind >= 2)
		line_own(cpu, data_line);
	cpu_spend(cpu, bench_draw(schedule->seed, "hold", index, 0, kind == 3 ? 0 : 50 * NS));
	counter = seen + 1;
	inside--;
}

static void body(struct cpu *cpu, void *argument)
{
	const uint32_t n = cpu_number(cpu).n;
	const ps_t think = bench_draw(schedule->seed, "think", 0, 0, 2) ? 200 * NS * schedule->cpus : 10;

	(void)argument;
	for (uint32_t round = 0; round < schedule->rounds; round++) {
		const uint64_t index = n * 1000u + round;

		cpu_spend(cpu, bench_draw(schedule->seed, "work", index, 0, think));
		raw_spin_lock(kernel, cpu, &lock, "test");
		critical_section(cpu, index);
		raw_spin_unlock(cpu, &lock);
	}
	finished++;
}

static void run(const void *argument, void *result)
{
	struct host_config host;
	struct machine *machine;

	(void)result;
	schedule = argument;
	host = bench_random_host(schedule->cpus, schedule->seed);
	machine = bench_machine(&host);
	kernel = bench_kernel(machine, schedule->cpus, schedule->ops);
	data_line = line_create(machine, "data", 0);
	spin_lock_init(kernel, &lock, line_create(machine, "lock", 0), "test");
	for (uint32_t n = 0; n < schedule->cpus; n++)
		task_create(machine, (cpu_id){ n }, body, NULL);
	/* far more than any schedule needs; sleeping CPUs cost nothing to wait for */
	machine_run_until(machine, 100 * PS_PER_MS);
	bench_context("%s, %u CPUs, seed %llu", schedule->ops->name, schedule->cpus, (unsigned long long)schedule->seed);
	CHECK_EQUAL(overlaps, 0);
	CHECK_EQUAL(counter, schedule->cpus * schedule->rounds);
	CHECK_EQUAL(finished, schedule->cpus);
	CHECK(!lock.locked && !lock.pending && !lock.tail && lock.owner == lock.next);
}

static void many(const struct spinlock_ops *ops)
{
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		for (size_t n = 0; n < SIZES; n++) {
			const struct schedule one = { ops, sizes[n], 30, seed * 1000 + n };

			in_child(run, &one, NULL, 0);
		}
	}
}

void test_mutual_exclusion_ticket(void)
{
	many(&spinlock_ticket);
}

void test_mutual_exclusion_queued(void)
{
	many(&spinlock_queued);
}

void test_mutual_exclusion_mcs(void)
{
	many(&spinlock_mcs);
}

void test_mutual_exclusion_cna(void)
{
	many(&spinlock_cna);
}
