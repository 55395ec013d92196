// SPDX-License-Identifier: Apache-2.0
/*
 * Setting the active state of a timer's PPI: irq_set_irqchip_state (kernel/irq/manage.c), the per-CPU variant, and the GICv3 driver's callback
 * gic_irq_set_irqchip_state over its versions (up to v5.17, v5.18, v5.19, v6.12 with the read-back of ISACTIVER).
 */
#include "tests/step/step_bench.h"

struct version {
	enum gicv3_active_io io;
	size_t reads_when_setting, reads_when_clearing;
	uint64_t read_register;
};

static const struct version versions[] = {
	{ ACTIVE_IO_CTLR_READ, 1, 1, GICR_CTLR },
	{ ACTIVE_IO_RWP_POLL, 1, 1, GICR_CTLR },
	{ ACTIVE_IO_WRITE, 0, 0, GICR_CTLR },
	{ ACTIVE_IO_READ_BACK_SET, 1, 0, GICR_ISACTIVER0 },
};

#define VERSIONS (sizeof(versions) / sizeof(versions[0]))

static void device_accesses(void **state)
{
	(void)state;
	for (size_t n = 0; n < VERSIONS; n++) {
		for (int active = 0; active <= 1; active++) {
			struct kernel_config config = recent_kernel();
			const size_t reads = active ? versions[n].reads_when_setting : versions[n].reads_when_clearing;
			struct step_bench b;

			config.gicv3_active_io = versions[n].io;
			bench_start(&b, &config, true);
			irq_set_irqchip_state(b.kernel, b.cpu, &b.kernel->host_ptimer, active);
			EXPECT(1, b.machine, .kind = REQUEST_MMIO_WRITE);
			EXPECT(1, b.machine, .kind = REQUEST_MMIO_WRITE,
			       .address = b.own_redistributor + (active ? GICR_ISACTIVER0 : GICR_ICACTIVER0));
			assert_int_equal(recording_at(b.machine, FIRST(b.machine, .kind = REQUEST_MMIO_WRITE))->value, 1u << PTIMER_PPI);
			EXPECT(reads, b.machine, .kind = REQUEST_MMIO_READ);
			EXPECT(reads, b.machine, .kind = REQUEST_MMIO_READ, .address = b.own_redistributor + versions[n].read_register);
			EXPECT(0, b.machine, .kind = REQUEST_BARRIER);  /* relaxed accessors */
			if (reads)
				EXPECT_BEFORE(b.machine, FILTER(.kind = REQUEST_MMIO_WRITE), FILTER(.kind = REQUEST_MMIO_READ));
			bench_stop(&b);
		}
	}
}

/* v5.18: GICR_CTLR is read until RWP (bit 3) clears. Before, the wrong bit was tested, so one read whatever bit 3 says. */
static void rwp_poll(void **state)
{
	struct kernel_config config = recent_kernel();
	struct step_bench b;

	(void)state;
	config.gicv3_active_io = ACTIVE_IO_RWP_POLL;
	bench_start(&b, &config, true);
	recording_answer_mmio(b.machine, b.own_redistributor + GICR_CTLR, 1u << 3, 4);
	irq_set_irqchip_state(b.kernel, b.cpu, &b.kernel->host_vtimer, false);
	EXPECT(5, b.machine, .kind = REQUEST_MMIO_READ, .address = b.own_redistributor + GICR_CTLR);
	bench_stop(&b);

	config.gicv3_active_io = ACTIVE_IO_CTLR_READ;
	bench_start(&b, &config, true);
	recording_answer_mmio(b.machine, b.own_redistributor + GICR_CTLR, 1u << 3, 4);
	irq_set_irqchip_state(b.kernel, b.cpu, &b.kernel->host_vtimer, false);
	EXPECT(1, b.machine, .kind = REQUEST_MMIO_READ);
	bench_stop(&b);
}

/* Look-up without a lock; then mask, lock, chip, callback inside the lock, unlock, unmask. */
static void steps_under_the_descriptor_lock(void **state)
{
	struct kernel_config config = recent_kernel();
	struct step_bench b;

	(void)state;
	config.gicv3_active_io = ACTIVE_IO_CTLR_READ;
	bench_start(&b, &config, true);
	irq_set_irqchip_state(b.kernel, b.cpu, &b.kernel->host_vtimer, true);
	EXPECT(1, b.machine, .kind = REQUEST_LINE_ATOMIC);
	EXPECT(1, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = DESC_LOCK, .instance = VTIMER_DESC, .order = ORDER(ACQUIRE));
	EXPECT(1, b.machine, .kind = REQUEST_LINE_RELEASE, .line = DESC_LOCK, .instance = VTIMER_DESC);
	EXPECT_BEFORE(b.machine, FILTER(.line = "irq_desc tree"), FILTER(.kind = REQUEST_IRQ_SAVE));
	EXPECT_BEFORE(b.machine, FILTER(.kind = REQUEST_IRQ_SAVE), FILTER(.kind = REQUEST_LINE_ATOMIC));
	EXPECT_BEFORE(b.machine, FILTER(.kind = REQUEST_LINE_ATOMIC), FILTER(.line = "irq_desc chip"));
	EXPECT_BEFORE(b.machine, FILTER(.line = "irq_desc chip"), FILTER(.kind = REQUEST_MMIO_WRITE));
	EXPECT_BEFORE(b.machine, FILTER(.kind = REQUEST_MMIO_READ), FILTER(.kind = REQUEST_LINE_RELEASE));
	EXPECT_BEFORE(b.machine, FILTER(.kind = REQUEST_LINE_RELEASE), FILTER(.kind = REQUEST_IRQ_RESTORE));
	EXPECT(0, b.machine, .irqs = IRQS_ON, .kind = REQUEST_MMIO_WRITE);
	/* nobody writes the line of chip, handler and action after boot */
	EXPECT(1, b.machine, .line = "irq_desc chip", .kind = REQUEST_LINE_READ);
	EXPECT(1, b.machine, .line = "irq_desc chip");
	bench_stop(&b);
}

/* The per-CPU call: the same accesses to the own redistributor, no lock, no write to a shared line, interrupts as they were. */
static void per_cpu_call(void **state)
{
	struct kernel_config config = recent_kernel();
	struct step_bench b;

	(void)state;
	config.irq_state = IRQ_STATE_PER_CPU;
	bench_start(&b, &config, true);
	vcpu_load(b.cpu, &b.vcpu);
	EXPECT(0, b.machine, .line = DESC_LOCK, .kind = REQUEST_LINE_ATOMIC);
	EXPECT(0, b.machine, .line = DESC_LOCK, .kind = REQUEST_LINE_OWN);
	EXPECT(0, b.machine, .line = DESC_LOCK, .kind = REQUEST_LINE_RELEASE);
	EXPECT(0, b.machine, .kind = REQUEST_IRQ_SAVE, .within = "irq_set_percpu_irqchip_state");
	EXPECT(2, b.machine, .kind = REQUEST_MMIO_WRITE, .address = b.own_redistributor + GICR_ICACTIVER0);
	EXPECT(2, b.machine, .kind = REQUEST_MMIO_WRITE);
	EXPECT(0, b.machine, .kind = REQUEST_MMIO_READ);
	assert_int_equal(recording_at(b.machine, FIRST(b.machine, .kind = REQUEST_MMIO_WRITE))->value, 1u << VTIMER_PPI);
	assert_int_equal(recording_at(b.machine, LAST(b.machine, .kind = REQUEST_MMIO_WRITE))->value, 1u << PTIMER_PPI);
	assert_int_equal(locks_taken(&b, VTIMER_LOCK_CLASS), 0);
	assert_int_equal(locks_taken(&b, PTIMER_LOCK_CLASS), 0);
	assert_int_equal(locks_taken(&b, IRQ_LOCK_CLASS), 4);  /* those stay */
	bench_stop(&b);
}

/* set_timer_irq_phys_active(active or level): the guest is in its handler, or its timer fires. */
static void load_sets_active(void **state)
{
	const struct kernel_config config = recent_kernel();
	struct step_bench b;

	(void)state;
	bench_start(&b, &config, true);
	b.vcpu.ptimer.guest_irq->active = true;
	vcpu_load(b.cpu, &b.vcpu);
	EXPECT(1, b.machine, .kind = REQUEST_MMIO_WRITE, .address = b.own_redistributor + GICR_ICACTIVER0);
	EXPECT(1, b.machine, .kind = REQUEST_MMIO_WRITE, .address = b.own_redistributor + GICR_ISACTIVER0);
	EXPECT(1, b.machine, .kind = REQUEST_MMIO_READ, .address = b.own_redistributor + GICR_ISACTIVER0);
	EXPECT_BEFORE(b.machine, FILTER(.address = b.own_redistributor + GICR_ICACTIVER0),
		      FILTER(.address = b.own_redistributor + GICR_ISACTIVER0));
	bench_stop(&b);

	/* expired long ago, and the vgic knows already that the level is high */
	bench_start(&b, &config, true);
	b.vcpu.vtimer.ctl = 1;
	b.vcpu.vtimer.cval = 0;
	b.vcpu.vtimer.guest_irq->line_level = true;
	vcpu_load(b.cpu, &b.vcpu);
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_READ, .class = CLASS(COUNTER));
	EXPECT(1, b.machine, .kind = REQUEST_MMIO_WRITE, .address = b.own_redistributor + GICR_ISACTIVER0);
	assert_int_equal(recording_at(b.machine, FIRST(b.machine, .kind = REQUEST_MMIO_WRITE))->value, 1u << VTIMER_PPI);
	EXPECT(1, b.machine, .kind = REQUEST_MMIO_READ, .address = b.own_redistributor + GICR_ISACTIVER0);
	EXPECT(1, b.machine, .kind = REQUEST_MMIO_WRITE, .address = b.own_redistributor + GICR_ICACTIVER0);
	bench_stop(&b);

	/* masked: neither the counter nor the level */
	bench_start(&b, &config, true);
	b.vcpu.vtimer.ctl = 3;
	vcpu_load(b.cpu, &b.vcpu);
	EXPECT(0, b.machine, .kind = REQUEST_SYSREG_READ, .class = CLASS(COUNTER));
	EXPECT(2, b.machine, .kind = REQUEST_MMIO_WRITE, .address = b.own_redistributor + GICR_ICACTIVER0);
	bench_stop(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(device_accesses),
		cmocka_unit_test(rwp_poll),
		cmocka_unit_test(steps_under_the_descriptor_lock),
		cmocka_unit_test(per_cpu_call),
		cmocka_unit_test(load_sets_active),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
