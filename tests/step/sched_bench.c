// SPDX-License-Identifier: Apache-2.0
/* See sched_bench.h. */
#include "tests/step/sched_bench.h"

#include <string.h>

static struct guest_step next_step(struct cpu *cpu, void *context)
{
	struct sched_bench *bench = context;

	(void)cpu;
	return bench->steps[++bench->step];
}

static void sleep_for_good(struct cpu *cpu, struct sched_bench *bench)
{
	for (;;) {
		set_current_state(bench->b.kernel, cpu, TASK_SLEEPING);
		schedule(bench->b.kernel, cpu);
	}
}

static void vcpu_body(struct cpu *cpu, void *argument)
{
	struct sched_bench *bench = argument;

	kvm_run_ioctl(cpu, &bench->b.vcpu);
	bench->finished = true;
	sleep_for_good(cpu, bench);
}

static bool idle(void *context, struct cpu *cpu)
{
	struct sched_bench *bench = context;

	bench->idled++;
	return bench->while_idle && bench->while_idle(bench, cpu);
}

void sched_bench_start(struct sched_bench *bench, const struct kernel_config *config, const struct guest_step *steps)
{
	memset(bench, 0, sizeof(*bench));
	bench_boot(&bench->b, config);
	sched_init(bench->b.kernel, 4);
	kvm_init(&bench->b.kvm, bench->b.kernel, true, 0);
	kvm_vcpu_init(&bench->b.vcpu, &bench->b.kvm, (vcpu_id){ BENCH_VCPU });
	bench->steps = steps;
	bench->b.vcpu.guest = (struct guest_program){ .step = steps[0], .next = next_step, .context = bench };
	task_init(bench->b.kernel, &bench->task, "vcpu", 0, vcpu_body, bench);
	task_allow(&bench->task, BENCH_CPU, 1);
	task_start(&bench->task, BENCH_CPU);
	recording_while_idle(bench->b.machine, idle, bench);
	bench_count_locks(&bench->b);
}

void sched_bench_stop(struct sched_bench *bench)
{
	bench_stop(&bench->b);
}

void sched_bench_run(struct sched_bench *bench)
{
	recording_run(bench->b.machine, BENCH_CPU);
}

void interrupt_from_other_cpu(struct sched_bench *bench)
{
	access_gic_sgi(recording_cpu(bench->b.machine, OTHER_CPU), &bench->b.vcpu, 0, GUEST_SGI_INTID);
}

void host_interrupt(struct sched_bench *bench, uint32_t number)
{
	recording_set_sysreg(bench->b.cpu, SYS_ICC_IAR1_EL1, number);
	recording_assert_interrupt(bench->b.machine);
}
