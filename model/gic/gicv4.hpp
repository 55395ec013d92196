// SPDX-License-Identifier: Apache-2.0
/*
 * A GICv4.0 or GICv4.1: a GICv3 whose redistributors have a VLPI frame each, and one frame through which LPIs arrive. State of
 * vPEs is C logic (gicv4.h).
 *
 * Redistributors are 256 KiB apart; VLPI_base is 128 KiB above RD_base, a queue of its own, served as fast as the other frames.
 * The ITS is its translation register alone: a write of event n to GITS_TRANSLATER is an LPI of vPE n; it arrives
 * `lpi_latency` after it was served. The table that configures the doorbells is a frame of its own, 32 bits for each
 * from LPI 8192 on, bit 0 the enable; a write stands for the byte in memory and the INV after it, and is in effect when
 * served. A scan of a pending table takes `vpt_scan`, in which vIRQ waits.
 *
 * Lines: a CPU's IRQ is that of the GICv3 or a doorbell, its vIRQ that of the GICv3's virtual CPU interface or a
 * virtual LPI. Reading ICC_IAR1_EL1 or ICV_IAR1_EL1 gives the GICv3's interrupt first, then the LPI. Doorbells have no
 * priority here.
 *
 * Not modelled: see gicv4.h and gicv3.hpp.
 */
#ifndef CONVOY_MODEL_GIC_GICV4_HPP
#define CONVOY_MODEL_GIC_GICV4_HPP

#include <memory>
#include <vector>

#include "model/gic/cpu_lines.hpp"
#include "model/gic/gicv3.hpp"
#include "model/gic/gicv4.h"
#include "model/gic/later.hpp"
#include "model/gic/register_frame.hpp"

namespace convoy {

constexpr uint64_t gicv4_redistributor_stride = 0x40000;
constexpr uint64_t vlpi_offset = 0x20000;
// GITS_base + the frame of GITS_TRANSLATER.
constexpr uint64_t its_translation_base = 0x40010000ull;
constexpr uint64_t its_translation_size = 0x10000ull;
constexpr uint32_t gits_translater = 0x40;
constexpr uint64_t lpi_configuration_base = its_translation_base + its_translation_size;

struct gicv4_config {
	gicv3_config base;
	bool v4_1 = true;
	uint32_t vpes = 1;
	sc_core::sc_time vpt_scan;
	sc_core::sc_time lpi_latency;
};

class gicv4 : public gicv3, private cpu_irq_if {
public:
	// Throws std::invalid_argument for a configuration that cannot be.
	gicv4(sc_core::sc_module_name name, const gicv4_config &config, interconnect &bus);

	void connect_cpu(cpu_id cpu, cpu_irq_if *input) override;
	bool register_read(cpu_id cpu, enum sysreg reg, const sc_core::sc_time &when, uint64_t *value) override;
	// An LPI of this vPE, at `when`, absolute.
	void vlpi(uint32_t vpe, const sc_core::sc_time &when);
	uint64_t frame_address(enum gic_interface frame, cpu_id cpu) const override;

private:
	using state = std::unique_ptr<gicv4_state, decltype(&gicv4_destroy)>;
	static state create(const gicv4_config &config);
	static gicv3_config spread_out(gicv3_config base);
	void irq_line(cpu_id cpu, bool asserted, sc_core::sc_time when) override;
	void virq_line(cpu_id cpu, bool asserted, sc_core::sc_time when) override;
	bool access_configuration(register_access &access);
	bool access_vlpi(cpu_id owner, register_access &access);
	void publish(cpu_id cpu, const sc_core::sc_time &when);

	state vpes_;
	cpu_lines lines_to_cpus_;
	std::vector<bool> irq_, virq_;  // of the GICv3 alone
	later messages_;
	register_frame translater_, configuration_;
	std::vector<std::unique_ptr<register_frame>> vlpi_frames_;
	const sc_core::sc_time lpi_latency_, line_latency_;
};

}

#endif
