// SPDX-License-Identifier: Apache-2.0
/*
 * What one handover of a saturated lock takes, against the number of CPUs, without distance: the ticket lock grows with every waiter, because each
 * unlock and each arrival takes all copies away and all are fetched again; the queued locks move a constant number of lines. With two NUMA nodes, CNA
 * keeps them in one.
 */
#include "tests/line/bench.h"

#define WARMUP (200 * US)
#define WINDOW (1000 * US)
#define OCCUPANCY (10 * NS)
#define CNA_HANDOVERS 500  /* some turns in the window; at each, a head looks at all waiters of the other node one by one */

struct saturated { const struct spinlock_ops *ops; uint32_t cpus, cpus_per_node; ps_t node_hop; };

static struct kernel *kernel;
static struct raw_spinlock lock;
static struct saturated setting;
static uint64_t turns;

static void body(struct cpu *cpu, void *argument)
{
	const struct saturated *s = argument;
	const uint32_t n = cpu_number(cpu).n;

	/* nodes take turns in the queue */
	cpu_spend(cpu, (s->cpus_per_node ? n % s->cpus_per_node * 2 + n / s->cpus_per_node : n) * 37 * NS);
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

	setting = *s;
	host.line_read_occupancy = OCCUPANCY;
	host.cpus_per_node = s->cpus_per_node;
	host.node_hop = s->node_hop;
	if (s->cpus_per_node) {  /* a crosspoint a node; no line has its home in a particular one */
		host.placement = 0;
		host.cpus_per_crosspoint = s->cpus_per_node;
		host.mesh_columns = (s->cpus + s->cpus_per_node - 1) / s->cpus_per_node;
	}
	machine = bench_machine(&host);
	kernel = bench_kernel(machine, s->cpus, s->ops);
	kernel->config.cna_handovers = CNA_HANDOVERS;
	spin_lock_init(kernel, &lock, line_create(machine, "lock", 0), "test");
	for (uint32_t n = 0; n < s->cpus; n++)
		task_create(machine, (cpu_id){ n }, body, &setting);
	machine_run_until(machine, WARMUP + WINDOW);
	*(uint64_t *)result = turns ? WINDOW / turns : 0;
}

static uint64_t handover(const struct spinlock_ops *ops, uint32_t cpus)
{
	const struct saturated s = { ops, cpus, 0, 0 };
	uint64_t time;

	in_child(measure, &s, &time, sizeof(time));
	return time;
}

/* As many CPUs in each of two nodes, that are `node_hop` apart. */
static uint64_t handover_two_nodes(const struct spinlock_ops *ops, ps_t node_hop)
{
	const struct saturated s = { ops, 32, 16, node_hop };
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

/* The same time per handover, within 10 %, from 8 to 62 CPUs; returns that at 31. */
static uint64_t plateau(const struct spinlock_ops *spinlock)
{
	const uint64_t h8 = handover(spinlock, 8), h16 = handover(spinlock, 16), h31 = handover(spinlock, 31),
		       h62 = handover(spinlock, 62);

	bench_context("%s, ps per handover %llu %llu %llu %llu", spinlock->name, (unsigned long long)h8, (unsigned long long)h16,
		      (unsigned long long)h31, (unsigned long long)h62);
	CHECK_BETWEEN(h16, h8 * 9 / 10, h8 * 11 / 10);
	CHECK_BETWEEN(h31, h8 * 9 / 10, h8 * 11 / 10);
	CHECK_BETWEEN(h62, h8 * 9 / 10, h8 * 11 / 10);
	return h31;
}

void test_queued_has_a_plateau(void)
{
	const uint64_t h31 = plateau(&spinlock_queued);

	/* wake-up of the head, its read, its store, the next one's node: not less than three transfers of 50 ns, not more than eight */
	CHECK_BETWEEN(h31, 150 * NS, 400 * NS);
}

void test_mcs_has_a_plateau(void)
{
	const uint64_t h31 = plateau(&spinlock_mcs);

	/* the store to the successor's node and that one's look at it, 50 ns each, and hits: it wakes up while the store's transfer is under way */
	CHECK_BETWEEN(h31, 100 * NS, 110 * NS);
	/* the lock word is no part of it */
	CHECK(h31 < handover(&spinlock_queued, 31));
}

/*
 * CPUs of the two nodes arrive in turn, so every hand-over of qspinlock crosses; CNA crosses at each turn, once in CNA_HANDOVERS, and for some arrivals.
 * What it pays at home is one look at the successor's node.
 */
void test_cna_hands_over_at_home(void)
{
	const ps_t hop = 200 * NS;
	const uint64_t near_queued = handover_two_nodes(&spinlock_queued, 0), near_cna = handover_two_nodes(&spinlock_cna, 0);
	const uint64_t far_queued = handover_two_nodes(&spinlock_queued, hop), far_cna = handover_two_nodes(&spinlock_cna, hop);

	bench_context("two nodes, ps per handover: qspinlock %llu, cna %llu; 200 ns apart %llu, %llu", (unsigned long long)near_queued,
		      (unsigned long long)near_cna, (unsigned long long)far_queued, (unsigned long long)far_cna);
	CHECK_BETWEEN(near_cna, near_queued * 8 / 10, near_queued + 80 * NS);
	CHECK(far_queued > near_queued + hop);
	CHECK(far_cna * 13 < far_queued * 10);
}
