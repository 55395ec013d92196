// SPDX-License-Identifier: Apache-2.0
/*
 * A GICv5 guest at load, put, entry and exit, as of about v7.1 with 64 PPIs of which 7 are exposed (arch/arm64/kvm/vgic/vgic-v5.c,
 * hyp/vgic-v5-sr.c): load reads and writes VCTLR, ISB, writes VMCR and APR; put reads APR. Every entry takes 7 irq_locks and writes 25
 * registers, every exit reads 13, clears the direct injection and takes 7 irq_locks again; a DSB each way.
 */
#include "tests/step/step_bench.h"

static struct kernel_config gicv5_kernel(bool vhe)
{
	struct kernel_config config = recent_kernel();

	config.gic = GIC_V5;
	config.vhe = vhe;
	return config;
}

static void load_and_put(void **state)
{
	const struct kernel_config config = gicv5_kernel(true);
	struct step_bench b;

	(void)state;
	bench_start(&b, &config, true);
	recording_set_sysreg(b.cpu, SYS_ICH_VCTLR_EL2, 3);
	kvm_vgic_load(b.cpu, &b.vcpu);
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_READ);
	EXPECT(3, b.machine, .kind = REQUEST_SYSREG_WRITE);
	EXPECT(1, b.machine, .kind = REQUEST_BARRIER);
	assert_int_equal(recording_at(b.machine, FIRST(b.machine, .kind = REQUEST_SYSREG_WRITE))->value & 2, 0);  /* V3 */
	EXPECT_BEFORE(b.machine, FILTER(.reg = REG(ICH_VCTLR_EL2)), FILTER(.barrier = BARRIER(ISB)));
	EXPECT_BEFORE(b.machine, FILTER(.barrier = BARRIER(ISB)), FILTER(.reg = REG(ICH_VMCR_EL2)));
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_WRITE, .reg = REG(ICH_APR_EL2));
	EXPECT(0, b.machine, .kind = REQUEST_LINE_ATOMIC);

	recording_clear(b.machine);
	kvm_vgic_load(b.cpu, &b.vcpu);  /* resident already */
	EXPECT(0, b.machine, .kind = REQUEST_SYSREG_WRITE);

	kvm_vgic_put(b.cpu, &b.vcpu);
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_READ);
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_READ, .reg = REG(ICH_APR_EL2));
	EXPECT(0, b.machine, .kind = REQUEST_SYSREG_WRITE);
	EXPECT(0, b.machine, .kind = REQUEST_LINE_ATOMIC);
	bench_stop(&b);
}

static void blocking_takes_seven_locks(void **state)
{
	const struct kernel_config config = gicv5_kernel(true);
	struct step_bench b;

	(void)state;
	bench_start(&b, &config, true);
	kvm_vgic_load(b.cpu, &b.vcpu);
	b.vcpu.halt.in_wfi = true;
	kvm_vgic_put(b.cpu, &b.vcpu);
	assert_int_equal(locks_taken(&b, IRQ_LOCK_CLASS), 7);
	bench_stop(&b);
}

static const enum sysreg entry_writes[] = {
	SYS_ICC_ICSR_EL1, SYS_ICH_PPI_DVIR0_EL2, SYS_ICH_PPI_DVIR1_EL2, SYS_ICH_PPI_ACTIVER0_EL2, SYS_ICH_PPI_ACTIVER1_EL2,
	SYS_ICH_PPI_ENABLER0_EL2, SYS_ICH_PPI_ENABLER1_EL2, SYS_ICH_PPI_PENDR0_EL2, SYS_ICH_PPI_PENDR1_EL2,
	SYS_ICH_PPI_PRIORITYR0_EL2, SYS_ICH_PPI_PRIORITYR1_EL2, SYS_ICH_PPI_PRIORITYR2_EL2, SYS_ICH_PPI_PRIORITYR3_EL2,
	SYS_ICH_PPI_PRIORITYR4_EL2, SYS_ICH_PPI_PRIORITYR5_EL2, SYS_ICH_PPI_PRIORITYR6_EL2, SYS_ICH_PPI_PRIORITYR7_EL2,
	SYS_ICH_PPI_PRIORITYR8_EL2, SYS_ICH_PPI_PRIORITYR9_EL2, SYS_ICH_PPI_PRIORITYR10_EL2, SYS_ICH_PPI_PRIORITYR11_EL2,
	SYS_ICH_PPI_PRIORITYR12_EL2, SYS_ICH_PPI_PRIORITYR13_EL2, SYS_ICH_PPI_PRIORITYR14_EL2, SYS_ICH_PPI_PRIORITYR15_EL2,
};

static const enum sysreg exit_reads[] = {
	SYS_ICH_VMCR_EL2, SYS_ICC_ICSR_EL1, SYS_ICH_PPI_ACTIVER0_EL2, SYS_ICH_PPI_ENABLER0_EL2, SYS_ICH_PPI_PENDR0_EL2,
	SYS_ICH_PPI_PRIORITYR0_EL2, SYS_ICH_PPI_PRIORITYR1_EL2, SYS_ICH_PPI_PRIORITYR2_EL2, SYS_ICH_PPI_PRIORITYR3_EL2,
	SYS_ICH_PPI_PRIORITYR4_EL2, SYS_ICH_PPI_PRIORITYR5_EL2, SYS_ICH_PPI_PRIORITYR6_EL2, SYS_ICH_PPI_PRIORITYR7_EL2,
};

static const enum sysreg exit_writes[] = { SYS_ICH_PPI_DVIR0_EL2, SYS_ICH_PPI_DVIR1_EL2 };

static void entry(void **state)
{
	const struct kernel_config config = gicv5_kernel(true);
	struct step_bench b;

	(void)state;
	bench_start(&b, &config, true);
	kvm_vgic_flush_hwstate(b.cpu, &b.vcpu);
	assert_int_equal(locks_taken(&b, IRQ_LOCK_CLASS), 7);
	assert_int_equal(locks_taken(&b, AP_LIST_LOCK_CLASS), 0);
	EXPECT_REGISTERS(b.machine, entry_writes, .kind = REQUEST_SYSREG_WRITE);
	EXPECT(0, b.machine, .kind = REQUEST_SYSREG_READ);
	EXPECT(1, b.machine, .kind = REQUEST_BARRIER);
	EXPECT_BEFORE(b.machine, FILTER(.kind = REQUEST_LINE_ATOMIC), FILTER(.kind = REQUEST_SYSREG_WRITE));
	EXPECT_BEFORE(b.machine, FILTER(.kind = REQUEST_SYSREG_WRITE), FILTER(.barrier = BARRIER(DSB)));
	/* both timers are direct on VHE */
	assert_int_equal(recording_at(b.machine, FIRST(b.machine, .reg = REG(ICH_PPI_DVIR0_EL2)))->value, 1u << VTIMER_PPI | 1u << PTIMER_PPI);
	bench_stop(&b);
}

static void exit_of_the_guest(void **state)
{
	const struct kernel_config config = gicv5_kernel(true);
	struct step_bench b;

	(void)state;
	bench_start(&b, &config, true);
	recording_set_sysreg(b.cpu, SYS_ICH_PPI_ACTIVER0_EL2, 1u << VTIMER_PPI);
	kvm_vgic_sync_hwstate(b.cpu, &b.vcpu);
	EXPECT_REGISTERS(b.machine, exit_reads, .kind = REQUEST_SYSREG_READ);
	EXPECT_REGISTERS(b.machine, exit_writes, .kind = REQUEST_SYSREG_WRITE);
	EXPECT(1, b.machine, .kind = REQUEST_BARRIER);
	EXPECT_BEFORE(b.machine, FILTER(.kind = REQUEST_SYSREG_READ), FILTER(.kind = REQUEST_SYSREG_WRITE));
	EXPECT_BEFORE(b.machine, FILTER(.kind = REQUEST_SYSREG_WRITE), FILTER(.barrier = BARRIER(DSB)));
	EXPECT_BEFORE(b.machine, FILTER(.barrier = BARRIER(DSB)), FILTER(.kind = REQUEST_LINE_ATOMIC));
	assert_int_equal(locks_taken(&b, IRQ_LOCK_CLASS), 7);
	assert_true(b.vcpu.vtimer.guest_irq->active);
	assert_false(b.vcpu.ptimer.guest_irq->active);
	/* and at the next entry the guest finds it so */
	recording_clear(b.machine);
	kvm_vgic_flush_hwstate(b.cpu, &b.vcpu);
	assert_int_equal(recording_at(b.machine, FIRST(b.machine, .reg = REG(ICH_PPI_ACTIVER0_EL2)))->value, 1u << VTIMER_PPI);
	bench_stop(&b);
}

/* A round trip: 27 writes, 13 reads, 14 irq_locks, whatever is pending; no list registers. */
static void round_trip(void **state)
{
	const struct kernel_config config = gicv5_kernel(true);
	struct step_bench b;

	(void)state;
	bench_start(&b, &config, true);
	kvm_vgic_flush_hwstate(b.cpu, &b.vcpu);
	__kvm_vcpu_run_vhe(b.cpu, &b.vcpu);
	kvm_vgic_sync_hwstate(b.cpu, &b.vcpu);
	EXPECT(27, b.machine, .kind = REQUEST_SYSREG_WRITE, .class = CLASS(GICV5));
	EXPECT(12, b.machine, .kind = REQUEST_SYSREG_READ, .class = CLASS(GICV5));
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_READ, .class = CLASS(ICH));  /* ICH_VMCR_EL2, whose name is older */
	EXPECT(0, b.machine, .kind = REQUEST_SYSREG_WRITE, .class = CLASS(ICH));
	assert_int_equal(locks_taken(&b, IRQ_LOCK_CLASS), 14);
	bench_stop(&b);
}

/* nVHE: the same registers, in EL2 code; load and put by one call each; only the virtual timer is direct. */
static void nvhe(void **state)
{
	const struct kernel_config config = gicv5_kernel(false);
	struct step_bench b;

	(void)state;
	bench_start(&b, &config, true);
	kvm_vgic_flush_hwstate(b.cpu, &b.vcpu);
	EXPECT(0, b.machine, .class = CLASS(GICV5));
	assert_int_equal(locks_taken(&b, IRQ_LOCK_CLASS), 7);
	__kvm_vcpu_run_nvhe(b.cpu, &b.vcpu);
	EXPECT_REGISTERS(b.machine, entry_writes, .kind = REQUEST_SYSREG_WRITE, .within = "__hyp_vgic_restore_state");
	EXPECT_REGISTERS(b.machine, exit_reads, .kind = REQUEST_SYSREG_READ, .within = "__hyp_vgic_save_state");
	EXPECT_REGISTERS(b.machine, exit_writes, .kind = REQUEST_SYSREG_WRITE, .within = "__hyp_vgic_save_state");
	EXPECT(0, b.machine, .reg = REG(ICC_SRE_EL2));
	assert_int_equal(recording_at(b.machine, FIRST(b.machine, .reg = REG(ICH_PPI_DVIR0_EL2)))->value, 1u << VTIMER_PPI);

	recording_clear(b.machine);
	kvm_vgic_load(b.cpu, &b.vcpu);
	EXPECT(1, b.machine, .kind = REQUEST_EXCEPTION_ENTRY);
	EXPECT(3, b.machine, .kind = REQUEST_SYSREG_WRITE);
	kvm_vgic_put(b.cpu, &b.vcpu);
	EXPECT(2, b.machine, .kind = REQUEST_EXCEPTION_ENTRY);
	bench_stop(&b);
}

/* A GICv3 guest on a GICv5 host: the GICv3 steps, and V3 set at load. */
static void compat_mode(void **state)
{
	struct kernel_config config = gicv5_kernel(true);
	struct step_bench b;

	(void)state;
	config.guest_gic_v3 = true;
	bench_start(&b, &config, true);
	kvm_vgic_load(b.cpu, &b.vcpu);
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_WRITE, .reg = REG(ICH_VCTLR_EL2));
	assert_int_equal(recording_at(b.machine, FIRST(b.machine, .kind = REQUEST_SYSREG_WRITE))->value & 2, 2);
	EXPECT_BEFORE(b.machine, FILTER(.reg = REG(ICH_VCTLR_EL2)), FILTER(.reg = REG(ICH_VMCR_EL2)));
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_WRITE, .reg = REG(ICH_AP1R0_EL2));
	EXPECT(0, b.machine, .reg = REG(ICH_APR_EL2));
	kvm_vgic_flush_hwstate(b.cpu, &b.vcpu);
	kvm_vgic_sync_hwstate(b.cpu, &b.vcpu);
	EXPECT(2, b.machine, .class = CLASS(GICV5));
	bench_stop(&b);
}

static uint32_t taken;

static void handler(struct cpu *cpu, void *context, uint32_t interrupt)
{
	(void)context;
	cpu_sysreg_write(cpu, SYS_CNTV_CTL_EL0, 0);
	taken = interrupt;
}

/* Its timer fires while it runs: the guest's instructions alone, and its work goes on. */
static void takes_its_timer(void **state)
{
	static const enum guest_exit signalled[] = { GUEST_INTERRUPT, GUEST_EXIT_TRAP };
	const struct kernel_config config = gicv5_kernel(true);
	struct step_bench b;

	(void)state;
	taken = 0;
	bench_start(&b, &config, true);
	b.vcpu.guest.interrupt = handler;
	recording_script_guest(b.machine, signalled, 2);
	recording_set_sysreg(b.cpu, SYS_ICV_CDIA, 1ull << 32 | 1ull << 29 | VTIMER_PPI);
	assert_int_equal(guest_run(b.cpu, &b.vcpu), GUEST_EXIT_TRAP);
	assert_int_equal(taken, VTIMER_PPI);
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_READ, .reg = REG(ICV_CDIA));
	EXPECT_BEFORE(b.machine, FILTER(.reg = REG(ICV_CDIA)), FILTER(.reg = REG(ICV_CDEOI)));
	EXPECT_BEFORE(b.machine, FILTER(.reg = REG(ICV_CDEOI)), FILTER(.reg = REG(CNTV_CTL_EL0)));
	EXPECT_BEFORE(b.machine, FILTER(.reg = REG(CNTV_CTL_EL0)), FILTER(.reg = REG(ICV_CDDI)));
	assert_int_equal(recording_at(b.machine, FIRST(b.machine, .reg = REG(ICV_CDDI)))->value, 1u << 29 | VTIMER_PPI);
	EXPECT(1, b.machine, .kind = REQUEST_EXCEPTION_ENTRY);  /* the guest's own */
	EXPECT(0, b.machine, .kind = REQUEST_LINE_ATOMIC);
	bench_stop(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(load_and_put),
		cmocka_unit_test(blocking_takes_seven_locks),
		cmocka_unit_test(entry),
		cmocka_unit_test(exit_of_the_guest),
		cmocka_unit_test(round_trip),
		cmocka_unit_test(nvhe),
		cmocka_unit_test(compat_mode),
		cmocka_unit_test(takes_its_timer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
