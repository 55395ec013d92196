// SPDX-License-Identifier: Apache-2.0
/*
 * The guest PMU's interrupt level around an entry, and the host's event filters. Steps: kvm_pmu_flush_hwstate and _sync_hwstate of v4.6 and
 * later compare with the level last given and touch the vGIC on a change only; as first proposed the flush injected at every entry
 * (virt/kvm/arm/pmu.c). Filters: PMEVTYPER read and written for each event at load and put on VHE, PMCNTENCLR and PMCNTENSET each way on nVHE.
 */
#include "tests/step/step_bench.h"

#define PMU_LINE "vgic_irq pmu"

static void start(struct step_bench *b, const struct kernel_config *config, uint32_t host_events)
{
	bench_start(b, config, true);
	b->vcpu.pmu = (struct kvm_pmu){ .present = true, .pmcr = 1, .pmcntenset = 5, .pmintenset = 1, .host_events = host_events };
}

static void no_pmu_no_steps(void **state)
{
	const struct kernel_config config = recent_kernel();
	struct step_bench b;

	(void)state;
	bench_start(&b, &config, true);
	kvm_run_ioctl(b.cpu, &b.vcpu);
	EXPECT(0, b.machine, .function = "kvm_pmu_flush_hwstate");
	EXPECT(0, b.machine, .function = "kvm_pmu_sync_hwstate");
	EXPECT(0, b.machine, .line = PMU_LINE);
	bench_stop(&b);
}

/* Memory only, in both directions. */
static void unchanged_level_touches_no_lock(void **state)
{
	const struct kernel_config config = recent_kernel();
	struct step_bench b;

	(void)state;
	start(&b, &config, 0);
	kvm_run_ioctl(b.cpu, &b.vcpu);
	EXPECT(1, b.machine, .function = "kvm_pmu_flush_hwstate");
	EXPECT(1, b.machine, .function = "kvm_pmu_sync_hwstate");
	EXPECT(0, b.machine, .kind = REQUEST_LINE_ATOMIC, .within = "kvm_pmu_flush_hwstate");
	EXPECT(0, b.machine, .class = CLASS(ORDINARY), .within = "kvm_pmu_flush_hwstate");
	EXPECT(0, b.machine, .line = PMU_LINE);
	EXPECT(0, b.machine, .reg = REG(PMEVTYPER_EL0));
	EXPECT_BEFORE(b.machine, FILTER(.function = "kvm_pmu_flush_hwstate"), FILTER(.function = "kvm_vgic_flush_hwstate"));
	EXPECT_BEFORE(b.machine, FILTER(.function = "kvm_pmu_sync_hwstate"), FILTER(.function = "kvm_vgic_sync_hwstate"));
	bench_stop(&b);
}

/* One irq_lock at every entry, although the level is what it was. */
static void injected_at_every_entry(void **state)
{
	struct kernel_config config = recent_kernel();
	struct step_bench b;

	(void)state;
	config.pmu_inject_every_entry = true;
	start(&b, &config, 0);
	kvm_run_ioctl(b.cpu, &b.vcpu);
	EXPECT(1, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = PMU_LINE, .within = "kvm_pmu_flush_hwstate");
	EXPECT(1, b.machine, .kind = REQUEST_LINE_RELEASE, .line = PMU_LINE, .within = "kvm_pmu_flush_hwstate");
	kvm_run_ioctl(b.cpu, &b.vcpu);
	EXPECT(2, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = PMU_LINE);
	EXPECT(0, b.machine, .kind = REQUEST_LINE_ATOMIC, .line = PMU_LINE, .within = "kvm_pmu_sync_hwstate");
	bench_stop(&b);
}

/* Counted, enabled, with its interrupt enabled, and the PMU on: all four, or there is no level. */
static void level_needs_all_four(void **state)
{
	const struct kernel_config config = recent_kernel();
	const struct kvm_pmu off[] = {
		{ .pmcr = 0, .pmovsset = 1, .pmcntenset = 1, .pmintenset = 1 },
		{ .pmcr = 1, .pmovsset = 2, .pmcntenset = 1, .pmintenset = 1 },
		{ .pmcr = 1, .pmovsset = 1, .pmcntenset = 2, .pmintenset = 1 },
		{ .pmcr = 1, .pmovsset = 1, .pmcntenset = 1, .pmintenset = 2 },
	};

	(void)state;
	for (size_t n = 0; n < sizeof(off) / sizeof(off[0]); n++) {
		struct step_bench b;

		start(&b, &config, 0);
		b.vcpu.pmu = off[n];
		b.vcpu.pmu.present = true;
		kvm_pmu_flush_hwstate(b.cpu, &b.vcpu);
		assert_false(b.vcpu.pmu.irq_level);
		EXPECT(0, b.machine, .line = PMU_LINE);
		bench_stop(&b);
	}
}

static void filters_on_vhe(void **state)
{
	const struct kernel_config config = recent_kernel();
	struct step_bench b;

	(void)state;
	start(&b, &config, 3);
	kvm_run_ioctl(b.cpu, &b.vcpu);
	EXPECT(3, b.machine, .kind = REQUEST_SYSREG_READ, .reg = REG(PMEVTYPER_EL0), .within = "kvm_arch_vcpu_load");
	EXPECT(3, b.machine, .kind = REQUEST_SYSREG_WRITE, .reg = REG(PMEVTYPER_EL0), .within = "kvm_arch_vcpu_load");
	EXPECT(3, b.machine, .kind = REQUEST_SYSREG_READ, .reg = REG(PMEVTYPER_EL0), .within = "kvm_arch_vcpu_put");
	EXPECT(3, b.machine, .kind = REQUEST_SYSREG_WRITE, .reg = REG(PMEVTYPER_EL0), .within = "kvm_arch_vcpu_put");
	EXPECT(0, b.machine, .reg = REG(PMEVTYPER_EL0), .within = "__kvm_vcpu_run");
	EXPECT(0, b.machine, .reg = REG(PMCNTENSET_EL0));
	bench_stop(&b);
}

static void filters_on_nvhe(void **state)
{
	const struct kernel_config config = recent_nvhe_kernel();
	struct step_bench b;

	(void)state;
	start(&b, &config, 3);
	kvm_run_ioctl(b.cpu, &b.vcpu);
	EXPECT(0, b.machine, .reg = REG(PMEVTYPER_EL0));
	EXPECT(2, b.machine, .kind = REQUEST_SYSREG_WRITE, .reg = REG(PMCNTENCLR_EL0), .within = "__kvm_vcpu_run");
	EXPECT(2, b.machine, .kind = REQUEST_SYSREG_WRITE, .reg = REG(PMCNTENSET_EL0), .within = "__kvm_vcpu_run");
	bench_stop(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_pmu_no_steps),
		cmocka_unit_test(unchanged_level_touches_no_lock),
		cmocka_unit_test(injected_at_every_entry),
		cmocka_unit_test(level_needs_all_four),
		cmocka_unit_test(filters_on_vhe),
		cmocka_unit_test(filters_on_nvhe),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
