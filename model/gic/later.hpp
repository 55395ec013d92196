// SPDX-License-Identifier: Apache-2.0
/*
 * Things that a controller does some time after it was asked to: messages between CPUs and their interrupt controller.
 * In order of their times; at one time in the order in which they were asked for. The wake-up stands one unit of time
 * before the time itself, where no CPU acts, so that a CPU which acts at that very instant always finds it done.
 */
#ifndef CONVOY_MODEL_GIC_LATER_HPP
#define CONVOY_MODEL_GIC_LATER_HPP

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include <systemc>

namespace convoy {

class later : public sc_core::sc_module {
public:
	using action = std::function<void(const sc_core::sc_time &when)>;

	SC_HAS_PROCESS(later);
	explicit later(sc_core::sc_module_name name) : sc_module(name)
	{
		SC_METHOD(run);
		sensitive << next_;
		dont_initialize();
	}

	// At `when`, absolute; now, if that has passed.
	void at(const sc_core::sc_time &when, action what)
	{
		waiting_.emplace(std::max(when, sc_core::sc_time_stamp()), std::move(what));
		arm();
	}

private:
	static sc_core::sc_time wake_up(const sc_core::sc_time &when)
	{
		const sc_core::sc_time unit = sc_core::sc_time::from_value(1);

		return when > unit ? when - unit : when;
	}

	void arm()
	{
		if (waiting_.empty())
			return;
		const sc_core::sc_time first = wake_up(waiting_.begin()->first);

		next_.notify(std::max(first, sc_core::sc_time_stamp()) - sc_core::sc_time_stamp());
	}

	void run()
	{
		while (!waiting_.empty() && wake_up(waiting_.begin()->first) <= sc_core::sc_time_stamp()) {
			const auto first = waiting_.begin();
			const sc_core::sc_time when = first->first;
			const action what = std::move(first->second);

			waiting_.erase(first);
			what(when);
		}
		arm();
	}

	std::multimap<sc_core::sc_time, action> waiting_;
	sc_core::sc_event next_;
};

}

#endif
