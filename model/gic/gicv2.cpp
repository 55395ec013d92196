// SPDX-License-Identifier: Apache-2.0
// See gicv2.hpp.
#include "model/gic/gicv2.hpp"

#include <algorithm>
#include <stdexcept>

#include "model/gic/address_map.h"

namespace convoy {

using sc_core::sc_time;

gicv2::state gicv2::create(const gicv2_config &config)
{
	gic_config logic = {};
	struct gic *gic = nullptr;

	logic.version = 2;
	logic.cpus = config.cpus;
	logic.spis = config.spis;
	logic.priority_bits = 5;
	logic.list_registers = config.list_registers;
	logic.edge_ppis = config.edge_ppis;
	logic.iidr = config.iidr;
	if (gic_create(&logic, &gic) != CV_OK)
		throw std::invalid_argument(cv_error_text());
	return state(gic, gic_destroy);
}

gicv2::gicv2(sc_core::sc_module_name name, const gicv2_config &config, interconnect &bus)
	: gic_model(name), config_(config), gic_(create(config)), lines_(gic_.get(), config.cpus, config.line_latency),
	  virtual_lines_(config.cpus, config.line_latency, [this](cpu_id cpu, bool level, const sc_time &when) {
		  set_ppi_level(cpu, { GIC_PPI_MAINTENANCE }, level, when);
	  }),
	  served_(config.cpus),
	  sgis_("sgis", [this](const sgi &sgi, const sc_time &when) {
		  gicv2_sgi_arrives(gic_.get(), sgi.from, sgi.to, sgi.interrupt);
		  lines_.publish(std::max(when, served_[sgi.to.n]));
	  }),
	  frame_("interface", config.service, [this](register_access &access) { return this->access(access); })
{
	bus.attach(frame_.socket, V2_BASE, V2_SIZE, config.crosspoint);
}

void gicv2::boot(uint32_t enabled_ppis)
{
	constexpr uint32_t enable = 1, priority = 0xa0a0a0a0, eoi_mode = 1u << 9;

	gicv2_write(gic_.get(), GICV2_GICD, { 0 }, V2_GICD_CTLR, 4, enable);
	for (uint32_t n = 0; n < config_.cpus; n++) {
		const auto set = [&](gicv2_frame frame, uint32_t offset, uint32_t value) {
			gicv2_write(gic_.get(), frame, { n }, offset, 4, value);
		};

		for (uint32_t reg = 0; reg < 8; reg++)
			set(GICV2_GICD, V2_GICD_IPRIORITYR + 4 * reg, priority);
		set(GICV2_GICD, V2_GICD_ISENABLER, enabled_ppis);
		set(GICV2_GICC, V2_GICC_PMR, 0xf0);
		set(GICV2_GICC, V2_GICC_CTLR, enable | (config_.cpu_interface_4k ? 0 : eoi_mode));
	}
}

void gicv2::publish(cpu_id cpu, const sc_time &when)
{
	virtual_lines_.publish(cpu, *gic_virtual_of(gic_.get(), cpu), when);
	lines_.publish(when);
}

void gicv2::set_ppi_level(cpu_id cpu, intid irq, bool level, const sc_time &when)
{
	gic_set_ppi(gic_.get(), cpu, irq, level);
	lines_.publish(std::max(when, served_[cpu.n]));
}

void gicv2::set_spi_level(intid irq, bool level, const sc_time &when)
{
	gic_set_spi(gic_.get(), irq, level);
	lines_.publish(when);
}

// Which frame an offset from V2_BASE lies in; false: between two, or on a page that the firmware hides.
bool gicv2::decode(uint32_t offset, gicv2_frame *frame, uint32_t *in_frame) const
{
	const uint64_t address = V2_BASE + offset;
	const uint64_t cpu_interface = config_.cpu_interface_4k ? V2_PAGE : 2 * V2_PAGE;
	const struct { gicv2_frame frame; uint64_t base, size; } frames[] = {
		{ GICV2_GICD, V2_GICD_BASE, V2_PAGE },
		{ GICV2_GICC, V2_GICC_BASE, cpu_interface },
		{ GICV2_GICH, V2_GICH_BASE, V2_PAGE },
		{ GICV2_GICV, V2_GICV_BASE, cpu_interface },
	};

	for (const auto &f : frames) {
		if (address < f.base || address >= f.base + f.size)
			continue;
		*frame = f.frame;
		*in_frame = uint32_t(address - f.base);
		return true;
	}
	return false;
}

void gicv2::send_sgi(cpu_id from, uint32_t sgir, const sc_time &when)
{
	for (uint32_t n = 0; n < config_.cpus; n++) {
		if (gicv2_sgi_reaches(from, sgir, { n }))
			sgis_.send({ from, { n }, GICV2_SGIR_INTID(sgir) }, when + config_.sgi_latency);
	}
}

bool gicv2::access(register_access &access)
{
	gicv2_frame frame;
	uint32_t offset, value = 0;
	gic_status status;

	if (!decode(access.offset, &frame, &offset))
		return false;
	sgis_.settle(access.cpu, access.when);
	served_[access.cpu.n] = access.when;
	if (access.write && frame == GICV2_GICD && offset == V2_GICD_SGIR && access.bytes == 4) {
		send_sgi(access.cpu, uint32_t(access.value), access.when);
		return true;
	}
	if (access.write) {
		status = gicv2_write(gic_.get(), frame, access.cpu, offset, access.bytes, uint32_t(access.value));
	} else {
		status = gicv2_read(gic_.get(), frame, access.cpu, offset, access.bytes, &value);
		access.value = value;
	}
	publish(access.cpu, access.when);
	return status == GIC_OK;
}

uint64_t gicv2::frame_address(enum gic_interface frame, cpu_id) const
{
	switch (frame) {
	case GIC_FRAME_DISTRIBUTOR:
		return V2_GICD_BASE;
	case GIC_FRAME_CPU_INTERFACE:
		return V2_GICC_BASE;
	case GIC_FRAME_HYPERVISOR:
		return V2_GICH_BASE;
	case GIC_FRAME_VIRTUAL_CPU:
		return V2_GICV_BASE;
	default:
		return 0;
	}
}

}
