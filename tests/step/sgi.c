// SPDX-License-Identifier: Apache-2.0
/*
 * A guest's SGI: how many vCPUs are looked at with each way to find the target (kernel.sgi_lookup), and what is done for the target: irq_lock twice, ap_list_lock
 * once, a request, the kick. GICv2: a write of GICD_SGIR, emulated like any other access.
 */
#include <stdlib.h>

#include "tests/step/vgic_bench.h"

#define VCPUS 40u

static struct kvm_vcpu vcpus[VCPUS];

/* A VM of its own, its vCPUs numbered from 0 on; vCPU 0 runs here. */
static struct kvm *large_vm(struct step_bench *b, const struct kernel_config *config)
{
	static struct kvm kvm;

	bench_start(b, config, true);
	kvm_init(&kvm, b->kernel, true, 1);
	for (uint32_t n = 0; n < VCPUS; n++)
		kvm_vcpu_init(&vcpus[n], &kvm, (vcpu_id){ n });
	b->kernel->running_vcpu[BENCH_CPU] = &vcpus[0];
	recording_clear(b->machine);
	return &kvm;
}

static void stop(struct step_bench *b)
{
	free(vcpus[0].kvm->vcpus);
	free(vcpus[0].kvm->last_vcpu_ran);
	bench_stop(b);
}

static void look_up(void **state)
{
	/* visited: all up to the target; those of its group of 16 up to it; the target alone */
	static const struct { enum sgi_lookup lookup; uint32_t target; size_t visited; } cases[] = {
		{ SGI_LOOKUP_LINEAR, 1, 2 }, { SGI_LOOKUP_LINEAR, 15, 16 }, { SGI_LOOKUP_LINEAR, 16, 17 }, { SGI_LOOKUP_LINEAR, 39, 40 },
		{ SGI_LOOKUP_GROUP, 1, 2 }, { SGI_LOOKUP_GROUP, 15, 16 }, { SGI_LOOKUP_GROUP, 16, 1 }, { SGI_LOOKUP_GROUP, 39, 8 },
	};

	(void)state;
	for (size_t n = 0; n < sizeof(cases) / sizeof(cases[0]); n++) {
		struct kernel_config config = recent_kernel();
		struct step_bench b;

		config.sgi_lookup = cases[n].lookup;
		large_vm(&b, &config);
		access_gic_sgi(b.cpu, &vcpus[0], cases[n].target, 1);
		EXPECT(cases[n].visited, b.machine, .kind = REQUEST_LINE_READ, .line = "vcpu MPIDR");
		EXPECT(cases[n].visited, b.machine, .kind = REQUEST_FUNCTION, .function = "xa_find_after");
		EXPECT(1, b.machine, .kind = REQUEST_LINE_READ, .line = "vcpu MPIDR", .instance = INSTANCE(cases[n].target));
		assert_true(vcpus[cases[n].target].vgic.private_irqs[1].pending_latch);
		stop(&b);
	}
}

static void table(void **state)
{
	const struct kernel_config config = recent_kernel();

	(void)state;
	for (uint32_t target = 1; target < VCPUS; target += 19) {
		struct step_bench b;

		large_vm(&b, &config);
		access_gic_sgi(b.cpu, &vcpus[0], target, 1);
		EXPECT(1, b.machine, .kind = REQUEST_LINE_READ, .line = "kvm vcpu_array");
		EXPECT(1, b.machine, .kind = REQUEST_LINE_READ, .line = "vcpu MPIDR");
		EXPECT(0, b.machine, .kind = REQUEST_FUNCTION, .function = "xa_find_after");
		stop(&b);
	}
}

static void target_in_its_guest(void **state)
{
	const struct kernel_config config = recent_kernel();
	struct step_bench b;

	(void)state;
	large_vm(&b, &config);
	vcpus[9].mode = IN_GUEST_MODE;
	vcpus[9].cpu = OTHER_CPU;
	access_gic_sgi(b.cpu, &vcpus[0], 9, 1);
	EXPECT(2, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = "vgic_irq SGI", .instance = INSTANCE(9 * 32 + 1));
	EXPECT(1, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = AP_LIST, .instance = INSTANCE(9));
	EXPECT(2, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = "vcpu requests", .instance = INSTANCE(9));
	EXPECT(5, b.machine, .kind = REQUEST_LINE_ATOMIC);
	EXPECT(1, b.machine, .kind = REQUEST_SYSREG_WRITE);
	assert_int_equal(written(&b, SYS_ICC_SGI1R_EL1), 1u << OTHER_CPU);
	/* a second one before the first is taken: the interrupt is listed, so its lock alone; the vCPU is on its way out */
	recording_clear(b.machine);
	access_gic_sgi(b.cpu, &vcpus[0], 9, 1);
	EXPECT(1, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = "vgic_irq SGI");
	EXPECT(0, b.machine, .line = AP_LIST);
	EXPECT(0, b.machine, .kind = REQUEST_SYSREG_WRITE);
	stop(&b);
}

static struct guest_step then_leave(struct cpu *cpu, void *context)
{
	(void)cpu;
	(void)context;
	return (struct guest_step){ .work = 1000, .operation = GUEST_MMIO_READ_USER };
}

/* From the trap on: a table of registers on GICv3; on GICv2 a data abort, so the fault's addresses, slots and bus. */
static void from_the_trap(void **state)
{
	(void)state;
	for (int v2 = 0; v2 <= 1; v2++) {
		struct kernel_config config = recent_kernel();
		struct kvm_vcpu other;
		struct step_bench b;

		config.gic = v2 ? GIC_V2 : GIC_V3;
		bench_start(&b, &config, true);
		other_vcpu(&b, &other, true);
		b.vcpu.guest = (struct guest_program){ .step = { 1000, GUEST_SGI, 1 }, .next = then_leave };
		kvm_run_ioctl(b.cpu, &b.vcpu);
		EXPECT(!v2, b.machine, .kind = REQUEST_FUNCTION, .function = "vgic_v3_dispatch_sgi");
		EXPECT(v2, b.machine, .kind = REQUEST_FUNCTION, .function = "vgic_mmio_write_sgir");
		EXPECT(v2, b.machine, .kind = REQUEST_FUNCTION, .function = "kvm_io_bus_write");
		assert_true(other.vgic.private_irqs[GUEST_SGI_INTID].pending_latch);
		assert_int_equal(other.vgic.private_irqs[GUEST_SGI_INTID].source, v2 ? 1u << BENCH_VCPU : 0);
		assert_int_equal(other.mode, EXITING_GUEST_MODE);
		bench_stop(&b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(look_up),
		cmocka_unit_test(table),
		cmocka_unit_test(target_in_its_guest),
		cmocka_unit_test(from_the_trap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
