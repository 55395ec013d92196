# SPDX-License-Identifier: Apache-2.0
"""Predicted beside measured, and beside a baseline of three lines of arithmetic.

The baseline knows no mechanism. It exists for the measurement `altra-exits` alone and takes its numbers from rows whose
role is `fit`: Z, the time of one loop without the lock, from the per-CPU variant at one vCPU (one Z for each interrupt
controller); S, the time the busiest lock is taken for one operation, from the in-kernel row with most vCPUs, where it is
saturated; and what an idle lock costs one operation, from the two in-kernel rows at one vCPU. Then:

    a vCPU alone takes Z, plus the idle lock's cost for each of its operations;
    N vCPUs that never meet do N / Z exits per second;
    the busiest lock lets at most 1 / (visits * S) exits through; the smaller of the two is what comes out.

The busiest lock is the virtual timer's. It is visited once an exit with the in-kernel controller, twice with one in
userspace, never where the active state is set without the descriptor lock. Operations on both timers' locks: 2, 3, 0.
"""
import math
import os
from dataclasses import dataclass

from point_stats import main_state, mean, point_states, rate
from results_db import BY_METRIC, MINIMUM

VISITS = {("in-kernel", "descriptor-lock"): 1, ("userspace", "descriptor-lock"): 2}
OPERATIONS = {("in-kernel", "descriptor-lock"): 2, ("userspace", "descriptor-lock"): 3}
WHAT_IF_TEXT = "what-if: measured on another machine"
UNEXPLAINED_TEXT = "unexplained by any mechanism modelled; reported as it comes"


@dataclass
class Compared:
    measured: object      # results_db.Measured
    predictions: list     # [(value, replications)]; two when the point has two states, the main one first
    why_not: str          # why there is no prediction, else ''
    baseline: object      # value or None
    baseline_used: bool   # the baseline was computed from this row
    unexplained: bool

    @property
    def error(self):
        if not self.predictions or not self.measured.value or self.measured.what_if:
            return None
        return self.predictions[0][0] / self.measured.value - 1

    @property
    def baseline_error(self):
        return None if self.baseline is None else self.baseline / self.measured.value - 1


def measurement_name(study):
    return os.path.splitext(os.path.basename(study.measurement))[0]


def is_time(row):
    """Whether a row is the time of one operation, in ns or cycles."""
    return row.unit in ("ns", "cycles")


def _time(row, point, runs):
    """Time of one operation in the measurement's unit, as study/run/compare.c forms it; None if the database cannot say."""
    exits = math.fsum(run.metrics["exits"] for run in point.runs)
    if row.quantity == MINIMUM:
        ns = min((run.metrics["shortest-round"] for run in point.runs if run.metrics.get("shortest-round")), default=0) / 1e3
    elif row.metric == "timer_10ms" and row.quantity == BY_METRIC:
        ns = math.fsum(run.metrics.get("lateness", 0) for run in point.runs) / 1e3 / exits if exits else 0
    else:
        per_second = mean([rate(point, run) for run in runs])
        ns = 1e9 / per_second if per_second else 0
    if not ns or (row.unit == "cycles" and not row.clock_hz):
        return None
    return ns * row.clock_hz / 1e9 if row.unit == "cycles" else ns


def _operation(row):
    """The row's metric, or what the study says of it, is an operation that the point repeats."""
    operation = row.point.parameters.get("workload.exit")
    return row.quantity != BY_METRIC or (operation is not None and operation.value == row.metric)


def _value(row, point, runs):
    """Mean over runs in the measurement's unit; None if the database cannot say."""
    metric, unit = row.metric, row.unit
    if is_time(row):
        return _time(row, point, runs) if _operation(row) else None
    if metric == "exits" and unit == "1/s/vcpu":
        return mean([rate(point, run) for run in runs])
    values = []
    for run in runs:
        seconds = run.measured_ps / 1e12
        if metric == "lock-queue-entries":
            total = sum(row.queued for row in run.locks)
        elif metric in run.metrics:
            total = run.metrics[metric]
        else:
            return None
        if unit not in ("1/s", "1/s/vcpu"):
            return None
        values.append(total / seconds / (point.vcpus if unit == "1/s/vcpu" else 1))
    return mean(values)


def _predict(row):
    """([(value, replications)], why not). A difference is that of the two points' main states."""
    if row.point is None:
        return [], "no point of this study answers it"
    states = point_states(row.point)
    if not states:
        return [], "the point has no finished run"
    first = main_state(states)
    ordered = [first] + [state for state in states if state is not first]
    found = [(_value(row, row.point, state.runs), state.count) for state in ordered]
    if found[0][0] is None:
        return [], f"the model does not give {row.metric} in {row.unit}"
    if row.minus is None:
        return found, ""
    if not row.minus.runs:
        return [], "the point to take off has no finished run"
    taken_off = _value(row, row.minus, main_state(point_states(row.minus)).runs)
    if taken_off is None:
        return [], f"the model does not give {row.metric} in {row.unit}"
    return [(found[0][0] - taken_off, len(row.point.runs))], ""


def _key(row):
    return row.columns.get("irqchip"), row.columns.get("irq_state"), row.columns.get("vcpus")


class Baseline:
    """Three lines of arithmetic from fit rows; `ready` says whether the rows it needs are there."""

    NEEDS = (("in-kernel", "per-cpu", "1"), ("userspace", "per-cpu", "1"),
             ("in-kernel", "descriptor-lock", "1"))

    def __init__(self, study):
        fit = {_key(row): row.value for row in study.measured if row.role == "fit" and row.metric == "exits"}
        # The largest size among the fit rows is saturated there, so it shows the lock alone.
        sizes = [int(key[2]) for key in fit if key[:2] == ("in-kernel", "descriptor-lock") and key[2].isdigit()]
        self.size = max(sizes, default=1)
        self.saturated = ("in-kernel", "descriptor-lock", str(self.size))
        self.ready = (measurement_name(study) == "altra-exits" and all(key in fit for key in self.NEEDS)
                      and self.size > 1)
        if not self.ready:
            return
        self.loop = {"in-kernel": 1 / fit[self.NEEDS[0]], "userspace": 1 / fit[self.NEEDS[1]]}
        self.service = 1 / (self.size * fit[self.saturated])
        self.idle_lock = (1 / fit[self.NEEDS[2]] - self.loop["in-kernel"]) / 2

    def used(self, row):
        return self.ready and row.role == "fit" and row.metric == "exits" and _key(row) in (*self.NEEDS, self.saturated)

    def rate(self, row):
        """Exits per second and vCPU, or None for a row it has nothing to say about."""
        irqchip, state, vcpus = _key(row)
        if not self.ready or row.metric != "exits" or irqchip not in self.loop or not vcpus:
            return None
        kind, number = (irqchip, state), int(vcpus)
        free = number / (self.loop[irqchip] + OPERATIONS.get(kind, 0) * self.idle_lock)
        visits = VISITS.get(kind, 0)
        return min(free, 1 / (visits * self.service)) / number if visits else free / number


def is_unexplained(study, row):
    return (measurement_name(study) == "altra-exits" and row.metric == "exits"
            and _key(row) in (("userspace", "per-cpu", "16"), ("userspace", "per-cpu", "31")))


def compare(study):
    """([Compared], Baseline), in the order of the measurement file."""
    baseline = Baseline(study)
    rows = []
    for row in study.measured:
        predictions, why_not = _predict(row)
        rows.append(Compared(row, predictions, why_not, baseline.rate(row), baseline.used(row),
                             is_unexplained(study, row)))
    return rows, baseline


def mean_absolute_error(rows, role, which="error", with_unexplained=False, times=False):
    """Over the exit rates of one role, or over its times of operations: (mean, largest, number of rows), or None."""
    errors = [abs(getattr(row, which)) for row in rows
              if row.measured.role == role and (is_time(row.measured) if times else row.measured.metric == "exits")
              and (with_unexplained or not row.unexplained)
              and getattr(row, which) is not None and not (which == "baseline_error" and row.baseline_used)]
    return (mean(errors), max(errors), len(errors)) if errors else None
