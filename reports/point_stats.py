# SPDX-License-Identifier: Apache-2.0
"""Statistics of one point: rates per replication, 95 % confidence, and the two states near a knee.

Rates are exits per second and vCPU. The rules are those of study/run/stats.h, so that the page and the command agree:

Two states. Near the knee of a lock a run can settle in "no queue" or in "everybody queues". Replications that fall into two
groups are two answers, and their mean is an answer to nothing, so it is never formed. Three or more rates are sorted and cut
where the sum of squares within both sides is smallest. They are two states when the means of the sides differ by more than
5 % of the median and by more than four times the pooled standard deviation within them.

Change of state. The measured windows of one run are cut in the same way, with three windows or more on each side. The run
changed state when the means differ by more than 5 % of the mean and five standard errors. It then counts with the
state it ended in.
"""
import math
from dataclasses import dataclass

LEAST_DIFFERENCE = 0.05
LEAST_SPREADS = 4.0
LEAST_ERRORS = 5.0
LEAST_VALUES = 3
LEAST_SIDE = 3

# Two-sided 95 % points of Student's t for 1 to 30 degrees of freedom.
_T95 = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131,
        2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042)


def t95(freedom):
    """97.5 % quantile of Student's t; beyond 30 degrees by its expansion around the normal one (error < 0.001)."""
    if freedom <= len(_T95):
        return _T95[freedom - 1]
    z = 1.959964
    return z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)


def mean(values):
    return math.fsum(values) / len(values)


def _squares(values):
    centre = mean(values)
    return math.fsum((value - centre) ** 2 for value in values)


def _best_cut(values, least_side):
    """(size of the first side, sum of squares within both sides) of the cut where that sum is smallest."""
    cuts = [(_squares(values[:cut]) + _squares(values[cut:]), cut)
            for cut in range(least_side, len(values) - least_side + 1)]
    squares, cut = min(cuts)
    return cut, squares


def ended_at(run):
    """Mean exits per window of the state a run ended in, if it changed state while it was measured; else None."""
    if not run.batch_ps or run.batch_ps * 2 * LEAST_SIDE > run.measured_ps:
        return None
    windows = run.batches[-(-run.warmup_ps // run.batch_ps):(run.warmup_ps + run.measured_ps) // run.batch_ps]
    if len(windows) < 2 * LEAST_SIDE:
        return None
    cut, squares = _best_cut(windows, LEAST_SIDE)
    before, after = mean(windows[:cut]), mean(windows[cut:])
    error = math.sqrt(squares / (len(windows) - 2) * (1 / cut + 1 / (len(windows) - cut)))
    difference = abs(after - before)
    changed = difference > LEAST_DIFFERENCE * mean(windows) and difference > LEAST_ERRORS * error
    return after if changed else None


def rate(point, run):
    """Exits per second and vCPU; of a run that changed state, those of its last one."""
    ended = ended_at(run)
    if ended is not None:
        return ended * 1e12 / run.batch_ps / point.vcpus
    return run.metrics["exits"] * 1e12 / run.measured_ps / point.vcpus


def split_groups(rates):
    """Indices of `rates` as one group, or as two with the higher rates first."""
    order = sorted(range(len(rates)), key=lambda index: (rates[index], index))
    if len(rates) < LEAST_VALUES:
        return [order]
    ranked = [rates[index] for index in order]
    cut, squares = _best_cut(ranked, 1)
    gap = mean(ranked[cut:]) - mean(ranked[:cut])
    middle = len(ranked) // 2
    median = ranked[middle] if len(ranked) % 2 else (ranked[middle - 1] + ranked[middle]) / 2
    if gap > LEAST_DIFFERENCE * median and gap > LEAST_SPREADS * math.sqrt(squares / (len(ranked) - 2)):
        return [order[cut:], order[:cut]]
    return [order]


@dataclass
class State:
    """Replications that agree. `half` is half the width of the 95 % band of the mean, None for one replication."""
    runs: list
    mean: float
    half: object
    least: float
    most: float

    @property
    def count(self):
        return len(self.runs)


def _state(point, runs):
    rates = [rate(point, run) for run in runs]
    half = None
    if len(rates) > 1:
        half = t95(len(rates) - 1) * math.sqrt(_squares(rates) / (len(rates) - 1) / len(rates))
    return State(runs, mean(rates), half, min(rates), max(rates))


def point_states(point):
    """[] without runs, one State, or two with the higher rate first."""
    if not point.runs:
        return []
    groups = split_groups([rate(point, run) for run in point.runs])
    return [_state(point, [point.runs[index] for index in sorted(group)]) for group in groups]


def main_state(states):
    """The state that most replications took; of two equal ones the lower, which promises less."""
    return max(states, key=lambda state: (state.count, -state.mean)) if states else None


def reason_shares(runs):
    """{reason: share of CPU time}, over all these runs."""
    totals = {}
    for run in runs:
        for (_, reason), ps in run.account.items():
            totals[reason] = totals.get(reason, 0) + ps
    everything = sum(totals.values())
    return {reason: ps / everything for reason, ps in totals.items()} if everything else {}


def accounted_share(run):
    """Accounted time over CPU time: 1 when every picosecond has its owner."""
    return sum(run.account.values()) / (run.cpus * run.measured_ps) if run.cpus else 0.0


def lock_totals(runs):
    """Rows of `lock`, summed over runs; the waiting ones first. Maxima are the largest of all runs."""
    rows = {}
    for run in runs:
        for row in run.locks:
            total = rows.setdefault((row.lock, row.caller), dict.fromkeys(
                ("acquisitions", "contended", "queued", "wait_total", "wait_max", "hold_total", "hold_max"), 0))
            for key in total:
                value = getattr(row, key)
                total[key] = max(total[key], value) if key.endswith("_max") else total[key] + value
    return sorted(((lock, caller, total) for (lock, caller), total in rows.items()),
                  key=lambda item: (-item[2]["wait_total"], -item[2]["acquisitions"], item[0], item[1]))


def waiting_stacks(runs):
    """(stack, spin ps, line-transfer ps) summed over runs, largest sum first; those that wait for nobody left out."""
    totals = {}
    for run in runs:
        for (stack, reason), ps in run.account.items():
            if reason in ("spin", "line transfer"):
                pair = totals.setdefault(stack, [0, 0])
                pair[reason == "line transfer"] += ps
    rows = [(stack, spin, transfer) for stack, (spin, transfer) in totals.items() if spin + transfer]
    return sorted(rows, key=lambda row: (-row[1] - row[2], row[0]))
