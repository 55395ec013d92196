// SPDX-License-Identifier: Apache-2.0
// The directory at the home nodes; rules and what is not modelled: coherence.hpp.
#include "model/cpu/coherence.hpp"

#include <algorithm>
#include <cassert>

#include "base/random.h"
#include "model/bus/cpu_extension.hpp"

namespace convoy {

coherence::coherence(sc_core::sc_module_name name, const host_config &config)
	: sc_module(name), socket("socket"), mesh_(config), base_(config.line_base),
	  read_occupancy_(config.line_read_occupancy), placement_(config.placement), words_((config.cpus + 63) / 64),
	  watchers_(config.cpus, nullptr)
{
	socket.register_b_transport(this, &coherence::b_transport);
}

line_id coherence::create(const char *name, uint32_t instance)
{
	line_state line;
	// The home is hashed from the address on real machines; the name stands for the address here.
	line.home = mesh::everywhere;
	if (placement_)
		line.home = { uint32_t(random_u64(placement_, random_stream(name), instance) % mesh_.crosspoints()) };
	lines_.push_back(std::move(line));
	return { uint32_t(lines_.size() - 1) };
}

bool coherence::use_quiet(cpu_id cpu, line_id id, bool own, ps_t when)
{
	line_state &line = lines_[id.n];

	if (line.user == shared_mark)
		return false;
	if (line.user == nobody)
		line.user = cpu.n;
	if (line.user != cpu.n) {
		if (own || line.written)
			return false;
		line.user = readers_mark;
	}
	line.written |= own;
	line.quiet_last = std::max(line.quiet_last, when);
	return true;
}

void coherence::become_shared(line_state &line)
{
	if (line.user == readers_mark)
		line.sharers.assign(words_, ~0ull);  // whoever wants it has read it
	else
		line.sharers.assign(words_, 0);
	if (line.user < watchers_.size())
		line.owner = line.user;
	line.user = shared_mark;
	line.busy_until = std::max(line.busy_until, line.quiet_last);
	if (words_ * 64 > watchers_.size() && line.sharers[words_ - 1])
		line.sharers[words_ - 1] &= (watchers_.size() % 64) ? (1ull << (watchers_.size() % 64)) - 1 : ~0ull;
}

void coherence::start_change(line_state &line, const change &c)
{
	if (c.what != op::read) {
		line.owner = nobody;
		std::fill(line.sharers.begin(), line.sharers.end(), 0);
	} else if (line.owner != nobody) {
		line.sharers[line.owner / 64] |= 1ull << (line.owner % 64);
		line.owner = nobody;
	}
}

void coherence::settle(line_state &line, ps_t now)
{
	bool finished = false;

	for (change &c : line.pending) {
		if (c.start > now)
			break;  // starts are in order
		if (!c.started) {
			start_change(line, c);
			c.started = true;
		}
		if (c.done > now)
			continue;
		if (c.what == op::own)
			line.owner = c.cpu;
		else if (c.what == op::read)
			line.sharers[c.cpu / 64] |= 1ull << (c.cpu % 64);
		c.cpu = nobody;
		finished = true;
	}
	if (finished) {
		line.pending.erase(std::remove_if(line.pending.begin(), line.pending.end(),
						  [](const change &c) { return c.cpu == nobody; }),
				   line.pending.end());
	}
}

bool coherence::owns(cpu_id cpu, line_id id, ps_t now)
{
	line_state &line = lines_[id.n];

	if (line.user != shared_mark)
		return false;
	settle(line, now);
	return line.owner == cpu.n;
}

bool coherence::has_copy(cpu_id cpu, line_id id, ps_t now)
{
	line_state &line = lines_[id.n];

	if (owns(cpu, id, now))
		return true;
	return line.user == shared_mark && (line.sharers[cpu.n / 64] >> (cpu.n % 64) & 1);
}

ps_t coherence::watch(cpu_id cpu, line_id id, ps_t now)
{
	line_state &line = lines_[id.n];

	if (line.user == shared_mark) {
		if (!has_copy(cpu, id, now))
			return now;
		for (const change &c : line.pending) {
			if (c.what != op::read && !c.started && c.cpu != cpu.n)
				return c.start;
		}
	}
	line.watching.push_back(cpu.n);
	return never;
}

// Hops beyond the way from the requester to the home node: to who holds the line, and on to the requester. For a far
// atomic: to the holders and back to the home.
ps_t coherence::legs(cpu_id cpu, const line_state &line, op what) const
{
	const crosspoint requester = mesh_.of_cpu(cpu);

	if (line.owner != nobody && line.owner != cpu.n) {
		const crosspoint owner = mesh_.of_cpu({ line.owner });
		const ps_t way = mesh_.home_latency(owner, line.home, requester);
		return way + (what == op::far ? way : mesh_.latency(owner, requester));
	}
	ps_t farthest = 0;
	if (what != op::read) {
		for (uint32_t w = 0; w < words_; w++) {
			for (uint64_t bits = line.sharers[w]; bits; bits &= bits - 1) {
				const uint32_t sharer = w * 64 + uint32_t(__builtin_ctzll(bits));
				if (sharer != cpu.n)
					farthest = std::max(farthest, mesh_.home_latency(mesh_.of_cpu({ sharer }), line.home,
											 requester));
			}
		}
	}
	return 2 * farthest + (what == op::far ? 0 : mesh_.home_latency(requester, line.home, requester));
}

ps_t coherence::request(cpu_id cpu, line_state &line, op what, ps_t now)
{
	const crosspoint requester = mesh_.of_cpu(cpu);
	const ps_t arrival = now + mesh_.home_latency(requester, line.home, requester);
	ps_t start = std::max(arrival, line.busy_until);

	if (what != op::read)
		start = std::max(start, line.copies_until);
	settle(line, now);

	// Who will hold the line at `start`: the last change of ownership that is still on its way, else the present
	// owner.
	const uint32_t present_owner = line.owner;
	for (const change &c : line.pending) {
		if (c.what == op::own)
			line.owner = c.cpu;
		else if (c.what == op::far)
			line.owner = nobody;
	}
	// A far atomic is carried out half-way: the other half of the fixed part is its result's way back.
	const ps_t done = start + (what == op::far ? base_ / 2 : base_) + legs(cpu, line, what);
	line.owner = present_owner;

	line.pending.push_back({ start, done, cpu.n, what, false });
	if (what == op::read) {
		line.busy_until = start + read_occupancy_;
		line.copies_until = std::max(line.copies_until, done);
	} else {
		line.busy_until = done;
		for (uint32_t watcher : line.watching) {
			if (watcher != cpu.n)
				watchers_[watcher]->line_taken(start);
		}
		line.watching.clear();
	}
	transactions_++;
	return done;
}

void coherence::b_transport(int, tlm::tlm_generic_payload &transaction, sc_core::sc_time &delay)
{
	const auto *who = transaction.get_extension<cpu_extension>();
	const ps_t now = (sc_core::sc_time_stamp() + delay).value() / 1000;
	line_state &line = lines_[transaction.get_address() / line_bytes];
	op what = op::read;

	assert(who && "a line request names its CPU");
	if (transaction.get_command() == tlm::TLM_WRITE_COMMAND)
		what = op::own;
	else if (transaction.get_command() == tlm::TLM_IGNORE_COMMAND)
		what = op::far;
	if (line.user != shared_mark)
		become_shared(line);
	const ps_t done = request(who->cpu, line, what, now);
	if (what == op::far) {
		auto *far = transaction.get_extension<far_extension>();
		assert(far && "a far atomic has room for its answer");
		const crosspoint requester = mesh_.of_cpu(who->cpu);
		far->way_back = base_ - base_ / 2 + mesh_.home_latency(requester, line.home, requester);
	}
	delay += sc_core::sc_time::from_value((done - now) * 1000);
	transaction.set_response_status(tlm::TLM_OK_RESPONSE);
}

}
