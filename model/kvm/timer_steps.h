// SPDX-License-Identifier: Apache-2.0
/* Steps that two of the timer policies have in common; see timer_policy.h. */
#ifndef CONVOY_MODEL_KVM_TIMER_STEPS_H
#define CONVOY_MODEL_KVM_TIMER_STEPS_H

#include "model/kvm/timer_policy.h"

/* timer_hyp_switch.c: flush and sync without the registers; put. */
timer_hook timer_flush_hwstate, timer_sync_hwstate, timer_forget_active_state;

/* timer_load_put.c: what is left in the world switch once the registers are not. nVHE: CNTHCTL_EL2. */
timer_hook timer_hyp_traps_enter, timer_hyp_traps_exit;

#endif
