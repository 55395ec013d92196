// SPDX-License-Identifier: Apache-2.0
/*
 * Who comes when: ticket and MCS locks serve strictly in the order in which their line saw the arrivals; qspinlock strictly in the order of the tail
 * exchanges, but for the one CPU in the pending slot; CNA passes over waiters of the other NUMA node, but not more often than its bound says, and on
 * one node it is qspinlock to the picosecond; and nobody starves.
 *
 * The program is linked with --wrap=line_atomic, so every atomic on the watched line is seen at its instant, after the line has come and
 * before the software acts.
 */
#include <string.h>

#include "tests/line/bench.h"

#define MAX 64
#define ROUNDS 40

void __real_line_atomic(struct cpu *cpu, line_id line, enum order order);
void __wrap_line_atomic(struct cpu *cpu, line_id line, enum order order);

static void (*on_atomic)(uint32_t cpu, enum order order);
static line_id watched;

void __wrap_line_atomic(struct cpu *cpu, line_id line, enum order order)
{
	__real_line_atomic(cpu, line, order);
	if (on_atomic && line.n == watched.n)
		on_atomic(cpu_number(cpu).n, order);
}

struct schedule {
	const struct spinlock_ops *ops;
	uint32_t cpus;
	uint64_t seed;
	uint32_t nodes;  /* NUMA; 0 = as the random host has it */
};

struct outcome {
	uint32_t acquisitions, out_of_order, overtaken_by_pending, overtaken_more, queued;
	uint32_t passed_over, most_passed_over;  /* cna: acquisitions before somebody's turn; most for one waiter */
	uint64_t trace;                          /* of who took the lock when */
};

static const struct schedule *schedule;
static struct kernel *kernel;
static struct raw_spinlock lock;
static uint32_t waiting[MAX], waiting_count;  /* in order of arrival */
static bool in_queue[MAX];
static uint32_t overtaken[MAX];
static struct outcome outcome;

static void ticket_arrives(uint32_t cpu, enum order order)
{
	(void)order;
	waiting[waiting_count++] = cpu;
}

/* The swap of the tail; an unlock's compare-and-swap is a release. */
static void mcs_arrives(uint32_t cpu, enum order order)
{
	if (order == ORDER_ACQUIRE_RELEASE)
		waiting[waiting_count++] = cpu;
}

static bool strict_order(void)
{
	return schedule->ops == &spinlock_ticket || schedule->ops == &spinlock_mcs;
}

/* The first relaxed atomic of an acquisition is the exchange of the tail; a later one the compare-and-swap of a head that is alone. */
static void queue_entered(uint32_t cpu, enum order order)
{
	if (order != ORDER_RELAXED || in_queue[cpu])
		return;
	in_queue[cpu] = true;
	overtaken[cpu] = 0;
	waiting[waiting_count++] = cpu;
	outcome.queued++;
}

/* The head's place in the line of waiters: those before it are passed over. */
static void cna_served(uint32_t cpu)
{
	uint32_t place = 0;

	for (; place < waiting_count && waiting[place] != cpu; place++) {
		const uint32_t times = ++overtaken[waiting[place]];

		outcome.passed_over++;
		outcome.most_passed_over = times > outcome.most_passed_over ? times : outcome.most_passed_over;
	}
	outcome.out_of_order += place == waiting_count;  /* took the lock from the queue without having been in it */
	memmove(waiting + place, waiting + place + 1, (--waiting_count - place) * sizeof(waiting[0]));
	in_queue[cpu] = false;
}

static void acquired(uint32_t cpu, ps_t when)
{
	outcome.acquisitions++;
	outcome.trace = random_u64(outcome.trace, when, cpu);
	if (schedule->ops == &spinlock_cna && in_queue[cpu]) {
		cna_served(cpu);
		return;
	}
	if (strict_order() || in_queue[cpu]) {
		outcome.out_of_order += waiting_count == 0 || waiting[0] != cpu;
		memmove(waiting, waiting + 1, --waiting_count * sizeof(waiting[0]));
		in_queue[cpu] = false;
		return;
	}
	for (uint32_t n = 0; n < waiting_count; n++) {
		overtaken[waiting[n]]++;
		outcome.overtaken_by_pending += overtaken[waiting[n]] == 1;
		outcome.overtaken_more += overtaken[waiting[n]] > 1;
	}
}

static void body(struct cpu *cpu, void *argument)
{
	const uint32_t n = cpu_number(cpu).n;

	(void)argument;
	for (uint32_t round = 0; round < ROUNDS; round++) {
		const uint64_t index = n * 1000u + round;

		cpu_spend(cpu, bench_draw(schedule->seed, "work", index, 0, 100 * NS * schedule->cpus));
		raw_spin_lock(kernel, cpu, &lock, "test");
		acquired(n, cpu_now(cpu));
		cpu_spend(cpu, bench_draw(schedule->seed, "hold", index, 0, 50 * NS));
		raw_spin_unlock(cpu, &lock);
	}
}

static struct host_config random_host(void)
{
	struct host_config host = bench_random_host(schedule->cpus, schedule->seed);

	if (schedule->nodes)
		host.cpus_per_node = (schedule->cpus + schedule->nodes - 1) / schedule->nodes;
	return host;
}

static void start(const struct host_config *host, task_body task)
{
	struct machine *machine = bench_machine(host);

	kernel = bench_kernel(machine, schedule->cpus, schedule->ops);
	watched = line_create(machine, "lock", 0);
	spin_lock_init(kernel, &lock, watched, "test");
	for (uint32_t n = 0; n < schedule->cpus; n++)
		task_create(machine, (cpu_id){ n }, task, NULL);
}

static void run(const void *argument, void *result)
{
	struct host_config host;

	schedule = argument;
	host = random_host();
	on_atomic = schedule->ops == &spinlock_ticket ? ticket_arrives : schedule->ops == &spinlock_mcs ? mcs_arrives : queue_entered;
	start(&host, body);
	machine_run_until(kernel->machine, 50 * PS_PER_MS);
	bench_context("%s, %u CPUs, seed %llu", schedule->ops->name, schedule->cpus, (unsigned long long)schedule->seed);
	CHECK_EQUAL(outcome.acquisitions, schedule->cpus * ROUNDS);
	CHECK_EQUAL(outcome.out_of_order, 0);
	if (schedule->ops == &spinlock_cna)  /* and the pending slot */
		CHECK_BETWEEN(outcome.most_passed_over, 0, BENCH_CNA_HANDOVERS + 1);
	else
		CHECK_EQUAL(outcome.overtaken_more, 0);
	*(struct outcome *)result = outcome;
}

static struct outcome many(const struct spinlock_ops *ops, uint32_t nodes)
{
	static const uint32_t sizes[] = { 2, 4, 9, 31, 64 };
	struct outcome sum = { 0 };

	for (uint64_t seed = 1; seed <= 8; seed++) {
		for (size_t n = 0; n < sizeof(sizes) / sizeof(sizes[0]); n++) {
			const struct schedule one = { ops, sizes[n], seed * 100 + n, nodes };
			struct outcome got;

			in_child(run, &one, &got, sizeof(got));
			sum.queued += got.queued;
			sum.overtaken_by_pending += got.overtaken_by_pending;
			sum.passed_over += got.passed_over;
			sum.most_passed_over = got.most_passed_over > sum.most_passed_over ? got.most_passed_over :
											     sum.most_passed_over;
		}
	}
	return sum;
}

void test_ticket_is_fifo(void)
{
	many(&spinlock_ticket, 0);
}

void test_mcs_is_fifo(void)
{
	many(&spinlock_mcs, 0);
}

/* Two nodes: between somebody's being passed over and the turn of his node lie at most so many hand-overs. */
void test_cna_passes_over_within_its_bound(void)
{
	const struct outcome sum = many(&spinlock_cna, 2);

	bench_context("waiters are passed over, up to the bound");
	CHECK(sum.queued > 1000);
	CHECK(sum.passed_over > 1000);
	CHECK_BETWEEN(sum.most_passed_over, BENCH_CNA_HANDOVERS, BENCH_CNA_HANDOVERS + 1);
}

void test_cna_on_one_node_is_qspinlock(void)
{
	for (uint64_t seed = 1; seed <= 8; seed++) {
		const struct schedule cna = { &spinlock_cna, 17, seed, 1 }, queued = { &spinlock_queued, 17, seed, 1 };
		struct outcome a, b;

		in_child(run, &cna, &a, sizeof(a));
		in_child(run, &queued, &b, sizeof(b));
		bench_context("17 CPUs, seed %llu", (unsigned long long)seed);
		CHECK_EQUAL(a.trace, b.trace);
		CHECK_EQUAL(a.queued, b.queued);
		CHECK(a.queued > 0 && a.trace);
	}
}

void test_queue_is_fifo_but_for_the_pending_slot(void)
{
	const struct outcome sum = many(&spinlock_queued, 0);

	bench_context("both ways to wait occur");
	CHECK(sum.queued > 1000);
	CHECK(sum.overtaken_by_pending > 100);
}

#define SETTLED (100 * US)   /* the first user of a lock may have been ahead of the others for a moment */
#define SATURATED (500 * US)

static uint32_t turns[MAX];

static void saturating_body(struct cpu *cpu, void *argument)
{
	(void)argument;
	for (;;) {
		raw_spin_lock(kernel, cpu, &lock, "test");
		turns[cpu_number(cpu).n] += cpu_now(cpu) >= SETTLED;
		cpu_spend(cpu, 20 * NS);
		raw_spin_unlock(cpu, &lock);
		cpu_spend(cpu, 10 * NS);
	}
}

static void saturate(const void *argument, void *result)
{
	struct host_config host;
	uint32_t least = UINT32_MAX, most = 0;

	(void)result;
	schedule = argument;
	host = random_host();
	start(&host, saturating_body);
	machine_run_until(kernel->machine, SATURATED);
	for (uint32_t n = 0; n < schedule->cpus; n++) {
		least = turns[n] < least ? turns[n] : least;
		most = turns[n] > most ? turns[n] : most;
	}
	bench_context("%s, seed %llu: most turns of a CPU %u, fewest", schedule->ops->name, (unsigned long long)schedule->seed, most);
	/* FIFO and always somebody waiting: turns go round; the pending slot may shift one turn now and then */
	if (strict_order())
		CHECK_BETWEEN(least, most - 1, most);
	else if (schedule->ops == &spinlock_queued)
		CHECK_BETWEEN(least, most / 2, most);
	CHECK(least > 3);
}

void test_nobody_starves(void)
{
	for (uint64_t seed = 1; seed <= 10; seed++) {
		const struct schedule ticket = { &spinlock_ticket, 13, seed, 0 }, queued = { &spinlock_queued, 13, seed, 0 };
		const struct schedule mcs = { &spinlock_mcs, 13, seed, 0 }, cna = { &spinlock_cna, 13, seed, 2 };

		in_child(saturate, &ticket, NULL, 0);
		in_child(saturate, &queued, NULL, 0);
		in_child(saturate, &mcs, NULL, 0);
		in_child(saturate, &cna, NULL, 0);
	}
}
