// SPDX-License-Identifier: Apache-2.0
// See sgi_queue.hpp.
#include "model/gic/sgi_queue.hpp"

#include <algorithm>

namespace convoy {

using sc_core::sc_time;
using sc_core::sc_time_stamp;

static sc_time just_before(const sc_time &when)
{
	return when == sc_core::SC_ZERO_TIME ? when : when - sc_time::from_value(1);
}

sgi_queue::sgi_queue(sc_core::sc_module_name name, arrival arrive) : sc_module(name), arrive_(std::move(arrive))
{
	SC_METHOD(arrivals);
	sensitive << next_;
	dont_initialize();
}

void sgi_queue::send(const sgi &sgi, const sc_time &when)
{
	if (just_before(when) <= sc_time_stamp()) {
		settle(sgi.to, when);
		arrive_(sgi, when);
		return;
	}
	on_their_way_.emplace(when, sgi);
	wake_up();
}

void sgi_queue::settle(cpu_id to, const sc_time &when)
{
	for (auto next = on_their_way_.begin(); next != on_their_way_.end() && next->first <= when;) {
		if (next->second.to.n != to.n) {
			++next;
			continue;
		}
		const auto [time, sgi] = *next;
		next = on_their_way_.erase(next);
		arrive_(sgi, time);
	}
}

void sgi_queue::arrivals()
{
	while (!on_their_way_.empty() && just_before(on_their_way_.begin()->first) <= sc_time_stamp()) {
		const auto [time, sgi] = *on_their_way_.begin();

		on_their_way_.erase(on_their_way_.begin());
		arrive_(sgi, time);
	}
	wake_up();
}

void sgi_queue::wake_up()
{
	if (!on_their_way_.empty())
		next_.notify(std::max(just_before(on_their_way_.begin()->first), sc_time_stamp()) - sc_time_stamp());
}

}
