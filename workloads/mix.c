// SPDX-License-Identifier: Apache-2.0
/*
 * mix: N vCPUs, each pinned to its own CPU, with exits of several kinds at given rates, as `perf kvm stat` counts them
 * on a machine. With sgi, wfi or irq among them the vCPUs' threads are tasks of the scheduler; without, they have their
 * CPUs to themselves.
 *
 * Every kind of a vCPU has a clock of its own: the next exit of that kind is due one interval after the last one was
 * (intervals by workload.variation: constant is regular, exponential is Poisson). In between the guest runs. An exit
 * that falls due while the host is busy with another comes right after it, so the kinds keep their proportions, and a
 * vCPU that is asked for more than it can do does as much as it can: what is asked and what is done are told apart.
 *
 * A round is one exit, from where the guest goes on to where it goes on after the next exit. Its time outside the guest (exit,
 * handling, entry; for the VMM's device also put, vmm_work, ioctl and load) is counted for its kind.
 *
 * To add a kind: a line in `kinds`, its parameter in study/simulate.c; if it is more than one operation, its steps in
 * mix_sleep.c. An interrupt that comes while a round of another kind is under way (a kick, the host's timer) makes that
 * round longer.
 * Not modelled: what the guest does about an SGI beside taking it.
 */
#include <stdlib.h>

#include "base/random.h"
#include "model/kvm/kvm.h"
#include "workloads/mix.h"

/* In the order of enum mix_kind. */
static const struct { const char *name; enum guest_operation operation; } kinds[MIX_KINDS] = {
	{ "hypercall", GUEST_HYPERCALL },
	{ "mmio_kernel", GUEST_MMIO_READ_VGIC },
	{ "mmio_user", GUEST_MMIO_READ_USER },
	{ "sysreg", GUEST_SYSREG },
	{ "sgi", GUEST_SGI },
	{ "wfi", GUEST_WFI },
	{ "irq", GUEST_WORK },
};

const char *mix_kind_name(uint32_t kind)
{
	return kinds[kind].name;
}

ps_t mix_interval(const struct mix_thread *thread, uint32_t kind)
{
	const struct workload_config *config = &thread->workload->config;

	return variation_draw(&config->variation, PS_PER_S / config->mix[kind], config->seed,
			      random_stream(kinds[kind].name) + thread->vcpu.id.n, thread->begun[kind]);
}

static void start_clocks(struct mix_thread *thread)
{
	const struct workload_config *config = &thread->workload->config;

	for (uint32_t kind = 0; kind < MIX_KINDS; kind++) {
		thread->due[kind] = UINT64_MAX;
		if (!config->mix[kind])
			continue;
		thread->due[kind] = mix_interval(thread, kind);
		if (config->staggered)
			thread->due[kind] = (ps_t)((double)thread->due[kind] *
						   random_unit(config->seed, random_stream("mix start") + kind, thread->vcpu.id.n));
	}
}

/* A hypercall that KVM leaves to the VMM. */
static bool goes_to_user(const struct mix_thread *thread, uint32_t kind)
{
	const struct workload_config *config = &thread->workload->config;

	return kind == MIX_HYPERCALL && config->mix_user_share > 0 &&
	       random_unit(config->seed, random_stream("mix user") + thread->vcpu.id.n, thread->begun[kind]) < config->mix_user_share;
}

/* Whatever is due first; of two at the same time the one that stands first in `kinds`. */
static void begin_round(struct cpu *cpu, struct mix_thread *thread)
{
	const ps_t now = cpu_now(cpu), least = thread->workload->config.guest_work;
	uint32_t first = 0;

	for (uint32_t kind = 1; kind < MIX_KINDS; kind++)
		if (thread->due[kind] < thread->due[first])
			first = kind;
	thread->kind = goes_to_user(thread, first) ? MIX_MMIO_USER : first;
	thread->began = now;
	thread->guest = thread->due[first] > now + least ? thread->due[first] - now : least;
	if (first == MIX_IRQ) {  /* the timer moves its own clock */
		thread->vcpu.guest.step = mix_begin_irq();
		return;
	}
	thread->begun[first]++;
	thread->due[first] += mix_interval(thread, first);
	if (first == MIX_SGI)
		thread->vcpu.guest.step = mix_begin_sgi(thread, thread->guest);
	else if (first == MIX_WFI)
		thread->vcpu.guest.step = mix_begin_wfi(cpu, thread, thread->guest);
	else
		thread->vcpu.guest.step = (struct guest_step){ .work = thread->guest, .operation = kinds[thread->kind].operation };
}

static void end_round(struct mix_thread *thread, ps_t now)
{
	const ps_t elapsed = now - thread->began;

	workload_count(thread->workload, thread->vcpu.id.n, now);
	workload_count_kind(thread->workload, thread->kind, elapsed > thread->guest ? elapsed - thread->guest : 0, now);
	if (thread->kind == MIX_SGI)
		thread->workload->counts.guest_ipis += workload_in_window(thread->workload, now);
}

/* The guest goes on. */
static void next_round(struct cpu *cpu, void *context)
{
	struct mix_thread *thread = context;

	if (mix_still_sleeps(thread, &thread->vcpu.guest.step))
		return;
	if (thread->guest)
		end_round(thread, cpu_now(cpu));
	begin_round(cpu, thread);
}

static void vmm_work(struct cpu *cpu, const struct mix_thread *thread, uint64_t round)
{
	const struct workload_config *config = &thread->workload->config;
	const struct variation variation = { config->variation.cv > 0 ? VARIATION_GAMMA : VARIATION_CONSTANT, config->variation.cv };
	const uint64_t stream = random_stream("vmm work") + thread->vcpu.id.n;

	workload_vmm_work(thread->workload, cpu, variation_draw(&variation, config->vmm_work, config->seed, stream, round));
}

static void mix_thread_run(struct cpu *cpu, void *argument)
{
	struct mix_thread *thread = argument;
	FUNCTION_NAMED(cpu, "vcpu thread");

	line_own(cpu, thread->vcpu.srcu_line);  /* this CPU's own reader counts, see microbench.c */
	start_clocks(thread);
	mix_start_interrupts(cpu, thread);
	for (uint64_t round = 0;; round++) {
		kvm_run_ioctl(cpu, &thread->vcpu);
		vmm_work(cpu, thread, round);
	}
}

static void start_thread(struct mix_thread *thread)
{
	struct kernel *kernel = thread->workload->kernel;
	const uint32_t n = thread->vcpu.id.n;

	if (!kernel->sched) {
		task_create(kernel->machine, (cpu_id){ n }, mix_thread_run, thread);
		return;
	}
	task_init(kernel, &thread->task, "vcpu", n, mix_thread_run, thread);
	task_allow(&thread->task, n, 1);
	task_start(&thread->task, n);
}

void mix_start(struct workload *workload)
{
	const struct workload_config *config = &workload->config;
	struct kvm *kvm = malloc(sizeof(*kvm));
	struct mix_thread *threads = calloc(config->vcpus, sizeof(*threads));

	if (!kvm || !threads)
		abort();
	if (mix_needs_scheduler(config))
		sched_init(workload->kernel, config->vcpus);
	kvm_init(kvm, workload->kernel, config->irqchip_in_kernel, 0);
	for (uint32_t n = 0; n < config->vcpus; n++) {
		threads[n].workload = workload;
		kvm_vcpu_init(&threads[n].vcpu, kvm, (vcpu_id){ n });
		threads[n].vcpu.guest = (struct guest_program){
			.begin = next_round, .interrupt = mix_guest_interrupt, .context = &threads[n],
		};
		start_thread(&threads[n]);
	}
}
