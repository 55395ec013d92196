// SPDX-License-Identifier: Apache-2.0
/*
 * GICv2: GICH by MMIO from the host, VHE or not. Load two writes, put two reads; with one interrupt two writes at entry, and at the exit two reads and two
 * writes; nothing while the list is empty, to v6.18. v3.18: eight status registers and all list registers read at every exit, three and all list
 * registers written at every entry.
 */
#include "tests/step/vgic_bench.h"

enum { GICH_HCR = 0x0, GICH_VMCR = 0x8, GICH_ELRSR0 = 0x30, GICH_APR = 0xf0, GICH_LR0 = 0x100 };
enum { GICV_IAR = 0xc, GICV_EOIR = 0x10, GICV_DIR = 0x1000 };

static struct kernel_config gic_v2(bool vhe)
{
	struct kernel_config config = vhe ? recent_kernel() : recent_nvhe_kernel();

	config.gic = GIC_V2;
	return config;
}

static uint64_t frame(const struct step_bench *b, enum gic_interface interface, uint64_t offset)
{
	return gic_frame_address(b->machine, interface, (cpu_id){ BENCH_CPU }) + offset;
}

static uint64_t gich(const struct step_bench *b, uint64_t offset)
{
	return frame(b, GIC_FRAME_HYPERVISOR, offset);
}

static uint64_t last_write(const struct step_bench *b, uint64_t address)
{
	return recording_at(b->machine, LAST(b->machine, .kind = REQUEST_MMIO_WRITE, .address = address))->value;
}

static void load_and_put(void **state)
{
	(void)state;
	for (int vhe = 0; vhe <= 1; vhe++) {
		const struct kernel_config config = gic_v2(vhe);
		struct step_bench b;

		bench_start(&b, &config, true);
		kvm_vgic_load(b.cpu, &b.vcpu);
		EXPECT(2, b.machine, .kind = REQUEST_MMIO_WRITE);
		EXPECT(1, b.machine, .kind = REQUEST_MMIO_WRITE, .address = gich(&b, GICH_VMCR));
		EXPECT(1, b.machine, .kind = REQUEST_MMIO_WRITE, .address = gich(&b, GICH_APR));
		recording_clear(b.machine);
		kvm_vgic_put(b.cpu, &b.vcpu);
		EXPECT(2, b.machine, .kind = REQUEST_MMIO_READ);
		EXPECT(1, b.machine, .kind = REQUEST_MMIO_READ, .address = gich(&b, GICH_VMCR));
		EXPECT(1, b.machine, .kind = REQUEST_MMIO_READ, .address = gich(&b, GICH_APR));
		EXPECT(0, b.machine, .kind = REQUEST_EXCEPTION_ENTRY);
		EXPECT(0, b.machine, .class = CLASS(ICH));
		recording_clear(b.machine);
		kvm_vgic_flush_hwstate(b.cpu, &b.vcpu);
		kvm_vgic_sync_hwstate(b.cpu, &b.vcpu);
		EXPECT(0, b.machine, .kind = REQUEST_MMIO_WRITE);
		EXPECT(0, b.machine, .kind = REQUEST_MMIO_READ);
		bench_stop(&b);
	}
}

static void one_timer_interrupt(void **state)
{
	const struct kernel_config config = gic_v2(false);
	struct step_bench b;

	(void)state;
	bench_start(&b, &config, true);
	vtimer_pending(&b);
	kvm_vgic_flush_hwstate(b.cpu, &b.vcpu);
	EXPECT(2, b.machine, .kind = REQUEST_MMIO_WRITE);
	assert_int_equal(last_write(&b, gich(&b, GICH_HCR)), 1);
	/* HW, pending, priority 0xa0 in five bits, physical and virtual number */
	assert_int_equal(last_write(&b, gich(&b, GICH_LR0)), 1u << 31 | 1u << 28 | 0xa0u >> 3 << 23 | VTIMER_PPI << 10 | VTIMER_PPI);
	recording_clear(b.machine);
	recording_answer_mmio(b.machine, gich(&b, GICH_ELRSR0), 0, 1);
	kvm_vgic_sync_hwstate(b.cpu, &b.vcpu);
	EXPECT(2, b.machine, .kind = REQUEST_MMIO_READ);
	EXPECT(1, b.machine, .kind = REQUEST_MMIO_READ, .address = gich(&b, GICH_LR0));
	EXPECT(2, b.machine, .kind = REQUEST_MMIO_WRITE);
	assert_int_equal(last_write(&b, gich(&b, GICH_LR0)), 0);
	assert_int_equal(last_write(&b, gich(&b, GICH_HCR)), 0);
	EXPECT_BEFORE(b.machine, FILTER(.address = gich(&b, GICH_LR0)), FILTER(.address = gich(&b, GICH_HCR)));
	bench_stop(&b);

	/* reported empty: not read */
	bench_start(&b, &config, true);
	vtimer_pending(&b);
	kvm_vgic_flush_hwstate(b.cpu, &b.vcpu);
	recording_answer_mmio(b.machine, gich(&b, GICH_ELRSR0), 1, 1);
	kvm_vgic_sync_hwstate(b.cpu, &b.vcpu);
	EXPECT(1, b.machine, .kind = REQUEST_MMIO_READ);
	assert_null(b.vcpu.vgic.ap_list);
	bench_stop(&b);
}

/* v6.19 and later: GICH_VMCR read and GICH_HCR written at every exit, GICH_HCR at every entry. */
static void always(void **state)
{
	struct kernel_config config = gic_v2(true);
	struct step_bench b;

	(void)state;
	config.vgic_always = true;
	config.vmcr = VMCR_LOAD_AND_EXIT;
	bench_start(&b, &config, true);
	kvm_vgic_flush_hwstate(b.cpu, &b.vcpu);
	kvm_vgic_sync_hwstate(b.cpu, &b.vcpu);
	EXPECT(2, b.machine, .kind = REQUEST_MMIO_WRITE, .address = gich(&b, GICH_HCR));
	EXPECT(2, b.machine, .kind = REQUEST_MMIO_WRITE);
	EXPECT(1, b.machine, .kind = REQUEST_MMIO_READ, .address = gich(&b, GICH_VMCR));
	EXPECT(1, b.machine, .kind = REQUEST_MMIO_READ);
	bench_stop(&b);
}

static void first_version(void **state)
{
	struct kernel_config config = gic_v2(false);
	struct step_bench b;

	(void)state;
	config.vgic_lock_per_vm = true;
	config.vmcr = VMCR_EVERY_SWITCH;
	bench_start(&b, &config, true);
	kvm_vgic_load(b.cpu, &b.vcpu);
	kvm_vgic_put(b.cpu, &b.vcpu);
	EXPECT(0, b.machine, .kind = REQUEST_MMIO_READ);
	EXPECT(0, b.machine, .kind = REQUEST_MMIO_WRITE);
	kvm_vgic_flush_hwstate(b.cpu, &b.vcpu);
	EXPECT(3 + 4, b.machine, .kind = REQUEST_MMIO_WRITE);
	recording_clear(b.machine);
	kvm_vgic_sync_hwstate(b.cpu, &b.vcpu);
	EXPECT(8 + 4, b.machine, .kind = REQUEST_MMIO_READ);
	EXPECT(1, b.machine, .kind = REQUEST_MMIO_WRITE);
	bench_stop(&b);
}

/* An SGI is pending once for each sender: one at a time in the list register, with the sender's number, and a maintenance interrupt while there are more. */
static void senders(void **state)
{
	const struct kernel_config config = gic_v2(true);
	struct kvm_vcpu other;
	struct step_bench b;
	uint64_t first, second;

	(void)state;
	bench_start(&b, &config, true);
	other_vcpu(&b, &other, false);
	vgic_mmio_write_sgir(b.cpu, &b.vcpu, 1, 2);
	vgic_mmio_write_sgir(b.cpu, &other, 1, 2);
	kvm_vgic_flush_hwstate(b.cpu, &other);
	first = last_write(&b, gich(&b, GICH_LR0));
	recording_answer_mmio(b.machine, gich(&b, GICH_ELRSR0), 1, 1);
	kvm_vgic_sync_hwstate(b.cpu, &other);
	kvm_vgic_flush_hwstate(b.cpu, &other);
	second = last_write(&b, gich(&b, GICH_LR0));
	assert_int_equal(first & 0x3ff, 2);
	assert_int_equal(first >> 10 & 7, OTHER_VCPU % 8);
	assert_true(first & 1u << 19);
	assert_int_equal(second >> 10 & 7, BENCH_VCPU);
	assert_false(second & 1u << 19);
	bench_stop(&b);
}

static void guest_side(void **state)
{
	static const enum guest_exit script[] = { GUEST_INTERRUPT };
	const struct kernel_config config = gic_v2(true);
	struct step_bench b;

	(void)state;
	bench_start(&b, &config, true);
	b.vcpu.guest.split_eoi = true;
	recording_script_guest(b.machine, script, 1);
	recording_answer_mmio(b.machine, frame(&b, GIC_FRAME_VIRTUAL_CPU, GICV_IAR), 3 << 10 | 2, 1);
	kvm_run_ioctl(b.cpu, &b.vcpu);
	EXPECT(1, b.machine, .kind = REQUEST_MMIO_READ, .address = frame(&b, GIC_FRAME_VIRTUAL_CPU, GICV_IAR));
	assert_int_equal(last_write(&b, frame(&b, GIC_FRAME_VIRTUAL_CPU, GICV_EOIR)), 3 << 10 | 2);
	assert_int_equal(last_write(&b, frame(&b, GIC_FRAME_VIRTUAL_CPU, GICV_DIR)), 3 << 10 | 2);
	bench_stop(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(load_and_put),
		cmocka_unit_test(one_timer_interrupt),
		cmocka_unit_test(always),
		cmocka_unit_test(first_version),
		cmocka_unit_test(senders),
		cmocka_unit_test(guest_side),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
