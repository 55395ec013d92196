// SPDX-License-Identifier: Apache-2.0
/*
 * vPE residency on GICv4 (arch/arm64/kvm/vgic/vgic-v4.c, drivers/irqchip/irq-gic-v3-its.c). Load: affinity under the vPE interrupt's
 * descriptor lock and vpe_lock, then VPENDBASER (and VPROPBASER on GICv4.0) under the descriptor lock; GICv4.0 clears the doorbell. The
 * wait for Dirty stands in the load or before the first entry (v5.11 and later). Put: Dirty, VPENDBASER read, written, Dirty. Up to
 * v5.4 all of it at every flush and sync.
 */
#include "tests/step/step_bench.h"

#define VPE_DESC INSTANCE(2 + BENCH_VCPU)
#define VPROPBASER 0x20070
#define VPENDBASER 0x20078
#define VALID (1ull << 63)
#define DOORBELL (1ull << 62)

static struct kernel_config gicv4_kernel(enum gic_version gic)
{
	struct kernel_config config = recent_kernel();

	config.gic = gic;
	config.direct_msi = true;
	return config;
}

static uint64_t value_of(const struct step_bench *b, uint64_t address)
{
	return recording_at(b->machine, LAST(b->machine, .kind = REQUEST_MMIO_WRITE, .address = b->own_redistributor + address))->value;
}

static void load_on_v4_1(void **state)
{
	const struct kernel_config config = gicv4_kernel(GIC_V4_1);
	struct step_bench b;

	(void)state;
	bench_start(&b, &config, true);
	vgic_v4_load(b.cpu, &b.vcpu);
	EXPECT(2, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = DESC_LOCK, .instance = VPE_DESC);
	EXPECT(1, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = "its_vpe", .within = "irq_set_affinity");
	EXPECT(3, b.machine, .kind = REQUEST_LINE_ATOMIC);
	EXPECT(1, b.machine, .kind = REQUEST_MMIO_WRITE);
	assert_int_equal(value_of(&b, VPENDBASER), VALID | BENCH_VCPU);
	EXPECT(0, b.machine, .kind = REQUEST_MMIO_READ);  /* the wait is the first entry's */
	EXPECT_BEFORE(b.machine, FILTER(.within = "irq_set_affinity"), FILTER(.kind = REQUEST_MMIO_WRITE));
	EXPECT(0, b.machine, .irqs = IRQS_ON, .kind = REQUEST_MMIO_WRITE);

	recording_clear(b.machine);
	vgic_v4_load(b.cpu, &b.vcpu);  /* resident already */
	EXPECT(0, b.machine, .kind = REQUEST_LINE_ATOMIC);
	EXPECT(0, b.machine, .kind = REQUEST_MMIO_WRITE);

	/* the first entry looks, without a lock; the second does not */
	vgic_v4_commit(b.cpu, &b.vcpu);
	EXPECT(1, b.machine, .kind = REQUEST_MMIO_READ, .address = b.own_redistributor + VPENDBASER);
	EXPECT(0, b.machine, .kind = REQUEST_LINE_ATOMIC);
	vgic_v4_commit(b.cpu, &b.vcpu);
	EXPECT(1, b.machine, .kind = REQUEST_MMIO_READ);
	bench_stop(&b);
}

static void wait_in_the_load(void **state)
{
	struct kernel_config config = gicv4_kernel(GIC_V4_1);
	struct step_bench b;

	(void)state;
	config.gicv4_vpt_wait_at_entry = false;
	bench_start(&b, &config, true);
	vgic_v4_load(b.cpu, &b.vcpu);
	EXPECT(1, b.machine, .kind = REQUEST_MMIO_READ, .address = b.own_redistributor + VPENDBASER);
	/* under the descriptor lock */
	EXPECT(0, b.machine, .kind = REQUEST_MMIO_READ, .irqs = IRQS_ON);
	assert_true(FIRST(b.machine, .kind = REQUEST_MMIO_READ) < LAST(b.machine, .kind = REQUEST_LINE_RELEASE));
	recording_clear(b.machine);
	vgic_v4_commit(b.cpu, &b.vcpu);
	EXPECT(0, b.machine, .kind = REQUEST_MMIO_READ);
	bench_stop(&b);
}

static void load_on_v4_0(void **state)
{
	const struct kernel_config config = gicv4_kernel(GIC_V4_0);
	struct step_bench b;

	(void)state;
	bench_start(&b, &config, true);
	vgic_v4_load(b.cpu, &b.vcpu);
	EXPECT(3, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = DESC_LOCK, .instance = VPE_DESC);
	EXPECT(3, b.machine, .kind = REQUEST_MMIO_WRITE);
	EXPECT_BEFORE(b.machine, FILTER(.address = b.own_redistributor + VPROPBASER), FILTER(.address = b.own_redistributor + VPENDBASER));
	EXPECT(1, b.machine, .kind = REQUEST_MMIO_WRITE, .address = b.own_redistributor + 0x48);  /* CLRLPIR: the doorbell */
	assert_int_equal(value_of(&b, 0x48), 8192 + BENCH_VCPU);
	EXPECT(1, b.machine, .kind = REQUEST_MMIO_READ);
	EXPECT(1, b.machine, .kind = REQUEST_MMIO_READ, .address = b.own_redistributor + 0xc0);   /* SYNCR */
	vgic_v4_commit(b.cpu, &b.vcpu);
	EXPECT(1, b.machine, .kind = REQUEST_MMIO_READ);  /* nothing to wait for */
	bench_stop(&b);
}

static void put(void **state)
{
	const struct kernel_config config = gicv4_kernel(GIC_V4_1);
	struct step_bench b;

	(void)state;
	bench_start(&b, &config, true);
	vgic_v4_put(b.cpu, &b.vcpu, false);  /* not resident */
	EXPECT(0, b.machine, .kind = REQUEST_MMIO_READ);
	vgic_v4_load(b.cpu, &b.vcpu);
	recording_clear(b.machine);
	vgic_v4_put(b.cpu, &b.vcpu, false);
	EXPECT(3, b.machine, .kind = REQUEST_MMIO_READ, .address = b.own_redistributor + VPENDBASER);
	EXPECT(3, b.machine, .kind = REQUEST_MMIO_READ);
	EXPECT(1, b.machine, .kind = REQUEST_MMIO_WRITE);
	assert_int_equal(value_of(&b, VPENDBASER) & (VALID | DOORBELL), 0);
	EXPECT(0, b.machine, .kind = REQUEST_LINE_ATOMIC);

	/* blocking: the doorbell, under vpe_lock */
	vgic_v4_load(b.cpu, &b.vcpu);
	recording_clear(b.machine);
	vgic_v4_put(b.cpu, &b.vcpu, true);
	assert_int_equal(value_of(&b, VPENDBASER) & (VALID | DOORBELL), DOORBELL);
	EXPECT(1, b.machine, .kind = REQUEST_LINE_ATOMIC);
	EXPECT(1, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = "its_vpe");
	EXPECT_BEFORE(b.machine, FILTER(.kind = REQUEST_LINE_ATOMIC), FILTER(.kind = REQUEST_MMIO_READ));
	EXPECT_BEFORE(b.machine, FILTER(.kind = REQUEST_MMIO_READ), FILTER(.kind = REQUEST_LINE_RELEASE));
	bench_stop(&b);
}

/* Where it stands in vgic_load and vgic_put, and that a VM without direct MSIs knows nothing of it. */
static void at_load_and_put(void **state)
{
	struct kernel_config config = gicv4_kernel(GIC_V4_1);
	struct step_bench b;

	(void)state;
	bench_start(&b, &config, true);
	kvm_vgic_load(b.cpu, &b.vcpu);
	EXPECT(1, b.machine, .kind = REQUEST_MMIO_WRITE);
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_WRITE, .reg = REG(ICH_HCR_EL2));
	EXPECT_BEFORE(b.machine, FILTER(.reg = REG(ICH_VMCR_EL2)), FILTER(.kind = REQUEST_MMIO_WRITE));
	recording_clear(b.machine);
	kvm_vgic_flush_hwstate(b.cpu, &b.vcpu);
	EXPECT(1, b.machine, .kind = REQUEST_MMIO_READ);
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_WRITE, .reg = REG(ICH_HCR_EL2));
	EXPECT(0, b.machine, .kind = REQUEST_MMIO_WRITE);
	kvm_vgic_sync_hwstate(b.cpu, &b.vcpu);
	EXPECT(0, b.machine, .kind = REQUEST_MMIO_WRITE);
	recording_clear(b.machine);
	kvm_vgic_put(b.cpu, &b.vcpu);
	EXPECT(1, b.machine, .kind = REQUEST_MMIO_WRITE);
	EXPECT_BEFORE(b.machine, FILTER(.kind = REQUEST_MMIO_WRITE), FILTER(.reg = REG(ICH_VMCR_EL2)));
	bench_stop(&b);

	config.direct_msi = false;
	bench_start(&b, &config, true);
	kvm_vgic_load(b.cpu, &b.vcpu);
	kvm_vgic_flush_hwstate(b.cpu, &b.vcpu);
	kvm_vgic_put(b.cpu, &b.vcpu);
	EXPECT(0, b.machine, .kind = REQUEST_MMIO_WRITE);
	EXPECT(0, b.machine, .kind = REQUEST_MMIO_READ);
	bench_stop(&b);
}

/* v4.13 to v5.4. */
static void at_every_switch(void **state)
{
	struct kernel_config config = gicv4_kernel(GIC_V4_0);
	struct step_bench b;

	(void)state;
	config.gicv4_resident_at_load = false;
	bench_start(&b, &config, true);
	kvm_vgic_load(b.cpu, &b.vcpu);
	EXPECT(0, b.machine, .kind = REQUEST_MMIO_WRITE);
	for (int turn = 0; turn < 2; turn++) {
		recording_clear(b.machine);
		kvm_vgic_flush_hwstate(b.cpu, &b.vcpu);
		EXPECT(3, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = DESC_LOCK, .instance = VPE_DESC);
		EXPECT(3, b.machine, .kind = REQUEST_MMIO_WRITE);
		kvm_vgic_sync_hwstate(b.cpu, &b.vcpu);
		EXPECT(4, b.machine, .kind = REQUEST_MMIO_WRITE);
		EXPECT(4, b.machine, .kind = REQUEST_MMIO_READ);
	}
	recording_clear(b.machine);
	kvm_vgic_put(b.cpu, &b.vcpu);
	EXPECT(0, b.machine, .kind = REQUEST_MMIO_WRITE);
	bench_stop(&b);
}

/* The doorbell: an LPI of the host, handled under its descriptor's lock, makes a request and kicks the vCPU. */
static void doorbell(void **state)
{
	const struct kernel_config config = gicv4_kernel(GIC_V4_1);
	struct step_bench b;

	(void)state;
	bench_start(&b, &config, true);
	vgic_v4_load(b.cpu, &b.vcpu);
	vgic_v4_put(b.cpu, &b.vcpu, true);
	assert_false(b.vcpu.vpe.pending_last);
	recording_set_sysreg(b.cpu, SYS_ICC_IAR1_EL1, 8192 + BENCH_VCPU);
	recording_clear(b.machine);
	el1_interrupt(b.cpu, b.kernel);
	assert_true(b.vcpu.vpe.pending_last);
	assert_true(b.vcpu.requests & KVM_REQ_IRQ_PENDING);
	EXPECT(2, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = DESC_LOCK, .instance = VPE_DESC);
	EXPECT(1, b.machine, .kind = REQUEST_FUNCTION, .function = "kvm_vcpu_kick");
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_WRITE, .reg = REG(ICC_EOIR1_EL1));
	EXPECT(0, b.machine, .reg = REG(ICC_DIR_EL1));
	vgic_v4_load(b.cpu, &b.vcpu);
	assert_false(b.vcpu.vpe.pending_last);
	bench_stop(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(load_on_v4_1),
		cmocka_unit_test(wait_in_the_load),
		cmocka_unit_test(load_on_v4_0),
		cmocka_unit_test(put),
		cmocka_unit_test(at_load_and_put),
		cmocka_unit_test(at_every_switch),
		cmocka_unit_test(doorbell),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
