// SPDX-License-Identifier: Apache-2.0
/*
 * Coherent cache lines: owner, sharers and a home node for each, as a directory protocol in the manner of AMBA CHI
 * keeps them.
 *
 * A request travels to the line's home node and queues there in order of arrival.
 *   own   start = when the home is free and every copy handed out before has arrived; at `start` all other copies are
 *         gone (snooped); the requester holds the line from `done`. The home is busy until `done`: ownership moves
 *         one at a time.
 *   read  start = when the home is free; at `start` an owner's copy becomes shared; the requester has its copy at
 *         `done`. The home is busy for `read_occupancy` only, less than the latency: reads of many waiters pipeline.
 *   far   a read-modify-write that the home carries out itself (CHI atomic transaction): start and snoops as for own;
 *         carried out at `done`, after which the old value travels back to the requester; nobody holds the line
 *         afterwards.
 *   done = start + base + hop × (legs); legs of a transfer from an owner: requester→home→owner→requester; of an
 *         upgrade: requester→home, home→farthest sharer and back, home→requester; from memory:
 *         requester→home→requester.
 * So nothing here knows about locks; that a ticket lock collapses and a queued one does not follows from these rules.
 *
 * State changes with a time in the future wait in the line's `pending` list, in order, and are applied before the
 * line is looked at: no events are needed at the home, and an access costs its CPU one wait at most.
 *
 * Quiet lines. A line that one CPU alone has touched so far, and a line that has only been read so far, cannot show
 * anybody anything new, so they may be used ahead of simulated time. The access that ends this (a second user of a
 * written line, the first write of a read line) starts no earlier than the last use before it, so the order of
 * accesses to the line, and through it to the variables in it, is the order of their times; from then on everybody
 * catches up first. Cold misses at the start cost nothing.
 *
 * The requests arrive through a TLM-2.0 socket (address = line × 64, READ = read, WRITE = own, IGNORE with a
 * far_extension = far), so that a memory or NoC model can be put in between; the look at a line the core already
 * holds is a direct call, as DMI is for memory.
 *
 * Not modelled: capacity and conflict evictions, the data, false sharing between variables that the model gives lines
 * of their own, exclusive clean against dirty, retries and credit limits of the interconnect.
 */
#ifndef CONVOY_MODEL_CPU_COHERENCE_HPP
#define CONVOY_MODEL_CPU_COHERENCE_HPP

#include <cstdint>
#include <string>
#include <vector>

#include <systemc>
#include <tlm>
#include <tlm_utils/multi_passthrough_target_socket.h>

#include "model/cpu/mesh.hpp"

namespace convoy {

constexpr ps_t never = UINT64_MAX;
constexpr uint32_t nobody = UINT32_MAX;
constexpr uint64_t line_bytes = 64;

/* Answer of a far atomic: how long after it is carried out the requester has its result. */
struct far_extension : tlm::tlm_extension<far_extension> {
	tlm::tlm_extension_base *clone() const override { return new far_extension(*this); }
	void copy_from(const tlm::tlm_extension_base &other) override { *this = static_cast<const far_extension &>(other); }

	ps_t way_back = 0;
};

/* What a core wants to hear: its watched line is taken away at `when`. */
class line_watcher {
public:
	virtual ~line_watcher() = default;
	virtual void line_taken(ps_t when) = 0;
};

class coherence : public sc_core::sc_module {
public:
	tlm_utils::multi_passthrough_target_socket<coherence> socket;

	coherence(sc_core::sc_module_name name, const host_config &config);

	void set_watcher(cpu_id cpu, line_watcher *watcher) { watchers_[cpu.n] = watcher; }
	line_id create(const char *name, uint32_t instance);

	/* May `cpu` use the line ahead of simulated time? Remembers `when` as a use if so. */
	bool use_quiet(cpu_id cpu, line_id line, bool own, ps_t when);
	/* Does `cpu` hold the line now, exclusively or at least as a copy? */
	bool owns(cpu_id cpu, line_id line, ps_t now);
	bool has_copy(cpu_id cpu, line_id line, ps_t now);
	/* When the copy of `cpu` is taken away; `never` if nobody has asked yet: then the watcher will be told. */
	ps_t watch(cpu_id cpu, line_id line, ps_t now);

	uint64_t transactions() const { return transactions_; }

private:
	enum class op { read, own, far };
	struct change { ps_t start, done; uint32_t cpu; op what; bool started; };
	struct line_state {
		crosspoint home;
		uint32_t user = nobody;       /* the only user so far, or one of the marks below */
		bool written = false;
		ps_t quiet_last = 0;          /* last use ahead of time */
		uint32_t owner = nobody;
		ps_t busy_until = 0, copies_until = 0;
		std::vector<uint64_t> sharers;  /* bitmap, allocated when a second CPU comes */
		std::vector<uint32_t> watching;
		std::vector<change> pending;
	};
	static constexpr uint32_t readers_mark = UINT32_MAX - 1;  /* several CPUs, only reads */
	static constexpr uint32_t shared_mark = UINT32_MAX - 2;

	void b_transport(int port, tlm::tlm_generic_payload &transaction, sc_core::sc_time &delay);
	ps_t request(cpu_id cpu, line_state &line, op what, ps_t now);
	ps_t legs(cpu_id cpu, const line_state &line, op what) const;
	void settle(line_state &line, ps_t now);
	void start_change(line_state &line, const change &c);
	void become_shared(line_state &line);

	mesh mesh_;
	ps_t base_, read_occupancy_;
	uint64_t placement_;
	uint32_t words_;
	std::vector<line_state> lines_;
	std::vector<line_watcher *> watchers_;
	uint64_t transactions_ = 0;
};

}

#endif
