// SPDX-License-Identifier: Apache-2.0
// Timer conditions and outputs; see generic_timer.hpp.
#include "model/cpu/generic_timer.hpp"

#include <algorithm>

namespace convoy {

namespace {
constexpr uint64_t ctl_enable = 1, ctl_imask = 2, ctl_istatus = 4;
}

bool generic_timer::condition_met(const comparator &timer, ps_t now) const
{
	return (timer.ctl & ctl_enable) && int64_t(counter(now) - offset(timer) - timer.cval) >= 0;
}

bool generic_timer::any_enabled() const
{
	return (virtual_.ctl | physical_.ctl | hyp_.ctl) & ctl_enable;
}

bool generic_timer::read(enum sysreg reg, ps_t now, uint64_t *value) const
{
	switch (reg) {
	case SYS_CNTV_CTL_EL0:
		*value = virtual_.ctl | (condition_met(virtual_, now) ? ctl_istatus : 0);
		return true;
	case SYS_CNTP_CTL_EL0:
		*value = physical_.ctl | (condition_met(physical_, now) ? ctl_istatus : 0);
		return true;
	case SYS_CNTHP_CTL_EL2:
		*value = hyp_.ctl | (condition_met(hyp_, now) ? ctl_istatus : 0);
		return true;
	case SYS_CNTV_CVAL_EL0:
		*value = virtual_.cval;
		return true;
	case SYS_CNTHP_CVAL_EL2:
		*value = hyp_.cval;
		return true;
	case SYS_CNTPOFF_EL2:
		*value = poffset_;
		return true;
	case SYS_CNTP_CVAL_EL0:
		*value = physical_.cval;
		return true;
	case SYS_CNTVOFF_EL2:
		*value = voffset_;
		return true;
	case SYS_CNTPCT_EL0:
		*value = counter(now);
		return true;
	case SYS_CNTVCT_EL0:
		*value = counter(now) - voffset_;
		return true;
	default:
		return false;
	}
}

bool generic_timer::write(enum sysreg reg, ps_t now, uint64_t value)
{
	switch (reg) {
	case SYS_CNTV_CTL_EL0:
		virtual_.ctl = value & (ctl_enable | ctl_imask);
		break;
	case SYS_CNTP_CTL_EL0:
		physical_.ctl = value & (ctl_enable | ctl_imask);
		break;
	case SYS_CNTHP_CTL_EL2:
		hyp_.ctl = value & (ctl_enable | ctl_imask);
		break;
	case SYS_CNTV_CVAL_EL0:
		virtual_.cval = value;
		break;
	case SYS_CNTHP_CVAL_EL2:
		hyp_.cval = value;
		break;
	case SYS_CNTPOFF_EL2:
		poffset_ = value;
		break;
	case SYS_CNTP_CVAL_EL0:
		physical_.cval = value;
		break;
	case SYS_CNTVOFF_EL2:
		voffset_ = value;
		break;
	default:
		return false;
	}
	// Idle timers, the usual case: nothing enabled, nothing asserted, nothing to do.
	if (!any_enabled() && !virtual_.level && !physical_.level && !hyp_.level)
		return true;
	update(virtual_, now);
	update(physical_, now);
	update(hyp_, now);
	arm(now);
	return true;
}

void generic_timer::update(comparator &timer, ps_t now)
{
	const bool level = condition_met(timer, now) && !(timer.ctl & ctl_imask);

	if (level == timer.level)
		return;
	timer.level = level;
	if (set_level_)
		set_level_({ timer.ppi }, level, std::max(sc_core::sc_time::from_value(now * 1000), sc_core::sc_time_stamp()));
}

// The next moment at which an output can rise by itself.
void generic_timer::arm(ps_t now)
{
	uint64_t next = UINT64_MAX;

	for (const comparator *timer : { &virtual_, &physical_, &hyp_ }) {
		if ((timer->ctl & ctl_enable) && !(timer->ctl & ctl_imask) && !condition_met(*timer, now))
			next = std::min(next, timer->cval + offset(*timer));
	}
	expiry_.cancel();
	if (next >= UINT64_MAX / 1000000)
		return;  // beyond simulated time
	const sc_core::sc_time when = sc_core::sc_time::from_value(next * 1000000);
	expiry_.notify(when > sc_core::sc_time_stamp() ? when - sc_core::sc_time_stamp() : sc_core::SC_ZERO_TIME);
}

void generic_timer::expire()
{
	const ps_t now = sc_core::sc_time_stamp().value() / 1000;

	update(virtual_, now);
	update(physical_, now);
	update(hyp_, now);
	arm(now);
}

}
