// SPDX-License-Identifier: Apache-2.0
/*
 * High-resolution timers: start, expiry, cancel. One base a CPU with one raw lock; the hardware timer is programmed (CVAL, CTL) only when the first timer
 * changes; an idle timer is cancelled without a lock; one that is queued on another CPU takes that CPU's lock and leaves its hardware alone.
 */
#include "tests/step/sched_bench.h"

#define BASE_LINE "hrtimer_cpu_base"

static struct step_bench b;
static struct hrtimer early, late;
static unsigned int ran;
static uint64_t again;

static uint64_t function(struct cpu *cpu, void *context)
{
	(void)cpu;
	(void)context;
	ran++;
	return again;
}

static void start(bool vhe)
{
	struct kernel_config config = vhe ? recent_kernel() : recent_nvhe_kernel();

	bench_boot(&b, &config);
	sched_init(b.kernel, 4);
	hrtimer_init(b.kernel, &early, line_create(b.machine, "early", 0), function, NULL);
	hrtimer_init(b.kernel, &late, line_create(b.machine, "late", 0), function, NULL);
	bench_count_locks(&b);
	ran = 0;
	again = HRTIMER_NORESTART;
}

static void first_and_later(void **state)
{
	(void)state;
	for (int vhe = 0; vhe <= 1; vhe++) {
		const int cval = vhe ? REG(CNTHP_CVAL_EL2) : REG(CNTP_CVAL_EL0), ctl = vhe ? REG(CNTHP_CTL_EL2) : REG(CNTP_CTL_EL0);

		start(vhe);
		hrtimer_start(b.cpu, &late, 200000);
		EXPECT(1, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = BASE_LINE, .instance = INSTANCE(BENCH_CPU), .irqs = IRQS_OFF);
		EXPECT(1, b.machine, .kind = REQUEST_SYSREG_WRITE, .reg = cval);
		EXPECT(1, b.machine, .kind = REQUEST_SYSREG_WRITE, .reg = ctl);
		EXPECT(2, b.machine, .class = CLASS(TIMER));
		recording_clear(b.machine);
		hrtimer_start(b.cpu, &early, 100000);     /* becomes the first: programmed again */
		EXPECT(2, b.machine, .class = CLASS(TIMER));
		recording_clear(b.machine);
		hrtimer_start(b.cpu, &late, 300000);      /* not the first: queued again, nothing programmed */
		EXPECT(0, b.machine, .class = CLASS(TIMER));
		EXPECT(1, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = BASE_LINE);
		bench_stop(&b);
	}
}

static void cancel(void **state)
{
	(void)state;
	start(true);
	assert_false(hrtimer_cancel(b.cpu, &early));
	EXPECT(0, b.machine, .line = BASE_LINE);
	EXPECT(1, b.machine, .kind = REQUEST_LINE_READ, .line = "early");
	hrtimer_start(b.cpu, &early, 100000);
	hrtimer_start(b.cpu, &late, 200000);
	recording_clear(b.machine);
	assert_true(hrtimer_cancel(b.cpu, &early));       /* the first: the next one is programmed */
	EXPECT(1, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = BASE_LINE);
	EXPECT(2, b.machine, .class = CLASS(TIMER));
	recording_clear(b.machine);
	assert_true(hrtimer_cancel(recording_cpu(b.machine, OTHER_CPU), &late));
	EXPECT(1, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = BASE_LINE, .instance = INSTANCE(BENCH_CPU));
	EXPECT(0, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = BASE_LINE, .instance = INSTANCE(OTHER_CPU));
	EXPECT(0, b.machine, .class = CLASS(TIMER));
	bench_stop(&b);
}

/* Started on another CPU: out of the old base under its lock, into the new one under its own. */
static void moves(void **state)
{
	struct cpu *other;

	(void)state;
	start(true);
	other = recording_cpu(b.machine, OTHER_CPU);
	hrtimer_start(b.cpu, &early, 100000);
	recording_clear(b.machine);
	hrtimer_start(other, &early, 100000);
	EXPECT(1, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = BASE_LINE, .instance = INSTANCE(BENCH_CPU));
	EXPECT(1, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = BASE_LINE, .instance = INSTANCE(OTHER_CPU));
	assert_int_equal(early.cpu, OTHER_CPU);
	assert_null(b.kernel->hrtimer_bases[BENCH_CPU].first);
	assert_ptr_equal(b.kernel->hrtimer_bases[OTHER_CPU].first, &early);
	bench_stop(&b);
}

/* The interrupt: masked at the timer first; cpu_base->lock is not held while the function runs; afterwards the next one is programmed. */
static void expiry(void **state)
{
	(void)state;
	start(true);
	hrtimer_start(b.cpu, &early, 1);
	hrtimer_start(b.cpu, &late, 100000);
	recording_set_sysreg(b.cpu, SYS_ICC_IAR1_EL1, HOST_TIMER_PPI);
	recording_clear(b.machine);
	recording_assert_interrupt(b.machine);
	irq_restore(b.cpu, true);
	assert_int_equal(ran, 1);
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_READ, .reg = REG(CNTHP_CTL_EL2));
	EXPECT(2, b.machine, .kind = REQUEST_SYSREG_WRITE, .reg = REG(CNTHP_CTL_EL2));  /* masked; programmed again */
	EXPECT(2, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = BASE_LINE);
	EXPECT(0, b.machine, .within = "hrtimer_interrupt", .irqs = IRQS_ON);
	assert_int_equal(recording_at(b.machine, FIRST(b.machine, .reg = REG(CNTHP_CVAL_EL2)))->value, 100000);
	/* not forwarded: the host deactivates it */
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_WRITE, .reg = REG(ICC_DIR_EL1));
	assert_false(hrtimer_active(b.cpu, &early));
	bench_stop(&b);
}

static void restarts_itself(void **state)
{
	(void)state;
	start(true);
	again = 500000;
	hrtimer_start(b.cpu, &early, 1);
	recording_set_sysreg(b.cpu, SYS_ICC_IAR1_EL1, HOST_TIMER_PPI);
	recording_assert_interrupt(b.machine);
	irq_restore(b.cpu, true);
	assert_int_equal(ran, 1);
	assert_true(early.queued);
	assert_int_equal(early.expires, 500000);
	bench_stop(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(first_and_later), cmocka_unit_test(cancel), cmocka_unit_test(moves),
		cmocka_unit_test(expiry),	   cmocka_unit_test(restarts_itself),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
