// SPDX-License-Identifier: Apache-2.0
// See gicv4.hpp.
#include "model/gic/gicv4.hpp"

#include <stdexcept>
#include <string>

namespace convoy {

using sc_core::sc_time;

gicv4::state gicv4::create(const gicv4_config &config)
{
	const gicv4_vpe_config logic = { config.base.cpus, config.vpes, config.v4_1, config.vpt_scan.value() };
	gicv4_state *vpes = nullptr;

	if (gicv4_create(&logic, &vpes) != CV_OK)
		throw std::invalid_argument(cv_error_text());
	return state(vpes, gicv4_destroy);
}

gicv3_config gicv4::spread_out(gicv3_config base)
{
	base.redistributor_stride = gicv4_redistributor_stride;
	return base;
}

gicv4::gicv4(sc_core::sc_module_name name, const gicv4_config &config, interconnect &bus)
	: gicv3(name, spread_out(config.base), bus), vpes_(create(config)),
	  lines_to_cpus_(config.base.cpus),  // the GICv3's lines have their latency already
	  irq_(config.base.cpus), virq_(config.base.cpus), messages_("messages"),
	  translater_("translater", config.base.distributor_service, [this](register_access &access) {
		  if (access.write && access.offset == gits_translater)
			  vlpi(uint32_t(access.value), access.when + lpi_latency_);
		  return access.bytes == 4;
	  }), configuration_("configuration", config.base.distributor_service, [this](register_access &access) {
		  return access_configuration(access);
	  }), lpi_latency_(config.lpi_latency), line_latency_(config.base.line_latency)
{
	bus.attach(translater_.socket, its_translation_base, its_translation_size, config.base.distributor_crosspoint);
	bus.attach(configuration_.socket, lpi_configuration_base, its_translation_size, config.base.distributor_crosspoint);
	for (uint32_t n = 0; n < config.base.cpus; n++) {
		const std::string frame = "vlpi" + std::to_string(n);
		const uint32_t crosspoint = config.base.redistributor_crosspoint.empty() ? config.base.distributor_crosspoint :
											   config.base.redistributor_crosspoint[n];

		vlpi_frames_.push_back(std::make_unique<register_frame>(frame.c_str(), config.base.redistributor_service,
			[this, n](register_access &access) { return access_vlpi({ n }, access); }));
		bus.attach(vlpi_frames_[n]->socket, frame_address(GIC_FRAME_REDISTRIBUTOR, { n }) + vlpi_offset, 0x20000, crosspoint);
		gicv3::connect_cpu({ n }, this);
	}
}

void gicv4::connect_cpu(cpu_id cpu, cpu_irq_if *input)
{
	lines_to_cpus_.connect(cpu, input);
}

void gicv4::publish(cpu_id cpu, const sc_time &when)
{
	lines_to_cpus_.tell(cpu, false, irq_[cpu.n] || gicv4_doorbell(vpes_.get(), cpu), when);
	lines_to_cpus_.tell(cpu, true, virq_[cpu.n] || gicv4_vline(vpes_.get(), cpu, when.value()), when);
}

void gicv4::irq_line(cpu_id cpu, bool asserted, sc_time when)
{
	irq_[cpu.n] = asserted;
	publish(cpu, when);
}

void gicv4::virq_line(cpu_id cpu, bool asserted, sc_time when)
{
	virq_[cpu.n] = asserted;
	publish(cpu, when);
}

bool gicv4::access_configuration(register_access &access)
{
	const uint32_t vpe = uint32_t(access.offset / 4);
	const uint32_t cpu = gicv4_cpu_of(vpes_.get(), vpe);

	if (access.bytes != 4 || cpu == GICV4_NO_VPE)
		return false;
	if (!access.write)
		return true;
	gicv4_enable_doorbell(vpes_.get(), vpe, access.value & 1);
	publish({ cpu }, access.when + line_latency_);
	return true;
}

uint64_t gicv4::frame_address(enum gic_interface frame, cpu_id cpu) const
{
	return frame == GIC_FRAME_ITS ? its_translation_base : gicv3::frame_address(frame, cpu);
}

bool gicv4::access_vlpi(cpu_id owner, register_access &access)
{
	if (access.bytes != 8)
		return false;
	if (!access.write) {
		access.value = gicv4_read(vpes_.get(), owner, access.offset, access.when.value());
		return true;
	}
	gicv4_write(vpes_.get(), owner, access.offset, access.value, access.when.value());
	publish(owner, access.when);
	const sc_time until = sc_time::from_value(gicv4_dirty_until(vpes_.get(), owner));

	if (until > access.when)
		messages_.at(until, [this, owner](const sc_time &now) { publish(owner, now); });
	return true;
}

void gicv4::vlpi(uint32_t vpe, const sc_time &when)
{
	messages_.at(when, [this, vpe](const sc_time &now) {
		const uint32_t cpu = gicv4_lpi(vpes_.get(), vpe);

		if (cpu != GICV4_NO_VPE)
			publish({ cpu }, now + line_latency_);
	});
}

bool gicv4::register_read(cpu_id cpu, enum sysreg reg, const sc_time &when, uint64_t *value)
{
	const bool known = gicv3::register_read(cpu, reg, when, value);

	if (reg == SYS_ICC_IAR1_EL1 && *value == GIC_SPURIOUS)
		*value = gicv4_acknowledge_doorbell(vpes_.get(), cpu);
	else if (reg == SYS_ICV_IAR1_EL1 && (!known || *value == GIC_SPURIOUS))
		*value = gicv4_acknowledge_virtual(vpes_.get(), cpu, when.value());
	else
		return known;
	publish(cpu, when);
	return true;
}

}
