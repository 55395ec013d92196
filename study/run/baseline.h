// SPDX-License-Identifier: Apache-2.0
/*
 * Three lines of arithmetic that a simulator has to beat, for the measurement `altra-exits`.
 *
 *     X = min( N / Z, 1 / (visits × S) ) / N        exits per second and vCPU
 *
 * Z is the time of one exit on an otherwise idle machine and S the time that the busiest lock is held for one acquisition,
 * handover included. Only `fit` rows go in:
 *     Z in-kernel, with and without the lock: 1 / rate at N = 1 of `before` and `after`
 *     Z userspace without the lock: 1 / rate at N = 1 of `after`; with it, one lock call adds what a call adds in-kernel:
 *       half of Z(before) - Z(after), as there are two calls in-kernel and three with a userspace irqchip
 *     S = 1 / aggregate rate of `before`, in-kernel, at its largest fit N (saturated there)
 *     visits to the busiest lock for each exit: 1 in-kernel, 2 with a userspace irqchip (the two timers have a descriptor
 *       each, and the userspace irqchip touches the virtual timer's twice)
 * It knows queueing (a saturated server) and how the locks are used, but not what a lock costs when nobody waits,
 * nor distance. What a model adds must show beyond this.
 */
#ifndef CONVOY_STUDY_RUN_BASELINE_H
#define CONVOY_STUDY_RUN_BASELINE_H

#include "study/store/results.h"

struct baseline { bool known; double z_before, z_after, z_userspace_after, s; };   /* seconds */

/* From the rows of one measurement. `known` is false for other measurements and when a fit row that is needed is missing. */
struct baseline baseline_make(const struct results_measured *rows, size_t count);

/* The baseline of one row; false for a metric that it says nothing about. */
bool baseline_predict(const struct baseline *baseline, const struct results_measured *row, double *out);

/*
 * Rows of `altra-exits` that no mechanism we know explains: with the userspace irqchip and no lock at all the rate still
 * falls by 18 and 27 % at 16 and 31 vCPUs, while it does not fall at 8, nor anywhere in-kernel. They are printed as they
 * come, and means of errors are given with and without them. No term was added to the model to fit them.
 */
bool baseline_unexplained(const struct results_measured *row);

#endif
