// SPDX-License-Identifier: Apache-2.0
/*
 * A GICv2: distributor, CPU interfaces, virtual interface control and virtual CPU interfaces behind one physical interface with
 * one queue (address_map.h: V2_*). Whatever a CPU does with its interrupts, it meets the other CPUs' accesses there.
 *
 * Timing. An access arrives, waits for those before it, is served for `service`; then registers change, lines are stamped. An
 * SGI is pending at its target `sgi_latency` after the end of service of the write of GICD_SGIR: the way to the GIC is
 * the write's own. Both lines to a CPU, IRQ and vIRQ, take `line_latency`; nothing of the GIC is inside a CPU. An input that
 * changes behind an access of its own CPU that is being served takes effect right after it (gic_frame.hpp).
 *
 * `cpu_interface_4k`: of GICC and GICV only the first 4 kB answer, so GICC_DIR and GICV_DIR are out of reach, and boot leaves
 * EOImode 0.
 *
 * Not modelled: see gicv2.h.
 */
#ifndef CONVOY_MODEL_GIC_GICV2_HPP
#define CONVOY_MODEL_GIC_GICV2_HPP

#include <memory>
#include <vector>

#include <systemc>

#include "model/bus/interconnect.hpp"
#include "model/gic/gic_model.hpp"
#include "model/gic/gicv2.h"
#include "model/gic/irq_lines.hpp"
#include "model/gic/register_frame.hpp"
#include "model/gic/sgi_queue.hpp"
#include "model/gic/virtual_lines.hpp"

namespace convoy {

struct gicv2_config {
	uint32_t cpus = 1;              // 1 … 8
	uint32_t spis = 32;             // a multiple of 32 up to 960
	uint32_t list_registers = 4;    // 1 … 64
	uint32_t edge_ppis = 0;         // bit n: PPI n is edge-triggered after reset
	uint32_t iidr = 0;
	bool cpu_interface_4k = false;
	uint32_t crosspoint = 0;

	sc_core::sc_time service;       // busy with one access
	sc_core::sc_time line_latency;  // from a change of state to the CPU's input
	sc_core::sc_time sgi_latency;   // from GICD_SGIR to pending at the target
};

class gicv2 : public gic_model {
public:
	// Throws std::invalid_argument for a configuration that gic_create or the interconnect refuses.
	gicv2(sc_core::sc_module_name name, const gicv2_config &config, interconnect &bus);

	// As gicv3::boot; EOImode 1 unless it needs the second page.
	void boot(uint32_t enabled_ppis) override;

	void connect_cpu(cpu_id cpu, cpu_irq_if *input) override
	{
		lines_.connect(cpu, input);
		virtual_lines_.connect(cpu, input);
	}

	void set_ppi_level(cpu_id cpu, intid irq, bool level, const sc_core::sc_time &when) override;
	void set_spi_level(intid irq, bool level, const sc_core::sc_time &when);

	// There are no system registers.
	bool register_read(cpu_id, enum sysreg, const sc_core::sc_time &, uint64_t *) override { return false; }
	bool register_write(cpu_id, enum sysreg, uint64_t, const sc_core::sc_time &) override { return false; }
	bool must_catch_up(enum sysreg) const override { return false; }

	uint64_t frame_address(enum gic_interface frame, cpu_id cpu) const override;

	const register_frame &interface() const { return frame_; }

private:
	using state = std::unique_ptr<struct gic, decltype(&gic_destroy)>;
	static state create(const gicv2_config &config);
	bool access(register_access &access);
	bool decode(uint32_t offset, gicv2_frame *frame, uint32_t *in_frame) const;
	void send_sgi(cpu_id from, uint32_t sgir, const sc_core::sc_time &when);
	void publish(cpu_id cpu, const sc_core::sc_time &when);

	const gicv2_config config_;
	state gic_;
	irq_lines lines_;
	virtual_lines virtual_lines_;
	std::vector<sc_core::sc_time> served_;  // by CPU: end of service of its last access
	sgi_queue sgis_;
	register_frame frame_;
};

}

#endif
