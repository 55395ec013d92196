// SPDX-License-Identifier: Apache-2.0
/*
 * The generic timer of one CPU: CNTV_*, CNTP_* and CNTHP_* (CTL, CVAL), CNTVOFF_EL2, CNTPOFF_EL2, and the outputs to the
 * redistributor.
 *
 * Conditions as in the Arm ARM (DDI 0487, D12): ISTATUS = ENABLE and counter >= CVAL; output = ISTATUS and not IMASK,
 * level-sensitive. The system counter runs at 1 GHz (CNTFRQ of Armv8.6 and later), so one tick is 1000 ps. CNTV
 * compares against counter - CNTVOFF_EL2, CNTP against counter - CNTPOFF_EL2 (FEAT_ECV). PPIs by the base system
 * architecture (BSA): EL1 virtual timer 27, EL1 physical timer 30, EL2 physical timer 26 (the host's own with VHE).
 *
 * Not modelled: TVAL views, the EL2 virtual timer (CNTHV), event stream, secure timer; CNTHCTL_EL2.ECV and HCR_EL2.TGE,
 * which decide when CNTPOFF_EL2 counts: here it always does for CNTP, and never for CNTPCT_EL0, which only the host reads.
 */
#ifndef CONVOY_MODEL_CPU_GENERIC_TIMER_HPP
#define CONVOY_MODEL_CPU_GENERIC_TIMER_HPP

#include <cstdint>
#include <functional>

#include <systemc>

#include "base/ids.h"
#include "model/sysreg.h"

namespace convoy {

constexpr uint32_t ppi_hyp_timer = 26;
constexpr uint32_t ppi_virtual_timer = 27;
constexpr uint32_t ppi_physical_timer = 30;

class generic_timer : public sc_core::sc_module {
public:
	using output = std::function<void(intid, bool level, sc_core::sc_time when)>;

	SC_HAS_PROCESS(generic_timer);
	explicit generic_timer(sc_core::sc_module_name name) : sc_module(name)
	{
		SC_METHOD(expire);
		sensitive << expiry_;
		dont_initialize();
	}

	void connect(output set_level) { set_level_ = std::move(set_level); }

	// True when the register belongs to the timer; then `value` is what a read at `now` returns.
	bool read(enum sysreg reg, ps_t now, uint64_t *value) const;
	bool write(enum sysreg reg, ps_t now, uint64_t value);

private:
	struct comparator {
		uint32_t ppi;
		uint64_t ctl, cval;
		bool level;
	};
	uint64_t counter(ps_t now) const { return now / 1000; }
	bool condition_met(const comparator &timer, ps_t now) const;
	void update(comparator &timer, ps_t now);
	void arm(ps_t now);
	void expire();
	uint64_t offset(const comparator &timer) const
	{
		return &timer == &virtual_ ? voffset_ : &timer == &physical_ ? poffset_ : 0;
	}
	bool any_enabled() const;

	comparator virtual_ = { ppi_virtual_timer, 0, 0, false };
	comparator physical_ = { ppi_physical_timer, 0, 0, false };
	comparator hyp_ = { ppi_hyp_timer, 0, 0, false };
	uint64_t voffset_ = 0, poffset_ = 0;
	output set_level_;
	sc_core::sc_event expiry_;
};

}

#endif
