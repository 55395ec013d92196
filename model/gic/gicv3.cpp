// SPDX-License-Identifier: Apache-2.0
// See gicv3.hpp.
#include "model/gic/gicv3.hpp"

#include <stdexcept>
#include <string>

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
	logic.edge_ppis = config.edge_ppis;
	logic.iidr = config.iidr;
	logic.disable_time = config.disable_time.value();
	logic.affinity = config.affinity.empty() ? nullptr : config.affinity.data();
	if (gic_create(&logic, &gic) != CV_OK)
		throw std::invalid_argument(cv_error_text());
	return state(gic, gic_destroy);
}

gicv3::gicv3(sc_core::sc_module_name name, const gicv3_config &config, interconnect &bus)
	: gic_model(name), gic_(create(config)), lines_(gic_.get(), config.cpus, config.line_latency),
	  redistributor_stride_(config.redistributor_stride)
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

// The CPU may be ahead of simulated time: disables that have taken effect by then are in effect for it.
void gicv3::catch_up_disables(cpu_id cpu, const sc_core::sc_time &when)
{
	gic_settle(gic_.get(), GIC_REDISTRIBUTOR, cpu, when.value());
	gic_settle(gic_.get(), GIC_DISTRIBUTOR, cpu, when.value());
}

uint64_t gicv3::icc_read(cpu_id cpu, gic_offset reg, const sc_core::sc_time &when)
{
	catch_up_disables(cpu, when);
	const uint64_t value = gic_icc_read(gic_.get(), cpu, reg);
	lines_.publish(when);
	return value;
}

// The CPU interface's registers that this file implements; others (ICH_*) only keep their value.
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
	gic_offset offset;

	if (!icc_register(reg, &offset))
		return false;
	*value = icc_read(cpu, offset, when);
	return true;
}

bool gicv3::register_write(cpu_id cpu, enum sysreg reg, uint64_t value, const sc_core::sc_time &when)
{
	gic_offset offset;

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
	catch_up_disables(cpu, when);
	gic_icc_write(gic_.get(), cpu, reg, value);
	lines_.publish(when);
}

}
