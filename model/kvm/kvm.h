// SPDX-License-Identifier: Apache-2.0
/*
 * KVM on arm64: the structures of one VM and its vCPUs, and the modelled functions, under the kernel's own names.
 *
 * What is modelled step by step, and what is charged as a lump, is listed in docs/model.md.
 */
#ifndef CONVOY_MODEL_KVM_KVM_H
#define CONVOY_MODEL_KVM_KVM_H

#include "model/kernel/kernel.h"
#include "model/kernel/mutex.h"
#include "model/kvm/halt.h"
#include "model/kvm/pmu.h"
#include "model/kvm/vgic.h"
#include "model/kvm/vgic_v4.h"
#include "model/kvm/vgic_v5.h"

/* One guest timer (struct arch_timer_context). */
struct arch_timer_context {
	bool is_ptimer;
	bool loaded;
	bool level;                    /* what was last told to the guest's interrupt controller */
	uint64_t ctl, cval;            /* saved registers while not loaded */
	uint64_t offset;               /* of the guest's physical counter, in ticks (KVM_ARM_SET_COUNTER_OFFSET) */
	struct soft_timer hrtimer;     /* while the timer is emulated */
	struct irq_desc *host_irq;
	struct vgic_irq *guest_irq;
};

struct kvm {
	struct kernel *kernel;
	bool irqchip_in_kernel;
	bool direct_msi;               /* GICv4: each vCPU has a vPE */
	bool vgic_v5;                  /* a GICv5 guest; else GICv2 or v3 */
	line_id vmid_line;             /* mmu->vmid, stage-2 root: read-mostly */
	line_id timer_data_line;       /* voffset, poffset: read-mostly */
	line_id vmid_generation_line;  /* global, read-mostly */
	line_id io_bus_line;           /* devices in the kernel by address: read-mostly */
	const struct vgic_ops *vgic_ops;
	const struct vgic_chip *vgic_chip;
	struct vgic_dist vgic;
	line_id vcpu_array_line;       /* vcpu_array or mpidr_data: read-mostly */
	struct kvm_vcpu **vcpus;       /* in order of creation */
	uint32_t vcpu_count;
	struct kvm_vcpu **last_vcpu_ran;  /* by CPU */
};

/* What the guest does when its work is over. */
enum guest_operation {
	GUEST_MMIO_READ_USER,  /* reads a device of the VMM: exit to userspace */
	GUEST_HYPERCALL,       /* HVC with a function that KVM does not know: answered in the kernel */
	GUEST_MMIO_READ_VGIC,  /* reads GICD_IIDR: emulated in the kernel */
	GUEST_EOI,             /* ends a spurious interrupt at its CPU interface: no exit */
	GUEST_TIMER_READ,      /* reads CNTP_CVAL_EL0: an exit where that traps; see timer_trap.c */
	GUEST_TIMER_WRITE,     /* writes `argument` there */
	GUEST_SYSREG,          /* reads an identification register: trapped, answered in the kernel */
	GUEST_COUNTER,         /* reads a counter whose offset the hardware cannot apply: answered in the hypervisor */
	GUEST_WORKAROUND,      /* HVC of an SMCCC ARCH_WORKAROUND function: answered in the hypervisor's vector */
	GUEST_SGI,             /* sends GUEST_SGI_INTID to one vCPU; argument: its place in the VM */
	GUEST_VGIC_WRITE,      /* writes a register of the vGIC; argument: VGIC_WRITE(register, interrupt) */
	GUEST_TIMER_SET,       /* arms its virtual timer; argument: in how many ticks of the counter. No exit */
	GUEST_WORK,            /* nothing: the step was its work */
	GUEST_WFI,             /* waits for an interrupt: an exit where that traps; see wfx.c */
	GUEST_POLL,            /* polls guest_program.flag, at most for `argument` ps; see guest_idle.c */
};

/* Why the guest trapped, as the syndrome says. */
enum guest_trap {
	GUEST_TRAP_OPERATION,  /* an operation other than a memory access */
	GUEST_TRAP_DATA_ABORT, /* a memory access that no stage-2 table translates */
	GUEST_TRAP_FP,         /* first FP instruction since the load */
	GUEST_TRAP_COUNTER,    /* a trapped counter */
};

#define GUEST_SGI_INTID 1u
#define VGIC_WRITE(reg, intid) ((uint64_t)(reg) << 32 | (intid))

/*
 * The flag that a guest's idle loop polls (need_resched of the idle task, with TIF_POLLING_NRFLAG): one line of guest memory.
 * Who raises it while it is polled need not send an interrupt.
 */
struct guest_flag {
	line_id line;
	bool raised, polled;
};

/* So much work in the guest, then the operation. */
struct guest_step {
	ps_t work;
	enum guest_operation operation;
	uint64_t argument;             /* of the operation: a target, a register, a deadline; see guest.c */
};

/* The guest's program: a step, and after it the next one. */
struct guest_program {
	struct guest_step step;        /* the first one; the only one without `next` */
	struct guest_flag *flag;       /* for GUEST_POLL */
	bool timestamps;               /* the guest reads the counter around each operation */
	bool read_barrier;             /* it waits for each device read (dsb ld), as readl() does */
	struct guest_step (*next)(struct cpu *cpu, void *context);  /* may be NULL: the same over and over */
	/* In the guest, when a step begins; may still change it. May be NULL. */
	void (*begin)(struct cpu *cpu, void *context);
	/* After each operation that does not leave the kernel: nobody outside KVM sees those. May be NULL. */
	void (*completed)(struct cpu *cpu, void *context);
	/* The guest's handler of a virtual interrupt, between acknowledge and end. May be NULL: does nothing. */
	void (*interrupt)(struct cpu *cpu, void *context, uint32_t intid);
	bool split_eoi;                /* priority drop and deactivation by two writes (EOImode 1) */
	void *context;
};

/* What a kicker of a vCPU wants to know (vcpu->mode) and wants done (vcpu->requests). */
enum vcpu_mode { OUTSIDE_GUEST_MODE, IN_GUEST_MODE, EXITING_GUEST_MODE };
#define KVM_REQ_IRQ_PENDING (1u << 1)
#define NO_CPU UINT32_MAX

struct kvm_vcpu {
	struct kvm *kvm;
	vcpu_id id;
	struct guest_program guest;    /* all zero: accesses of devices of the VMM */
	bool uses_fp, uses_pauth, uses_debug;  /* the guest: FP registers, pointer authentication, hardware breakpoints */
	enum guest_trap trap;          /* of the last exit by a trap */
	bool fp_guest_owns;            /* the FP registers are this guest's */
	bool fp_host_live;             /* they are the host's and not stored anywhere yet */
	bool read_outstanding;         /* a device read has been answered, its barrier is still to come */
	bool in_step;                  /* guest.step has begun: `work_left` of its work is still to do */
	ps_t work_left;
	ps_t poll_left;                /* of a GUEST_POLL */
	line_id srcu_line;             /* this CPU's reader counts of kvm->srcu */
	line_id file_line;             /* reference count of the vCPU's file */
	struct mutex mutex;
	line_id requests_line;         /* requests, mode, cpu: also touched by remote kickers */
	uint32_t requests;
	enum vcpu_mode mode;
	uint32_t cpu;                  /* on which it is loaded, or NO_CPU */
	line_id wait_line;             /* the rcuwait or wait queue */
	line_id mpidr_line;            /* its registers in memory, MPIDR_EL1 among them */
	line_id flags_line;            /* whether its registers are on a CPU */
	struct vcpu_halt halt;
	struct soft_timer bg_timer;    /* while the vCPU sleeps */
	line_id active_vmid_line;      /* this CPU's active_vmids entry */
	struct kvm_pmu pmu;
	struct vgic_cpu vgic;
	struct its_vpe vpe;            /* GICv4 with direct MSIs */
	struct vgic_v5_cpu_if vgic_v5;
	struct arch_timer_context vtimer, ptimer;
	bool active_cleared_last;      /* the virtual timer's active state, as last written since the last put, was clear */
	bool told_vtimer, told_ptimer; /* userspace irqchip: kvm_run's device_irq_level */
	bool mmio_pending;             /* last exit was an MMIO access for the VMM to finish */
};

/* Which timers run on hardware, which on an hrtimer (get_timer_map). */
struct timer_map {
	struct arch_timer_context *direct_vtimer, *direct_ptimer, *emul_ptimer;
};

void kvm_init(struct kvm *kvm, struct kernel *kernel, bool irqchip_in_kernel, uint32_t instance);
void kvm_vcpu_init(struct kvm_vcpu *vcpu, struct kvm *kvm, vcpu_id id);

/* ---- virt/kvm/kvm_main.c ---- */
/*
 * ioctl(vcpu_fd, KVM_RUN) from EL0 to EL0: one exit to userspace. Does not return while the guest's operations are ones
 * that the kernel completes itself.
 */
void kvm_run_ioctl(struct cpu *cpu, struct kvm_vcpu *vcpu);
void vcpu_load(struct cpu *cpu, struct kvm_vcpu *vcpu);
void vcpu_put(struct cpu *cpu, struct kvm_vcpu *vcpu);

/* ---- arm.c ---- */
void kvm_arch_vcpu_ioctl_run(struct cpu *cpu, struct kvm_vcpu *vcpu);
void kvm_arch_vcpu_load(struct cpu *cpu, struct kvm_vcpu *vcpu);
void kvm_arch_vcpu_put(struct cpu *cpu, struct kvm_vcpu *vcpu);

/* ---- vmid.c ---- */
void update_vmid(struct cpu *cpu, struct kvm_vcpu *vcpu);                /* every turn of the run loop */
void kvm_arm_vmid_update(struct cpu *cpu, struct kvm_vcpu *vcpu);        /* load */
void kvm_arm_vmid_clear_active(struct cpu *cpu, struct kvm_vcpu *vcpu);  /* put */

/* ---- guest.c ---- */
/* The guest's program from ERET to the exception that ends it. */
enum guest_exit guest_run(struct cpu *cpu, struct kvm_vcpu *vcpu);
/* The operation that ended the guest is over; what comes next is the program's next step. */
void guest_step_over(struct cpu *cpu, struct kvm_vcpu *vcpu);
/* For a guest's interrupt handler: the step that it interrupted waited for it and has no work left. */
void guest_stop_waiting(struct kvm_vcpu *vcpu);

/* ---- handle_exit.c, hypercalls.c, sys_regs.c, mmio.c ---- */
/* True: back into the guest; false: exit to userspace. */
bool handle_exit(struct cpu *cpu, struct kvm_vcpu *vcpu, enum guest_exit why);
void handle_hvc(struct cpu *cpu, struct kvm_vcpu *vcpu);
void kvm_handle_sys_reg(struct cpu *cpu, struct kvm_vcpu *vcpu);
/* A data abort on an address that a device of the kernel answers. */
void kvm_handle_guest_abort(struct cpu *cpu, struct kvm_vcpu *vcpu);
/* A look-up by bisection: bsearch() and `steps` calls of `compare`. */
void kvm_bsearch(struct cpu *cpu, unsigned int steps, void (*compare)(struct cpu *cpu));
void kvm_handle_mmio_return(struct cpu *cpu, struct kvm_vcpu *vcpu);

/* ---- irq_init.c ---- */
void kvm_irq_init(struct kernel *kernel);

/* ---- arch_timer.c, timer_*.c: what each does depends on kernel.timer_regs, see timer_policy.h ---- */
struct timer_map get_timer_map(struct kvm_vcpu *vcpu);
void kvm_timer_vcpu_load(struct cpu *cpu, struct kvm_vcpu *vcpu);
void kvm_timer_vcpu_put(struct cpu *cpu, struct kvm_vcpu *vcpu);
/* Around an entry; with interrupts on if kvm_timer_interrupts_on, and then so is the vGIC's flush and sync. */
void kvm_timer_flush_hwstate(struct cpu *cpu, struct kvm_vcpu *vcpu);
void kvm_timer_sync_hwstate(struct cpu *cpu, struct kvm_vcpu *vcpu);
bool kvm_timer_interrupts_on(const struct kernel *kernel);
/* In the world switch, VHE and nVHE: just before __guest_enter; after fixup_guest_exit. */
void timer_hyp_enter(struct cpu *cpu, struct kvm_vcpu *vcpu);
void timer_hyp_exit(struct cpu *cpu, struct kvm_vcpu *vcpu);
/* The guest's GUEST_TIMER_READ or _WRITE: whether it is an exit; its part of kvm_handle_sys_reg; the access without an exit. */
bool timer_access_traps(struct kvm_vcpu *vcpu);
void access_arch_timer(struct cpu *cpu, struct kvm_vcpu *vcpu);
void timer_guest_access(struct cpu *cpu, const struct kvm_vcpu *vcpu);
void kvm_timer_sync_user(struct cpu *cpu, struct kvm_vcpu *vcpu);
bool kvm_timer_should_notify_user(struct cpu *cpu, struct kvm_vcpu *vcpu);
/*
 * Host interrupt of a guest timer, in hard-irq context: the level goes to the interrupt controller of the vCPU that is
 * loaded. True: it belongs to the guest now.
 */
bool kvm_arch_timer_handler(struct cpu *cpu, void *kernel, intid interrupt);
/* The level of a loaded timer's output, for the vGIC. */
bool kvm_arch_timer_get_input_level(struct cpu *cpu, struct kvm_vcpu *vcpu, struct vgic_irq *irq);
void kvm_timer_update_run(struct cpu *cpu, struct kvm_vcpu *vcpu);

/* ---- vgic*.c: see vgic.h ---- */

/* ---- kick.c ---- */
void kvm_make_request(struct cpu *cpu, uint32_t request, struct kvm_vcpu *vcpu);
/* Clears the request; true: it was made. */
bool kvm_check_request(struct cpu *cpu, uint32_t request, struct kvm_vcpu *vcpu);
/* Wakes a vCPU that sleeps; ends the guest of one that runs elsewhere, so that it sees its requests. */
void kvm_vcpu_kick(struct cpu *cpu, struct kvm_vcpu *vcpu);
void kvm_kick_init(struct kernel *kernel);

/* ---- guest_idle.c ---- */
/* The rest of a GUEST_WFI that does not trap, or of a GUEST_POLL. GUEST_EXIT_TRAP: it is over. */
enum guest_exit guest_wfi(struct cpu *cpu, struct kvm_vcpu *vcpu);
enum guest_exit guest_poll(struct cpu *cpu, struct kvm_vcpu *vcpu);
/* By another vCPU. True: it was being polled. */
bool guest_flag_raise(struct cpu *cpu, struct guest_flag *flag);

/* ---- hyp: world switch and register state ---- */
enum guest_exit __kvm_vcpu_run_vhe(struct cpu *cpu, struct kvm_vcpu *vcpu);
enum guest_exit __kvm_vcpu_run_nvhe(struct cpu *cpu, struct kvm_vcpu *vcpu);
void kvm_vcpu_load_vhe(struct cpu *cpu, struct kvm_vcpu *vcpu);
void kvm_vcpu_put_vhe(struct cpu *cpu, struct kvm_vcpu *vcpu);
void kvm_arch_vcpu_load_fp(struct cpu *cpu, struct kvm_vcpu *vcpu);
void kvm_arch_vcpu_put_fp(struct cpu *cpu, struct kvm_vcpu *vcpu);
/* HVC from the EL1 host into the nVHE hypervisor and back, around whatever is done there. */
void hyp_call_enter(struct cpu *cpu);
void hyp_call_return(struct cpu *cpu);

#endif
