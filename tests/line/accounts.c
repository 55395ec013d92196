// SPDX-License-Identifier: Apache-2.0
/*
 * Every picosecond of every CPU belongs to exactly one (function stack, reason): whatever the CPUs do, and wherever the window's edges fall, the charges
 * of each CPU add up to the window, and so does the tree.
 */
#include <string.h>

#include "tests/line/bench.h"

#define MAX 12
#define GICR_ICACTIVER0 0x10380

struct window { uint64_t seed; uint32_t cpus; ps_t start, end; };

static const struct window *window;
static struct kernel *kernel;
static struct raw_spinlock lock;
static line_id lines[3];

static void inner(struct cpu *cpu, uint64_t index)
{
	FUNCTION(cpu);

	if (bench_draw(window->seed, "inner", index, 0, 1))
		cpu_load_store(cpu, 5);
	else
		line_read(cpu, lines[index % 3]);
}

static void ignore(void *object, ps_t when)
{
	(void)object;
	(void)when;
}

static void step(struct cpu *cpu, uint64_t index)
{
	const uint64_t own_frame = gic_frame_address(kernel->machine, GIC_FRAME_REDISTRIBUTOR, cpu_number(cpu));
	FUNCTION(cpu);

	switch (bench_draw(window->seed, "step", index, 0, 9)) {
	case 0:
		line_own(cpu, lines[index % 3]);
		break;
	case 1:
		line_atomic(cpu, lines[index % 3], (enum order)(index % 3));
		break;
	case 2:
		line_release(cpu, lines[index % 3], ignore, NULL);
		break;
	case 3:
		mmio_write(cpu, own_frame + GICR_ICACTIVER0, 1);
		break;
	case 4:
		mmio_read(cpu, own_frame + GICR_ICACTIVER0);
		break;
	case 5:
		cpu_run_guest(cpu, bench_draw(window->seed, "guest", index, 0, 3 * US));
		break;
	case 6:
		cpu_barrier(cpu, (enum barrier)(index % 3));
		break;
	case 7:
		cpu_sysreg_write(cpu, SYS_TCR_EL1, cpu_sysreg_read(cpu, SYS_ESR_EL1));
		inner(cpu, index);
		break;
	default:
		raw_spin_lock(kernel, cpu, &lock, "test");
		inner(cpu, index);
		raw_spin_unlock(cpu, &lock);
	}
}

static void body(struct cpu *cpu, void *argument)
{
	const uint32_t n = cpu_number(cpu).n;
	FUNCTION(cpu);

	(void)argument;
	for (uint32_t round = 0; n % 4 || round < 20; round++) {  /* every fourth ends early */
		cpu_spend(cpu, bench_draw(window->seed, "work", n * 100000u + round, 0, 300 * NS));
		step(cpu, n * 100000u + round);
	}
	if (n % 8 == 4)
		cpu_wait_for_interrupt(cpu);  /* that never comes */
}

static void add(void *context, const char *stack, enum account_reason reason, ps_t amount)
{
	(void)stack;
	((ps_t *)context)[reason] += amount;
}

static void run(const void *argument, void *result)
{
	ps_t by_reason[ACCOUNT_REASONS] = { 0 }, sum = 0;
	struct host_config host;
	struct machine *machine;

	window = argument;
	host = bench_random_host(window->cpus, window->seed);
	host.load_store = 7;
	host.call = 11;
	host.sysreg_read[SYSREG_ORDINARY] = 1234;
	machine = bench_machine(&host);
	account_set_window(machine_account(machine), window->start, window->end);
	kernel = bench_kernel(machine, window->cpus, window->seed % 2 ? &spinlock_queued : &spinlock_ticket);
	spin_lock_init(kernel, &lock, line_create(machine, "lock", 0), "test");
	for (uint32_t n = 0; n < 3; n++)
		lines[n] = line_create(machine, "line", n);
	for (uint32_t n = 0; n + 1 < window->cpus; n++)  /* the last one has no thread */
		task_create(machine, (cpu_id){ n }, body, NULL);
	machine_run_until(machine, window->start);
	machine_run_until(machine, window->end);
	machine_close_accounts(machine, window->end);

	for (uint32_t n = 0; n < window->cpus; n++) {
		bench_context("seed %llu, CPU %u of %u", (unsigned long long)window->seed, n, window->cpus);
		CHECK_EQUAL(account_cpu_total(machine_account(machine), (cpu_id){ n }), window->end - window->start);
	}
	account_visit(machine_account(machine), add, by_reason);
	for (int reason = 0; reason < ACCOUNT_REASONS; reason++) {
		sum += by_reason[reason];
		((uint64_t *)result)[reason] = by_reason[reason];
	}
	CHECK_EQUAL(sum, window->cpus * (window->end - window->start));
}

void test_accounts_are_complete(void)
{
	uint64_t by_reason[ACCOUNT_REASONS], total[ACCOUNT_REASONS] = { 0 };

	for (uint64_t seed = 1; seed <= 40; seed++) {
		struct window one = { .seed = seed };

		one.cpus = (uint32_t)bench_draw(seed, "cpus", 0, 2, MAX);
		one.start = bench_draw(seed, "start", 0, 0, 1) ? bench_draw(seed, "start", 1, 1, 50 * US) : 0;
		one.end = one.start + bench_draw(seed, "length", 0, 1, 200 * US);
		in_child(run, &one, by_reason, sizeof(by_reason));
		for (int reason = 0; reason < ACCOUNT_REASONS; reason++)
			total[reason] += by_reason[reason];
	}
	/* every reason occurred, so nothing was left out of the test */
	for (int reason = 0; reason < ACCOUNT_REASONS; reason++) {
		bench_context("%s", account_reason_name((enum account_reason)reason));
		CHECK(total[reason] > 0);
	}
}

#define T0 PS_PER_MS
#define LENGTH (20 * US)

static void inner_of_known(struct cpu *cpu)
{
	FUNCTION_NAMED(cpu, "inner");

	cpu_spend(cpu, 7 * NS);
	line_own(cpu, lines[0]);  /* CPU 1 has it: 50 ns, and a hit */
}

static void known_body(struct cpu *cpu, void *argument)
{
	const uint64_t frame = gic_frame_address(cpu_machine(cpu), GIC_FRAME_REDISTRIBUTOR, (cpu_id){ 0 });
	FUNCTION_NAMED(cpu, "outer");

	(void)argument;
	line_own(cpu, lines[0]);
	spend_until(cpu, T0);
	cpu_spend(cpu, 100 * NS);
	inner_of_known(cpu);
	mmio_read(cpu, frame + GICR_ICACTIVER0);
	mmio_write(cpu, frame + GICR_ICACTIVER0, 1);
	cpu_barrier(cpu, BARRIER_DSB);
	cpu_run_guest(cpu, 3 * US);
	line_read(cpu, lines[0]);
	line_wait(cpu, lines[0]);
	cpu_wait_for_interrupt(cpu);
}

static void taking_body(struct cpu *cpu, void *argument)
{
	(void)argument;
	spend_until(cpu, T0 / 2);
	line_own(cpu, lines[0]);
	spend_until(cpu, T0 + 10 * US);
	line_own(cpu, lines[0]);
}

static const struct expected { const char *stack; enum account_reason reason; ps_t amount; } expected[] = {
	{ "outer", ACCOUNT_RUN, 101 * NS },
	{ "outer;inner", ACCOUNT_RUN, 8 * NS },
	{ "outer;inner", ACCOUNT_LINE, 50 * NS },
	{ "outer", ACCOUNT_DEVICE, (120 + 100) * NS },
	{ "outer", ACCOUNT_GUEST, 3 * US },
	{ "outer", ACCOUNT_SPIN, 10 * US + 20 * NS - (101 + 58 + 220) * NS - 3 * US },
	{ "outer", ACCOUNT_IDLE, 10 * US - 20 * NS },
	{ "", ACCOUNT_RUN, 10 * US + 1 * NS },
	{ "", ACCOUNT_LINE, 50 * NS },
	{ "", ACCOUNT_IDLE, 10 * US - 51 * NS },
};

#define EXPECTED (sizeof(expected) / sizeof(expected[0]))

static void look_up(void *context, const char *stack, enum account_reason reason, ps_t amount)
{
	ps_t *seen = context;

	for (size_t n = 0; n < EXPECTED; n++) {
		if (!strcmp(stack, expected[n].stack) && reason == expected[n].reason)
			seen[n] += amount;
	}
}

/* A program of known times: each of its picoseconds under the function and the reason to which it belongs. */
void test_functions_and_reasons(void)
{
	struct host_config host = bench_host(2);
	ps_t seen[EXPECTED] = { 0 };
	struct machine *machine;

	host.write_issue = 3 * NS;
	machine = bench_machine(&host);
	account_set_window(machine_account(machine), T0, T0 + LENGTH);
	lines[0] = line_create(machine, "line", 0);
	task_create(machine, (cpu_id){ 0 }, known_body, NULL);
	task_create(machine, (cpu_id){ 1 }, taking_body, NULL);
	machine_run_until(machine, T0 + LENGTH);
	machine_close_accounts(machine, T0 + LENGTH);
	account_visit(machine_account(machine), look_up, seen);
	for (size_t n = 0; n < EXPECTED; n++) {
		bench_context("\"%s\", %s", expected[n].stack, account_reason_name(expected[n].reason));
		CHECK_EQUAL(seen[n], expected[n].amount);
	}
	for (uint32_t n = 0; n < 2; n++)
		CHECK_EQUAL(account_cpu_total(machine_account(machine), (cpu_id){ n }), LENGTH);
}
