// SPDX-License-Identifier: Apache-2.0
/*
 * Apple's interrupt controller: registers of each CPU are C logic (aic.h); this adds lines, the time an IPI takes, and
 * the one frame that all CPUs share. Of that only the event register is there (which device interrupt, reads 0: none),
 * because no device is connected.
 *
 * Guests see a GICv3 CPU interface (gic_virtual.h) with list registers. Their HW bit does nothing: a guest cannot end a
 * host interrupt. The maintenance interrupt is another source of the CPU's input.
 */
#ifndef CONVOY_MODEL_GIC_AIC_HPP
#define CONVOY_MODEL_GIC_AIC_HPP

#include <vector>

#include "model/bus/interconnect.hpp"
#include "model/gic/aic.h"
#include "model/gic/cpu_lines.hpp"
#include "model/gic/gic_model.hpp"
#include "model/gic/later.hpp"
#include "model/gic/gic_virtual.h"
#include "model/gic/register_frame.hpp"
#include "model/gic/virtual_lines.hpp"

namespace convoy {

// Where the frame sits: the model's own choice. AIC_EVENT is 0x2004 above.
constexpr uint64_t aic_base = 0x50000000ull;
constexpr uint64_t aic_size = 0x8000ull;

struct aic_config {
	uint32_t cpus = 1;
	uint32_t crosspoint = 0;
	uint32_t priority_bits = 5, list_registers = 4;  // of the guests' CPU interface
	sc_core::sc_time service;       // of the frame
	sc_core::sc_time line_latency;  // from a timer or an IPI to the CPU's interrupt input; registers act at once
	sc_core::sc_time ipi_latency;   // from the request to its being pending at the target
};

class aic : public gic_model {
public:
	aic(sc_core::sc_module_name name, const aic_config &config, interconnect &bus);

	// `enabled_ppis`: the FIQs of the guest timers that are enabled.
	void boot(uint32_t enabled_ppis) override;
	void connect_cpu(cpu_id cpu, cpu_irq_if *input) override
	{
		lines_.connect(cpu, input);
		virtual_lines_.connect(cpu, input);
	}
	void set_ppi_level(cpu_id cpu, intid irq, bool level, const sc_core::sc_time &when) override;
	bool register_read(cpu_id cpu, enum sysreg reg, const sc_core::sc_time &when, uint64_t *value) override;
	bool register_write(cpu_id cpu, enum sysreg reg, uint64_t value, const sc_core::sc_time &when) override;
	bool must_catch_up(enum sysreg reg) const override;
	uint64_t frame_address(enum gic_interface frame, cpu_id) const override { return frame == GIC_FRAME_DISTRIBUTOR ? aic_base : 0; }

private:
	void publish(cpu_id cpu, const sc_core::sc_time &when);

	const aic_config config_;
	std::vector<aic_cpu> cpus_;
	std::vector<sc_core::sc_time> last_access_;
	cpu_lines lines_;
	std::vector<gic_virtual> interfaces_;
	std::vector<bool> maintenance_;
	virtual_lines virtual_lines_;
	later messages_;
	register_frame frame_;
};

}

#endif
