// SPDX-License-Identifier: Apache-2.0
// Every interrupt controller but the GICv3, from a host_config (its times are picoseconds): GICv2, GICv4.0 and v4.1,
// Apple's AIC, GICv5. machine.cpp chooses, and builds the GICv3 itself.
#ifndef CONVOY_MODEL_CPU_BUILD_GIC_HPP
#define CONVOY_MODEL_CPU_BUILD_GIC_HPP

#include <memory>

#include "model/bus/interconnect.hpp"
#include "model/cpu/host_config.h"
#include "model/cpu/mesh.hpp"
#include "model/gic/gic_model.hpp"
#include "model/gic/gicv3.hpp"

namespace convoy {

std::unique_ptr<gic_model> build_gicv2(const host_config &host, interconnect &bus);
// `base`: what it shares with a GICv3.
std::unique_ptr<gic_model> build_gicv4(const host_config &host, const gicv3_config &base, interconnect &bus);
std::unique_ptr<gic_model> build_aic(const host_config &host, interconnect &bus);
std::unique_ptr<gic_model> build_gicv5(const host_config &host, const mesh &mesh, interconnect &bus);

}

#endif
