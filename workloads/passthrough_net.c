// SPDX-License-Identifier: Apache-2.0
/*
 * passthrough-net: a VM receives packets through a device of its own, whose interrupts (LPIs) a GICv4 delivers to it directly.
 *
 * Half of the vCPUs are applications (0 … n/2 - 1), the other half take the device's interrupts, one queue each:
 *
 *   device       a packet every workload.net.interval, unless workload.net.window packets of the queue are under way:
 *                the sender waits for the application. Raises an LPI if the queue's interrupt is on, and that turns it
 *                off
 *   queue vCPU   its handler asks for nothing; the guest then takes what is there (at most BUDGET packets at a time,
 *                guest_work each), hands it to its application, by an SGI if that sleeps. Nothing left: interrupt on,
 *                WFI
 *   application  workload.net.app_work for each packet; nothing left: WFI. With workload.net.acks the queue's vCPU
 *                tells the sender what is done, and is woken for that by an SGI if it sleeps; else the sender knows at
 *                once
 *
 * A round is a packet that the application is done with. So a queue's vCPU is woken by LPIs, which nobody but the
 * hardware sees, and by SGIs, which KVM sees; an application by SGIs alone. Wake-ups counted: of the queues' vCPUs,
 * from LPI to handler.
 *
 * The device is a stand-in: a thread on a CPU of its own (the one after the vCPUs') that writes GITS_TRANSLATER and
 * touches the queues' lines, all queues in turn. Not modelled: a device with its own way to memory, descriptors and
 * payload, transmission, interrupt moderation, acknowledgements as packets.
 */
#include "workloads/scheduled.h"

#include <stdlib.h>

#include "base/random.h"

#define GITS_TRANSLATER 0x40u
#define BUDGET 64u

enum phase { LOOK, WORK, TOLD, SLEEP };

struct net_queue {
	line_id ring_line;           /* ring, under_way, interrupt_on, raised_at */
	uint32_t ring, under_way;
	bool interrupt_on;
	ps_t raised_at;
	line_id socket_line;         /* the next four */
	uint32_t socket, done;       /* to do for the application; done and not yet told to the sender */
	bool app_sleeps, queue_sleeps;
	uint32_t vpe;
	ps_t due;                    /* the device's next packet */
	uint64_t packets;
};

struct net_vcpu {
	struct scheduled_vcpu *self;
	struct net_queue *queue;
	uint32_t batch;
};

struct net_device {
	struct workload *workload;
	struct net_queue *queues;
	uint32_t count;
};

/* `batch` packets of `each`. */
static struct guest_step to_work(struct net_vcpu *vcpu, uint32_t waiting, ps_t each)
{
	const struct workload_config *config = &vcpu->self->workload->config;
	const uint64_t stream = random_stream("guest work") + vcpu->self->vcpu.id.n;

	vcpu->batch = waiting < BUDGET ? waiting : BUDGET;
	vcpu->self->phase = WORK;
	return (struct guest_step){
		.work = variation_draw(&config->variation, vcpu->batch * each, config->seed, stream, vcpu->self->round++),
		.operation = GUEST_WORK,
	};
}

static struct guest_step to_sleep(struct net_vcpu *vcpu)
{
	vcpu->self->phase = SLEEP;
	return (struct guest_step){ .operation = GUEST_WFI };
}

/* ---- the vCPU that takes the interrupts ---- */

/* Tells the sender what the application has done. `sleeps`: about to; false if there is news. */
static bool acknowledge(struct cpu *cpu, struct net_vcpu *vcpu, bool sleeps)
{
	struct net_queue *queue = vcpu->queue;
	uint32_t done;

	if (!vcpu->self->workload->config.net_acks)
		return true;
	line_own(cpu, queue->socket_line);
	done = queue->done;
	queue->done = 0;
	queue->queue_sleeps = sleeps && !done;
	if (!done)
		return true;
	line_own(cpu, queue->ring_line);
	queue->under_way -= done;
	return false;
}

static struct guest_step napi_poll(struct cpu *cpu, struct net_vcpu *vcpu)
{
	struct net_queue *queue = vcpu->queue;
	uint32_t waiting;

	acknowledge(cpu, vcpu, false);
	do {
		line_own(cpu, queue->ring_line);
		waiting = queue->ring;
		if (waiting) {
			queue->ring -= waiting < BUDGET ? waiting : BUDGET;
			return to_work(vcpu, waiting, vcpu->self->workload->config.guest_work);
		}
		queue->interrupt_on = true;
	} while (!acknowledge(cpu, vcpu, true));
	return to_sleep(vcpu);
}

static struct guest_step deliver(struct cpu *cpu, struct net_vcpu *vcpu)
{
	struct net_queue *queue = vcpu->queue;
	struct workload *workload = vcpu->self->workload;
	const uint32_t application = vcpu->self->vcpu.id.n - workload->config.vcpus / 2;

	line_own(cpu, queue->socket_line);
	queue->socket += vcpu->batch;
	if (!queue->app_sleeps)
		return napi_poll(cpu, vcpu);
	queue->app_sleeps = false;
	workload->counts.guest_ipis += workload_in_window(workload, cpu_now(cpu));
	vcpu->self->phase = TOLD;
	return (struct guest_step){ .operation = GUEST_SGI, .argument = application };
}

static struct guest_step queue_next(struct cpu *cpu, void *context)
{
	struct net_vcpu *vcpu = context;

	return vcpu->self->phase == WORK ? deliver(cpu, vcpu) : napi_poll(cpu, vcpu);
}

static void queue_interrupt(struct cpu *cpu, void *context, uint32_t interrupt)
{
	struct net_vcpu *vcpu = context;

	if (interrupt == GUEST_SGI_INTID)
		return;
	line_own(cpu, vcpu->queue->ring_line);
	workload_woken(vcpu->self->workload, vcpu->queue->raised_at, cpu_now(cpu));
}

/* ---- the application ---- */

/* True: the queue's vCPU has to be woken to acknowledge them. */
static bool packets_done(struct cpu *cpu, struct net_vcpu *vcpu)
{
	const bool acks = vcpu->self->workload->config.net_acks;
	struct net_queue *queue = vcpu->queue;
	bool wake = false;

	line_own(cpu, acks ? queue->socket_line : queue->ring_line);
	if (acks) {
		wake = queue->queue_sleeps;
		queue->done += vcpu->batch;
		queue->queue_sleeps = false;
	} else {
		queue->under_way -= vcpu->batch;
	}
	for (uint32_t n = 0; n < vcpu->batch; n++)
		workload_count(vcpu->self->workload, vcpu->self->vcpu.id.n, cpu_now(cpu));
	return wake;
}

static struct guest_step app_next(struct cpu *cpu, void *context)
{
	struct net_vcpu *vcpu = context;
	struct net_queue *queue = vcpu->queue;
	uint32_t waiting;

	if (vcpu->self->phase == WORK && packets_done(cpu, vcpu)) {
		struct workload *workload = vcpu->self->workload;

		workload->counts.guest_ipis += workload_in_window(workload, cpu_now(cpu));
		vcpu->self->phase = TOLD;
		return (struct guest_step){ .operation = GUEST_SGI, .argument = vcpu->self->vcpu.id.n + workload->config.vcpus / 2 };
	}
	line_own(cpu, queue->socket_line);
	waiting = queue->socket;
	queue->app_sleeps = !waiting;
	if (!waiting)
		return to_sleep(vcpu);
	queue->socket -= waiting < BUDGET ? waiting : BUDGET;
	return to_work(vcpu, waiting, vcpu->self->workload->config.net_app_work);
}

/* ---- the device ---- */

static void receive(struct cpu *cpu, const struct net_device *device, struct net_queue *queue)
{
	const struct workload_config *config = &device->workload->config;

	line_own(cpu, queue->ring_line);
	if (queue->under_way >= config->net_window)
		return;
	queue->under_way++;
	queue->ring++;
	if (!queue->interrupt_on)
		return;
	queue->interrupt_on = false;
	queue->raised_at = cpu_now(cpu);
	mmio_write(cpu, gic_frame_address(device->workload->kernel->machine, GIC_FRAME_ITS, cpu_number(cpu)) + GITS_TRANSLATER, queue->vpe);
}

static void device_run(struct cpu *cpu, void *argument)
{
	const struct net_device *device = argument;
	const struct workload_config *config = &device->workload->config;

	for (;;) {
		struct net_queue *first = &device->queues[0];
		ps_t least = 1;

		for (uint32_t n = 1; n < device->count; n++)
			if (device->queues[n].due < first->due)
				first = &device->queues[n];
		if (first->due > cpu_now(cpu))
			least = first->due - cpu_now(cpu);
		cpu_spend(cpu, least);
		receive(cpu, device, first);
		first->due += variation_draw(&config->variation, config->net_interval, config->seed,
					     random_stream("packets") + first->vpe, first->packets++);
	}
}

static void start_device(struct workload *workload, struct net_queue *queues, uint32_t count)
{
	struct net_device *device = malloc(sizeof(*device));

	if (!device)
		abort();
	*device = (struct net_device){ workload, queues, count };
	task_create(workload->kernel->machine, (cpu_id){ workload->config.cpus }, device_run, device);
}

void passthrough_net_start(struct workload *workload)
{
	struct scheduled_vcpu *vcpus = scheduled_vm(workload);
	const uint32_t count = workload->config.vcpus / 2;
	struct net_queue *queues = calloc(count, sizeof(*queues));
	struct net_vcpu *contexts = calloc(2 * count, sizeof(*contexts));

	if (!queues || !contexts)
		abort();
	for (uint32_t n = 0; n < 2 * count; n++) {
		const bool application = n < count;

		contexts[n] = (struct net_vcpu){ .self = &vcpus[n], .queue = &queues[n % count] };
		vcpus[n].phase = LOOK;
		vcpus[n].vcpu.guest = (struct guest_program){
			.step = { .operation = GUEST_WORK }, .next = application ? app_next : queue_next,
			.interrupt = application ? NULL : queue_interrupt, .context = &contexts[n],
		};
	}
	for (uint32_t n = 0; n < count; n++) {
		queues[n].ring_line = line_create(workload->kernel->machine, "net ring", n);
		queues[n].socket_line = line_create(workload->kernel->machine, "net socket", n);
		queues[n].vpe = count + n;
		queues[n].due = workload_start_delay(workload, n, workload->config.net_interval);
	}
	workload->counts.vcpus = count;
	scheduled_start(workload, vcpus);
	start_device(workload, queues, count);
}
