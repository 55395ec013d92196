// SPDX-License-Identifier: Apache-2.0
/*
 * The GICv2 driver (drivers/irqchip/irq-gic.c): one relaxed write of the banked distributor for each state of a PPI, never read back; acknowledge,
 * priority drop and deactivation by MMIO of the CPU interface; with 4 kB of CPU interface the end alone, for forwarded interrupts too.
 */
#include "tests/step/step_bench.h"

enum { GICD_ISENABLER0 = 0x100, GICD_ICENABLER0 = 0x180, GICD_ISACTIVER0 = 0x300, GICD_ICACTIVER0 = 0x380, GICD_SGIR = 0xf00 };
enum { GICC_IAR = 0xc, GICC_EOIR = 0x10, GICC_DIR = 0x1000 };

static struct kernel_config gicv2_kernel(bool only_4k)
{
	struct kernel_config config = recent_kernel();

	config.gic = GIC_V2;
	config.gic_cpu_interface_4k = only_4k;
	return config;
}

static uint64_t gicd(const struct step_bench *b, uint32_t offset)
{
	return gic_frame_address(b->machine, GIC_FRAME_DISTRIBUTOR, cpu_number(b->cpu)) + offset;
}

static uint64_t gicc(const struct step_bench *b, uint32_t offset)
{
	return gic_frame_address(b->machine, GIC_FRAME_CPU_INTERFACE, cpu_number(b->cpu)) + offset;
}

/* Nothing but one write of `value` to `address`. */
static void one_write(const struct step_bench *b, uint64_t address, uint64_t value)
{
	EXPECT(1, b->machine, .kind = REQUEST_MMIO_WRITE);
	EXPECT(1, b->machine, .kind = REQUEST_MMIO_WRITE, .address = address);
	EXPECT(0, b->machine, .kind = REQUEST_MMIO_READ);
	EXPECT(0, b->machine, .kind = REQUEST_SYSREG_READ);
	EXPECT(0, b->machine, .kind = REQUEST_SYSREG_WRITE);
	assert_int_equal(recording_at(b->machine, FIRST(b->machine, .kind = REQUEST_MMIO_WRITE))->value, value);
	recording_clear(b->machine);
}

static void states_of_a_ppi(void **state)
{
	const struct kernel_config config = gicv2_kernel(false);
	struct step_bench b;

	(void)state;
	bench_start(&b, &config, true);
	b.kernel->chip->set_active(b.kernel, b.cpu, (intid){ VTIMER_PPI }, true);
	EXPECT(0, b.machine, .kind = REQUEST_BARRIER);
	one_write(&b, gicd(&b, GICD_ISACTIVER0), 1u << VTIMER_PPI);
	b.kernel->chip->set_active(b.kernel, b.cpu, (intid){ PTIMER_PPI }, false);
	one_write(&b, gicd(&b, GICD_ICACTIVER0), 1u << PTIMER_PPI);
	b.kernel->chip->mask(b.kernel, b.cpu, (intid){ VTIMER_PPI }, false);
	one_write(&b, gicd(&b, GICD_ICENABLER0), 1u << VTIMER_PPI);
	b.kernel->chip->unmask(b.kernel, b.cpu, (intid){ VTIMER_PPI });
	one_write(&b, gicd(&b, GICD_ISENABLER0), 1u << VTIMER_PPI);
	b.kernel->chip->mask(b.kernel, b.cpu, (intid){ VTIMER_PPI }, true);
	EXPECT(2, b.machine, .kind = REQUEST_MMIO_WRITE);
	EXPECT(1, b.machine, .kind = REQUEST_MMIO_WRITE, .address = gicd(&b, GICD_ICACTIVER0));
	bench_stop(&b);
}

/* irq_set_irqchip_state reaches the same callback under the descriptor's lock, with no lock of the chip's own. */
static void state_call(void **state)
{
	const struct kernel_config config = gicv2_kernel(false);
	struct step_bench b;

	(void)state;
	bench_start(&b, &config, true);
	irq_set_irqchip_state(b.kernel, b.cpu, &b.kernel->host_vtimer, true);
	EXPECT(1, b.machine, .kind = REQUEST_LINE_ATOMIC);
	EXPECT(1, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = DESC_LOCK, .instance = VTIMER_DESC);
	one_write(&b, gicd(&b, GICD_ISACTIVER0), 1u << VTIMER_PPI);
	bench_stop(&b);
}

static void acknowledge_and_end(void **state)
{
	const struct kernel_config config = gicv2_kernel(false);
	struct step_bench b;

	(void)state;
	bench_start(&b, &config, true);
	recording_answer_mmio(b.machine, gicc(&b, GICC_IAR), VTIMER_PPI, 1);
	assert_int_equal(b.kernel->chip->ack(b.kernel, b.cpu), VTIMER_PPI);
	EXPECT(1, b.machine, .kind = REQUEST_MMIO_READ);
	EXPECT(1, b.machine, .kind = REQUEST_MMIO_READ, .address = gicc(&b, GICC_IAR));
	EXPECT(0, b.machine, .kind = REQUEST_MMIO_WRITE);
	recording_clear(b.machine);
	b.kernel->chip->priority_drop(b.kernel, b.cpu, VTIMER_PPI);
	one_write(&b, gicc(&b, GICC_EOIR), VTIMER_PPI);
	b.kernel->chip->eoi(b.kernel, b.cpu, VTIMER_PPI, false);
	one_write(&b, gicc(&b, GICC_DIR), VTIMER_PPI);
	b.kernel->chip->eoi(b.kernel, b.cpu, VTIMER_PPI, true);  /* the guest's */
	EXPECT(0, b.machine, .kind = REQUEST_MMIO_WRITE);
	assert_true(irqchip_has_active_state(b.kernel));
	bench_stop(&b);
}

/* The sender stands in bits 12:10 of what is acknowledged, and has to be written back. */
static void sgi_with_its_sender(void **state)
{
	const struct kernel_config config = gicv2_kernel(false);
	struct step_bench b;

	(void)state;
	bench_start(&b, &config, true);
	recording_answer_mmio(b.machine, gicc(&b, GICC_IAR), 3 << 10 | 5, 1);
	assert_int_equal(b.kernel->chip->ack(b.kernel, b.cpu), 5);
	recording_clear(b.machine);
	b.kernel->chip->priority_drop(b.kernel, b.cpu, 5);
	one_write(&b, gicc(&b, GICC_EOIR), 3 << 10 | 5);
	b.kernel->chip->eoi(b.kernel, b.cpu, 5, false);
	one_write(&b, gicc(&b, GICC_DIR), 3 << 10 | 5);

	b.kernel->chip->send_sgi(b.kernel, b.cpu, (cpu_id){ 3 }, 1);
	EXPECT(1, b.machine, .kind = REQUEST_BARRIER, .barrier = BARRIER(DMB));
	EXPECT_BEFORE(b.machine, FILTER(.kind = REQUEST_BARRIER), FILTER(.kind = REQUEST_MMIO_WRITE));
	one_write(&b, gicd(&b, GICD_SGIR), 1u << (16 + 3) | 1);
	bench_stop(&b);
}

static void only_4k(void **state)
{
	const struct kernel_config config = gicv2_kernel(true);
	struct step_bench b;

	(void)state;
	bench_start(&b, &config, true);
	b.kernel->chip->priority_drop(b.kernel, b.cpu, VTIMER_PPI);
	EXPECT(0, b.machine, .kind = REQUEST_MMIO_WRITE);
	b.kernel->chip->eoi(b.kernel, b.cpu, VTIMER_PPI, true);
	one_write(&b, gicc(&b, GICC_EOIR), VTIMER_PPI);
	b.kernel->chip->eoi(b.kernel, b.cpu, VTIMER_PPI, false);
	one_write(&b, gicc(&b, GICC_EOIR), VTIMER_PPI);
	assert_false(irqchip_has_active_state(b.kernel));
	bench_stop(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(states_of_a_ppi),
		cmocka_unit_test(state_call),
		cmocka_unit_test(acknowledge_and_end),
		cmocka_unit_test(sgi_with_its_sender),
		cmocka_unit_test(only_4k),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
