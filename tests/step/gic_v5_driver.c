// SPDX-License-Identifier: Apache-2.0
/*
 * The GICv5 driver (drivers/irqchip/irq-gic-v5.c): masking a PPI is a read and a write of its enable register and an ISB, its active
 * state one write without a barrier; acknowledge CDIA, GSB, ISB; CDEOI right after it, CDDI at the end; an IPI is one CDPEND of an LPI
 * of the target. No device is touched anywhere.
 */
#include "tests/step/step_bench.h"

#define TYPE_PPI (1ull << 29)
#define TYPE_LPI (2ull << 29)
#define VALID (1ull << 32)

static struct kernel_config gicv5_kernel(void)
{
	struct kernel_config config = recent_kernel();

	config.gic = GIC_V5;
	return config;
}

static uint64_t written(const struct step_bench *b, int reg)
{
	return recording_at(b->machine, FIRST(b->machine, .kind = REQUEST_SYSREG_WRITE, .reg = reg))->value;
}

static void mask_and_unmask(void **state)
{
	const struct kernel_config config = gicv5_kernel();
	struct step_bench b;

	(void)state;
	bench_start(&b, &config, true);
	recording_set_sysreg(b.cpu, SYS_ICC_PPI_ENABLER0_EL1, 1u << VTIMER_PPI | 1u << PTIMER_PPI);
	b.kernel->chip->mask(b.kernel, b.cpu, (intid){ VTIMER_PPI }, true);
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_READ);
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_READ, .reg = REG(ICC_PPI_ENABLER0_EL1));
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_WRITE);
	assert_int_equal(written(&b, REG(ICC_PPI_ENABLER0_EL1)), 1u << PTIMER_PPI);
	EXPECT(1, b.machine, .kind = REQUEST_BARRIER);
	EXPECT(1, b.machine, .kind = REQUEST_BARRIER, .barrier = BARRIER(ISB));
	EXPECT_BEFORE(b.machine, FILTER(.kind = REQUEST_SYSREG_WRITE), FILTER(.kind = REQUEST_BARRIER));

	recording_clear(b.machine);
	b.kernel->chip->unmask(b.kernel, b.cpu, (intid){ VTIMER_PPI });
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_READ, .reg = REG(ICC_PPI_ENABLER0_EL1));
	assert_int_equal(written(&b, REG(ICC_PPI_ENABLER0_EL1)), 1u << VTIMER_PPI | 1u << PTIMER_PPI);
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_WRITE);
	EXPECT(1, b.machine, .kind = REQUEST_BARRIER, .barrier = BARRIER(ISB));

	/* the second register of 64 */
	recording_clear(b.machine);
	b.kernel->chip->unmask(b.kernel, b.cpu, (intid){ 70 });
	assert_int_equal(written(&b, REG(ICC_PPI_ENABLER1_EL1)), 1u << 6);
	EXPECT(0, b.machine, .reg = REG(ICC_PPI_ENABLER0_EL1));
	bench_stop(&b);
}

static void active_state(void **state)
{
	const struct kernel_config config = gicv5_kernel();
	struct step_bench b;

	(void)state;
	bench_start(&b, &config, true);
	b.kernel->chip->set_active(b.kernel, b.cpu, (intid){ VTIMER_PPI }, true);
	EXPECT(1, b.machine, .class = CLASS(GICV5));
	assert_int_equal(written(&b, REG(ICC_PPI_SACTIVER0_EL1)), 1u << VTIMER_PPI);
	b.kernel->chip->set_active(b.kernel, b.cpu, (intid){ PTIMER_PPI }, false);
	EXPECT(2, b.machine, .class = CLASS(GICV5));
	assert_int_equal(written(&b, REG(ICC_PPI_CACTIVER0_EL1)), 1u << PTIMER_PPI);
	EXPECT(0, b.machine, .kind = REQUEST_BARRIER);
	EXPECT(0, b.machine, .kind = REQUEST_MMIO_WRITE);
	EXPECT(0, b.machine, .kind = REQUEST_MMIO_READ);
	bench_stop(&b);
}

static void acknowledge_and_end(void **state)
{
	const struct kernel_config config = gicv5_kernel();
	struct step_bench b;

	(void)state;
	bench_start(&b, &config, true);
	recording_set_sysreg(b.cpu, SYS_GICR_CDIA, VALID | TYPE_PPI | PTIMER_PPI);
	assert_int_equal(b.kernel->chip->ack(b.kernel, b.cpu), PTIMER_PPI);
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_READ);
	EXPECT_BEFORE(b.machine, FILTER(.reg = REG(GICR_CDIA)), FILTER(.reg = REG(GSB_ACK)));
	EXPECT_BEFORE(b.machine, FILTER(.reg = REG(GSB_ACK)), FILTER(.barrier = BARRIER(ISB)));
	EXPECT(1, b.machine, .kind = REQUEST_BARRIER);

	recording_clear(b.machine);
	b.kernel->chip->priority_drop(b.kernel, b.cpu, PTIMER_PPI);
	b.kernel->chip->eoi(b.kernel, b.cpu, PTIMER_PPI, false);
	EXPECT(2, b.machine, .kind = REQUEST_SYSREG_WRITE);
	EXPECT_BEFORE(b.machine, FILTER(.reg = REG(GIC_CDEOI)), FILTER(.reg = REG(GIC_CDDI)));
	assert_int_equal(written(&b, REG(GIC_CDDI)), TYPE_PPI | PTIMER_PPI);
	EXPECT(0, b.machine, .kind = REQUEST_BARRIER);

	/* a guest will deactivate it */
	recording_clear(b.machine);
	b.kernel->chip->eoi(b.kernel, b.cpu, PTIMER_PPI, true);
	EXPECT(0, b.machine, .class = CLASS(GICV5));

	/* nothing to acknowledge */
	recording_set_sysreg(b.cpu, SYS_GICR_CDIA, 0);
	assert_int_equal(b.kernel->chip->ack(b.kernel, b.cpu), SPURIOUS_INTERRUPT);
	EXPECT(0, b.machine, .reg = REG(GSB_ACK));
	bench_stop(&b);
}

static void ipi(void **state)
{
	const struct kernel_config config = gicv5_kernel();
	struct step_bench b;

	(void)state;
	bench_start(&b, &config, true);
	b.kernel->chip->send_sgi(b.kernel, b.cpu, (cpu_id){ 3 }, 5);
	EXPECT(1, b.machine, .class = CLASS(GICV5));
	assert_int_equal(written(&b, REG(GIC_CDPEND)), VALID | TYPE_LPI | (16 * 3 + 5));

	/* at its target: number 5, deactivated as an LPI of this CPU */
	recording_set_sysreg(b.cpu, SYS_GICR_CDIA, VALID | TYPE_LPI | (16 * BENCH_CPU + 5));
	assert_int_equal(b.kernel->chip->ack(b.kernel, b.cpu), 5);
	b.kernel->chip->eoi(b.kernel, b.cpu, 5, false);
	assert_int_equal(written(&b, REG(GIC_CDDI)), TYPE_LPI | (16 * BENCH_CPU + 5));
	bench_stop(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mask_and_unmask),
		cmocka_unit_test(active_state),
		cmocka_unit_test(acknowledge_and_end),
		cmocka_unit_test(ipi),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
