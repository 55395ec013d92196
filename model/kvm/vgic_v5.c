// SPDX-License-Identifier: Apache-2.0
/*
 * GICv5 guests; see vgic_v5.h. Counts with 64 PPIs:
 *
 *   load     ICH_VCTLR_EL2 read and written (V3 = 0), ISB, ICH_VMCR_EL2, ICH_APR_EL2 written; nothing if already resident
 *   put      ICH_APR_EL2 read
 *   entry    irq_lock of each exposed PPI; ICC_ICSR_EL1 and 24 ICH_PPI_* written (both banks), DSB
 *   exit     ICH_VMCR_EL2, ICC_ICSR_EL1 and 11 ICH_PPI_* read, ICH_PPI_DVIR<n> cleared, DSB; irq_lock of each exposed PPI
 *
 * The timers' PPIs are injected directly (DVI): while the guest runs the wire is the guest's pending state, and neither entry nor
 * exit nor interrupt costs anything for them. All is done at every entry and exit, pending interrupts or not.
 *
 * nVHE: the same registers in EL2 code; load and put by one hypervisor call each.
 * Not modelled: SPIs and LPIs of guests, residency by ICH_CONTEXTR_EL2 and doorbells (development trees), 128 PPIs,
 * nested guests.
 */
#include "model/kvm/vgic_v5.h"

#include "model/kernel/unmodelled.h"
#include "model/kvm/kvm.h"

#define ICH_VCTLR_EN 1u
#define ICH_VCTLR_V3 2u
#define ICH_VMCR_EN 1u
#define ICH_VMCR_ALL_PRIORITIES (31ull << 27)
#define USUAL_PRIORITIES 0x1010101010101010ull

enum { PPI_SW = 3, PPI_PMU = 23, PPI_MAINTENANCE = 25, PPI_CNTHP = 26, PPI_CNTV = 27, PPI_CNTHV = 28, PPI_CNTP = 30 };

static const uint32_t exposed[VGIC_V5_PPIS] = { PPI_SW, PPI_PMU, PPI_MAINTENANCE, PPI_CNTHP, PPI_CNTV, PPI_CNTHV, PPI_CNTP };

static uint64_t bit(uint32_t ppi)
{
	return 1ull << ppi;
}

static struct vgic_irq *irq_of(struct kvm_vcpu *vcpu, uint32_t n)
{
	return &vcpu->vgic.private_irqs[exposed[n]];
}

/* As a guest leaves its CPU interface after boot: on, every priority passes, its timers enabled. */
void vgic_v5_vcpu_init(struct kvm_vcpu *vcpu)
{
	struct vgic_v5_cpu_if *cpu_if = &vcpu->vgic_v5;

	cpu_if->vmcr = ICH_VMCR_EN | ICH_VMCR_ALL_PRIORITIES;
	cpu_if->enabler = bit(PPI_CNTV) | bit(PPI_CNTP);
	for (uint32_t n = 0; n < VGIC_V5_PRIORITY_REGS; n++)
		cpu_if->priorityr[n] = USUAL_PRIORITIES;
	for (uint32_t n = 0; n < VGIC_V5_PPIS; n++)
		cpu_if->ppis[n] = irq_of(vcpu, n);
}

static void vgic_v5_load(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	const bool vhe = vcpu->kvm->kernel->config.vhe;
	struct vgic_v5_cpu_if *cpu_if = &vcpu->vgic_v5;
	FUNCTION(cpu);

	cpu_load_store(cpu, 1);
	if (cpu_if->resident)
		return;
	if (!vhe)
		hyp_call_enter(cpu);
	cpu_sysreg_write(cpu, SYS_ICH_VCTLR_EL2, (cpu_sysreg_read(cpu, SYS_ICH_VCTLR_EL2) & ~(uint64_t)ICH_VCTLR_V3) | ICH_VCTLR_EN);
	cpu_barrier(cpu, BARRIER_ISB);
	cpu_sysreg_write(cpu, SYS_ICH_VMCR_EL2, cpu_if->vmcr);
	cpu_sysreg_write(cpu, SYS_ICH_APR_EL2, cpu_if->apr);
	if (!vhe)
		hyp_call_return(cpu);
	cpu_if->resident = true;
}

/* Of a vCPU that blocks: the guest's priorities into the struct vgic_irqs, so that wake-ups can be judged. */
static void vgic_v5_sync_priorities(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	struct kernel *kernel = vcpu->kvm->kernel;
	FUNCTION_NAMED(cpu, "vgic_v5_sync_ppi_priorities");

	for (uint32_t n = 0; n < VGIC_V5_PPIS; n++) {
		struct vgic_irq *irq = vcpu->vgic_v5.ppis[n];
		const bool flags = raw_spin_lock_irqsave(kernel, cpu, &irq->irq_lock, __func__);

		cpu_load_store(cpu, 2);
		raw_spin_unlock_irqrestore(cpu, &irq->irq_lock, flags);
	}
}

static void vgic_v5_put(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	const bool vhe = vcpu->kvm->kernel->config.vhe;
	struct vgic_v5_cpu_if *cpu_if = &vcpu->vgic_v5;
	FUNCTION(cpu);

	cpu_load_store(cpu, 1);
	if (!cpu_if->resident)
		return;
	if (vcpu->halt.in_wfi)
		vgic_v5_sync_priorities(cpu, vcpu);
	if (!vhe)
		hyp_call_enter(cpu);
	cpu_if->apr = cpu_sysreg_read(cpu, SYS_ICH_APR_EL2);
	if (!vhe)
		hyp_call_return(cpu);
	cpu_if->resident = false;
}

/* What is injected directly, and what else is pending. */
static void vgic_v5_flush_ppi_state(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	struct kernel *kernel = vcpu->kvm->kernel;
	struct vgic_v5_cpu_if *cpu_if = &vcpu->vgic_v5;
	FUNCTION(cpu);

	cpu_if->dvir = bit(PPI_CNTV);
	if (get_timer_map(vcpu).direct_ptimer)
		cpu_if->dvir |= bit(PPI_CNTP);
	cpu_if->pendr = 0;
	for (uint32_t n = 0; n < VGIC_V5_PPIS; n++) {
		struct vgic_irq *irq = cpu_if->ppis[n];
		const bool flags = raw_spin_lock_irqsave(kernel, cpu, &irq->irq_lock, __func__);

		cpu_load_store(cpu, 4);
		if (irq->line_level && !(cpu_if->dvir & bit(exposed[n])))
			cpu_if->pendr |= bit(exposed[n]);
		raw_spin_unlock_irqrestore(cpu, &irq->irq_lock, flags);
	}
}

/* What the guest made of them. */
static void vgic_v5_fold_ppi_state(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	struct kernel *kernel = vcpu->kvm->kernel;
	struct vgic_v5_cpu_if *cpu_if = &vcpu->vgic_v5;
	FUNCTION(cpu);

	cpu_if->activer = cpu_if->activer_exit;
	for (uint32_t n = 0; n < VGIC_V5_PPIS; n++) {
		struct vgic_irq *irq = cpu_if->ppis[n];
		const bool flags = raw_spin_lock_irqsave(kernel, cpu, &irq->irq_lock, __func__);

		cpu_load_store(cpu, 4);
		irq->active = cpu_if->activer_exit & bit(exposed[n]);
		raw_spin_unlock_irqrestore(cpu, &irq->irq_lock, flags);
	}
}

static enum sysreg numbered(enum sysreg first, uint32_t n)
{
	return (enum sysreg)(first + n);
}

static void vgic_v5_restore_state(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	const struct vgic_v5_cpu_if *cpu_if = &vcpu->vgic_v5;
	FUNCTION_NAMED(cpu, "__vgic_v5_restore_state");

	cpu_sysreg_write(cpu, SYS_ICC_ICSR_EL1, cpu_if->icsr);
	cpu_sysreg_write(cpu, SYS_ICH_PPI_DVIR0_EL2, cpu_if->dvir);
	cpu_sysreg_write(cpu, SYS_ICH_PPI_ACTIVER0_EL2, cpu_if->activer);
	cpu_sysreg_write(cpu, SYS_ICH_PPI_ENABLER0_EL2, cpu_if->enabler);
	cpu_sysreg_write(cpu, SYS_ICH_PPI_PENDR0_EL2, cpu_if->pendr & ~cpu_if->dvir);
	for (uint32_t n = 0; n < VGIC_V5_PRIORITY_REGS; n++)
		cpu_sysreg_write(cpu, numbered(SYS_ICH_PPI_PRIORITYR0_EL2, n), cpu_if->priorityr[n]);
	/* the upper 64 PPIs, which the guest does not see */
	cpu_sysreg_write(cpu, SYS_ICH_PPI_DVIR1_EL2, 0);
	cpu_sysreg_write(cpu, SYS_ICH_PPI_ACTIVER1_EL2, 0);
	cpu_sysreg_write(cpu, SYS_ICH_PPI_ENABLER1_EL2, 0);
	cpu_sysreg_write(cpu, SYS_ICH_PPI_PENDR1_EL2, 0);
	for (uint32_t n = VGIC_V5_PRIORITY_REGS; n < 2 * VGIC_V5_PRIORITY_REGS; n++)
		cpu_sysreg_write(cpu, numbered(SYS_ICH_PPI_PRIORITYR0_EL2, n), 0);
	cpu_barrier(cpu, BARRIER_DSB);
}

/* DVI ends with the guest: the wire must not become the next guest's interrupt. */
static void vgic_v5_save_state(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	struct vgic_v5_cpu_if *cpu_if = &vcpu->vgic_v5;
	FUNCTION_NAMED(cpu, "__vgic_v5_save_state");

	cpu_if->vmcr = cpu_sysreg_read(cpu, SYS_ICH_VMCR_EL2);
	cpu_if->icsr = cpu_sysreg_read(cpu, SYS_ICC_ICSR_EL1);
	cpu_if->activer_exit = cpu_sysreg_read(cpu, SYS_ICH_PPI_ACTIVER0_EL2);
	cpu_if->enabler = cpu_sysreg_read(cpu, SYS_ICH_PPI_ENABLER0_EL2);
	cpu_if->pendr_exit = cpu_sysreg_read(cpu, SYS_ICH_PPI_PENDR0_EL2);
	for (uint32_t n = 0; n < VGIC_V5_PRIORITY_REGS; n++)
		cpu_if->priorityr[n] = cpu_sysreg_read(cpu, numbered(SYS_ICH_PPI_PRIORITYR0_EL2, n));
	cpu_sysreg_write(cpu, SYS_ICH_PPI_DVIR0_EL2, 0);
	cpu_sysreg_write(cpu, SYS_ICH_PPI_DVIR1_EL2, 0);
	cpu_barrier(cpu, BARRIER_DSB);
}

static void vgic_v5_flush(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	vgic_v5_flush_ppi_state(cpu, vcpu);
	vgic_restore_state(cpu, vcpu);
}

static void vgic_v5_sync(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	vgic_save_state(cpu, vcpu);
	vgic_v5_fold_ppi_state(cpu, vcpu);
}

void vgic_v5_enable_compat(struct cpu *cpu)
{
	FUNCTION_NAMED(cpu, "__vgic_v3_compat_mode_enable");

	cpu_sysreg_write(cpu, SYS_ICH_VCTLR_EL2, cpu_sysreg_read(cpu, SYS_ICH_VCTLR_EL2) | ICH_VCTLR_V3);
	cpu_barrier(cpu, BARRIER_ISB);
}

/* Of an interrupt that the wire does not carry; the timers never come here while they are injected directly. */
static void vgic_v5_inject(struct cpu *cpu, struct kvm_vcpu *vcpu, struct vgic_irq *irq, bool level)
{
	bool flags = raw_spin_lock_irqsave(vcpu->kvm->kernel, cpu, &irq->irq_lock, "kvm_vgic_inject_irq");
	const bool news = level && !irq->line_level;

	cpu_load_store(cpu, 3);
	irq->line_level = level;
	raw_spin_unlock_irqrestore(cpu, &irq->irq_lock, flags);
	if (!news)
		return;
	kvm_make_request(cpu, KVM_REQ_IRQ_PENDING, vcpu);
	kvm_vcpu_kick(cpu, vcpu);
}

static bool vgic_v5_pending(struct cpu *cpu, struct kvm_vcpu *vcpu)
{
	cpu_load_store(cpu, VGIC_V5_PPIS);
	for (uint32_t n = 0; n < VGIC_V5_PPIS; n++) {
		if (vcpu->vgic_v5.ppis[n]->line_level)
			return true;
	}
	return false;
}

static void vgic_v5_send_sgi(struct cpu *cpu, struct kvm_vcpu *from, struct kvm_vcpu *to, uint32_t sgi)
{
	(void)cpu;
	(void)from;
	(void)to;
	(void)sgi;
	unmodelled("an SGI of a GICv5 guest, which would be an LPI");
}

/* The guest's side: no exit anywhere. Its timers reach it without KVM, so nobody but the hardware knows what is pending. */
#define CDIA_VALID (1ull << 32)

static uint32_t guest_acknowledge(struct cpu *cpu)
{
	const uint64_t acknowledged = cpu_sysreg_read(cpu, SYS_ICV_CDIA);

	if (!(acknowledged & CDIA_VALID))
		return SPURIOUS_INTERRUPT;
	cpu_sysreg_write(cpu, SYS_GSB_ACK, 0);
	cpu_barrier(cpu, BARRIER_ISB);
	cpu_sysreg_write(cpu, SYS_ICV_CDEOI, 0);  /* priority drop; deactivation at the end */
	return (uint32_t)acknowledged;
}

static void guest_end(struct cpu *cpu, uint32_t acknowledged, bool split)
{
	(void)split;  /* always */
	cpu_sysreg_write(cpu, SYS_ICV_CDDI, acknowledged);
}

const struct vgic_ops vgic_v5_ops = {
	.name = "GICv5",
	.inject = vgic_v5_inject,
	.map_is_active = vgic_map_is_active,
	.pending = vgic_v5_pending,
	.flush = vgic_v5_flush,
	.sync = vgic_v5_sync,
	.send_sgi = vgic_v5_send_sgi,
};

const struct vgic_chip vgic_v5 = {
	.name = "GICv5",
	.in_hyp = true,
	.load = vgic_v5_load,
	.put = vgic_v5_put,
	.restore_state = vgic_v5_restore_state,
	.save_state = vgic_v5_save_state,
	.guest_acknowledge = guest_acknowledge,
	.intid_mask = 0xffffff,            /* the type stands above */
	.guest_end = guest_end,
};
