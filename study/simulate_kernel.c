// SPDX-License-Identifier: Apache-2.0
/* The modelled kernel's switches and lumps, from the parameters kernel.* and host.*; see simulate_config.h. */
#include "study/simulate_config.h"

#include <stdlib.h>

static const struct spinlock_ops *spinlock_from_params(const struct param_set *p)
{
	static const struct spinlock_ops *const all[] = { &spinlock_ticket, &spinlock_queued, &spinlock_mcs, &spinlock_cna };

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		if (param_choice_is(p, P_KERNEL_SPINLOCK, all[i]->name))
			return all[i];
	}
	abort();  /* the parameter table knows an algorithm that is not here: our bug */
}

struct kernel_config sim_kernel_config(const struct param_set *p)
{
	struct kernel_config kernel = {
		/* choices stand in the order of their enums */
		.vhe = param_choice_is(p, P_KERNEL_EL2, "vhe"),
		.irq_state = (enum irq_state_call)param_choice(p, P_KERNEL_IRQ_STATE),
		.spinlock = spinlock_from_params(p),
		.cpus_per_node = param_count(p, P_HOST_MESH_CPUS_PER_NODE),
		.cna_handovers = param_count(p, P_KERNEL_CNA_HANDOVERS),
		.timer_regs = (enum timer_regs)param_choice(p, P_KERNEL_TIMER_REGS),
		.active_state = (enum active_state)param_choice(p, P_KERNEL_ACTIVE_STATE),
		.ptimer_direct_on_vhe = param_choice_is(p, P_KERNEL_PTIMER, "direct-on-vhe"),
		.inject_at_load = param_switch(p, P_KERNEL_INJECT_AT_LOAD),
		.timer_trap = (enum timer_trap)param_choice(p, P_KERNEL_TIMER_TRAP),
		.timer_traps = (enum timer_traps)param_choice(p, P_KERNEL_TIMER_TRAPS),
		.stage2_at_load = param_choice_is(p, P_KERNEL_STAGE2_LOAD, "load"),
		.sysregs_at_load = param_choice_is(p, P_KERNEL_SYSREGS, "load-put"),
		.debug_at_load = param_choice_is(p, P_KERNEL_DEBUG_SETUP, "load"),
		.host_fp_at_load = param_choice_is(p, P_KERNEL_HOST_FP_SAVE, "load"),
		.active_vmids = param_choice_is(p, P_KERNEL_VMID, "active-vmids"),
		.timer_before_vgic = param_choice_is(p, P_KERNEL_LOAD_ORDER, "timer-vgic"),
		.serror_entry = (enum serror_entry)param_choice(p, P_KERNEL_SERROR_ENTRY),
		.serror_exit = (enum serror_exit)param_choice(p, P_KERNEL_SERROR_EXIT),
		.bhb = param_switch(p, P_KERNEL_BHB),
		.nvhe_dsb = param_switch(p, P_KERNEL_NVHE_DSB),
		.gicv3_active_io = (enum gicv3_active_io)param_choice(p, P_KERNEL_GICV3_ACTIVE_IO),
		.vgic_always = param_choice_is(p, P_KERNEL_VGIC_IDLE, "always"),
		.vmcr = (enum vmcr_policy)param_choice(p, P_KERNEL_VMCR),
		.nvhe_vgic_calls = param_count(p, P_KERNEL_NVHE_VGIC_CALLS),
		.vgic_lock_per_vm = param_choice_is(p, P_KERNEL_VGIC_LOCK, "distributor"),
		.sgi_lookup = (enum sgi_lookup)param_choice(p, P_KERNEL_SGI_LOOKUP),
		.pmu_inject_every_entry = param_choice_is(p, P_KERNEL_PMU_INJECT, "every-entry"),
		.gicv4_resident_at_load = param_choice_is(p, P_KERNEL_GICV4_RESIDENCY, "load-put"),
		.gicv4_vpt_poll = param_ps(p, P_KERNEL_GICV4_VPT_POLL),
		.gicv4_vpt_wait_at_entry = param_choice_is(p, P_KERNEL_GICV4_VPT_WAIT, "entry"),
		.block = (enum block_policy)param_choice(p, P_KERNEL_BLOCK),
		.wfi_trap = (enum wfi_trap)param_choice(p, P_KERNEL_WFI_TRAP),
		.halt_poll = param_ps(p, P_KERNEL_HALT_POLL),
		.doorbell_arm = param_ps(p, P_HOST_GIC_DOORBELL_ARM),
		.doorbell_before_poll = param_choice_is(p, P_KERNEL_DOORBELL, "before-poll"),
		.time_slice = param_ps(p, P_KERNEL_TIME_SLICE),
		.skew_tick = param_switch(p, P_KERNEL_SKEW_TICK),
		.tick = param_ps(p, P_KERNEL_TICK),
		.gic = (enum gic_version)param_choice(p, P_HOST_GIC),
		.gic_priority_bits = param_count(p, P_HOST_GIC_PRIORITY_BITS),
		.list_registers = param_count(p, P_HOST_GIC_LIST_REGISTERS),
		.gic_cpu_interface_4k = param_switch(p, P_HOST_GIC_CPU_INTERFACE_4K),
		.guest_gic_v3 = param_choice_is(p, P_WORKLOAD_VGIC, "v3"),
		.direct_msi = param_switch(p, P_WORKLOAD_DIRECT_MSI),
		.ras = param_switch(p, P_HOST_CPU_RAS),
		.pauth = param_switch(p, P_HOST_CPU_PAUTH),
		.cntpoff = param_switch(p, P_HOST_CPU_CNTPOFF),
		.fgt = param_switch(p, P_HOST_CPU_FGT),
		.spe = param_switch(p, P_HOST_CPU_SPE),
		.breakpoints = param_count(p, P_HOST_CPU_BREAKPOINTS),
		.watchpoints = param_count(p, P_HOST_CPU_WATCHPOINTS),
		.fp_save = param_ps(p, P_HOST_CPU_FP_SAVE),
		.table_walk = param_ps(p, P_HOST_CPU_TABLE_WALK),
		.tlb_flush = param_ps(p, P_HOST_CPU_TLB_FLUSH),
		.bhb_loop = param_ps(p, P_HOST_CPU_BHB_LOOP),
		.work_syscall = param_ps(p, P_KERNEL_WORK_SYSCALL),
		.work_ioctl = param_ps(p, P_KERNEL_WORK_IOCTL),
		.work_run_loop = param_ps(p, P_KERNEL_WORK_RUN_LOOP),
		.work_handle_exit = param_ps(p, P_KERNEL_WORK_HANDLE_EXIT),
		.work_irq = param_ps(p, P_KERNEL_WORK_IRQ),
		.work_schedule = param_ps(p, P_KERNEL_WORK_SCHEDULE),
		.work_wake_up = param_ps(p, P_KERNEL_WORK_WAKE),
	};

	return kernel;
}
