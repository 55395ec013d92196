// SPDX-License-Identifier: Apache-2.0
/*
 * Apple's AIC driver (drivers/irqchip/irq-apple-aic.c): timers are masked and unmasked in one system register, with an ISB and a
 * word in memory; a timer is acknowledged by masking it; IPIs go by a system register of the own or another cluster. No device access.
 */
#include "tests/step/step_bench.h"

#define HYP_TIMER_PPI 26  /* base system architecture */

#define FIQ_ENABLE REG(IMP_APL_VM_TMR_FIQ_ENA_EL2)

static struct kernel_config aic_kernel(void)
{
	struct kernel_config config = recent_kernel();

	config.gic = GIC_AIC;
	return config;
}

static uint64_t written(const struct step_bench *b, int reg)
{
	return recording_at(b->machine, LAST(b->machine, .kind = REQUEST_SYSREG_WRITE, .reg = reg))->value;
}

static void mask_and_unmask(void **state)
{
	const struct kernel_config config = aic_kernel();
	struct step_bench b;

	(void)state;
	bench_start(&b, &config, true);
	b.kernel->chip->unmask(b.kernel, b.cpu, (intid){ PTIMER_PPI });
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_READ, .reg = FIQ_ENABLE);
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_WRITE);
	EXPECT(1, b.machine, .kind = REQUEST_BARRIER, .barrier = BARRIER(ISB));
	EXPECT(1, b.machine, .kind = REQUEST_LOAD_STORE);
	assert_int_equal(written(&b, FIQ_ENABLE), 2);  /* P */
	b.kernel->chip->unmask(b.kernel, b.cpu, (intid){ VTIMER_PPI });
	assert_int_equal(written(&b, FIQ_ENABLE), 3);
	b.kernel->chip->mask(b.kernel, b.cpu, (intid){ PTIMER_PPI }, true);
	assert_int_equal(written(&b, FIQ_ENABLE), 1);  /* V stays */
	EXPECT(3, b.machine, .kind = REQUEST_BARRIER);
	bench_stop(&b);
}

/* Every source is asked: IPI status, the gate, the enabled timers' control registers. */
static void timer_fiq(void **state)
{
	const struct kernel_config config = aic_kernel();
	struct step_bench b;

	(void)state;
	bench_start(&b, &config, true);
	recording_set_sysreg(b.cpu, SYS_IMP_APL_VM_TMR_FIQ_ENA_EL2, 3);
	recording_set_sysreg(b.cpu, SYS_CNTV_CTL_EL0, 1);
	recording_set_sysreg(b.cpu, SYS_CNTV_CVAL_EL0, 0);
	assert_int_equal(b.kernel->chip->ack(b.kernel, b.cpu), VTIMER_PPI);
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_READ, .reg = REG(IMP_APL_IPI_SR_EL1));
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_READ, .reg = REG(CNTP_CTL_EL0));
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_READ, .reg = REG(CNTV_CTL_EL0));
	assert_int_equal(written(&b, FIQ_ENABLE), 2);  /* acknowledged: masked */
	EXPECT(1, b.machine, .kind = REQUEST_BARRIER);
	EXPECT(0, b.machine, .kind = REQUEST_MMIO_READ);

	/* a guest's interrupt stays masked, the host's own is unmasked at its end */
	recording_clear(b.machine);
	b.kernel->chip->eoi(b.kernel, b.cpu, VTIMER_PPI, true);
	EXPECT(0, b.machine, .reg = FIQ_ENABLE);
	b.kernel->chip->eoi(b.kernel, b.cpu, VTIMER_PPI, false);
	assert_int_equal(written(&b, FIQ_ENABLE), 3);

	/* masked timers of guests are not even looked at, the host's always is */
	recording_set_sysreg(b.cpu, SYS_IMP_APL_VM_TMR_FIQ_ENA_EL2, 0);
	recording_clear(b.machine);
	assert_int_equal(b.kernel->chip->ack(b.kernel, b.cpu), SPURIOUS_INTERRUPT);
	EXPECT(1, b.machine, .class = CLASS(TIMER));
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_READ, .reg = REG(CNTHP_CTL_EL2));
	bench_stop(&b);
}

/* The host's own timer: no gate, nothing to mask in the controller and nothing to unmask. */
static void host_timer(void **state)
{
	const struct kernel_config config = aic_kernel();
	struct step_bench b;

	(void)state;
	bench_start(&b, &config, true);
	recording_set_sysreg(b.cpu, SYS_CNTHP_CTL_EL2, 1);
	recording_set_sysreg(b.cpu, SYS_CNTHP_CVAL_EL2, 0);
	assert_int_equal(b.kernel->chip->ack(b.kernel, b.cpu), HYP_TIMER_PPI);
	b.kernel->chip->eoi(b.kernel, b.cpu, HYP_TIMER_PPI, false);
	EXPECT(0, b.machine, .reg = FIQ_ENABLE);
	EXPECT(0, b.machine, .kind = REQUEST_SYSREG_WRITE);
	bench_stop(&b);
}

static void ipi(void **state)
{
	const struct kernel_config config = aic_kernel();
	struct step_bench b;

	(void)state;
	bench_start(&b, &config, true);
	b.kernel->chip->send_sgi(b.kernel, b.cpu, (cpu_id){ 3 }, 4);
	EXPECT(1, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = "aic ipis", .instance = INSTANCE(3));
	assert_int_equal(written(&b, REG(IMP_APL_IPI_RR_LOCAL_EL1)), 3);
	EXPECT_BEFORE(b.machine, FILTER(.kind = REQUEST_LINE_ATOMIC), FILTER(.kind = REQUEST_SYSREG_WRITE));
	EXPECT_BEFORE(b.machine, FILTER(.kind = REQUEST_SYSREG_WRITE), FILTER(.barrier = BARRIER(ISB)));
	/* the same again before the target has looked: the word alone */
	b.kernel->chip->send_sgi(b.kernel, b.cpu, (cpu_id){ 3 }, 4);
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_WRITE);

	/* at the target */
	b.cpu = recording_cpu(b.machine, 3);
	recording_set_sysreg(b.cpu, SYS_IMP_APL_IPI_SR_EL1, 1);
	recording_clear(b.machine);
	assert_int_equal(b.kernel->chip->ack(b.kernel, b.cpu), 4);
	EXPECT_BEFORE(b.machine, FILTER(.kind = REQUEST_SYSREG_WRITE, .reg = REG(IMP_APL_IPI_SR_EL1)), FILTER(.kind = REQUEST_LINE_ATOMIC));
	EXPECT(0, b.machine, .reg = FIQ_ENABLE);
	assert_int_equal(b.kernel->chip->ack(b.kernel, b.cpu), SPURIOUS_INTERRUPT);  /* nothing left in the word */
	bench_stop(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mask_and_unmask),
		cmocka_unit_test(timer_fiq),
		cmocka_unit_test(host_timer),
		cmocka_unit_test(ipi),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
