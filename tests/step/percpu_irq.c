// SPDX-License-Identifier: Apache-2.0
/*
 * enable_percpu_irq and disable_percpu_irq (kernel/irq/manage.c): look-up with a check in the line of the descriptor's lock, the lock itself, the
 * trigger's check when enabling, the chip, one atomic on the bitmap that all CPUs share, unlock.
 */
#include "tests/step/step_bench.h"

enum { GICR_ISENABLER0 = 0x10100, GICR_ICENABLER0 = 0x10180, GICR_ICFGR1 = 0x10c04 };
enum { GICD_ISENABLER0 = 0x100, GICD_ICENABLER0 = 0x180, GICD_ICFGR1 = 0xc04 };
#define ENABLED_LINE "irq_desc percpu_enabled"

static void lock_and_bitmap(const struct step_bench *b)
{
	EXPECT(2, b->machine, .kind = REQUEST_LINE_ATOMIC);
	EXPECT(1, b->machine, .kind = REQUEST_LINE_ATOMIC, .line = DESC_LOCK, .instance = VTIMER_DESC);
	EXPECT(1, b->machine, .kind = REQUEST_LINE_ATOMIC, .line = ENABLED_LINE, .instance = VTIMER_DESC);
	EXPECT(1, b->machine, .kind = REQUEST_IRQ_SAVE);
	EXPECT_BEFORE(b->machine, FILTER(.line = DESC_LOCK, .kind = REQUEST_LINE_READ), FILTER(.line = DESC_LOCK, .kind = REQUEST_LINE_ATOMIC));
	EXPECT_BEFORE(b->machine, FILTER(.line = DESC_LOCK, .kind = REQUEST_LINE_ATOMIC), FILTER(.kind = REQUEST_MMIO_WRITE));
	EXPECT_BEFORE(b->machine, FILTER(.kind = REQUEST_MMIO_WRITE), FILTER(.line = ENABLED_LINE));
	EXPECT_BEFORE(b->machine, FILTER(.line = ENABLED_LINE), FILTER(.kind = REQUEST_LINE_RELEASE));
	assert_int_equal(locks_taken(b, VTIMER_LOCK_CLASS), 1);
	assert_int_equal(locks_taken(b, PTIMER_LOCK_CLASS), 0);
}

/* GICv3: 1 MR (ICFGR1) and 1 MW; off: MW and the RWP poll. */
static void gicv3(void **state)
{
	struct kernel_config config = recent_kernel();
	struct step_bench b;

	(void)state;
	config.gicv3_active_io = ACTIVE_IO_READ_BACK_SET;
	bench_start(&b, &config, true);
	enable_percpu_irq(b.kernel, b.cpu, &b.kernel->host_vtimer);
	lock_and_bitmap(&b);
	EXPECT(1, b.machine, .kind = REQUEST_MMIO_WRITE);
	EXPECT(1, b.machine, .kind = REQUEST_MMIO_WRITE, .address = b.own_redistributor + GICR_ISENABLER0);
	EXPECT(1, b.machine, .kind = REQUEST_MMIO_READ);
	EXPECT(1, b.machine, .kind = REQUEST_MMIO_READ, .address = b.own_redistributor + GICR_ICFGR1);
	EXPECT_BEFORE(b.machine, FILTER(.kind = REQUEST_MMIO_READ), FILTER(.kind = REQUEST_MMIO_WRITE));
	bench_stop(&b);

	bench_start(&b, &config, true);
	disable_percpu_irq(b.kernel, b.cpu, &b.kernel->host_vtimer);
	lock_and_bitmap(&b);
	EXPECT(1, b.machine, .kind = REQUEST_MMIO_WRITE);
	EXPECT(1, b.machine, .kind = REQUEST_MMIO_WRITE, .address = b.own_redistributor + GICR_ICENABLER0);
	EXPECT(1, b.machine, .kind = REQUEST_MMIO_READ);
	EXPECT(1, b.machine, .kind = REQUEST_MMIO_READ, .address = b.own_redistributor + GICR_CTLR);
	bench_stop(&b);
}

/* One that is forwarded to a guest: its active state goes too; to v5.18 that write is followed by a read as any other. */
static void forwarded(void **state)
{
	const enum gicv3_active_io versions[] = { ACTIVE_IO_CTLR_READ, ACTIVE_IO_RWP_POLL, ACTIVE_IO_WRITE, ACTIVE_IO_READ_BACK_SET };
	const unsigned int reads[] = { 2, 2, 1, 1 };

	(void)state;
	for (size_t n = 0; n < sizeof(versions) / sizeof(versions[0]); n++) {
		struct kernel_config config = recent_kernel();
		struct step_bench b;

		config.gicv3_active_io = versions[n];
		bench_start(&b, &config, true);
		b.kernel->host_vtimer.forwarded = true;
		disable_percpu_irq(b.kernel, b.cpu, &b.kernel->host_vtimer);
		EXPECT(2, b.machine, .kind = REQUEST_MMIO_WRITE);
		EXPECT(1, b.machine, .kind = REQUEST_MMIO_WRITE, .address = b.own_redistributor + GICR_ICACTIVER0);
		EXPECT(reads[n], b.machine, .kind = REQUEST_MMIO_READ, .address = b.own_redistributor + GICR_CTLR);
		EXPECT_BEFORE(b.machine, FILTER(.address = b.own_redistributor + GICR_ICENABLER0),
			      FILTER(.address = b.own_redistributor + GICR_ICACTIVER0));
		bench_stop(&b);

		bench_start(&b, &config, true);
		enable_percpu_irq(b.kernel, b.cpu, &b.kernel->host_vtimer);
		EXPECT(reads[n] - 1, b.machine, .kind = REQUEST_MMIO_READ, .address = b.own_redistributor + GICR_CTLR);
		bench_stop(&b);
	}
}

/* GICv2: the same through the shared distributor, without a poll. */
static void gicv2(void **state)
{
	struct kernel_config config = recent_kernel();
	struct step_bench b;
	uint64_t gicd;

	(void)state;
	config.gic = GIC_V2;
	bench_start(&b, &config, true);
	gicd = gic_frame_address(b.machine, GIC_FRAME_DISTRIBUTOR, cpu_number(b.cpu));
	enable_percpu_irq(b.kernel, b.cpu, &b.kernel->host_vtimer);
	lock_and_bitmap(&b);
	EXPECT(1, b.machine, .kind = REQUEST_MMIO_WRITE);
	EXPECT(1, b.machine, .kind = REQUEST_MMIO_WRITE, .address = gicd + GICD_ISENABLER0);
	EXPECT(1, b.machine, .kind = REQUEST_MMIO_READ);
	EXPECT(1, b.machine, .kind = REQUEST_MMIO_READ, .address = gicd + GICD_ICFGR1);
	bench_stop(&b);

	bench_start(&b, &config, true);
	disable_percpu_irq(b.kernel, b.cpu, &b.kernel->host_vtimer);
	lock_and_bitmap(&b);
	EXPECT(1, b.machine, .kind = REQUEST_MMIO_WRITE);
	EXPECT(1, b.machine, .kind = REQUEST_MMIO_WRITE, .address = gicd + GICD_ICENABLER0);
	EXPECT(0, b.machine, .kind = REQUEST_MMIO_READ);
	bench_stop(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gicv3),
		cmocka_unit_test(forwarded),
		cmocka_unit_test(gicv2),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
