// SPDX-License-Identifier: Apache-2.0
/*
 * A GICv3: one distributor frame, one redistributor frame per CPU, the CPU interfaces, and the wires.
 *
 * Owns the register state (gic.h) and the frames (gic_frame.hpp: timing, input wires); attaches every
 * frame to the interconnect at the addresses of address_map.h. Redistributors have a queue each, the
 * distributor is one for all.
 *
 * The CPU interface is reached by system registers, not through the interconnect: icc_read and
 * icc_write cost what the CPU charges for them and act at once. Acknowledging an SPI and sending an SGI
 * touch what other CPUs see: the CPU lets simulated time catch up first. What an access takes off the CPU's own line is off at
 * once; what it puts there comes `line_latency` later.
 *
 * An SGI takes `sgi_latency` and the way from the sender to the target's redistributor until it is pending there; then it is
 * like any other interrupt (line_latency).
 *
 * The virtual CPU interface (gic_ich.h) is part of the CPU: its vIRQ line takes no time. The maintenance interrupt is an
 * input of the CPU's redistributor like a timer's.
 *
 * Not modelled: see gic.h; packets between redistributor and CPU interface (one `line_latency` covers
 * them).
 */
#ifndef CONVOY_MODEL_GIC_GICV3_HPP
#define CONVOY_MODEL_GIC_GICV3_HPP

#include <memory>
#include <vector>

#include <systemc>

#include "model/bus/interconnect.hpp"
#include "model/gic/address_map.h"
#include "model/gic/gic.h"
#include "model/gic/gic_frame.hpp"
#include "model/gic/gic_model.hpp"
#include "model/gic/irq_lines.hpp"
#include "model/gic/sgi_queue.hpp"
#include "model/gic/virtual_lines.hpp"

namespace convoy {

struct gicv3_config {
	uint32_t cpus = 1;
	uint32_t spis = 32;             // 0, a multiple of 32 up to 960, or 988
	uint32_t priority_bits = 5;     // 5, 6 or 7
	uint32_t list_registers = 4;    // 0 … 16
	uint32_t edge_ppis = 0;         // bit n: PPI n is edge-triggered after reset
	uint32_t iidr = 0;
	std::vector<uint32_t> affinity; // by CPU, Aff3:Aff2:Aff1:Aff0; empty: 16 CPUs for each value of Aff1

	uint32_t distributor_crosspoint = 0;
	std::vector<uint32_t> redistributor_crosspoint;  // by CPU; empty: where the distributor is
	uint64_t redistributor_stride = GICR_STRIDE;     // GICv4: twice that

	sc_core::sc_time distributor_service;    // busy with one access
	sc_core::sc_time redistributor_service;
	sc_core::sc_time disable_time;           // from a disable to its effect: how long RWP is set
	sc_core::sc_time line_latency;           // from a change of state to the CPU's interrupt input
	sc_core::sc_time sgi_latency;            // from ICC_SGI1R_EL1 to pending at the target, without the way there
};

class gicv3 : public gic_model {
public:
	// Throws std::invalid_argument for a configuration that gic_create or the interconnect refuses.
	gicv3(sc_core::sc_module_name name, const gicv3_config &config, interconnect &bus);

	// The state in which a host kernel with KVM leaves the GIC after boot, at once and without time: everything
	// in Group 1 at one priority, `enabled_ppis` (bit n: INTID n) enabled on every CPU, CPU interfaces open,
	// priority drop split from deactivation (EOImode 1).
	void boot(uint32_t enabled_ppis) override;

	void connect_cpu(cpu_id cpu, cpu_irq_if *input) override
	{
		lines_.connect(cpu, input);
		virtual_lines_.connect(cpu, input);
	}

	// Input wires, absolute time; see gic_frame.hpp.
	void set_ppi_level(cpu_id cpu, intid irq, bool level, const sc_core::sc_time &when) override
	{
		redistributor(cpu).set_level(irq, level, when);
	}
	void set_spi_level(intid irq, bool level, const sc_core::sc_time &when)
	{
		distributor_->set_level(irq, level, when);
	}

	// System registers of the CPU interface, at `when`, absolute.
	uint64_t icc_read(cpu_id cpu, gic_offset reg, const sc_core::sc_time &when);
	void icc_write(cpu_id cpu, gic_offset reg, uint64_t value, const sc_core::sc_time &when);
	bool register_read(cpu_id cpu, enum sysreg reg, const sc_core::sc_time &when, uint64_t *value) override;
	bool register_write(cpu_id cpu, enum sysreg reg, uint64_t value, const sc_core::sc_time &when) override;
	bool must_catch_up(enum sysreg reg) const override;
	uint64_t frame_address(enum gic_interface frame, cpu_id cpu) const override;

	gic_frame &distributor() { return *distributor_; }
	gic_frame &redistributor(cpu_id cpu) { return *redistributors_[cpu.n]; }
	uint64_t redistributor_address(cpu_id cpu) const { return GICR_BASE + cpu.n * redistributor_stride_; }

private:
	using state = std::unique_ptr<struct gic, decltype(&gic_destroy)>;
	static state create(const gicv3_config &config);
	void virtual_write(cpu_id cpu, enum sysreg reg, uint64_t value, const sc_core::sc_time &when);
	void send_sgi(cpu_id cpu, uint64_t sgi1r, const sc_core::sc_time &when);
	void catch_up(cpu_id cpu, const sc_core::sc_time &when);

	const interconnect &bus_;
	const sc_core::sc_time sgi_latency_;
	state gic_;
	irq_lines lines_;
	const uint64_t redistributor_stride_;
	virtual_lines virtual_lines_;
	std::unique_ptr<gic_frame> distributor_;
	std::vector<std::unique_ptr<gic_frame>> redistributors_;
	sgi_queue sgis_;
};

}

#endif
