// SPDX-License-Identifier: Apache-2.0
// See build_gic.hpp.
#include "model/cpu/build_gic.hpp"

#include "model/gic/aic.hpp"
#include "model/gic/gicv2.hpp"
#include "model/gic/gicv4.hpp"
#include "model/gic/gicv5.hpp"

namespace convoy {

namespace {

constexpr uint32_t most_vpes = 4096;

sc_core::sc_time picoseconds(ps_t duration)
{
	return sc_core::sc_time::from_value(1000 * duration);
}

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
std::unique_ptr<gic_model> build_gicv4(const host_config &host, const gicv3_config &base, interconnect &bus)
{
	gicv4_config gic;

	gic.base = base;
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
