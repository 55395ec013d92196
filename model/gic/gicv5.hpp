// SPDX-License-Identifier: Apache-2.0
/*
 * A GICv5: CPU interfaces with their PPIs, one IRS frame, LPIs from CPU to CPU. Registers are C logic (gicv5.h); this adds
 * the socket, the lines and the time that messages take.
 *
 * TIMING. Registers of the CPU act at once, its interrupt lines included: PPIs never leave the core. A wire, and a
 * message from the IRS, reach the line `line_latency` later. An instruction that the IRS carries out arrives
 * there after the way from the CPU; GIC CDPEND (how IPIs are sent) makes the LPI pending at its target `sgi_latency`
 * and both ways later, in place of all that. The sender lets simulated time catch up first. Input wires as in
 * gic_frame.hpp: a change behind an access made ahead of time takes effect right after it.
 *
 * Guests in compat mode (ICH_VCTLR_EL2.V3) have a GICv3 CPU interface with list registers (gic_virtual.h); its
 * maintenance interrupt is PPI 25. The guest's end of an interrupt with the HW bit deactivates the host's PPI.
 *
 * Not modelled: see gicv5.h; GIC instructions' queues, the stream between CPU and IRS.
 */
#ifndef CONVOY_MODEL_GIC_GICV5_HPP
#define CONVOY_MODEL_GIC_GICV5_HPP

#include <functional>
#include <memory>
#include <vector>

#include <systemc>

#include "model/bus/interconnect.hpp"
#include "model/gic/cpu_lines.hpp"
#include "model/gic/gic_model.hpp"
#include "model/gic/gic_virtual.h"
#include "model/gic/gicv5.h"
#include "model/gic/later.hpp"
#include "model/gic/register_frame.hpp"

namespace convoy {

// Where the IRS configuration frame sits; the model's own choice.
constexpr uint64_t irs_base = 0x30000000ull;
constexpr uint64_t irs_size = 0x10000ull;

struct gicv5_model_config {
	uint32_t cpus = 1;
	uint32_t irs_crosspoint = 0;
	uint32_t list_registers = 4;                         // of guests in compat mode
	std::function<sc_core::sc_time(cpu_id)> way_to_irs;  // one way; empty: no time
	sc_core::sc_time irs_service;
	sc_core::sc_time line_latency;
	sc_core::sc_time sgi_latency;
};

class gicv5 : public gic_model {
public:
	// Throws std::invalid_argument for a configuration that gicv5_create refuses.
	gicv5(sc_core::sc_module_name name, const gicv5_model_config &config, interconnect &bus);

	// Everything at one priority, the PPIs of `enabled_ppis` enabled, each CPU's GICV5_IPIS LPIs targeted at it and enabled
	// (LPI GICV5_IPIS·cpu + n is IPI n), CPU interfaces and the virtual ones on.
	void boot(uint32_t enabled_ppis) override;
	void connect_cpu(cpu_id cpu, cpu_irq_if *input) override { lines_.connect(cpu, input); }
	void set_ppi_level(cpu_id cpu, intid irq, bool level, const sc_core::sc_time &when) override;
	bool register_read(cpu_id cpu, enum sysreg reg, const sc_core::sc_time &when, uint64_t *value) override;
	bool register_write(cpu_id cpu, enum sysreg reg, uint64_t value, const sc_core::sc_time &when) override;
	bool must_catch_up(enum sysreg reg) const override;
	uint64_t frame_address(enum gic_interface frame, cpu_id cpu) const override;

private:
	using state = std::unique_ptr<struct ::gicv5, decltype(&gicv5_destroy)>;
	static state create(const gicv5_model_config &config);
	void send(cpu_id cpu, enum sysreg reg, uint64_t value, const sc_core::sc_time &when);
	sc_core::sc_time way(cpu_id cpu) const { return config_.way_to_irs ? config_.way_to_irs(cpu) : sc_core::SC_ZERO_TIME; }
	void publish(const sc_core::sc_time &when);
	bool compat(cpu_id cpu);
	void publish_virtual(cpu_id cpu, const sc_core::sc_time &when);

	const gicv5_model_config config_;
	state gic_;
	cpu_lines lines_;
	std::vector<sc_core::sc_time> last_access_;  // by CPU
	std::vector<gic_virtual> interfaces_;        // by CPU: compat mode
	std::vector<bool> virq_, maintenance_;       // by CPU: of a GICv5 guest; as last told
	later messages_;
	register_frame irs_;
};

}

#endif
