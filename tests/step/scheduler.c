// SPDX-License-Identifier: Apache-2.0
/*
 * schedule() and try_to_wake_up(): which locks, in which order, who tells whom. Also the sleeping path of a mutex.
 */
#include "tests/step/sched_bench.h"

struct sleeper {
	struct sched_bench *bench;
	struct task_struct task;
	unsigned int woken;
};

static struct sleeper sleeper;
static struct step_bench b;
static struct mutex mutex;
static bool (*while_idle)(struct cpu *cpu);

static void sleeper_body(struct cpu *cpu, void *argument)
{
	struct sleeper *self = argument;

	for (;;) {
		set_current_state(b.kernel, cpu, TASK_SLEEPING);
		schedule(b.kernel, cpu);
		self->woken++;
	}
}

static bool idle(void *context, struct cpu *cpu)
{
	(void)context;
	return while_idle && while_idle(cpu);
}

static void start(task_body body)
{
	struct kernel_config config = recent_kernel();

	bench_boot(&b, &config);
	sched_init(b.kernel, 4);
	kvm_init(&b.kvm, b.kernel, true, 0);
	sleeper.woken = 0;
	task_init(b.kernel, &sleeper.task, "sleeper", 0, body, &sleeper);
	task_start(&sleeper.task, BENCH_CPU);
	recording_while_idle(b.machine, idle, NULL);
	bench_count_locks(&b);
}

static void pend(uint32_t interrupt)
{
	recording_set_sysreg(b.cpu, SYS_ICC_IAR1_EL1, interrupt);
	recording_assert_interrupt(b.machine);
}

static unsigned int idled;

static bool wake_from_other_cpu(struct cpu *cpu)
{
	(void)cpu;
	if (idled++)
		return false;
	assert_true(wake_up_process(recording_cpu(b.machine, OTHER_CPU), &sleeper.task));
	assert_false(wake_up_process(recording_cpu(b.machine, OTHER_CPU), &sleeper.task));
	pend(IPI_RESCHEDULE);
	return true;
}

/* Sleeping and being woken by another CPU: three passages of the run queue's lock by schedule(), one by the waker, one IPI. */
static void sleep_and_wake(void **state)
{
	(void)state;
	idled = 0;
	while_idle = wake_from_other_cpu;
	start(sleeper_body);
	recording_run(b.machine, BENCH_CPU);
	assert_int_equal(sleeper.woken, 1);
	/* idle to sleeper, sleeper to idle, idle to sleeper, sleeper to idle */
	EXPECT(4, b.machine, .kind = REQUEST_THREAD_SWITCH);
	EXPECT(4, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = "rq", .within = "__schedule");
	EXPECT(1, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = "rq", .within = "try_to_wake_up");
	assert_int_equal(locks_taken(&b, PI_LOCK_CLASS), 2);
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_WRITE, .reg = REG(ICC_SGI1R_EL1));
	/* pi_lock outside, the run queue's lock inside, the flag before the IPI */
	EXPECT_BEFORE(b.machine, FILTER(.kind = REQUEST_LINE_ATOMIC, .line = "rq", .within = "ttwu_queue"),
		      FILTER(.kind = REQUEST_LINE_ATOMIC, .line = "thread_info flags", .within = "resched_curr"));
	EXPECT_BEFORE(b.machine, FILTER(.kind = REQUEST_LINE_ATOMIC, .line = "thread_info flags"), FILTER(.reg = REG(ICC_SGI1R_EL1)));
	EXPECT(0, b.machine, .line = "rq", .kind = REQUEST_LINE_ATOMIC, .irqs = IRQS_ON);
	/* the sleeper's state is stored, and a barrier, before anything is decided */
	EXPECT(2, b.machine, .kind = REQUEST_BARRIER, .barrier = BARRIER(DMB), .without = "try_to_wake_up");
	/* on_cpu is given back by a store-release before the run queue's lock */
	EXPECT(4, b.machine, .kind = REQUEST_LINE_RELEASE, .line = "task_struct", .within = "finish_task_switch");
	bench_stop(&b);
}

static bool wake_on_busy_cpu(struct cpu *cpu)
{
	struct rq *rqs = b.kernel->sched->rqs;

	(void)cpu;
	if (idled++)
		return false;
	/* its CPU is taken by somebody else, CPU 3 is idle, 0 and 1 are busy */
	rqs[BENCH_CPU].nr_running = rqs[0].nr_running = rqs[1].nr_running = 1;
	b.kernel->sched->idle_cpus[0] = 1u << 3;
	wake_up_process(recording_cpu(b.machine, OTHER_CPU), &sleeper.task);
	return false;
}

/* A task wakes on an idle CPU if its last one is busy. */
static void wakes_where_it_is_idle(void **state)
{
	(void)state;
	idled = 0;
	while_idle = wake_on_busy_cpu;
	start(sleeper_body);
	recording_run(b.machine, BENCH_CPU);
	assert_int_equal(sleeper.task.cpu, 3);
	assert_int_equal(b.kernel->sched->counts.migrations, 1);
	EXPECT(1, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = "rq", .instance = INSTANCE(3), .within = "ttwu_queue");
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_WRITE, .reg = REG(ICC_SGI1R_EL1));
	bench_stop(&b);
}

static void locker_body(struct cpu *cpu, void *argument)
{
	(void)argument;
	mutex_lock(cpu, &mutex);
	sleeper.woken++;
	mutex_unlock(cpu, &mutex);
	for (;;) {
		set_current_state(b.kernel, cpu, TASK_SLEEPING);
		schedule(b.kernel, cpu);
	}
}

static bool unlock_from_other_cpu(struct cpu *cpu)
{
	(void)cpu;
	if (idled++)
		return false;
	assert_int_equal(sleeper.woken, 0);
	mutex_unlock(recording_cpu(b.machine, OTHER_CPU), &mutex);
	pend(IPI_RESCHEDULE);
	return true;
}

/*
 * A mutex that another CPU holds: a failed compare-and-swap, the waiter queues under wait_lock, sleeps, and is woken by the unlock, which found the flag.
 */
static void contended_mutex(void **state)
{
	(void)state;
	idled = 0;
	while_idle = unlock_from_other_cpu;
	start(locker_body);
	mutex_init(b.kernel, &mutex, line_create(b.machine, "mutex", 0), "mutex.wait_lock");
	mutex_lock(recording_cpu(b.machine, OTHER_CPU), &mutex);
	recording_clear(b.machine);
	recording_run(b.machine, BENCH_CPU);
	assert_int_equal(sleeper.woken, 1);
	assert_false(mutex.locked);
	EXPECT(1, b.machine, .function = "__mutex_lock_slowpath");
	EXPECT(1, b.machine, .function = "__mutex_unlock_slowpath");
	EXPECT(1, b.machine, .function = "try_to_wake_up", .within = "__mutex_unlock_slowpath");
	/* fast path failed, under wait_lock failed, after the sleep it worked; and wait_lock twice */
	EXPECT(5, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = "mutex", .within = "mutex_lock");
	/* both unlocks: the second finds nobody */
	EXPECT(2 + 1, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = "mutex", .order = ORDER(RELEASE));
	bench_stop(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sleep_and_wake), cmocka_unit_test(wakes_where_it_is_idle), cmocka_unit_test(contended_mutex),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
