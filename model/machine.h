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
/* Physical address of GICR RD_base of a CPU; SGI_base is 64 KiB above. */
uint64_t gic_redistributor_address(const struct machine *machine, cpu_id cpu);

/* ---- guests and idling ------------------------------------------------------------------------------ */

enum guest_exit { GUEST_EXIT_TRAP /* the budget ended: the guest does what traps */, GUEST_EXIT_IRQ /* physical interrupt */ };

/* Guest code for at most `budget` ps, ended early by a physical interrupt. */
enum guest_exit cpu_run_guest(struct cpu *cpu, ps_t budget);
/* WFI: idle until an interrupt is pending. */
void cpu_wait_for_interrupt(struct cpu *cpu);

/* ---- threads ------------------------------------------------------------------------------------------ */

/* One thread pinned to one CPU; runs from time 0 to the end. At most one a CPU. */
typedef void (*task_body)(struct cpu *cpu, void *argument);
void task_create(struct machine *machine, cpu_id cpu, task_body body, void *argument);

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
