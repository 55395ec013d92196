// SPDX-License-Identifier: Apache-2.0
/*
 * No wake-up is lost, whatever the schedule: tasks sleep until somebody gives them a token, and give tokens to others, from tasks, from timers and from
 * other CPUs, on random hosts, with more or fewer tasks than CPUs. The number of tokens is constant, so with one lost wake-up its owner sleeps for ever, and
 * at the end not every token has gone the whole way. The same again gives the same.
 */
#include <string.h>

#include "model/kernel/sched.h"
#include "tests/line/bench.h"

#define MOST_CPUS 9
#define MOST_TASKS 24
#define ROUNDS 60

struct scene { uint64_t seed; uint32_t cpus, tasks, tokens; };

struct sleeper {
	struct task_struct task;
	struct raw_spinlock lock;
	struct hrtimer timer;
	uint32_t n, tokens, taken, drawn;
};

static const struct scene *scene;
static struct kernel *kernel;
static struct sleeper sleepers[MOST_TASKS];
static uint32_t passed;

static void give(struct cpu *cpu, struct sleeper *to)
{
	const bool flags = raw_spin_lock_irqsave(kernel, cpu, &to->lock, "give");

	to->tokens++;
	raw_spin_unlock_irqrestore(cpu, &to->lock, flags);
	wake_up_process(cpu, &to->task);
}

static bool take(struct cpu *cpu, struct sleeper *self)
{
	const bool flags = raw_spin_lock_irqsave(kernel, cpu, &self->lock, "take");
	const bool got = self->tokens > 0;

	self->tokens -= got;
	raw_spin_unlock_irqrestore(cpu, &self->lock, flags);
	return got;
}

static void wait_for_token(struct cpu *cpu, struct sleeper *self)
{
	for (;;) {
		set_current_state(kernel, cpu, TASK_SLEEPING);
		if (take(cpu, self))
			break;
		/* It may take any time from the look to the sleep: wake-ups fall in between. */
		cpu_spend(cpu, bench_draw(scene->seed, "delay", self->n * 100000u + self->taken, 0, 2 * US));
		schedule(kernel, cpu);
	}
	set_current_state(kernel, cpu, TASK_RUNNING);
}

static struct sleeper *other(const struct sleeper *self, uint64_t draw)
{
	return &sleepers[(self->n + 1 + draw % (scene->tasks - 1)) % scene->tasks];
}

static uint64_t expired(struct cpu *cpu, void *context)
{
	struct sleeper *self = context;

	give(cpu, other(self, self->drawn));
	return HRTIMER_NORESTART;
}

static void sleeper_body(struct cpu *cpu, void *argument)
{
	struct sleeper *self = argument;
	const uint64_t stream = self->n * 100000u;
	FUNCTION(cpu);

	for (;; self->taken++) {
		const uint64_t index = stream + self->taken;

		wait_for_token(cpu, self);
		user_work(kernel, cpu, bench_draw(scene->seed, "work", index, 0, 3 * US));
		self->drawn = (uint32_t)bench_draw(scene->seed, "whom", index, 0, 1000);
		passed++;
		if (bench_draw(scene->seed, "how", index, 0, 2) == 0) {
			hrtimer_cancel(cpu, &self->timer);
			if (!self->timer.queued)
				hrtimer_start(cpu, &self->timer, ktime_get(cpu) + bench_draw(scene->seed, "delay", index, 0, 3000));
		} else {
			give(cpu, other(self, self->drawn));
		}
	}
}

/* Tokens that a cancelled timer would have given are given here. */
static void run(const void *argument, void *result)
{
	struct host_config host;
	struct machine *machine;
	struct kernel_config config = { .spinlock = NULL, .vhe = true, .gic = GIC_V3, .gic_priority_bits = 5, .time_slice = 5 * US, .tick = 7 * US,
					.work_schedule = 100 * NS, .work_wake_up = 50 * NS, .work_irq = 20 * NS, .cna_handovers = 20 };

	scene = argument;
	host = bench_random_host(scene->cpus, scene->seed);
	host.idle_exit = bench_draw(scene->seed, "idle", 0, 0, 500 * NS);
	config.spinlock = scene->seed % 2 ? &spinlock_queued : &spinlock_ticket;
	machine = bench_machine(&host);
	account_set_window(machine_account(machine), 0, 3 * PS_PER_MS);
	kernel = kernel_boot(machine, scene->cpus, &config);
	sched_init(kernel, scene->cpus);
	for (uint32_t n = 0; n < scene->tasks; n++) {
		struct sleeper *s = &sleepers[n];

		s->n = n;
		spin_lock_init(kernel, &s->lock, line_create(machine, "tokens", n), "tokens");
		hrtimer_init(kernel, &s->timer, line_create(machine, "sleeper timer", n), expired, s);
		task_init(kernel, &s->task, "sleeper", n, sleeper_body, s);
		s->tokens = n < scene->tokens;
		task_start(&s->task, n % scene->cpus);
	}
	machine_run_until(machine, 3 * PS_PER_MS);
	machine_close_accounts(machine, 3 * PS_PER_MS);
	for (uint32_t n = 0; n < scene->cpus; n++)
		CHECK_EQUAL(account_cpu_total(machine_account(machine), (cpu_id){ n }), 3 * PS_PER_MS);
	memcpy(result, &passed, sizeof(passed));
	((uint32_t *)result)[1] = (uint32_t)kernel->sched->counts.migrations;
	((uint32_t *)result)[2] = (uint32_t)kernel->sched->counts.reschedule_interrupts;
	((uint32_t *)result)[3] = (uint32_t)kernel->sched->counts.preemptions;
	((uint32_t *)result)[4] = 0;
	for (uint32_t n = 0; n < scene->tasks; n++)
		((uint32_t *)result)[4] += sleepers[n].tokens || sleepers[n].timer.queued || sleepers[n].task.state == TASK_RUNNING;
}

void test_no_wake_up_is_lost(void)
{
	uint32_t migrations = 0, interrupts = 0, preemptions = 0;

	for (uint64_t seed = 1; seed <= 30; seed++) {
		struct scene one = { .seed = seed };
		uint32_t first[5], second[5];

		one.cpus = (uint32_t)bench_draw(seed, "cpus", 0, 1, MOST_CPUS);
		one.tasks = (uint32_t)bench_draw(seed, "tasks", 0, 2, MOST_TASKS);
		one.tokens = (uint32_t)bench_draw(seed, "tokens", 0, 1, one.tasks);
		in_child(run, &one, first, sizeof(first));
		in_child(run, &one, second, sizeof(second));
		bench_context("seed %llu, %u CPUs, %u tasks, %u tokens", (unsigned long long)seed, one.cpus, one.tasks, one.tokens);
		/* somebody holds a token or is on the way with it; about every 10 us at the slowest a token goes on */
		CHECK(first[4] > 0);
		CHECK_BETWEEN(first[0], ROUNDS, UINT32_MAX);
		CHECK(!memcmp(first, second, sizeof(first)));
		migrations += first[1];
		interrupts += first[2];
		preemptions += first[3];
	}
	bench_context("all seeds");
	CHECK(migrations > 0);
	CHECK(interrupts > 0);
	CHECK(preemptions > 0);
}
