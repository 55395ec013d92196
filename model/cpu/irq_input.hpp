// SPDX-License-Identifier: Apache-2.0
/*
 * An interrupt input of a core: its changes in order, some of which may still lie ahead, because what the GIC does on
 * behalf of an access in the future is told at once.
 */
#ifndef CONVOY_MODEL_CPU_IRQ_INPUT_HPP
#define CONVOY_MODEL_CPU_IRQ_INPUT_HPP

#include <algorithm>
#include <deque>

#include "base/ids.h"
#include "model/cpu/coherence.hpp"

namespace convoy {

class irq_input {
public:
	void change(ps_t when, bool asserted) { changes_.push_back({ when, asserted }); }

	// Is the input asserted at `when`? Forgets what came before.
	bool pending(ps_t when)
	{
		while (changes_.size() > 1 && changes_[1].when <= when)
			changes_.pop_front();
		return !changes_.empty() && changes_.front().asserted && changes_.front().when <= when;
	}

	// The first moment from `from` on at which the input is asserted, as far as is known now; `never` if there is none.
	ps_t next(ps_t from) const
	{
		for (size_t n = 0; n < changes_.size(); n++) {
			const ps_t until = n + 1 < changes_.size() ? changes_[n + 1].when : never;

			// Not one that is taken back at the very instant: nobody sees it.
			if (changes_[n].asserted && until > from && until > changes_[n].when)
				return std::max(from, changes_[n].when);
		}
		return never;
	}

private:
	struct change_at {
		ps_t when;
		bool asserted;
	};
	std::deque<change_at> changes_;
};

}

#endif
