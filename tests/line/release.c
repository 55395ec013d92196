// SPDX-License-Identifier: Apache-2.0
/*
 * Store-releases, device writes and barriers of one CPU, and what another CPU sees of them. A device write takes 2 µs to its acknowledgement here, so
 * that what waits for it cannot be mistaken. No distance; hit 1 ns, line 50 ns.
 */
#include "tests/line/bench.h"

#define BASE (50 * NS)
#define HIT (1 * NS)
#define COMPLETION (2 * US)
#define T0 (100 * US)
#define GICR_ISACTIVER0 0x10300

static struct machine *machine;
static struct kernel *kernel;
static struct raw_spinlock lock;
static line_id line, other_line;
static bool release_waits;
static ps_t acknowledged;  /* when CPU 0's device write is */
static uint32_t finished, seen[2];

static void run_with(const void *waits, void (*body)(struct cpu *, void *), uint32_t cpus)
{
	struct host_config host = bench_host(cpus);

	release_waits = *(const bool *)waits;
	host.release_waits = release_waits;
	host.write_completion = COMPLETION;
	host.write_issue = 3 * NS;
	machine = bench_machine(&host);
	kernel = bench_kernel(machine, cpus, &spinlock_queued);
	line = line_create(machine, "line", 0);
	other_line = line_create(machine, "other line", 0);
	spin_lock_init(kernel, &lock, line_create(machine, "lock", 0), "test");
	for (uint32_t n = 0; n < cpus; n++)
		task_create(machine, (cpu_id){ n }, body, NULL);
	machine_run_until(machine, 3 * T0);
	bench_context("release_waits %s", release_waits ? "on" : "off");
	CHECK_EQUAL(finished, cpus);
}

static void both(scenario run)
{
	const bool off = false, on = true;

	in_child(run, &on, NULL, 0);
	in_child(run, &off, NULL, 0);
}

static uint64_t isactiver(uint32_t cpu)
{
	return gic_frame_address(machine, GIC_FRAME_REDISTRIBUTOR, (cpu_id){ cpu }) + GICR_ISACTIVER0;
}

static void own_all(struct cpu *cpu, ps_t when)
{
	spend_until(cpu, when);
	line_own(cpu, line);
	line_own(cpu, other_line);
	line_own(cpu, lock.line);
}

/*
 * Makes the lines, then CPU 0's redistributor shared, so that nobody uses them ahead of time: CPU 0 reads the frame first, and CPU 1 catches up by a
 * shared line before it does. CPU 0 owns the lines at T0.
 */
static void prologue(struct cpu *cpu)
{
	const bool first = cpu_number(cpu).n == 0;

	own_all(cpu, first ? 10 * US : 30 * US);
	own_all(cpu, first ? 50 * US : 60 * US);
	mmio_read(cpu, isactiver(0));
	if (first)
		own_all(cpu, 80 * US);
	spend_until(cpu, T0);
}

static void device_write(struct cpu *cpu, uint32_t bits)
{
	acknowledged = cpu_now(cpu) + COMPLETION;
	mmio_write(cpu, isactiver(cpu_number(cpu).n), bits);
}

static void nothing(void *object, ps_t when)
{
	*(ps_t *)object = when;
}

/* CPU 0 unlocks after a device write and goes on at once; CPU 1 wants the lock meanwhile. */
static void unlock_body(struct cpu *cpu, void *argument)
{
	(void)argument;
	prologue(cpu);
	if (cpu_number(cpu).n == 0) {
		raw_spin_lock(kernel, cpu, &lock, "test");
		CHECK_EQUAL(cpu_now(cpu), T0 + HIT);
		device_write(cpu, 1u << 27);
		raw_spin_unlock(cpu, &lock);
		CHECK_EQUAL(cpu_now(cpu), T0 + HIT + 3 * NS + HIT);
	} else {
		spend_until(cpu, T0 + 500 * NS);
		raw_spin_lock(kernel, cpu, &lock, "test");
		if (release_waits)
			CHECK_BETWEEN(cpu_now(cpu), T0 + HIT + COMPLETION, T0 + COMPLETION + 250 * NS);
		else
			CHECK_EQUAL(cpu_now(cpu), T0 + 500 * NS + BASE + HIT);
		raw_spin_unlock(cpu, &lock);
	}
	finished++;
}

static void unlock(const void *waits, void *result)
{
	(void)result;
	run_with(waits, unlock_body, 2);
}

void test_release_waits_for_device(void)
{
	both(unlock);
}

/* Acquires and release atomics of the same CPU wait for its pending release; relaxed atomics, stores and reads do not. */
static void acquire_body(struct cpu *cpu, void *argument)
{
	ps_t visible = 0, before;

	(void)argument;
	prologue(cpu);
	if (cpu_number(cpu).n == 0) {
		/* a device write alone holds up no acquire */
		device_write(cpu, 1u << 27);
		before = cpu_now(cpu);
		line_atomic(cpu, other_line, ORDER_ACQUIRE);
		CHECK_EQUAL(cpu_now(cpu), before + HIT);
		/* but a release atomic, where releases wait */
		line_atomic(cpu, other_line, ORDER_RELEASE);
		CHECK_EQUAL(cpu_now(cpu), release_waits ? acknowledged + HIT : before + 2 * HIT);

		spend_until(cpu, T0 + 10 * US);
		device_write(cpu, 1u << 27);
		line_release(cpu, line, nothing, &visible);
		before = cpu_now(cpu);
		line_read(cpu, other_line);
		line_own(cpu, other_line);
		line_atomic(cpu, other_line, ORDER_RELAXED);
		CHECK_EQUAL(cpu_now(cpu), before + 3 * HIT);
		line_atomic(cpu, other_line, ORDER_ACQUIRE);
		CHECK_EQUAL(cpu_now(cpu), release_waits ? acknowledged + HIT : before + 4 * HIT);
		CHECK_EQUAL(visible, release_waits ? acknowledged : before);

		/* two releases leave in order, both after the device write */
		spend_until(cpu, T0 + 20 * US);
		ps_t first = 0, second = 0;
		device_write(cpu, 1u << 27);
		line_release(cpu, line, nothing, &first);
		before = cpu_now(cpu);
		line_release(cpu, other_line, nothing, &second);
		cpu_barrier(cpu, BARRIER_DSB);
		CHECK_EQUAL(first, release_waits ? acknowledged : before);
		CHECK_EQUAL(second, release_waits ? acknowledged : before + HIT);
		CHECK(first <= second);
	}
	finished++;
}

static void acquire(const void *waits, void *result)
{
	(void)result;
	run_with(waits, acquire_body, 2);
}

void test_acquire_waits_for_release(void)
{
	both(acquire);
}

/* Two device writes with a release in between: the second is issued when the release is visible. CPU 1 looks at the redistributor. */
static void device_order_body(struct cpu *cpu, void *argument)
{
	static ps_t visible;

	(void)argument;
	prologue(cpu);
	if (cpu_number(cpu).n == 0) {
		device_write(cpu, 1u << 27);
		line_release(cpu, line, nothing, &visible);
		mmio_write(cpu, isactiver(0), 1u << 30);
		CHECK(cpu_now(cpu) < T0 + 100 * NS);
		cpu_barrier(cpu, BARRIER_DSB);
		CHECK_EQUAL(cpu_now(cpu), release_waits ? acknowledged + COMPLETION : T0 + 3 * NS + HIT + COMPLETION);
		/* a read waits for what is in the store buffer as well */
		const ps_t before = T0 + 50 * US;
		spend_until(cpu, before);
		device_write(cpu, 1u << 27);
		line_release(cpu, line, nothing, &visible);
		mmio_read(cpu, isactiver(0));
		CHECK_EQUAL(cpu_now(cpu), release_waits ? acknowledged + 120 * NS : acknowledged);
	} else {
		spend_until(cpu, T0 + 1 * US);
		seen[0] = mmio_read(cpu, isactiver(0));
		spend_until(cpu, T0 + COMPLETION + 500 * NS);
		seen[1] = mmio_read(cpu, isactiver(0));
	}
	finished++;
}

static void device_order(const void *waits, void *result)
{
	(void)result;
	run_with(waits, device_order_body, 2);
	CHECK_EQUAL(seen[0], release_waits ? 1u << 27 : 1u << 27 | 1u << 30);
	CHECK_EQUAL(seen[1], 1u << 27 | 1u << 30);
}

void test_device_write_waits_for_release(void)
{
	both(device_order);
}

static void barrier_body(struct cpu *cpu, void *argument)
{
	static ps_t visible;
	ps_t before;

	(void)argument;
	prologue(cpu);
	if (cpu_number(cpu).n == 0) {
		device_write(cpu, 1u << 27);
		before = cpu_now(cpu);
		cpu_barrier(cpu, BARRIER_ISB);
		CHECK_EQUAL(cpu_now(cpu), before);
		cpu_barrier(cpu, BARRIER_DMB);
		CHECK_EQUAL(cpu_now(cpu), release_waits ? acknowledged : before);
		cpu_barrier(cpu, BARRIER_DSB);
		CHECK_EQUAL(cpu_now(cpu), acknowledged);
	}
	/* CPU 1 has the line: CPU 0's release needs a transfer, and both barriers wait for it */
	spend_until(cpu, T0 + 10 * US);
	if (cpu_number(cpu).n == 1)
		line_own(cpu, line);
	for (int n = 0; n < 2; n++) {
		const ps_t start = T0 + 20 * US + n * 10 * US;

		spend_until(cpu, start - 5 * US);
		if (cpu_number(cpu).n == 1)
			line_own(cpu, line);
		spend_until(cpu, start);
		if (cpu_number(cpu).n == 0) {
			line_release(cpu, line, nothing, &visible);
			CHECK_EQUAL(cpu_now(cpu), start + HIT);
			cpu_barrier(cpu, n ? BARRIER_DMB : BARRIER_DSB);
			CHECK_EQUAL(cpu_now(cpu), start + HIT + BASE);
			CHECK_EQUAL(visible, start + HIT + BASE);
		}
	}
	finished++;
}

static void barriers(const void *waits, void *result)
{
	(void)result;
	run_with(waits, barrier_body, 2);
}

void test_barriers(void)
{
	both(barriers);
}
