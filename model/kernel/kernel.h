// SPDX-License-Identifier: Apache-2.0
/*
 * The modelled kernel as a whole: its switches, its unmodelled work, its per-CPU data.
 *
 * Every switch that differs between kernel versions is a field here, set from a kernel file. A switch with different
 * steps is a table of functions (struct spinlock_ops, struct timer_policy); one that only adds or drops a step is a
 * plain field.
 */
#ifndef CONVOY_MODEL_KERNEL_KERNEL_H
#define CONVOY_MODEL_KERNEL_KERNEL_H

#include "model/kernel/irqdesc.h"
#include "model/kernel/spinlock.h"
#include "model/machine.h"

enum irq_state_call { IRQ_STATE_DESCRIPTOR_LOCK, IRQ_STATE_PER_CPU };
enum gicv3_active_io { ACTIVE_IO_CTLR_READ, ACTIVE_IO_RWP_POLL, ACTIVE_IO_WRITE, ACTIVE_IO_READ_BACK_SET };

struct kernel_config {
	bool vhe;                       /* else nVHE */
	enum irq_state_call irq_state;
	const struct spinlock_ops *spinlock;
	bool ptimer_direct_on_vhe;
	enum gicv3_active_io gicv3_active_io;
	bool stage2_at_load;            /* VHE; else at every entry */
	bool vgic_always;               /* flush and sync run with nothing pending */
	bool vmcr_read_at_exit;
	bool timer_before_vgic;         /* in kvm_arch_vcpu_load */
	bool timer_traps_at_load;
	bool debug_at_load;
	uint32_t gic_priority_bits;
	uint32_t cpus_per_node;         /* NUMA, CPUs in order of their numbers; 0 = one node */
	uint32_t cna_handovers;         /* that may pass over waiters of other nodes; 0 only without cna */
	ps_t work_syscall, work_ioctl, work_run_loop, work_handle_exit;
};

struct kernel {
	struct machine *machine;
	struct kernel_config config;
	uint32_t cpus;
	struct mcs_node *mcs_nodes;     /* MCS_NESTING per CPU: first one of each CPU, then a second of each, … */
	struct irq_desc host_vtimer, host_ptimer;
};

/* Lays out the kernel's data on the machine. The kernel lives until the process ends. */
struct kernel *kernel_boot(struct machine *machine, uint32_t cpus, const struct kernel_config *config);

#endif
