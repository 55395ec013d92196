// SPDX-License-Identifier: Apache-2.0
/*
 * What a machine needs of an interrupt controller, whichever it is: wires in, lines to the CPUs out, frames on the
 * interconnect, registers of the CPU interface. One implementation for each architecture; host.gic.version picks it
 * (model/cpu/machine.cpp).
 */
#ifndef CONVOY_MODEL_GIC_GIC_MODEL_HPP
#define CONVOY_MODEL_GIC_GIC_MODEL_HPP

#include <systemc>

#include "base/ids.h"
#include "model/gic/cpu_irq_if.hpp"
#include "model/machine.h"
#include "model/sysreg.h"

namespace convoy {

class gic_model : public sc_core::sc_module {
public:
	// The state in which a host kernel with KVM leaves the controller after boot, at once and without time;
	// `enabled_ppis`, bit n: INTID n is enabled on every CPU.
	virtual void boot(uint32_t enabled_ppis) = 0;
	virtual void connect_cpu(cpu_id cpu, cpu_irq_if *input) = 0;
	// Level of a PPI's wire from `when` on, absolute and not before sc_time_stamp().
	virtual void set_ppi_level(cpu_id cpu, intid irq, bool level, const sc_core::sc_time &when) = 0;

	// System registers and instructions of the CPU interface, at `when`, absolute. False: this controller does
	// not implement the register, and it keeps the value last written.
	virtual bool register_read(cpu_id cpu, enum sysreg reg, const sc_core::sc_time &when, uint64_t *value) = 0;
	virtual bool register_write(cpu_id cpu, enum sysreg reg, uint64_t value, const sc_core::sc_time &when) = 0;
	// True: an access touches what other CPUs see, so simulated time must have reached the CPU's own.
	virtual bool must_catch_up(enum sysreg reg) const = 0;

	// Physical address of a frame (of `cpu` where each CPU has one); 0: this controller has none.
	virtual uint64_t frame_address(enum gic_interface frame, cpu_id cpu) const = 0;

protected:
	explicit gic_model(sc_core::sc_module_name name) : sc_module(name) {}
};

}

#endif
