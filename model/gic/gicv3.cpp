// SPDX-License-Identifier: Apache-2.0
// See gicv3.hpp.
#include "model/gic/gicv3.hpp"

#include <stdexcept>
#include <string>

#include "model/gic/gic_ich.h"

namespace convoy {

gicv3::state gicv3::create(const gicv3_config &config)
{
	gic_config logic = {};
	struct gic *gic = nullptr;

	if ((!config.affinity.empty() && config.affinity.size() != config.cpus) ||
	    (!config.redistributor_crosspoint.empty() && config.redistributor_crosspoint.size() != config.cpus))
		throw std::invalid_argument("gicv3: affinity and redistributor_crosspoint need one entry per CPU, or none");
	logic.cpus = config.cpus;
	logic.spis = config.spis;
	logic.priority_bits = config.priority_bits;
	logic.list_registers = config.list_registers;
	logic.edge_ppis = config.edge_ppis;
	logic.iidr = config.iidr;
	logic.disable_time = config.disable_time.value();
	logic.affinity = config.affinity.empty() ? nullptr : config.affinity.data();
	if (gic_create(&logic, &gic) != CV_OK)
		throw std::invalid_argument(cv_error_text());
	return state(gic, gic_destroy);
}

gicv3::gicv3(sc_core::sc_module_name name, const gicv3_config &config, interconnect &bus)
	: gic_model(name), bus_(bus), sgi_latency_(config.sgi_latency), gic_(create(config)), lines_(gic_.get(), config.cpus, config.line_latency),
	  redistributor_stride_(config.redistributor_stride),
	  virtual_lines_(config.cpus, sc_core::SC_ZERO_TIME, [this](cpu_id cpu, bool level, const sc_core::sc_time &when) {
		  set_ppi_level(cpu, { GIC_PPI_MAINTENANCE }, level, when);
	  }),
	  sgis_("sgis", [this](const sgi &sgi, const sc_core::sc_time &when) {
		  redistributor(sgi.to).sgi(sgi.interrupt, when);
	  })
{
	distributor_ = std::make_unique<gic_frame>("distributor", gic_.get(), lines_, GIC_DISTRIBUTOR, cpu_id{ 0 },
						   config.distributor_service);
	bus.attach(distributor_->socket, GICD_BASE, GICD_SIZE, config.distributor_crosspoint);
	for (uint32_t n = 0; n < config.cpus; n++) {
		const std::string frame = "redistributor" + std::to_string(n);
		const uint32_t crosspoint = config.redistributor_crosspoint.empty() ? config.distributor_crosspoint :
										      config.redistributor_crosspoint[n];

		redistributors_.push_back(std::make_unique<gic_frame>(frame.c_str(), gic_.get(), lines_, GIC_REDISTRIBUTOR,
								      cpu_id{ n }, config.redistributor_service));
		redistributors_[n]->before_access([this, n](const sc_core::sc_time &end) { sgis_.settle({ n }, end); });
		bus.attach(redistributors_[n]->socket, redistributor_address(cpu_id{ n }), GICR_STRIDE, crosspoint);
	}
}

void gicv3::boot(uint32_t enabled_ppis)
{
	constexpr uint32_t enable_group1 = 0x2, priority = 0xa0a0a0a0, eoi_mode1 = 0x2;
	const sc_core::sc_time now = sc_core::sc_time_stamp();

	gic_write(gic_.get(), GIC_DISTRIBUTOR, { 0 }, GICD_CTLR, 4, now.value(), enable_group1);
	for (uint32_t n = 0; n < redistributors_.size(); n++) {
		const auto set = [&](uint32_t offset, uint32_t value) {
			gic_write(gic_.get(), GIC_REDISTRIBUTOR, { n }, offset, 4, now.value(), value);
		};

		set(GICR_WAKER, 0);
		set(GICR_IGROUPR0, UINT32_MAX);
		for (uint32_t reg = 0; reg < 8; reg++)
			set(GICR_IPRIORITYR + 4 * reg, priority);
		set(GICR_ISENABLER0, enabled_ppis);
		gic_icc_write(gic_.get(), { n }, ICC_PMR_EL1, 0xf0);
		gic_icc_write(gic_.get(), { n }, ICC_CTLR_EL1, eoi_mode1);
		gic_icc_write(gic_.get(), { n }, ICC_IGRPEN1_EL1, 1);
	}
}

// The CPU may be ahead of simulated time: what has arrived or taken effect by then is there for it.
void gicv3::catch_up(cpu_id cpu, const sc_core::sc_time &when)
{
	gic_settle(gic_.get(), GIC_REDISTRIBUTOR, cpu, when.value());
	gic_settle(gic_.get(), GIC_DISTRIBUTOR, cpu, when.value());
	sgis_.settle(cpu, when);
}

void gicv3::send_sgi(cpu_id cpu, uint64_t sgi1r, const sc_core::sc_time &when)
{
	for (uint32_t n = 0; n < redistributors_.size(); n++) {
		const cpu_id to = { n };

		if (gic_sgi_reaches(gic_.get(), cpu, sgi1r, to))
			sgis_.send({ cpu, to, GIC_SGI1R_INTID(sgi1r) }, when + sgi_latency_ + bus_.path(cpu, redistributor_address(to)));
	}
}

uint64_t gicv3::icc_read(cpu_id cpu, gic_offset reg, const sc_core::sc_time &when)
{
	catch_up(cpu, when);
	const uint64_t value = gic_icc_read(gic_.get(), cpu, reg);
	lines_.publish_own(cpu, when);
	return value;
}

// The CPU interface's registers that a host kernel uses after boot.
static bool icc_register(enum sysreg reg, gic_offset *offset)
{
	switch (reg) {
	case SYS_ICC_IAR1_EL1:
		*offset = ICC_IAR1_EL1;
		return true;
	case SYS_ICC_EOIR1_EL1:
		*offset = ICC_EOIR1_EL1;
		return true;
	case SYS_ICC_DIR_EL1:
		*offset = ICC_DIR_EL1;
		return true;
	case SYS_ICC_PMR_EL1:
		*offset = ICC_PMR_EL1;
		return true;
	case SYS_ICC_SGI1R_EL1:
		*offset = ICC_SGI1R_EL1;
		return true;
	default:
		return false;
	}
}

bool gicv3::register_read(cpu_id cpu, enum sysreg reg, const sc_core::sc_time &when, uint64_t *value)
{
	gic_virtual *const interface = gic_virtual_of(gic_.get(), cpu);
	gic_offset offset;

	if (gic_ich_has(reg) && interface) {
		*value = gic_ich_read(interface, reg);
		virtual_lines_.publish(cpu, *interface, when);
		return true;
	}
	if (!icc_register(reg, &offset))
		return false;
	*value = icc_read(cpu, offset, when);
	return true;
}

void gicv3::virtual_write(cpu_id cpu, enum sysreg reg, uint64_t value, const sc_core::sc_time &when)
{
	gic_virtual *const interface = gic_virtual_of(gic_.get(), cpu);
	const uint32_t physical = gic_ich_write(interface, reg, value);

	if (physical != GIC_NO_INTERRUPT) {
		catch_up(cpu, when);
		gic_deactivate(gic_.get(), cpu, { physical });
		lines_.publish(when);
	}
	virtual_lines_.publish(cpu, *interface, when);
}

bool gicv3::register_write(cpu_id cpu, enum sysreg reg, uint64_t value, const sc_core::sc_time &when)
{
	gic_offset offset;

	if (gic_ich_has(reg) && gic_virtual_of(gic_.get(), cpu)) {
		virtual_write(cpu, reg, value, when);
		return true;
	}
	if (!icc_register(reg, &offset))
		return false;
	icc_write(cpu, offset, value, when);
	return true;
}

bool gicv3::must_catch_up(enum sysreg reg) const
{
	return reg == SYS_ICC_SGI1R_EL1;
}

uint64_t gicv3::frame_address(enum gic_interface frame, cpu_id cpu) const
{
	switch (frame) {
	case GIC_FRAME_DISTRIBUTOR:
		return GICD_BASE;
	case GIC_FRAME_REDISTRIBUTOR:
		return redistributor_address(cpu);
	default:
		return 0;
	}
}

void gicv3::icc_write(cpu_id cpu, gic_offset reg, uint64_t value, const sc_core::sc_time &when)
{
	catch_up(cpu, when);
	if (reg == ICC_SGI1R_EL1)
		send_sgi(cpu, value, when);
	else
		gic_icc_write(gic_.get(), cpu, reg, value);
	lines_.publish_own(cpu, when);
}

}
