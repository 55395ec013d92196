// SPDX-License-Identifier: Apache-2.0
// See aic.hpp.
#include "model/gic/aic.hpp"

#include "model/gic/gic_ich.h"

namespace convoy {

using sc_core::sc_time;

aic::aic(sc_core::sc_module_name name, const aic_config &config, interconnect &bus)
	: gic_model(name), config_(config), cpus_(config.cpus), last_access_(config.cpus), lines_(config.cpus),
	  interfaces_(config.cpus), maintenance_(config.cpus),
	  virtual_lines_(config.cpus, sc_core::SC_ZERO_TIME, [this](cpu_id cpu, bool level, const sc_time &when) {
		  maintenance_[cpu.n] = level;
		  publish(cpu, when);
	  }),
	  messages_("messages"), frame_("frame", config.service, [](register_access &) { return true; })
{
	for (auto &interface : interfaces_)
		gic_virtual_init(&interface, config.list_registers, config.priority_bits, true);
	bus.attach(frame_.socket, aic_base, aic_size, config.crosspoint);
}

void aic::boot(uint32_t enabled_ppis)
{
	const uint64_t enable = (enabled_ppis >> 27 & 1 ? AIC_FIQ_V : 0) | (enabled_ppis >> 30 & 1 ? AIC_FIQ_P : 0);

	for (auto &cpu : cpus_)
		aic_write(&cpu, SYS_IMP_APL_VM_TMR_FIQ_ENA_EL2, enable);
}

void aic::publish(cpu_id cpu, const sc_time &when)
{
	lines_.tell(cpu, false, aic_fiq(&cpus_[cpu.n]) || maintenance_[cpu.n], when);
}

void aic::set_ppi_level(cpu_id cpu, intid irq, bool level, const sc_time &when)
{
	aic_set_timer(&cpus_[cpu.n], irq, level);
	publish(cpu, std::max(when, last_access_[cpu.n]) + config_.line_latency);
}

bool aic::register_read(cpu_id cpu, enum sysreg reg, const sc_time &when, uint64_t *value)
{
	last_access_[cpu.n] = std::max(last_access_[cpu.n], when);
	if (!gic_ich_has(reg))
		return aic_read(&cpus_[cpu.n], reg, value);
	*value = gic_ich_read(&interfaces_[cpu.n], reg);
	virtual_lines_.publish(cpu, interfaces_[cpu.n], when);
	return true;
}

bool aic::register_write(cpu_id cpu, enum sysreg reg, uint64_t value, const sc_time &when)
{
	cpu_id target;

	last_access_[cpu.n] = std::max(last_access_[cpu.n], when);
	if (gic_ich_has(reg)) {
		gic_ich_write(&interfaces_[cpu.n], reg, value);
		virtual_lines_.publish(cpu, interfaces_[cpu.n], when);
		return true;
	}
	if (aic_ipi_target(cpu, reg, value, &target)) {
		if (target.n < config_.cpus)
			messages_.at(when + config_.ipi_latency, [this, target](const sc_time &now) {
				cpus_[target.n].ipi = true;
				publish(target, now + config_.line_latency);
			});
		return true;
	}
	if (!aic_write(&cpus_[cpu.n], reg, value))
		return false;
	publish(cpu, when);
	return true;
}

// Requests, and the register that shows what others requested.
bool aic::must_catch_up(enum sysreg reg) const
{
	return reg == SYS_IMP_APL_IPI_RR_LOCAL_EL1 || reg == SYS_IMP_APL_IPI_RR_GLOBAL_EL1 || reg == SYS_IMP_APL_IPI_SR_EL1;
}

}
