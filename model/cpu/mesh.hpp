// SPDX-License-Identifier: Apache-2.0
/*
 * The mesh: which crosspoint a CPU sits at, and hops between crosspoints (X-Y routing: Manhattan distance).
 * CPUs fill crosspoints in order of their number, crosspoints fill rows in order.
 * Not modelled: link bandwidth and arbitration.
 */
#ifndef CONVOY_MODEL_CPU_MESH_HPP
#define CONVOY_MODEL_CPU_MESH_HPP

#include <cstdint>
#include <cstdlib>
#include <vector>

#include "model/cpu/host_config.h"

namespace convoy {

struct crosspoint { uint32_t n; };

class mesh {
public:
	explicit mesh(const host_config &config)
		: columns_(config.mesh_columns), rows_(config.mesh_rows),
		  cpus_per_crosspoint_(config.cpus_per_crosspoint), hop_(config.mesh_hop)
	{
		for (uint32_t a = 0; a < crosspoints(); a++) {
			ps_t sum = 0;
			for (uint32_t b = 0; b < crosspoints(); b++)
				sum += latency({ a }, { b });
			mean_.push_back(sum / crosspoints());
		}
	}

	crosspoint of_cpu(cpu_id cpu) const { return { cpu.n / cpus_per_crosspoint_ }; }
	uint32_t crosspoints() const { return columns_ * rows_; }

	uint32_t hops(crosspoint a, crosspoint b) const
	{
		const int dx = int(a.n % columns_) - int(b.n % columns_);
		const int dy = int(a.n / columns_) - int(b.n / columns_);
		return uint32_t(std::abs(dx) + std::abs(dy));
	}

	ps_t latency(crosspoint a, crosspoint b) const { return hop_ * hops(a, b); }

	// Between a crosspoint and the home node of a line: `everywhere` stands for the mean over all crosspoints.
	ps_t home_latency(crosspoint a, crosspoint home) const
	{
		return home.n == everywhere.n ? mean_[a.n] : latency(a, home);
	}
	static constexpr crosspoint everywhere = { UINT32_MAX };

private:
	uint32_t columns_, rows_, cpus_per_crosspoint_;
	ps_t hop_;
	std::vector<ps_t> mean_;  // by crosspoint: latency to a home node, averaged
};

}

#endif
