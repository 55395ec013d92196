// SPDX-License-Identifier: Apache-2.0
/*
 * The mesh: which crosspoint a CPU sits at, and the way between crosspoints: hops (X-Y routing: Manhattan distance), and
 * what crossing from one NUMA node to another takes on top.
 * CPUs fill crosspoints in order of their number, crosspoints fill rows in order. A crosspoint belongs to the node of
 * its first CPU, one without CPUs to the last node.
 * Not modelled: link bandwidth and arbitration, also of the links between nodes.
 */
#ifndef CONVOY_MODEL_CPU_MESH_HPP
#define CONVOY_MODEL_CPU_MESH_HPP

#include <algorithm>
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
		  cpus_per_crosspoint_(config.cpus_per_crosspoint), hop_(config.mesh_hop), node_hop_(config.node_hop)
	{
		for (uint32_t a = 0; a < crosspoints(); a++) {
			const uint32_t first = std::min(a * cpus_per_crosspoint_, config.cpus - 1);
			node_.push_back(config.cpus_per_node ? first / config.cpus_per_node : 0);
		}
		for (uint32_t a = 0; a < crosspoints(); a++) {
			ps_t sum = 0, count = 0;
			for (uint32_t b = 0; b < crosspoints(); b++) {
				if (node_[a] == node_[b]) {
					sum += latency({ a }, { b });
					count++;
				}
			}
			mean_.push_back(sum / count);
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

	ps_t crossing(crosspoint a, crosspoint b) const { return node_[a.n] == node_[b.n] ? 0 : node_hop_; }
	ps_t latency(crosspoint a, crosspoint b) const { return hop_ * hops(a, b) + crossing(a, b); }

	// Between a crosspoint and the home node of a line, for a request of `requester`. `everywhere` stands for the mean
	// over all crosspoints of a node. Its home is in the requester's node: with no particular place to go to, a request
	// crosses to another node only if somebody there holds the line.
	ps_t home_latency(crosspoint a, crosspoint home, crosspoint requester) const
	{
		return home.n == everywhere.n ? mean_[a.n] + crossing(a, requester) : latency(a, home);
	}
	static constexpr crosspoint everywhere = { UINT32_MAX };

private:
	uint32_t columns_, rows_, cpus_per_crosspoint_;
	ps_t hop_, node_hop_;
	std::vector<uint32_t> node_;  // by crosspoint: its NUMA node
	std::vector<ps_t> mean_;      // by crosspoint: latency to a home node of its own NUMA node, averaged
};

}

#endif
