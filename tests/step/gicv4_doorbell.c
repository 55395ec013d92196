// SPDX-License-Identifier: Apache-2.0
/*
 * When the doorbell of a GICv4.0's vPE is switched on and off (arch/arm64/kvm/vgic/vgic-v4.c, drivers/irqchip/irq-gic-v4.c). To v5.4:
 * kvm_arch_vcpu_blocking and _unblocking, an operation of the ITS each, after halt polling or ("Call kvm_arch_vcpu_blocking early into the
 * blocking sequence", September 2019) before it. From v5.5 on with the vPE: on when a waiting vCPU's becomes non-resident, off by the
 * doorbell's handler or the next load.
 */
#include "tests/step/sched_bench.h"

#include <string.h>

#define LPI_CONFIGURATION 0x10000u
#define ARMING (350 * PS_PER_NS)

static const struct guest_step wfi[] = { { 0, GUEST_WFI, 0 }, { 0, GUEST_MMIO_READ_USER, 0 } };
static unsigned int turns;

static struct kernel_config old_kernel(bool before_poll)
{
	struct kernel_config config = recent_kernel();

	config.gic = GIC_V4_0;
	config.direct_msi = true;
	config.gicv4_resident_at_load = false;
	config.block = BLOCK_TIMER_SCHEDULE;
	config.wfi_trap = WFI_TRAP_ALWAYS;
	config.doorbell_before_poll = before_poll;
	config.doorbell_arm = ARMING;
	config.halt_poll = 500 * PS_PER_US;
	return config;
}

static uint64_t table(const struct step_bench *b)
{
	return gic_frame_address(b->machine, GIC_FRAME_ITS, (cpu_id){ BENCH_CPU }) + LPI_CONFIGURATION + 4 * BENCH_VCPU;
}

/* One operation each, under the descriptor's lock; nothing if it is so already. */
static void on_and_off(void **state)
{
	const struct kernel_config config = old_kernel(true);
	struct step_bench b;

	(void)state;
	bench_start(&b, &config, true);
	recording_clear(b.machine);
	vgic_v4_blocking(b.cpu, &b.vcpu);
	EXPECT(1, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = DESC_LOCK, .instance = INSTANCE(2 + BENCH_VCPU));
	EXPECT(1, b.machine, .kind = REQUEST_LINE_ATOMIC);
	EXPECT(1, b.machine, .kind = REQUEST_MMIO_WRITE);
	EXPECT(0, b.machine, .kind = REQUEST_MMIO_WRITE, .irqs = IRQS_ON);
	assert_int_equal(recording_at(b.machine, LAST(b.machine, .kind = REQUEST_MMIO_WRITE, .address = table(&b)))->value, 1);
	vgic_v4_enable_doorbell(b.cpu, &b.vcpu);
	EXPECT(1, b.machine, .kind = REQUEST_MMIO_WRITE);
	vgic_v4_unblocking(b.cpu, &b.vcpu);
	EXPECT(2, b.machine, .kind = REQUEST_MMIO_WRITE, .address = table(&b));
	assert_int_equal(recording_at(b.machine, LAST(b.machine, .kind = REQUEST_MMIO_WRITE))->value, 0);
	bench_stop(&b);
}

/* A VM without direct MSIs knows nothing of it. */
static void without_direct_msi(void **state)
{
	struct kernel_config config = old_kernel(true);
	struct step_bench b;

	(void)state;
	config.direct_msi = false;
	bench_start(&b, &config, true);
	recording_clear(b.machine);
	vgic_v4_blocking(b.cpu, &b.vcpu);
	vgic_v4_unblocking(b.cpu, &b.vcpu);
	assert_int_equal(recording_length(b.machine), 0);
	bench_stop(&b);
}

static void sgi_at_last_turn(void *context, const struct request *request)
{
	struct sched_bench *bench = context;
	struct vgic_irq *irq = &bench->b.vcpu.vgic.private_irqs[GUEST_SGI_INTID];

	if (request->cpu != BENCH_CPU || request->kind != REQUEST_LINE_ATOMIC || strcmp(request->line, "vgic ap_list"))
		return;
	if (!turns || --turns)
		return;
	irq->pending_latch = true;
	irq->vcpu = &bench->b.vcpu;
	bench->b.vcpu.vgic.ap_list = irq;
}

/* A poll that something else ends: armed and disarmed for nothing if that comes first, not at all if it comes after. */
static void poll_that_succeeds(void **state)
{
	(void)state;
	for (int before = 0; before < 2; before++) {
		const struct kernel_config config = old_kernel(before);
		struct sched_bench bench;
		struct machine *m;

		sched_bench_start(&bench, &config, wfi);
		bench.b.vcpu.halt.poll_ns = 100000;
		turns = 5;
		recording_when_a_line_comes(bench.b.machine, sgi_at_last_turn, &bench);
		sched_bench_run(&bench);
		m = bench.b.machine;
		assert_true(bench.finished);
		EXPECT(0, m, .function = "kvm_vcpu_block");
		EXPECT(before ? 2 : 0, m, .kind = REQUEST_MMIO_WRITE, .address = table(&bench.b));
		EXPECT(before, m, .function = "vgic_v4_enable_doorbell");
		EXPECT(before, m, .function = "vgic_v4_disable_doorbell");
		if (before) {
			EXPECT_BEFORE(m, FILTER(.function = "vgic_v4_enable_doorbell"), FILTER(.function = "halt_poll"));
			EXPECT_BEFORE(m, FILTER(.function = "halt_poll"), FILTER(.function = "vgic_v4_disable_doorbell"));
		}
		sched_bench_stop(&bench);
	}
}

/* From v5.5 on: with the vPE; the handler switches it off, and a load in the middle of a WFI leaves vPE and doorbell alone. */
static void with_residency(void **state)
{
	struct kernel_config config = old_kernel(true);
	struct step_bench b;

	(void)state;
	config.gicv4_resident_at_load = true;
	config.block = BLOCK_PUT;
	bench_start(&b, &config, true);
	vgic_v4_load(b.cpu, &b.vcpu);
	EXPECT(0, b.machine, .address = table(&b));  /* it was off */
	vgic_v4_blocking(b.cpu, &b.vcpu);
	EXPECT(1, b.machine, .kind = REQUEST_MMIO_WRITE, .address = table(&b));
	assert_false(b.vcpu.vpe.resident);
	vgic_v4_load(b.cpu, &b.vcpu);  /* scheduled in again to look */
	assert_false(b.vcpu.vpe.resident);
	recording_set_sysreg(b.cpu, SYS_ICC_IAR1_EL1, 8192 + BENCH_VCPU);
	el1_interrupt(b.cpu, b.kernel);
	EXPECT(2, b.machine, .kind = REQUEST_MMIO_WRITE, .address = table(&b));
	assert_false(b.vcpu.vpe.doorbell_enabled);
	vgic_v4_load(b.cpu, &b.vcpu);
	assert_true(b.vcpu.vpe.pending_last);
	vgic_v4_unblocking(b.cpu, &b.vcpu);
	EXPECT(2, b.machine, .kind = REQUEST_MMIO_WRITE, .address = table(&b));
	assert_true(b.vcpu.vpe.resident);
	bench_stop(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(on_and_off),
		cmocka_unit_test(without_direct_msi),
		cmocka_unit_test(poll_that_succeeds),
		cmocka_unit_test(with_residency),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
