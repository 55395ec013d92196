// SPDX-License-Identifier: Apache-2.0
/*
 * A kernel, a VM and one vCPU on a recording machine of four CPUs. The vCPU is number 7 and runs on CPU 2, so that neither "CPU 0" nor
 * "vCPU = CPU" can be right by chance.
 */
#ifndef CONVOY_TESTS_STEP_STEP_BENCH_H
#define CONVOY_TESTS_STEP_STEP_BENCH_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/kvm/kvm.h"
#include "tests/step/recording_query.h"

#define BENCH_CPU 2
#define BENCH_VCPU 7

/* GICv3 redistributor registers, from RD_base (IHI 0069, 12.10 and 12.11). */
#define GICR_CTLR 0x0
#define GICR_ISACTIVER0 0x10300
#define GICR_ICACTIVER0 0x10380
/* PPIs of the base system architecture. */
#define VTIMER_PPI 27
#define PTIMER_PPI 30

/* Names of lines and lock classes in the modelled kernel. */
#define DESC_LOCK "irq_desc lock"
#define VTIMER_DESC INSTANCE(0)
#define PTIMER_DESC INSTANCE(1)
#define VTIMER_LOCK_CLASS "irq_desc(vtimer).lock"
#define PTIMER_LOCK_CLASS "irq_desc(ptimer).lock"
#define IRQ_LOCK_CLASS "vgic_irq.irq_lock"
#define AP_LIST_LOCK_CLASS "vgic_cpu.ap_list_lock"
#define RQ_LOCK_CLASS "rq.lock"
#define PI_LOCK_CLASS "task_struct.pi_lock"
#define HRTIMER_LOCK_CLASS "hrtimer_cpu_base.lock"
#define WQ_LOCK_CLASS "vcpu->wq.lock"

struct step_bench {
	struct machine *machine;
	struct cpu *cpu;
	struct kernel *kernel;
	struct kvm kvm;
	struct kvm_vcpu vcpu;
	uint64_t own_redistributor;
};

/* VHE, v6.15 to v6.18: every switch as those kernels have it. */
struct kernel_config recent_kernel(void);
/* The same steps with the hypervisor at EL2 and the host at EL1. */
struct kernel_config recent_nvhe_kernel(void);

void bench_start(struct step_bench *bench, const struct kernel_config *config, bool irqchip_in_kernel);
/* The parts of bench_start: machine and kernel without KVM; from now on locks_taken counts. */
void bench_boot(struct step_bench *bench, const struct kernel_config *config);
void bench_count_locks(struct step_bench *bench);
void bench_stop(struct step_bench *bench);

/* Acquisitions of a lock class since bench_start, as the lock statistics count them. */
uint64_t locks_taken(const struct step_bench *bench, const char *lock_class);

#endif
