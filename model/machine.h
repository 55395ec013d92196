// SPDX-License-Identifier: Apache-2.0
/*
 * THE BOUNDARY: all that modelled software can ask of modelled hardware. Nothing else crosses.
 *
 * Software (model/kernel, model/kvm, workloads: plain C) is written against this header alone. Two implementations
 * exist: model/cpu (SystemC: with time) and tests/step/recording_machine.c (no time: writes every request down).
 *
 * Time. Every CPU has a local time in picoseconds. Calls that touch nothing shared only add to it. Calls that touch
 * what another CPU could touch (line_*, mmio_*, cpu_run_guest, cpu_wait_for_interrupt) first let simulated time catch
 * up, so no shared access is ever seen out of order. There is no quantum.
 *
 * Shared data. The modelled kernel's shared variables are ordinary C variables; each belongs to a cache line
 * (line_id). When line_read, line_own, line_atomic or line_release returns, this CPU holds that line in the named way
 * *now*: read or change the variables of the line before the next call that takes time, and they are in the right
 * order on every CPU.
 *
 * Accounting. Every picosecond is charged to the function entered last with FUNCTION() and to a reason; see
 * model/account.
 *
 * Not modelled: instruction fetch, TLBs, branch prediction, plain stores that retire before their line has arrived
 * (line_own waits; only store-releases are buffered), memory bandwidth, speculation.
 */
#ifndef CONVOY_MODEL_MACHINE_H
#define CONVOY_MODEL_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/ids.h"
#include "model/sysreg.h"

#ifdef __cplusplus
extern "C" {
#endif

struct machine;
struct cpu;

/* ---- who am I, what time is it: free of cost ------------------------------------------------- */

cpu_id cpu_number(const struct cpu *cpu);
ps_t cpu_now(const struct cpu *cpu);
struct machine *cpu_machine(const struct cpu *cpu);

/* ---- private work ----------------------------------------------------------------------------- */

/* Instructions that touch nothing shared, for `cost` ps. */
void cpu_spend(struct cpu *cpu, ps_t cost);
/* `count` ordinary loads or stores of private data and the instructions around them. */
void cpu_load_store(struct cpu *cpu, unsigned int count);
/* Taking an exception to a higher exception level; ERET to a lower one. */
void cpu_exception_entry(struct cpu *cpu);
void cpu_exception_return(struct cpu *cpu);

uint64_t cpu_sysreg_read(struct cpu *cpu, enum sysreg reg);
void cpu_sysreg_write(struct cpu *cpu, enum sysreg reg, uint64_t value);

enum barrier {
	BARRIER_ISB,
	BARRIER_DSB,  /* waits for this CPU's store-releases and device writes */
	BARRIER_DMB   /* likewise; for device writes where the host says so (host.device.release_waits) */
};
void cpu_barrier(struct cpu *cpu, enum barrier barrier);

/* Masks interrupts and returns the former state; restores it. Nesting is the caller's business. */
bool irq_save(struct cpu *cpu);
void irq_restore(struct cpu *cpu, bool were_enabled);

/* ---- coherent cache lines ----------------------------------------------------------------------- */

/*
 * A new line, in nobody's cache. `name` (static) and `instance` decide its home node, so that adding a line moves
 * no other's.
 */
line_id line_create(struct machine *machine, const char *name, uint32_t instance);

void line_read(struct cpu *cpu, line_id line);    /* a copy, shared with others */
void line_own(struct cpu *cpu, line_id line);     /* exclusive, for a store; the CPU waits for the line */

enum order {
	ORDER_RELAXED,
	ORDER_ACQUIRE,  /* after this CPU's store-releases are visible: acquire and release are RCsc on arm64 */
	ORDER_RELEASE,  /* likewise, and after its device writes */
	ORDER_ACQUIRE_RELEASE  /* both: the full xchg() of the kernel (SWPAL) */
};
/*
 * A value-returning read-modify-write (LSE CAS, SWP, LDADD): change the variables of the line now. Afterwards the
 * CPU owns the line if it did so before or if the host fetches lines for atomics; else the line is at its home node
 * (host.cpu.far_atomics).
 */
void line_atomic(struct cpu *cpu, line_id line, enum order order);

/*
 * Store-release, through the store buffer: the CPU goes on, the store happens later. It becomes visible when this
 * CPU's earlier store-releases have, its device writes are acknowledged (host.device.release_waits) and the line is
 * exclusive; then the machine calls store(object, when), which changes the variables of the line. An acquire or a
 * barrier of the same CPU waits for that.
 */
typedef void (*store_action)(void *object, ps_t when);
void line_release(struct cpu *cpu, line_id line, store_action store, void *object);
/*
 * WFE with the line armed by the last line_read: sleeps until another CPU takes the line away; at once if that
 * already happened.
 */
void line_wait(struct cpu *cpu, line_id line);

/* ---- devices -------------------------------------------------------------------------------------- */

/* 32-bit device accesses. A read waits. A write is posted: it returns after issue, its completion is remembered. */
uint32_t mmio_read(struct cpu *cpu, uint64_t address);
void mmio_write(struct cpu *cpu, uint64_t address, uint32_t value);
/* 64-bit, for the registers that are (GICR_VPENDBASER, …). */
uint64_t mmio_read64(struct cpu *cpu, uint64_t address);
void mmio_write64(struct cpu *cpu, uint64_t address, uint64_t value);

enum gic_interface {
	GIC_FRAME_DISTRIBUTOR,    /* GICD */
	GIC_FRAME_REDISTRIBUTOR,  /* GICR RD_base of a CPU; SGI_base is 64 KiB above, VLPI_base 128 KiB (GICv4) */
	GIC_FRAME_CPU_INTERFACE,  /* GICC (GICv2), banked by CPU */
	GIC_FRAME_HYPERVISOR,     /* GICH (GICv2), banked by CPU */
	GIC_FRAME_VIRTUAL_CPU,    /* GICV (GICv2), banked by CPU */
	GIC_FRAME_IRS,            /* GICv5 */
	GIC_FRAME_ITS             /* GICv4: that of GITS_TRANSLATER; 64 KiB above, the table that configures doorbells */
};
/* Physical address of a frame, of `cpu` where there is one a CPU. The frame must exist in the host's GIC. */
uint64_t gic_frame_address(const struct machine *machine, enum gic_interface frame, cpu_id cpu);

/* ---- interrupts ------------------------------------------------------------------------------------- */

/*
 * Who takes host interrupts. Called with interrupts masked by irq_restore(cpu, true) when one is pending; code that
 * runs for long with interrupts on takes them at the next such point. None by default: they stay pending.
 */
void machine_on_interrupt(struct machine *machine, void (*handler)(struct cpu *cpu, void *context), void *context);

/* ---- guests and idling ------------------------------------------------------------------------------ */

enum guest_exit {
	GUEST_EXIT_TRAP,   /* the budget ended: the guest does what it does next, which may trap */
	GUEST_EXIT_IRQ,    /* a physical interrupt */
	GUEST_INTERRUPT    /* no exit: a virtual interrupt is signalled to the guest, which has not masked them */
};

/* Guest code for at most `budget` ps, ended early by an interrupt. */
enum guest_exit cpu_run_guest(struct cpu *cpu, ps_t budget);
/* WFI in the guest, not trapped: until a physical (GUEST_EXIT_IRQ) or a virtual interrupt (GUEST_INTERRUPT). */
enum guest_exit cpu_guest_wait(struct cpu *cpu);
/* The guest's PSTATE.I: while masked, virtual interrupts do not end cpu_run_guest. Belongs to the thread. */
void cpu_guest_mask(struct cpu *cpu, bool masked);
/* WFI of the host: idle until an interrupt is pending, masked or not. */
void cpu_wait_for_interrupt(struct cpu *cpu);

/* ---- threads ------------------------------------------------------------------------------------------ */

/*
 * A `struct cpu` is a thread's own handle of the CPU it runs on: it stays the same when the thread moves. One thread runs
 * on a CPU at a time; threads change places only by thread_switch. Which one and when is the scheduler's business
 * (model/kernel/sched.h).
 */
typedef void (*task_body)(struct cpu *cpu, void *argument);
/* The first thread of a CPU; runs from time 0 on. At most one a CPU. */
void task_create(struct machine *machine, cpu_id cpu, task_body body, void *argument);
/* A further thread, standing still until somebody switches to it. Returns its handle. */
struct cpu *thread_create(struct machine *machine, task_body body, void *argument);
/*
 * The calling thread stands still; `next`, which stood still, goes on on its CPU, masked as that thread left it. Returns
 * when a thread switches back to the caller, on that thread's CPU. Costs nothing by itself.
 */
void thread_switch(struct cpu *self, struct cpu *next);

/* ---- accounting ------------------------------------------------------------------------------------------ */

struct function {
	const char *name;
	uint32_t id;  /* 0 until first entered */
};
void function_enter(struct cpu *cpu, struct function *function);
void function_leave(struct cpu **cpu);

/*
 * First statement of a modelled function: time from here to the end of the scope belongs to `text`, under the
 * caller.
 */
#define FUNCTION_NAMED(cpu_pointer, text)                                                          \
	static struct function function_here_ = { (text), 0 };                                     \
	struct cpu *function_scope_ __attribute__((cleanup(function_leave), unused)) = (cpu_pointer); \
	function_enter((cpu_pointer), &function_here_)
#define FUNCTION(cpu_pointer) FUNCTION_NAMED(cpu_pointer, __func__)

#ifdef __cplusplus
}
#endif

#endif
