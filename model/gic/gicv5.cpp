// SPDX-License-Identifier: Apache-2.0
// See gicv5.hpp.
#include "model/gic/gicv5.hpp"

#include <stdexcept>

#include "model/gic/gic_ich.h"

namespace convoy {

using sc_core::sc_time;

namespace {
constexpr uint32_t sw_ppi = 3;  // architected: the software PPI, the one edge-triggered PPI of every CPU
constexpr uint64_t usual_priority = 0x10;
constexpr uint32_t irs_cr0 = 0x80;
constexpr uint32_t priority_bits = 5;
constexpr uint64_t vctlr_v3 = 2;
}

gicv5::state gicv5::create(const gicv5_model_config &config)
{
	const gicv5_config logic = { config.cpus, config.cpus * GICV5_IPIS, { 1ull << sw_ppi, 0 } };
	struct ::gicv5 *gic = nullptr;

	if (gicv5_create(&logic, &gic) != CV_OK)
		throw std::invalid_argument(cv_error_text());
	return state(gic, gicv5_destroy);
}

gicv5::gicv5(sc_core::sc_module_name name, const gicv5_model_config &config, interconnect &bus)
	: gic_model(name), config_(config), gic_(create(config)), lines_(config.cpus),
	  last_access_(config.cpus), interfaces_(config.cpus), virq_(config.cpus), maintenance_(config.cpus), messages_("messages"),
	  irs_("irs", config.irs_service, [this](register_access &access) {
		  if (access.bytes != 4)
			  return false;
		  if (access.write)
			  gicv5_irs_write(gic_.get(), access.offset, uint32_t(access.value));
		  else
			  access.value = gicv5_irs_read(gic_.get(), access.offset);
		  publish(access.when + config_.line_latency);
		  return true;
	  })
{
	for (auto &interface : interfaces_)
		gic_virtual_init(&interface, config.list_registers, priority_bits, true);
	bus.attach(irs_.socket, irs_base, irs_size, config.irs_crosspoint);
}

void gicv5::boot(uint32_t enabled_ppis)
{
	constexpr uint64_t vctlr_enable = 1, priorities = 0x0101010101010101 * usual_priority;

	gicv5_irs_write(gic_.get(), irs_cr0, 1);
	for (uint32_t n = 0; n < config_.cpus; n++) {
		const auto set = [&](uint32_t reg, uint64_t value) {
			gicv5_register_write(gic_.get(), { n }, static_cast<enum sysreg>(reg), value);
		};

		for (uint32_t reg = 0; reg < GICV5_PPIS / 8; reg++)
			set(SYS_ICC_PPI_PRIORITYR0_EL1 + reg, priorities);
		for (uint32_t ipi = 0; ipi < GICV5_IPIS; ipi++) {
			const uint64_t lpi = GICV5_INTID(GICV5_TYPE_LPI, GICV5_IPIS * n + ipi);

			set(SYS_GIC_CDAFF, lpi | uint64_t(n) << 32);
			set(SYS_GIC_CDPRI, lpi | usual_priority << 35);
			set(SYS_GIC_CDEN, lpi);
		}
		set(SYS_ICC_PPI_ENABLER0_EL1, enabled_ppis);
		set(SYS_ICC_PCR_EL1, 0x1f);
		set(SYS_ICC_CR0_EL1, 1);
		set(SYS_ICH_VCTLR_EL2, vctlr_enable);
	}
	publish(sc_core::sc_time_stamp());
}

void gicv5::publish(const sc_time &when)
{
	struct gicv5_line line;

	while (gicv5_next_line_change(gic_.get(), &line)) {
		if (!line.is_virtual) {
			lines_.tell(line.cpu, false, line.asserted, when);
			continue;
		}
		virq_[line.cpu.n] = line.asserted;
		publish_virtual(line.cpu, when);
	}
}

bool gicv5::compat(cpu_id cpu)
{
	uint64_t vctlr = 0;

	gicv5_register_read(gic_.get(), cpu, SYS_ICH_VCTLR_EL2, &vctlr);
	return vctlr & vctlr_v3;
}

// vIRQ is the one of the guest's kind.
void gicv5::publish_virtual(cpu_id cpu, const sc_time &when)
{
	const gic_virtual *interface = &interfaces_[cpu.n];
	const bool v3 = compat(cpu), maintenance = v3 && gic_virtual_maintenance(interface);

	lines_.tell(cpu, true, v3 ? gic_virtual_line(interface) : virq_[cpu.n], when);
	if (maintenance_[cpu.n] == maintenance)
		return;
	maintenance_[cpu.n] = maintenance;
	set_ppi_level(cpu, { GIC_PPI_MAINTENANCE }, maintenance, when);
}

void gicv5::set_ppi_level(cpu_id cpu, intid irq, bool level, const sc_time &when)
{
	gicv5_set_ppi(gic_.get(), cpu, irq, level);
	publish(std::max(when, last_access_[cpu.n]) + config_.line_latency);
}

bool gicv5::register_read(cpu_id cpu, enum sysreg reg, const sc_time &when, uint64_t *value)
{
	last_access_[cpu.n] = std::max(last_access_[cpu.n], when);
	if (gicv5_register_read(gic_.get(), cpu, reg, value)) {
		publish(when);
		return true;
	}
	if (!gic_ich_has(reg))
		return false;
	*value = gic_ich_read(&interfaces_[cpu.n], reg);
	publish_virtual(cpu, when);
	return true;
}

// To the IRS, and from there to the CPU whose interrupt it is.
void gicv5::send(cpu_id cpu, enum sysreg reg, uint64_t value, const sc_time &when)
{
	const uint32_t target = gicv5_lpi_target(gic_.get(), value & 0xffffff);
	sc_time arrival = when + way(cpu);

	if (reg == SYS_GIC_CDPEND && target != UINT32_MAX)
		arrival += config_.sgi_latency + way({ target });
	messages_.at(arrival, [this, cpu, reg, value](const sc_time &now) {
		gicv5_register_write(gic_.get(), cpu, reg, value);
		publish(now + config_.line_latency);
	});
}

bool gicv5::register_write(cpu_id cpu, enum sysreg reg, uint64_t value, const sc_time &when)
{
	last_access_[cpu.n] = std::max(last_access_[cpu.n], when);
	if (gicv5_goes_to_irs(reg, value)) {
		send(cpu, reg, value, when);
		return true;
	}
	if (gicv5_register_write(gic_.get(), cpu, reg, value)) {
		publish(when);
		if (reg == SYS_ICH_VCTLR_EL2)
			publish_virtual(cpu, when);
		return true;
	}
	if (!gic_ich_has(reg))
		return false;
	// A GICv3 guest ends an interrupt that stands for one of the host's: that is a PPI here.
	const uint32_t physical = gic_ich_write(&interfaces_[cpu.n], reg, value);
	if (physical != GIC_NO_INTERRUPT) {
		gicv5_register_write(gic_.get(), cpu, SYS_GIC_CDDI, GICV5_INTID(GICV5_TYPE_PPI, physical));
		publish(when);
	}
	publish_virtual(cpu, when);
	return true;
}

// What goes to the IRS, and the acknowledgement of what came from there.
bool gicv5::must_catch_up(enum sysreg reg) const
{
	return gicv5_goes_to_irs(reg, GICV5_INTID(GICV5_TYPE_LPI, 0)) || reg == SYS_GICR_CDIA;
}

uint64_t gicv5::frame_address(enum gic_interface frame, cpu_id) const
{
	return frame == GIC_FRAME_IRS ? irs_base : 0;
}

}
