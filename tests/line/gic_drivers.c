// SPDX-License-Identifier: Apache-2.0
/*
 * The kernel's drivers against the controllers they are for, on the whole machine: an interrupt is taken once, ended so that it can come again, and a
 * forwarded one stays away until the guest ends it. GICv3, GICv2, GICv2 with 4 kB of CPU interface. Times are those of the model's parameters.
 */
#include "tests/line/bench.h"

#define VTIMER 27
#define SGI 1
#define LR_PENDING (1u << 28)
#define LR_HW (1u << 31)
#define LR_PRIORITY (0xa0u >> 3 << 23)

struct scene {
	enum host_gic host_gic;
	enum gic_version gic;
	bool only_4k;
};

static struct kernel *kernel;
static struct machine *machine;
static uint32_t taken[2];
static ps_t taken_at;
static bool forward;

static bool handler(struct cpu *cpu, void *context, intid interrupt)
{
	(void)context;
	taken[interrupt.n == VTIMER]++;
	taken_at = cpu_now(cpu);
	if (interrupt.n == VTIMER && !forward)
		cpu_sysreg_write(cpu, SYS_CNTV_CTL_EL0, 0);
	return interrupt.n == VTIMER && forward;
}

static void boot(const struct scene *scene)
{
	const struct kernel_config config = { .spinlock = &spinlock_queued, .gic = scene->gic, .gic_priority_bits = 5, .vhe = true,
					      .gic_cpu_interface_4k = scene->only_4k, .list_registers = 4 };
	struct host_config host = bench_host(2);

	host.gic = scene->host_gic;
	host.cpu_interface_4k = scene->only_4k;
	host.distributor_service = 40 * NS;
	host.line_latency = 5 * NS;
	host.sgi_latency = 300 * NS;
	host.exception_entry = 50 * NS;  /* longer than line_latency: what was acknowledged is not taken again */
	machine = bench_machine(&host);
	kernel = kernel_boot(machine, 2, &config);
	request_percpu_irq(kernel, (intid){ SGI }, handler, NULL);
	request_percpu_irq(kernel, (intid){ VTIMER }, handler, NULL);
}

static void enable_sgis(struct cpu *cpu)
{
	irq_save(cpu);
	kernel->chip->unmask(kernel, cpu, (intid){ SGI });
	cpu_barrier(cpu, BARRIER_DSB);
}

static void arm(struct cpu *cpu, ps_t when)
{
	cpu_sysreg_write(cpu, SYS_CNTV_CVAL_EL0, when / NS);
	cpu_sysreg_write(cpu, SYS_CNTV_CTL_EL0, 1);
}

/* Takes what is pending. */
static void interrupts_on(struct cpu *cpu)
{
	irq_restore(cpu, true);
	irq_save(cpu);
}

static void receiver(struct cpu *cpu, void *argument)
{
	const struct scene *scene = argument;
	ps_t sent;

	enable_sgis(cpu);
	for (uint32_t n = 1; n <= 3; n++) {
		sent = n * 20 * US;
		CHECK_EQUAL(cpu_run_guest(cpu, 100 * US), GUEST_EXIT_IRQ);
		if (scene->gic == GIC_V3)
			CHECK_EQUAL(cpu_now(cpu), sent + 305 * NS);
		else  /* and the service of the write */
			CHECK_EQUAL(cpu_now(cpu), sent + 345 * NS);
		interrupts_on(cpu);
		CHECK_EQUAL(taken[0], n);
		CHECK_EQUAL(cpu_run_guest(cpu, 2 * US), GUEST_EXIT_TRAP);
	}
	/* the timer, twice; then it is forwarded */
	for (uint32_t n = 1; n <= 3; n++) {
		const ps_t deadline = 100 * US + n * 10 * US;

		forward = n == 3;
		spend_until(cpu, deadline - 5 * US);
		arm(cpu, deadline);
		CHECK_EQUAL(cpu_run_guest(cpu, 100 * US), GUEST_EXIT_IRQ);
		CHECK_EQUAL(cpu_now(cpu), deadline + 5 * NS);
		if (forward && scene->only_4k)
			break;  /* it would come again at once, for ever */
		interrupts_on(cpu);
		CHECK_EQUAL(taken[1], n);
		CHECK_EQUAL(cpu_run_guest(cpu, 2 * US), GUEST_EXIT_TRAP);
	}
	taken[1] = 100;
}

static void sender(struct cpu *cpu, void *argument)
{
	(void)argument;
	irq_save(cpu);
	for (uint32_t n = 1; n <= 3; n++) {
		spend_until(cpu, n * 20 * US);
		kernel->chip->send_sgi(kernel, cpu, (cpu_id){ 1 }, SGI);
	}
}

static void run_scene(const void *argument, void *result)
{
	struct scene scene = *(const struct scene *)argument;

	(void)result;
	bench_context("GIC %d, 4k %d", (int)scene.gic, scene.only_4k);
	boot(&scene);
	task_create(machine, (cpu_id){ 0 }, sender, &scene);
	task_create(machine, (cpu_id){ 1 }, receiver, &scene);
	machine_run_until(machine, 10 * PS_PER_MS);
	CHECK_EQUAL(taken[1], 100);
}

void test_drivers_take_and_end_interrupts(void)
{
	const struct scene scenes[] = {
		{ HOST_GIC_V3, GIC_V3, false },
		{ HOST_GIC_V2, GIC_V2, false },
		{ HOST_GIC_V2, GIC_V2, true },
	};

	for (size_t n = 0; n < sizeof(scenes) / sizeof(scenes[0]); n++)
		in_child(run_scene, &scenes[n], NULL, 0);
}

/* GICv2, as KVM does it: GICH by the host, GICV by the guest, HW deactivating the timer's interrupt. */
static void guest_body(struct cpu *cpu, void *argument)
{
	const uint64_t gich = gic_frame_address(machine, GIC_FRAME_HYPERVISOR, cpu_number(cpu));
	const uint64_t gicv = gic_frame_address(machine, GIC_FRAME_VIRTUAL_CPU, cpu_number(cpu));

	(void)argument;
	irq_save(cpu);
	forward = true;
	spend_until(cpu, 10 * US);
	mmio_write(cpu, gich + 0x8, 0xf0000001);  /* VMCR */
	mmio_write(cpu, gich + 0x0, 1);           /* HCR */
	arm(cpu, 12 * US);
	CHECK_EQUAL(cpu_run_guest(cpu, 10 * US), GUEST_EXIT_IRQ);
	interrupts_on(cpu);
	CHECK_EQUAL(taken[1], 1);
	mmio_write(cpu, gich + 0x100, LR_PENDING | LR_HW | LR_PRIORITY | VTIMER << 10 | VTIMER);
	cpu_guest_mask(cpu, true);
	CHECK_EQUAL(cpu_run_guest(cpu, 2 * US), GUEST_EXIT_TRAP);
	cpu_guest_mask(cpu, false);
	CHECK_EQUAL(cpu_run_guest(cpu, 2 * US), GUEST_INTERRUPT);
	CHECK_EQUAL(mmio_read(cpu, gicv + 0xc), VTIMER);
	CHECK_EQUAL(mmio_read(cpu, gicv + 0xc), 1023);
	cpu_sysreg_write(cpu, SYS_CNTV_CTL_EL0, 0);
	mmio_write(cpu, gicv + 0x10, VTIMER);
	cpu_barrier(cpu, BARRIER_DSB);
	CHECK_EQUAL(cpu_run_guest(cpu, 2 * US), GUEST_EXIT_TRAP);
	CHECK_EQUAL(mmio_read(cpu, gich + 0x30), 0xf);  /* ELRSR0 */
	arm(cpu, 12 * US);
	CHECK_EQUAL(cpu_run_guest(cpu, 10 * US), GUEST_EXIT_IRQ);  /* no longer active */
	taken[0] = 100;
}

void test_gicv2_guest(void)
{
	const struct scene scene = { HOST_GIC_V2, GIC_V2, false };

	boot(&scene);
	task_create(machine, (cpu_id){ 1 }, guest_body, NULL);
	machine_run_until(machine, 10 * PS_PER_MS);
	CHECK_EQUAL(taken[0], 100);
}
