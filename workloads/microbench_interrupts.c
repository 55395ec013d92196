// SPDX-License-Identifier: Apache-2.0
/*
 * The operations of microbench that end with an interrupt in a guest.
 *
 *   ipi         vCPU 0 sends an SGI to vCPU workload.ipi_target and polls a flag, which the other's handler sets before
 *               it ends the interrupt. The receiver spins in its guest all the time; it may be vCPU 0 itself. The VM's
 *               other vCPUs exist and have never run.
 *   timer_10ms  a vCPU arms its virtual timer for 10 ms from now and spins until its handler has stopped the timer and
 *               set a flag. What counts is by how much a round is longer than 10 ms: lateness of the interrupt, handler
 *               included.
 *
 * As in kvm-unit-tests: no WFI, no halt polling, no scheduler, the vCPUs are in their guests. Only the vCPUs that start
 * an operation count rounds. The flag and what it belongs to are one line, which goes to and fro between sender and
 * receiver.
 */
#include <stdlib.h>

#include "model/kvm/kvm.h"
#include "workloads/workload.h"

#define POLL (5 * PS_PER_NS)       /* one turn of the guest's loop: load, YIELD, compare, branch */
#define SPIN PS_PER_MS             /* a receiver's loop, until something ends it */
#define TIMER_DELAY (10 * PS_PER_MS)
#define TICK PS_PER_NS             /* of the machine's counter */
#define CNTV_STOPPED 3             /* enabled, its output masked */

struct bench_vcpu {
	struct workload *workload;
	struct kvm_vcpu vcpu;
	line_id *flag_line;
	bool *flag;                /* irq_received */
	bool polling;
	ps_t began;
};

static void vcpu_thread_run(struct cpu *cpu, void *argument)
{
	struct bench_vcpu *self = argument;
	FUNCTION_NAMED(cpu, "vcpu thread");

	for (;;)
		kvm_run_ioctl(cpu, &self->vcpu);
}

static void start_thread(struct bench_vcpu *self)
{
	task_create(self->workload->kernel->machine, (cpu_id){ self->vcpu.id.n }, vcpu_thread_run, self);
}

static struct bench_vcpu *create_vm(struct workload *workload)
{
	const struct workload_config *config = &workload->config;
	struct kvm *kvm = malloc(sizeof(*kvm));
	struct bench_vcpu *vcpus = calloc(config->vcpus, sizeof(*vcpus));

	if (!kvm || !vcpus)
		abort();
	kvm_init(kvm, workload->kernel, config->irqchip_in_kernel, 0);
	for (uint32_t n = 0; n < config->vcpus; n++) {
		vcpus[n].workload = workload;
		workload_vcpu_init(workload, &vcpus[n].vcpu, kvm, n);
	}
	return vcpus;
}

/* ---- ipi ---- */

static struct guest_step send(struct cpu *cpu, struct bench_vcpu *self)
{
	const struct workload_config *config = &self->workload->config;

	line_own(cpu, *self->flag_line);
	*self->flag = false;
	self->polling = false;
	return (struct guest_step){ .work = config->guest_work, .operation = GUEST_SGI, .argument = config->ipi_target };
}

static struct guest_step sender_next(struct cpu *cpu, void *context)
{
	struct bench_vcpu *self = context;

	if (self->polling) {
		line_read(cpu, *self->flag_line);
		if (*self->flag) {
			workload_count(self->workload, self->vcpu.id.n, cpu_now(cpu));
			return send(cpu, self);
		}
	}
	self->polling = true;
	return (struct guest_step){ .work = POLL, .operation = GUEST_WORK };
}

static void receive(struct cpu *cpu, void *context, uint32_t interrupt)
{
	struct bench_vcpu *self = context;

	(void)interrupt;
	line_own(cpu, *self->flag_line);
	*self->flag = true;
}

void microbench_ipi_start(struct workload *workload)
{
	const struct workload_config *config = &workload->config;
	struct bench_vcpu *vcpus = create_vm(workload), *sender = &vcpus[0], *receiver = &vcpus[config->ipi_target];

	sender->flag = receiver->flag = calloc(1, sizeof(bool));
	sender->flag_line = receiver->flag_line = malloc(sizeof(line_id));
	if (!sender->flag || !sender->flag_line)
		abort();
	*sender->flag_line = line_create(workload->kernel->machine, "guest flag", 0);
	sender->vcpu.guest = (struct guest_program){
		.step = { .work = 20 * PS_PER_US, .operation = GUEST_SGI, .argument = config->ipi_target },  /* the receiver is there first */
		.timestamps = config->timestamps, .next = sender_next, .context = sender,
	};
	workload->counts.vcpus = 1;
	if (receiver == sender) {
		sender->vcpu.guest.interrupt = receive;
		start_thread(sender);
		return;
	}
	receiver->vcpu.guest = (struct guest_program){
		.step = { .work = SPIN, .operation = GUEST_WORK }, .interrupt = receive, .context = receiver,
	};
	start_thread(sender);
	start_thread(receiver);
}

/* ---- timer_10ms ---- */

static void timer_fired(struct cpu *cpu, void *context, uint32_t interrupt)
{
	struct bench_vcpu *self = context;

	if (interrupt != VGIC_PPI_VTIMER)
		return;
	cpu_sysreg_write(cpu, SYS_CNTV_CTL_EL0, CNTV_STOPPED);
	cpu_barrier(cpu, BARRIER_ISB);
	self->polling = false;
	guest_stop_waiting(&self->vcpu);
}

/* After the timer is armed: spin. After the handler: a round is over. */
static struct guest_step timer_next(struct cpu *cpu, void *context)
{
	struct bench_vcpu *self = context;
	const struct workload_config *config = &self->workload->config;
	ps_t due;

	if (self->vcpu.guest.step.operation == GUEST_TIMER_SET) {
		self->polling = true;
		return (struct guest_step){ .work = SPIN, .operation = GUEST_WORK };
	}
	if (self->polling)
		return (struct guest_step){ .work = SPIN, .operation = GUEST_WORK };
	due = self->began + TIMER_DELAY;
	workload_count_late(self->workload, self->vcpu.id.n, cpu_now(cpu), cpu_now(cpu) > due ? cpu_now(cpu) - due : 0);
	self->began = cpu_now(cpu);
	return (struct guest_step){ .work = config->guest_work, .operation = GUEST_TIMER_SET, .argument = TIMER_DELAY / TICK };
}

void microbench_timer_start(struct workload *workload)
{
	const struct workload_config *config = &workload->config;
	struct bench_vcpu *vcpus = create_vm(workload);

	for (uint32_t n = 0; n < config->vcpus; n++) {
		vcpus[n].vcpu.guest = (struct guest_program){
			/* the first round begins before the guest does, and so is not of the measured ones */
			.step = { .work = config->guest_work, .operation = GUEST_TIMER_SET, .argument = TIMER_DELAY / TICK },
			.timestamps = config->timestamps, .next = timer_next, .interrupt = timer_fired, .context = &vcpus[n],
		};
		start_thread(&vcpus[n]);
	}
}
