// SPDX-License-Identifier: Apache-2.0
/*
 * NUMA nodes: what a transfer between them takes. Two nodes of two crosspoints with two CPUs each, homes at the mean distance, hops free: a line that
 * only CPUs of one node use costs what it costs on one node; one that the other node holds crosses there and back, whoever holds it.
 */
#include "tests/line/bench.h"

#define CPUS 8
#define PER_NODE 4
#define NODE_HOP (200 * NS)
#define BASE (50 * NS)
#define HIT (1 * NS)

struct use { uint32_t cpu; bool own; ps_t latency; };

/* CPUs 0 to 3 are the first node. The first uses of a line are quiet: the table starts with both nodes having seen it. */
static const struct use uses[] = {
	{ 0, true, 0 }, { 4, true, 0 },
	{ 0, true, BASE + 2 * NODE_HOP + HIT },   /* from the other node */
	{ 3, true, BASE + HIT },                  /* from a neighbour */
	{ 1, false, BASE + HIT },
	{ 2, false, BASE + HIT },                 /* copies: from the home, in the requester's node */
	{ 5, false, BASE + HIT },
	{ 6, true, BASE + 2 * NODE_HOP + HIT },   /* copies in the other node must go: there and back */
	{ 7, true, BASE + HIT },
	{ 7, true, HIT },
};
#define USES (sizeof(uses) / sizeof(uses[0]))

static line_id line;

static void body(struct cpu *cpu, void *argument)
{
	(void)argument;
	for (size_t n = 0; n < USES; n++) {
		const ps_t when = (n + 1) * 20 * US;

		if (uses[n].cpu != cpu_number(cpu).n)
			continue;
		spend_until(cpu, when);
		if (uses[n].own)
			line_own(cpu, line);
		else
			line_read(cpu, line);
		if (n < 2)
			continue;
		bench_context("use %zu by CPU %u", n, uses[n].cpu);
		CHECK_EQUAL(cpu_now(cpu) - when, uses[n].latency);
	}
}

void test_distance_between_nodes(void)
{
	struct host_config host = bench_host(CPUS);
	struct machine *machine;

	host.placement = 0;
	host.mesh_columns = 4;
	host.cpus_per_crosspoint = 2;
	host.cpus_per_node = PER_NODE;
	host.node_hop = NODE_HOP;
	machine = bench_machine(&host);
	line = line_create(machine, "line", 0);
	for (uint32_t n = 0; n < CPUS; n++)
		task_create(machine, (cpu_id){ n }, body, NULL);
	machine_run_until(machine, (USES + 2) * 20 * US);
}
