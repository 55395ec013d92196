// SPDX-License-Identifier: Apache-2.0
/*
 * No vCPU that is needed sleeps on: tokens go round among the vCPUs of a VM, each works when it has one, gives it to another with an SGI, and executes WFI when it
 * has none. On random hosts, with every way of blocking, with and without halt polling, trapped WFI and VHE, with more or fewer vCPUs than CPUs, pinned or not. A
 * lost wake-up, request, kick or interrupt leaves a token where it is for ever.
 */
#include <string.h>

#include "model/kvm/kvm.h"
#include "tests/line/bench.h"

#define MOST_VCPUS 9
#define MOST_TOKENS 3
#define END (4 * PS_PER_MS)
#define LONGEST_STAY (2 * PS_PER_MS)  /* in one place: all vCPUs on one CPU, each for its time slice and to the next tick */

struct scene { uint64_t seed; uint32_t cpus, vcpus, tokens; };

struct runner {
	struct kvm_vcpu vcpu;
	struct task_struct task;
	line_id line;
	uint32_t n, with;              /* the token with which it works; MOST_TOKENS: none */
	uint64_t rounds;
};

static const struct scene *scene;
static struct kvm kvm;
static struct runner runners[MOST_VCPUS];
static struct { uint32_t holder; ps_t moved; uint64_t moves; } tokens[MOST_TOKENS];

static struct guest_step give(struct cpu *cpu, struct runner *self)
{
	const uint32_t to = (self->n + 1 + (uint32_t)bench_draw(scene->seed, "to", self->n * 100000u + self->rounds, 0, scene->vcpus - 2)) % scene->vcpus;

	line_atomic(cpu, runners[to].line, ORDER_ACQUIRE_RELEASE);
	tokens[self->with].holder = to;
	tokens[self->with].moved = cpu_now(cpu);
	tokens[self->with].moves++;
	self->with = MOST_TOKENS;
	return (struct guest_step){ .operation = GUEST_SGI, .argument = to };
}

static struct guest_step next(struct cpu *cpu, void *context)
{
	struct runner *self = context;

	if (self->with < MOST_TOKENS)
		return give(cpu, self);
	line_read(cpu, self->line);
	for (uint32_t token = 0; token < scene->tokens; token++) {
		if (tokens[token].holder != self->n)
			continue;
		self->with = token;
		self->rounds++;
		return (struct guest_step){ .work = bench_draw(scene->seed, "work", self->n * 100000u + self->rounds, 0, 3 * US), .operation = GUEST_WORK };
	}
	return (struct guest_step){ .operation = GUEST_WFI };
}

static void runner_body(struct cpu *cpu, void *argument)
{
	struct runner *self = argument;

	for (;;)
		kvm_run_ioctl(cpu, &self->vcpu);
}

static struct kernel_config draw_kernel(uint64_t seed)
{
	struct kernel_config config = {
		.spinlock = &spinlock_queued, .gic = GIC_V3, .gic_priority_bits = 5, .list_registers = 4, .timer_regs = TIMER_REGS_LOAD_PUT,
		.active_state = ACTIVE_STATE_LOAD, .sysregs_at_load = true, .stage2_at_load = true, .debug_at_load = true, .active_vmids = true,
		.vmcr = VMCR_LOAD_PUT, .nvhe_vgic_calls = 1, .time_slice = 10 * US, .tick = 15 * US, .work_schedule = 200 * NS, .work_wake_up = 80 * NS,
		.work_irq = 50 * NS, .work_run_loop = 30 * NS, .cna_handovers = 20,
	};

	config.vhe = bench_draw(seed, "vhe", 0, 0, 2) > 0;
	config.ptimer_direct_on_vhe = config.inject_at_load = bench_draw(seed, "ptimer", 0, 0, 1);
	config.vgic_always = bench_draw(seed, "always", 0, 0, 1);
	config.vgic_lock_per_vm = bench_draw(seed, "distributor", 0, 0, 3) == 0;
	config.block = (enum block_policy)bench_draw(seed, "block", 0, 0, 2);
	config.wfi_trap = bench_draw(seed, "trap", 0, 0, 2) ? WFI_TRAP_ALWAYS : bench_draw(seed, "trap", 1, 0, 1) ? WFI_TRAP_SINGLE_TASK : WFI_TRAP_NEVER;
	config.halt_poll = bench_draw(seed, "poll", 0, 0, 1) * 50 * US;
	return config;
}

static void run(const void *argument, void *result)
{
	struct kernel_config config;
	struct host_config host;
	struct machine *machine;
	struct kernel *kernel;

	scene = argument;
	host = bench_random_host(scene->cpus, scene->seed);
	host.sysreg_read[SYSREG_COUNTER] = 10 * NS;  /* so that polling takes time on every host */
	host.load_store = bench_draw(scene->seed, "load", 0, 0, 10 * NS);
	host.call = bench_draw(scene->seed, "call", 0, 0, 40 * NS);
	host.dmb = bench_draw(scene->seed, "dmb", 0, 0, 60 * NS);
	host.idle_exit = bench_draw(scene->seed, "idle", 0, 0, 500 * NS);
	config = draw_kernel(scene->seed);
	machine = bench_machine(&host);
	kernel = kernel_boot(machine, scene->cpus, &config);
	sched_init(kernel, scene->cpus);
	kvm_init(&kvm, kernel, true, 0);
	for (uint32_t n = 0; n < scene->vcpus; n++) {
		struct runner *r = &runners[n];

		r->n = n;
		r->with = MOST_TOKENS;
		r->line = line_create(machine, "tokens", n);
		kvm_vcpu_init(&r->vcpu, &kvm, (vcpu_id){ n });
		r->vcpu.guest = (struct guest_program){ .step = { .operation = GUEST_WORK }, .next = next, .context = r };
		task_init(kernel, &r->task, "vcpu", n, runner_body, r);
		if (scene->seed % 3)
			task_allow(&r->task, n % scene->cpus, 1);
		task_start(&r->task, n % scene->cpus);
	}
	machine_run_until(machine, END);
	for (uint32_t token = 0; token < scene->tokens; token++) {
		((uint64_t *)result)[2 * token] = tokens[token].moves;
		((uint64_t *)result)[2 * token + 1] = tokens[token].moved;
	}
}

void test_no_vcpu_sleeps_on(void)
{
	for (uint64_t seed = 1; seed <= 60; seed++) {
		uint64_t first[2 * MOST_TOKENS] = { 0 }, second[2 * MOST_TOKENS] = { 0 };
		struct scene one = { .seed = seed };

		one.cpus = (uint32_t)bench_draw(seed, "cpus", 0, 1, 6);
		one.vcpus = (uint32_t)bench_draw(seed, "vcpus", 0, 2, MOST_VCPUS);
		one.tokens = (uint32_t)bench_draw(seed, "tokens", 0, 1, MOST_TOKENS);
		in_child(run, &one, first, sizeof(first));
		if (seed % 10 == 0) {
			in_child(run, &one, second, sizeof(second));
			CHECK(!memcmp(first, second, sizeof(first)));
		}
		bench_context("seed %llu, %u CPUs, %u vCPUs, %u tokens", (unsigned long long)seed, one.cpus, one.vcpus, one.tokens);
		for (uint32_t token = 0; token < one.tokens; token++) {
			CHECK_BETWEEN(first[2 * token], 10, UINT32_MAX);
			CHECK_BETWEEN(first[2 * token + 1], END - LONGEST_STAY, END);
		}
	}
}
