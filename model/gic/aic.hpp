// SPDX-License-Identifier: Apache-2.0
/*
 * Apple's interrupt controller: registers of each CPU are C logic (aic.h); this adds lines and the time an IPI takes. No frames:
 * what software modelled here needs of it are system registers.
 *
 * Guests see a GICv3 CPU interface (ICH_*, ICV_*), which is not here: those registers keep their values.
 */
#ifndef CONVOY_MODEL_GIC_AIC_HPP
#define CONVOY_MODEL_GIC_AIC_HPP

#include <vector>

#include "model/gic/aic.h"
#include "model/gic/cpu_lines.hpp"
#include "model/gic/gic_model.hpp"
#include "model/gic/later.hpp"

namespace convoy {

struct aic_config {
	uint32_t cpus = 1;
	sc_core::sc_time line_latency;  // from a source to the CPU's interrupt input
	sc_core::sc_time ipi_latency;   // from the request to its being pending at the target
};

class aic : public gic_model {
public:
	aic(sc_core::sc_module_name name, const aic_config &config);

	// `enabled_ppis`: the FIQs of the guest timers that are enabled.
	void boot(uint32_t enabled_ppis) override;
	void connect_cpu(cpu_id cpu, cpu_irq_if *input) override { lines_.connect(cpu, input); }
	void set_ppi_level(cpu_id cpu, intid irq, bool level, const sc_core::sc_time &when) override;
	bool register_read(cpu_id cpu, enum sysreg reg, const sc_core::sc_time &when, uint64_t *value) override;
	bool register_write(cpu_id cpu, enum sysreg reg, uint64_t value, const sc_core::sc_time &when) override;
	bool must_catch_up(enum sysreg reg) const override;
	uint64_t frame_address(enum gic_interface, cpu_id) const override { return 0; }

private:
	void publish(cpu_id cpu, const sc_core::sc_time &when);

	const aic_config config_;
	std::vector<aic_cpu> cpus_;
	std::vector<sc_core::sc_time> last_access_;
	cpu_lines lines_;
	later messages_;
};

}

#endif
