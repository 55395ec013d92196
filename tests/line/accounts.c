// SPDX-License-Identifier: Apache-2.0
/*
 * Every picosecond of every CPU belongs to exactly one (function stack, reason): whatever the CPUs do, and wherever the window's edges fall, the charges
 * of each CPU add up to the window, and so does the tree.
 */
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
	const uint64_t own_frame = gic_redistributor_address(kernel->machine, cpu_number(cpu));
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
