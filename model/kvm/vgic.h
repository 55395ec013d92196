// SPDX-License-Identifier: Apache-2.0
/*
 * KVM's virtual interrupt controller (include/kvm/arm_vgic.h): guest interrupts, the per-vCPU list of those that want to be
 * delivered, the copies of list registers; and the two tables behind kvm_vgic_*():
 *
 *   struct vgic_ops   which locks guard what: per interrupt and vCPU (v4.7 and later), one for each VM (to v4.6)
 *   struct vgic_chip  how the hardware's virtual CPU interface is reached: GICH and GICV by MMIO (GICv2), ICH_* (GICv3)
 *
 * Lines. An interrupt's irq_lock and all that it guards are one line; so is a vCPU's ap_list_lock with the list's head, which
 * flush and sync look at without the lock (to v6.18). A link lies in the interrupt's line, so adding to a list that is not
 * empty takes the line of its last entry too. In the kernel neighbours in the array of a vCPU's private interrupts share
 * lines in part; here they do not.
 */
#ifndef CONVOY_MODEL_KVM_VGIC_H
#define CONVOY_MODEL_KVM_VGIC_H

#include "model/kernel/irqdesc.h"
#include "model/kernel/spinlock.h"

struct kvm;
struct kvm_vcpu;

#define VGIC_SGIS 16u
#define VGIC_PRIVATE_IRQS 32u
#define VGIC_SPIS 32u
#define VGIC_LRS 16u  /* the architectures' most; the host has kernel.config.list_registers */

/* Guest interrupts of the base system architecture. */
#define VGIC_PPI_PMU 23u
#define VGIC_PPI_VTIMER 27u
#define VGIC_PPI_PTIMER 30u

/* One guest interrupt. Owner of the fields: whoever holds irq_lock (dist.lock in the old scheme). */
struct vgic_irq {
	struct raw_spinlock irq_lock;
	uint32_t intid;
	bool level;                     /* level-triggered, else edge */
	bool enabled;
	bool line_level;                /* level: the input as last injected */
	bool pending_latch;             /* edge, or made pending by a write */
	bool active;
	uint8_t priority;
	uint8_t source;                 /* GICv2 SGI: a bit for each vCPU that sent it */
	bool resample;                  /* the host cannot deactivate from a list register: the line is sampled at the guest's end */
	struct irq_desc *host_irq;      /* mapped: the host interrupt behind it (`hw`), else NULL */
	bool (*get_input_level)(struct cpu *cpu, struct kvm_vcpu *vcpu, struct vgic_irq *irq);  /* of a mapped one */
	struct kvm_vcpu *target_vcpu;
	struct kvm_vcpu *vcpu;          /* on whose list it is, or NULL */
	struct vgic_irq *next;          /* in that list; guarded by that vCPU's ap_list_lock */
	bool queued;                    /* old scheme: level-triggered and in a list register */
};

/* The part of a vCPU (struct vgic_cpu). */
struct vgic_cpu {
	struct vgic_irq private_irqs[VGIC_PRIVATE_IRQS];
	struct raw_spinlock ap_list_lock;
	struct vgic_irq *ap_list;       /* active or pending, in order of arrival or, after sorting, of urgency */
	/* private to the CPU that has the vCPU loaded */
	uint32_t used_lrs;
	uint64_t lr[VGIC_LRS];
	uint64_t hcr, vmcr;
	bool underflow;                 /* more wants in than there are list registers */
};

/* The part of a VM (struct vgic_dist). */
struct vgic_dist {
	struct raw_spinlock lock;       /* old scheme only */
	struct vgic_irq spis[VGIC_SPIS];
};

/* A list register, whatever its layout. */
struct vgic_lr {
	uint32_t intid, source, host_intid;
	uint8_t priority;
	bool pending, active, hw, eoi;
};

struct vgic_ops {
	const char *name;
	/* Interrupts may be on or off. */
	void (*inject)(struct cpu *cpu, struct kvm_vcpu *vcpu, struct vgic_irq *irq, bool level);
	bool (*map_is_active)(struct cpu *cpu, struct kvm_vcpu *vcpu, struct vgic_irq *irq);
	bool (*pending)(struct cpu *cpu, struct kvm_vcpu *vcpu);
	/* Interrupts off, before the entry and after the exit. */
	void (*flush)(struct cpu *cpu, struct kvm_vcpu *vcpu);
	void (*sync)(struct cpu *cpu, struct kvm_vcpu *vcpu);
	/* One target of a guest's SGI. */
	void (*send_sgi)(struct cpu *cpu, struct kvm_vcpu *from, struct kvm_vcpu *to, uint32_t sgi);
};

extern const struct vgic_ops vgic_per_irq, vgic_distributor, vgic_v5_ops;

struct vgic_chip {
	const char *name;
	bool in_hyp;                    /* nVHE: restore_state and save_state run at EL2, in the world switch */
	bool sgi_source;                /* an SGI is pending once for each sender (GICv2) */
	uint32_t boot_vmcr;
	void (*load)(struct cpu *cpu, struct kvm_vcpu *vcpu);
	void (*put)(struct cpu *cpu, struct kvm_vcpu *vcpu);
	/* Copies to list registers and back; also runs with no list register in use, see there. */
	void (*restore_state)(struct cpu *cpu, struct kvm_vcpu *vcpu);
	void (*save_state)(struct cpu *cpu, struct kvm_vcpu *vcpu);
	/* An interrupt into the copy of list register `n`; with its irq_lock. All used copies back into the interrupts. */
	void (*populate_lr)(struct cpu *cpu, struct kvm_vcpu *vcpu, struct vgic_irq *irq, uint32_t n);
	void (*fold_lr_state)(struct cpu *cpu, struct kvm_vcpu *vcpu);
	uint64_t (*encode)(const struct vgic_lr *lr);
	struct vgic_lr (*decode)(uint64_t value);
	void (*set_underflow)(struct kvm_vcpu *vcpu, bool underflow);
	/* The guest at its CPU interface. */
	uint32_t (*guest_acknowledge)(struct cpu *cpu);
	uint32_t intid_mask;            /* of what that returns: the number alone */
	void (*guest_end)(struct cpu *cpu, uint32_t acknowledged, bool split);
};

extern const struct vgic_chip vgic_v2, vgic_v3, vgic_v5;

/* ---- vgic_init.c ---- */
void kvm_vgic_create(struct kvm *kvm, uint32_t instance);
void kvm_vgic_vcpu_init(struct kvm_vcpu *vcpu);
/* The copy of VMCR, with the guest's EOImode. */
uint64_t vgic_vmcr(const struct kvm_vcpu *vcpu);

/* ---- vgic.c: what the rest of KVM calls ---- */
/* `irq` of this vCPU, or an SPI (vcpu: any of the VM): level or, for an edge, true. */
void kvm_vgic_inject_irq(struct cpu *cpu, struct kvm_vcpu *vcpu, struct vgic_irq *irq, bool level);
bool kvm_vgic_map_is_active(struct cpu *cpu, struct kvm_vcpu *vcpu, struct vgic_irq *irq);
/* Would the guest take an interrupt now? For a halted vCPU. */
bool kvm_vgic_vcpu_pending_irq(struct cpu *cpu, struct kvm_vcpu *vcpu);
void kvm_vgic_load(struct cpu *cpu, struct kvm_vcpu *vcpu);
void kvm_vgic_put(struct cpu *cpu, struct kvm_vcpu *vcpu);
void kvm_vgic_flush_hwstate(struct cpu *cpu, struct kvm_vcpu *vcpu);
void kvm_vgic_sync_hwstate(struct cpu *cpu, struct kvm_vcpu *vcpu);
/* Under irq_lock: for struct vgic_ops. */
bool vgic_map_is_active(struct cpu *cpu, struct kvm_vcpu *vcpu, struct vgic_irq *irq);
/* For flush and sync: the chip's part, unless it runs at EL2. */
void vgic_restore_state(struct cpu *cpu, struct kvm_vcpu *vcpu);
void vgic_save_state(struct cpu *cpu, struct kvm_vcpu *vcpu);
/* EL2 without VHE: the part of flush and sync that touches the hardware (__vgic_v3_restore_state, __vgic_v3_save_state). */
void hyp_vgic_restore_lrs(struct cpu *cpu, struct kvm_vcpu *vcpu);
void hyp_vgic_save_lrs(struct cpu *cpu, struct kvm_vcpu *vcpu);

/* ---- vgic_queue.c: the list of a vCPU ---- */
bool vgic_irq_is_pending(const struct vgic_irq *irq);
/* Who should have it on his list now, or NULL. With irq_lock. */
struct kvm_vcpu *vgic_target_oracle(struct cpu *cpu, struct vgic_irq *irq);
/* Gives irq_lock back, with `flags` as irq_restore wants; true: newly on a list. */
bool vgic_queue_irq_unlock(struct cpu *cpu, struct kvm *kvm, struct vgic_irq *irq, bool flags);
/* Out of every list what no longer belongs there, to its new vCPU's what moved. */
void vgic_prune_ap_list(struct cpu *cpu, struct kvm_vcpu *vcpu);

/* ---- vgic_lr.c: what a list register says of an interrupt and back ---- */
struct vgic_lr vgic_lr_of(struct cpu *cpu, struct kvm_vcpu *vcpu, struct vgic_irq *irq);
void vgic_fold_lr(struct cpu *cpu, struct kvm_vcpu *vcpu, struct vgic_lr lr);

/* ---- vgic_sgi.c ---- */
/* The exit of a guest that sends an SGI (GUEST_SGI): trapped ICC_SGI1R_EL1, or GICD_SGIR with GICv2. */
void vgic_guest_sgi(struct cpu *cpu, struct kvm_vcpu *vcpu);
/* The guest wrote ICC_SGI1R_EL1 for one vCPU, by its place in the VM. */
void access_gic_sgi(struct cpu *cpu, struct kvm_vcpu *vcpu, uint32_t target, uint32_t sgi);
/* The guest wrote GICD_SGIR (GICv2). */
void vgic_mmio_write_sgir(struct cpu *cpu, struct kvm_vcpu *vcpu, uint32_t target, uint32_t sgi);

/* ---- vgic_mmio.c ---- */
/* From the MMIO bus on: a read of GICD_IIDR; GICD_SGIR; enable, disable and active of a private interrupt. */
enum vgic_register { VGIC_IIDR, VGIC_SGIR, VGIC_ISENABLER, VGIC_ICENABLER, VGIC_ISACTIVER, VGIC_ICACTIVER };
void dispatch_mmio_read(struct cpu *cpu);
void dispatch_mmio_write(struct cpu *cpu, struct kvm_vcpu *vcpu, enum vgic_register reg, uint64_t argument);

#endif
