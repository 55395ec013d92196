// SPDX-License-Identifier: Apache-2.0
/*
 * Apple's AIC (drivers/irqchip/irq-apple-aic.c, v5.13 and later): per-CPU interrupts arrive as FIQ, without a number
 * and without an active state. The handler asks every source in turn: fast IPIs, then the host's own timer, then the
 * guest timers whose FIQ is enabled. Timers are acknowledged by masking them, in SYS_IMP_APL_VM_TMR_FIQ_ENA_EL2 (V and
 * P bits) and a word per CPU in memory; the end unmasks again unless a guest owns the interrupt: then KVM unmasks when
 * the guest's end of interrupt is seen.
 *
 * IPIs: one hardware interrupt a CPU, raised by a system register (local within a cluster, else global); which of them it is
 * stands in a word of the target's memory. ack() returns IPIs by number, as SGIs.
 *
 * Not modelled: interrupts of devices (AIC event register), the PMU's FIQ, deferred and retracted IPIs, what a core asks of
 * performance-counter sources at each FIQ (two register reads).
 */
#include "model/kernel/kernel.h"

#define FIQ_ENABLE_V 1u
#define FIQ_ENABLE_P 2u
#define IPI_SR_PENDING 1u
#define CTL_FIRING(ctl) (((ctl) & 7) == 5)  /* enabled, not masked, condition met */
#define PPI_HYP_PHYSICAL_TIMER 26u  /* the host's, which its handler masks itself */
#define PPI_VIRTUAL_TIMER 27u
#define PPI_PHYSICAL_TIMER 30u
#define CPUS_PER_CLUSTER 4u

static uint64_t fiq_bit(uint32_t hwirq)
{
	return hwirq == PPI_VIRTUAL_TIMER ? FIQ_ENABLE_V : FIQ_ENABLE_P;
}

static void enable_fiq(struct cpu *cpu, uint32_t hwirq, bool enable)
{
	const uint64_t bit = fiq_bit(hwirq);
	const uint64_t old = cpu_sysreg_read(cpu, SYS_IMP_APL_VM_TMR_FIQ_ENA_EL2);

	cpu_sysreg_write(cpu, SYS_IMP_APL_VM_TMR_FIQ_ENA_EL2, enable ? old | bit : old & ~bit);
	cpu_barrier(cpu, BARRIER_ISB);
}

static void aic_fiq_mask(struct kernel *kernel, struct cpu *cpu, intid hwirq, bool forwarded)
{
	FUNCTION(cpu);

	(void)kernel;
	(void)forwarded;  /* there is no active state */
	enable_fiq(cpu, hwirq.n, false);
	cpu_load_store(cpu, 2);  /* aic_fiq_unmasked, this CPU's */
}

static void aic_fiq_unmask(struct kernel *kernel, struct cpu *cpu, intid hwirq)
{
	FUNCTION(cpu);

	(void)kernel;
	enable_fiq(cpu, hwirq.n, true);
	cpu_load_store(cpu, 2);
}

/* There is no active state. KVM's own chip stands in front of it; see irq_kvm_chip.c. */
static void aic_fiq_set_active(struct kernel *kernel, struct cpu *cpu, intid hwirq, bool active)
{
	if (active)
		aic_fiq_mask(kernel, cpu, hwirq, false);
	else
		aic_fiq_unmask(kernel, cpu, hwirq);
}

static struct aic_ipi *ipis_of(struct kernel *kernel, cpu_id cpu)
{
	return &kernel->aic_ipis[cpu.n];
}

/* The hardware interrupt is cleared first: an IPI that is sent from then on raises another one. */
static uint32_t aic_handle_ipi(struct kernel *kernel, struct cpu *cpu)
{
	struct aic_ipi *ipis = ipis_of(kernel, cpu_number(cpu));
	uint32_t first;
	FUNCTION(cpu);

	cpu_sysreg_write(cpu, SYS_IMP_APL_IPI_SR_EL1, IPI_SR_PENDING);
	cpu_barrier(cpu, BARRIER_ISB);
	line_atomic(cpu, ipis->line, ORDER_ACQUIRE_RELEASE);
	if (!ipis->pending)
		return SPURIOUS_INTERRUPT;
	first = (uint32_t)__builtin_ctz(ipis->pending);
	ipis->pending &= ipis->pending - 1;
	if (ipis->pending)  /* one interrupt at a time is handed over here: the rest comes at once */
		cpu_sysreg_write(cpu, SYS_IMP_APL_IPI_RR_LOCAL_EL1, cpu_number(cpu).n % CPUS_PER_CLUSTER);
	return first;
}

static uint32_t aic_handle_fiq(struct kernel *kernel, struct cpu *cpu)
{
	static const struct {
		uint32_t ppi;
		enum sysreg ctl;
	} timers[] = { { PPI_PHYSICAL_TIMER, SYS_CNTP_CTL_EL0 }, { PPI_VIRTUAL_TIMER, SYS_CNTV_CTL_EL0 } };
	uint64_t enabled;
	FUNCTION(cpu);

	if (cpu_sysreg_read(cpu, SYS_IMP_APL_IPI_SR_EL1) & IPI_SR_PENDING)
		return aic_handle_ipi(kernel, cpu);
	if (CTL_FIRING(cpu_sysreg_read(cpu, SYS_CNTHP_CTL_EL2)))
		return PPI_HYP_PHYSICAL_TIMER;  /* its handler masks it in the timer */
	enabled = cpu_sysreg_read(cpu, SYS_IMP_APL_VM_TMR_FIQ_ENA_EL2);
	for (size_t n = 0; n < sizeof(timers) / sizeof(timers[0]); n++) {
		if (!(enabled & fiq_bit(timers[n].ppi)) || !CTL_FIRING(cpu_sysreg_read(cpu, timers[n].ctl)))
			continue;
		enable_fiq(cpu, timers[n].ppi, false);  /* aic_fiq_set_mask: the acknowledge */
		return timers[n].ppi;
	}
	return SPURIOUS_INTERRUPT;
}

static void aic_priority_drop(struct kernel *kernel, struct cpu *cpu, uint32_t acked)
{
	(void)kernel;
	(void)cpu;
	(void)acked;  /* there are no priorities */
}

static void aic_fiq_eoi(struct kernel *kernel, struct cpu *cpu, uint32_t acked, bool forwarded)
{
	FUNCTION(cpu);

	(void)kernel;
	cpu_load_store(cpu, 1);
	if (!forwarded && (acked == PPI_VIRTUAL_TIMER || acked == PPI_PHYSICAL_TIMER))
		enable_fiq(cpu, acked, true);
}

/* ipi-mux: the IPI's bit in the target's word, then the hardware interrupt if it was the first. */
static void aic_ipi_send_fast(struct kernel *kernel, struct cpu *cpu, cpu_id target, uint32_t sgi)
{
	struct aic_ipi *ipis = ipis_of(kernel, target);
	const bool local = target.n / CPUS_PER_CLUSTER == cpu_number(cpu).n / CPUS_PER_CLUSTER;
	const uint64_t where = target.n % CPUS_PER_CLUSTER | (uint64_t)(target.n / CPUS_PER_CLUSTER) << 16;
	bool was_pending;
	FUNCTION(cpu);

	line_atomic(cpu, ipis->line, ORDER_RELEASE);
	was_pending = ipis->pending & 1u << sgi;
	ipis->pending |= 1u << sgi;
	cpu_barrier(cpu, BARRIER_DMB);
	if (was_pending)
		return;
	if (local)
		cpu_sysreg_write(cpu, SYS_IMP_APL_IPI_RR_LOCAL_EL1, where & 0xff);
	else
		cpu_sysreg_write(cpu, SYS_IMP_APL_IPI_RR_GLOBAL_EL1, where);
	cpu_barrier(cpu, BARRIER_ISB);
}

const struct irq_chip irq_chip_aic = {
	.name = "AIC-FIQ",
	.set_active = aic_fiq_set_active,
	.mask = aic_fiq_mask,
	.unmask = aic_fiq_unmask,
	.ack = aic_handle_fiq,
	.priority_drop = aic_priority_drop,
	.eoi = aic_fiq_eoi,
	.send_sgi = aic_ipi_send_fast,
};
