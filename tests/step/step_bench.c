// SPDX-License-Identifier: Apache-2.0
/* See step_bench.h. Lock statistics add up over a process; each bench counts from where it started. */
#include "tests/step/step_bench.h"

#include <stdlib.h>
#include <string.h>

#define CLASSES 8

static const char *const classes[CLASSES] = {
	VTIMER_LOCK_CLASS, PTIMER_LOCK_CLASS, IRQ_LOCK_CLASS, AP_LIST_LOCK_CLASS, RQ_LOCK_CLASS, PI_LOCK_CLASS, HRTIMER_LOCK_CLASS, WQ_LOCK_CLASS,
};
static uint64_t taken_before[CLASSES];

struct count {
	const char *lock_class;
	uint64_t acquisitions;
};

static void add_site(void *context, const struct lock_site *site)
{
	struct count *count = context;

	if (!strcmp(site->lock, count->lock_class))
		count->acquisitions += site->acquisitions;
}

static uint64_t total(const char *lock_class)
{
	struct count count = { lock_class, 0 };

	lockstat_visit(add_site, &count);
	return count.acquisitions;
}

struct kernel_config recent_kernel(void)
{
	return (struct kernel_config){
		.vhe = true,
		.irq_state = IRQ_STATE_DESCRIPTOR_LOCK,
		.spinlock = &spinlock_queued,
		.timer_regs = TIMER_REGS_LOAD_PUT,
		.active_state = ACTIVE_STATE_LOAD,
		.ptimer_direct_on_vhe = true,
		.inject_at_load = true,
		.timer_trap = TIMER_TRAP_ONE_TIMER,
		.gicv3_active_io = ACTIVE_IO_READ_BACK_SET,
		.stage2_at_load = true,
		.timer_before_vgic = true,
		.timer_traps = TIMER_TRAPS_LOAD,
		.sysregs_at_load = true,
		.debug_at_load = true,
		.host_fp_at_load = true,
		.active_vmids = true,
		.serror_entry = SERROR_ENTRY_RAS,
		.serror_exit = SERROR_EXIT_ISR,
		.nvhe_dsb = true,
		.vmcr = VMCR_LOAD_PUT,
		.nvhe_vgic_calls = 1,
		.sgi_lookup = SGI_LOOKUP_HASH,
		.gicv4_resident_at_load = true,
		.gicv4_vpt_poll = 1000000,
		.gicv4_vpt_wait_at_entry = true,
		.block = BLOCK_VGIC_PUT_LOAD,
		.doorbell_before_poll = true,
		.time_slice = 3000000000, .tick = 4000000000,
		.gic = GIC_V3,
		.gic_priority_bits = 5,
		.list_registers = 4,
		.ras = true,
		.work_irq = 1, .work_schedule = 1, .work_wake_up = 1,
		.work_syscall = 1, .work_ioctl = 1, .work_run_loop = 1, .work_handle_exit = 1,
	};
}

struct kernel_config recent_nvhe_kernel(void)
{
	struct kernel_config config = recent_kernel();

	config.vhe = false;
	return config;
}

void bench_boot(struct step_bench *bench, const struct kernel_config *config)
{
	memset(bench, 0, sizeof(*bench));
	bench->machine = recording_machine_new(4);
	bench->cpu = recording_cpu(bench->machine, BENCH_CPU);
	recording_set_sysreg(bench->cpu, SYS_ICC_IAR1_EL1, 1023);  /* a host interrupt without a number: gone when it is acknowledged */
	bench->kernel = kernel_boot(bench->machine, 4, config);
}

void bench_start(struct step_bench *bench, const struct kernel_config *config, bool irqchip_in_kernel)
{
	bench_boot(bench, config);
	kvm_init(&bench->kvm, bench->kernel, irqchip_in_kernel, 0);
	kvm_vcpu_init(&bench->vcpu, &bench->kvm, (vcpu_id){ BENCH_VCPU });
	bench_count_locks(bench);
}

void bench_count_locks(struct step_bench *bench)
{
	bench->own_redistributor = gic_frame_address(bench->machine, GIC_FRAME_REDISTRIBUTOR, (cpu_id){ BENCH_CPU });
	for (size_t n = 0; n < CLASSES; n++)
		taken_before[n] = total(classes[n]);
}

void bench_stop(struct step_bench *bench)
{
	if (bench->kernel->sched) {
		free(bench->kernel->sched->rqs);
		free(bench->kernel->sched->idle_cpus);
		free(bench->kernel->sched);
		free(bench->kernel->hrtimer_bases);
	}
	free(bench->kvm.vcpus);
	free(bench->kvm.last_vcpu_ran);
	free(bench->kernel->mcs_nodes);
	free(bench->kernel->running_vcpu);
	free(bench->kernel->aic_ipis);
	free(bench->kernel->sgi_intid);
	free(bench->kernel->handlers.lpis);
	free(bench->kernel);
	recording_machine_free(bench->machine);
}

uint64_t locks_taken(const struct step_bench *bench, const char *lock_class)
{
	(void)bench;
	for (size_t n = 0; n < CLASSES; n++) {
		if (!strcmp(classes[n], lock_class))
			return total(lock_class) - taken_before[n];
	}
	fail_msg("no lock class \"%s\"", lock_class);
	return 0;
}
