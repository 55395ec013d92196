// SPDX-License-Identifier: Apache-2.0
/*
 * The modelled kernel as a whole: its switches, its unmodelled work, its per-CPU data.
 *
 * Every switch that differs between kernel versions is a field here, set from a kernel file. A switch with different
 * steps is a table of functions (struct spinlock_ops, struct irq_chip, struct timer_policy); one that only adds or
 * drops a step is a plain field.
 */
#ifndef CONVOY_MODEL_KERNEL_KERNEL_H
#define CONVOY_MODEL_KERNEL_KERNEL_H

#include "model/kernel/interrupt.h"
#include "model/kernel/irqchip.h"
#include "model/kernel/irqdesc.h"
#include "model/kernel/spinlock.h"
#include "model/machine.h"

/* The choices of the parameters of the same names, in their order (study/param_table.def). */
enum irq_state_call { IRQ_STATE_DESCRIPTOR_LOCK, IRQ_STATE_PER_CPU };
enum timer_regs { TIMER_REGS_HYP_EVERY_SWITCH, TIMER_REGS_HOST_EVERY_LOOP, TIMER_REGS_LOAD_PUT };
enum active_state { ACTIVE_STATE_NONE, ACTIVE_STATE_EVERY_ENTRY, ACTIVE_STATE_CACHED_CLEAR, ACTIVE_STATE_LOAD };
enum timer_trap { TIMER_TRAP_MEMORY, TIMER_TRAP_PUT_LOAD, TIMER_TRAP_ONE_TIMER };
enum timer_traps { TIMER_TRAPS_SWITCH, TIMER_TRAPS_BOOT, TIMER_TRAPS_LOAD };
enum gicv3_active_io { ACTIVE_IO_CTLR_READ, ACTIVE_IO_RWP_POLL, ACTIVE_IO_WRITE, ACTIVE_IO_READ_BACK_SET };
enum serror_entry { SERROR_ENTRY_NONE, SERROR_ENTRY_DSB, SERROR_ENTRY_RAS };
enum serror_exit { SERROR_EXIT_UNMASK, SERROR_EXIT_ISR };
enum vmcr_policy { VMCR_EVERY_SWITCH, VMCR_LOAD_PUT, VMCR_LOAD_AND_EXIT };
enum sgi_lookup { SGI_LOOKUP_LINEAR, SGI_LOOKUP_GROUP, SGI_LOOKUP_HASH };
enum wfi_trap { WFI_TRAP_ALWAYS, WFI_TRAP_DIRECT, WFI_TRAP_SINGLE_TASK, WFI_TRAP_NEVER };
enum block_policy { BLOCK_TIMER_SCHEDULE, BLOCK_PUT, BLOCK_VGIC_PUT_LOAD };
enum gic_version { GIC_V2, GIC_V3, GIC_V4_0, GIC_V4_1, GIC_V5, GIC_AIC };

struct kernel_config {
	/* how KVM uses EL2, locks */
	bool vhe;                       /* else nVHE */
	enum irq_state_call irq_state;
	const struct spinlock_ops *spinlock;
	uint32_t cpus_per_node;         /* NUMA, CPUs in order of their numbers; 0 = one node */
	uint32_t cna_handovers;         /* that may pass over waiters of other nodes; 0 only without cna */

	/* timers */
	enum timer_regs timer_regs;
	enum active_state active_state;
	bool ptimer_direct_on_vhe;
	bool inject_at_load;
	enum timer_trap timer_trap;
	enum timer_traps timer_traps;

	/* world switch, load and put */
	bool stage2_at_load;            /* VHE; else at every entry */
	bool sysregs_at_load;           /* VHE; else at every entry and exit */
	bool debug_at_load;
	bool host_fp_at_load;           /* else at the guest's first use */
	bool active_vmids;              /* else the generation at every turn of the run loop */
	bool timer_before_vgic;         /* in kvm_arch_vcpu_load */
	enum serror_entry serror_entry;
	enum serror_exit serror_exit;
	bool bhb;
	bool nvhe_dsb;

	/* interrupt controllers */
	enum gicv3_active_io gicv3_active_io;
	bool vgic_always;               /* flush and sync run with nothing pending */
	enum vmcr_policy vmcr;
	uint32_t nvhe_vgic_calls;
	bool vgic_lock_per_vm;          /* else per interrupt and vCPU */
	enum sgi_lookup sgi_lookup;
	bool pmu_inject_every_entry;    /* else on change */
	bool gicv4_resident_at_load;    /* else at every flush */
	ps_t gicv4_vpt_poll;
	bool gicv4_vpt_wait_at_entry;   /* else in the load */

	/* blocking and scheduling */
	enum block_policy block;
	enum wfi_trap wfi_trap;
	ps_t halt_poll;
	bool doorbell_before_poll;
	ps_t doorbell_arm;              /* GICv4.0: a doorbell's enable changed at the ITS */
	ps_t time_slice, tick;
	bool skew_tick;

	/* what the hardware has, as the kernel found it at boot */
	enum gic_version gic;
	uint32_t gic_priority_bits;
	uint32_t list_registers;
	bool gic_cpu_interface_4k;      /* no split of priority drop and deactivation */
	bool ras, pauth, cntpoff, fgt, spe;
	uint32_t breakpoints, watchpoints;
	ps_t fp_save, table_walk, tlb_flush, bhb_loop;  /* lumps of the host, see host.cpu.* */

	/* what every VM asks for */
	bool guest_gic_v3;              /* GICv5 hosts: guests have a GICv3 (compat mode); else the host's own kind */
	bool direct_msi;                /* GICv4 hosts: a vPE for each vCPU */

	/* lumps */
	ps_t work_syscall, work_ioctl, work_run_loop, work_handle_exit, work_irq, work_schedule, work_wake_up;
};

struct kernel {
	struct machine *machine;
	struct kernel_config config;
	uint32_t cpus;
	struct mcs_node *mcs_nodes;     /* MCS_NESTING per CPU: first one of each CPU, then a second of each, … */
	const struct irq_chip *chip;
	struct interrupt_handlers handlers;
	struct aic_ipi *aic_ipis;       /* by CPU; AIC only */
	uint32_t *sgi_intid;            /* by CPU: the SGI acknowledged last, with its sender; GICv2 only */
	struct irq_desc host_vtimer, host_ptimer;
	void **running_vcpu;            /* by CPU: the loaded vCPU (kvm_get_running_vcpu), NULL outside load … put */
	struct sched *sched;            /* NULL: no scheduler, see sched.h */
	struct hrtimer_cpu_base *hrtimer_bases;
};

/* Lays out the kernel's data on the machine. The kernel lives until the process ends. */
struct kernel *kernel_boot(struct machine *machine, uint32_t cpus, const struct kernel_config *config);

#endif
