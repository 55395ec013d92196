// SPDX-License-Identifier: Apache-2.0
/*
 * The chip that KVM stacks on the timers' PPIs (GICv5 hosts, Apple's AIC): setting the active state of a forwarded interrupt masks or
 * unmasks it at the parent, still under the machine-wide descriptor lock, one look at the parent's irq_data more; any other goes through.
 */
#include "tests/step/step_bench.h"

static struct kernel_config kernel_on(enum gic_version gic)
{
	struct kernel_config config = recent_kernel();

	config.gic = gic;
	return config;
}

static void expect_lock_around(const struct step_bench *b, int reg)
{
	EXPECT(1, b->machine, .kind = REQUEST_LINE_ATOMIC, .line = DESC_LOCK, .instance = VTIMER_DESC);
	EXPECT(1, b->machine, .kind = REQUEST_LINE_READ, .line = "irq_desc parent", .instance = INSTANCE(0));
	EXPECT(1, b->machine, .line = "irq_desc parent");
	EXPECT_BEFORE(b->machine, FILTER(.kind = REQUEST_LINE_ATOMIC), FILTER(.line = "irq_desc parent"));
	EXPECT_BEFORE(b->machine, FILTER(.line = "irq_desc parent"), FILTER(.reg = reg));
	EXPECT_BEFORE(b->machine, FILTER(.reg = reg), FILTER(.kind = REQUEST_LINE_RELEASE));
	EXPECT(0, b->machine, .kind = REQUEST_MMIO_WRITE);
	EXPECT(0, b->machine, .kind = REQUEST_MMIO_READ);
	EXPECT(0, b->machine, .irqs = IRQS_ON, .reg = reg);
}

static void forwarded_on_gicv5(void **state)
{
	const struct kernel_config config = kernel_on(GIC_V5);
	struct step_bench b;

	(void)state;
	bench_start(&b, &config, true);
	for (int active = 0; active <= 1; active++) {
		recording_clear(b.machine);
		irq_set_irqchip_state(b.kernel, b.cpu, &b.kernel->host_vtimer, active);
		expect_lock_around(&b, REG(ICC_PPI_ENABLER0_EL1));
		EXPECT(2, b.machine, .class = CLASS(GICV5));
		EXPECT(1, b.machine, .kind = REQUEST_SYSREG_READ, .reg = REG(ICC_PPI_ENABLER0_EL1));
		EXPECT(1, b.machine, .kind = REQUEST_SYSREG_WRITE, .reg = REG(ICC_PPI_ENABLER0_EL1));
		EXPECT(1, b.machine, .kind = REQUEST_BARRIER, .barrier = BARRIER(ISB));
		EXPECT(1, b.machine, .kind = REQUEST_BARRIER);
		/* active: the host does not see it any more */
		assert_int_equal(recording_at(b.machine, FIRST(b.machine, .kind = REQUEST_SYSREG_WRITE))->value >> VTIMER_PPI & 1, !active);
	}
	bench_stop(&b);
}

/* GICv3 guests on a GICv5 host: the PPI's own active state, one write. */
static void passed_on_in_compat_mode(void **state)
{
	struct kernel_config config = kernel_on(GIC_V5);
	struct step_bench b;

	(void)state;
	config.guest_gic_v3 = true;
	bench_start(&b, &config, true);
	irq_set_irqchip_state(b.kernel, b.cpu, &b.kernel->host_vtimer, true);
	expect_lock_around(&b, REG(ICC_PPI_SACTIVER0_EL1));
	EXPECT(1, b.machine, .class = CLASS(GICV5));
	EXPECT(0, b.machine, .kind = REQUEST_BARRIER);
	bench_stop(&b);

	bench_start(&b, &config, true);
	irq_set_irqchip_state(b.kernel, b.cpu, &b.kernel->host_vtimer, false);
	expect_lock_around(&b, REG(ICC_PPI_CACTIVER0_EL1));
	EXPECT(1, b.machine, .class = CLASS(GICV5));
	bench_stop(&b);
}

static void forwarded_on_aic(void **state)
{
	const struct kernel_config config = kernel_on(GIC_AIC);
	struct step_bench b;

	(void)state;
	bench_start(&b, &config, true);
	irq_set_irqchip_state(b.kernel, b.cpu, &b.kernel->host_vtimer, false);
	expect_lock_around(&b, REG(IMP_APL_VM_TMR_FIQ_ENA_EL2));
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_READ);
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_WRITE);
	EXPECT(1, b.machine, .kind = REQUEST_BARRIER, .barrier = BARRIER(ISB));
	assert_int_equal(recording_at(b.machine, FIRST(b.machine, .kind = REQUEST_SYSREG_WRITE))->value, 1);  /* V: virtual timer */
	bench_stop(&b);
}

/* GICv3 hosts have none. */
static void no_chip_on_gicv3(void **state)
{
	const struct kernel_config config = kernel_on(GIC_V3);
	struct step_bench b;

	(void)state;
	bench_start(&b, &config, true);
	irq_set_irqchip_state(b.kernel, b.cpu, &b.kernel->host_vtimer, true);
	EXPECT(0, b.machine, .line = "irq_desc parent");
	EXPECT(1, b.machine, .kind = REQUEST_MMIO_WRITE, .address = b.own_redistributor + GICR_ISACTIVER0);
	bench_stop(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(forwarded_on_gicv5),
		cmocka_unit_test(passed_on_in_compat_mode),
		cmocka_unit_test(forwarded_on_aic),
		cmocka_unit_test(no_chip_on_gicv3),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
