// SPDX-License-Identifier: Apache-2.0
// The interrupt controller that a host_config names (its times are picoseconds).
#ifndef CONVOY_MODEL_CPU_BUILD_GIC_HPP
#define CONVOY_MODEL_CPU_BUILD_GIC_HPP

#include <memory>

#include "model/bus/interconnect.hpp"
#include "model/cpu/host_config.h"
#include "model/cpu/mesh.hpp"
#include "model/gic/gic_model.hpp"

namespace convoy {

// `bus` gets its frames. The mesh lives as long as the controller.
std::unique_ptr<gic_model> build_gic(const host_config &host, const mesh &mesh, interconnect &bus);

}

#endif
