// SPDX-License-Identifier: Apache-2.0
// See build_gic.hpp.
#include "model/cpu/build_gic.hpp"

#include <cstdlib>

#include "model/gic/aic.hpp"
#include "model/gic/gicv2.hpp"
#include "model/gic/gicv3.hpp"
#include "model/gic/gicv4.hpp"
#include "model/gic/gicv5.hpp"

namespace convoy {

namespace {

constexpr uint32_t most_vpes = 4096;

sc_core::sc_time picoseconds(ps_t duration)
{
	return sc_core::sc_time::from_value(1000 * duration);
}

gicv3_config gicv3_of(const host_config &host)
{
	gicv3_config gic;

	gic.cpus = host.cpus;
	gic.priority_bits = host.gic_priority_bits;
	gic.list_registers = host.list_registers;
	gic.distributor_crosspoint = host.gic_crosspoint;
	gic.distributor_service = picoseconds(host.distributor_service);
	gic.redistributor_service = picoseconds(host.redistributor_service);
	gic.line_latency = picoseconds(host.line_latency);
	gic.sgi_latency = picoseconds(host.sgi_latency);
	return gic;
}

std::unique_ptr<gic_model> build_gicv2(const host_config &host, interconnect &bus)
{
	gicv2_config gic;

	gic.cpus = host.cpus;
	gic.list_registers = host.list_registers;
	gic.cpu_interface_4k = host.cpu_interface_4k;
	gic.crosspoint = host.gic_crosspoint;
	gic.service = picoseconds(host.distributor_service);
	gic.line_latency = picoseconds(host.line_latency);
	gic.sgi_latency = picoseconds(host.sgi_latency);
	return std::make_unique<gicv2>("gic", gic, bus);
}

// vPEs have the numbers of vCPUs.
std::unique_ptr<gic_model> build_gicv4(const host_config &host, interconnect &bus)
{
	gicv4_config gic;

	gic.base = gicv3_of(host);
	gic.v4_1 = host.gic == HOST_GIC_V4_1;
	gic.vpes = most_vpes;
	gic.vpt_scan = picoseconds(host.vpt_scan);
	gic.lpi_latency = picoseconds(host.sgi_latency);
	return std::make_unique<gicv4>("gic", gic, bus);
}

std::unique_ptr<gic_model> build_aic(const host_config &host, interconnect &bus)
{
	aic_config gic;

	gic.cpus = host.cpus;
	gic.crosspoint = host.gic_crosspoint;
	gic.priority_bits = host.gic_priority_bits;
	gic.list_registers = host.list_registers;
	gic.service = picoseconds(host.distributor_service);
	gic.line_latency = picoseconds(host.line_latency);
	gic.ipi_latency = picoseconds(host.sgi_latency);
	return std::make_unique<aic>("gic", gic, bus);
}

std::unique_ptr<gic_model> build_gicv5(const host_config &host, const mesh &mesh, interconnect &bus)
{
	const crosspoint irs = { host.gic_crosspoint };
	gicv5_model_config gic;

	gic.cpus = host.cpus;
	gic.irs_crosspoint = irs.n;
	gic.list_registers = host.list_registers;
	gic.way_to_irs = [&mesh, irs](cpu_id cpu) { return picoseconds(mesh.latency(mesh.of_cpu(cpu), irs)); };
	gic.irs_service = picoseconds(host.distributor_service);
	gic.line_latency = picoseconds(host.line_latency);
	gic.sgi_latency = picoseconds(host.sgi_latency);
	return std::make_unique<gicv5>("gic", gic, bus);
}

}

std::unique_ptr<gic_model> build_gic(const host_config &host, const mesh &mesh, interconnect &bus)
{
	switch (host.gic) {
	case HOST_GIC_V2:
		return build_gicv2(host, bus);
	case HOST_GIC_V3:
		return std::make_unique<gicv3>("gic", gicv3_of(host), bus);
	case HOST_GIC_V4_0:
	case HOST_GIC_V4_1:
		return build_gicv4(host, bus);
	case HOST_GIC_AIC:
		return build_aic(host, bus);
	case HOST_GIC_V5:
		return build_gicv5(host, mesh, bus);
	}
	abort();  // study/param_check.c lets nothing else through
}

}
