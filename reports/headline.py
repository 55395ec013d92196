# SPDX-License-Identifier: Apache-2.0
"""The answer in words, formed from the data alone: how each variant scales, and against which one it is held.

A point in two states has no single rate. Where a sentence needs one number of such a point it says both.
"""
from dataclasses import dataclass

import text
from point_stats import ended_at, point_states

FEW = 4        # as many variants are named one by one
SAME = 0.005   # a smaller relative change is none


@dataclass
class Scaling:
    """One variant. States are per vCPU; `peak` is (point, aggregate) of the best point, by its highest state."""
    variant: object
    states: list          # [(Point, [State])], points with runs only
    reference: object     # the variant it is compared with, or None

    @property
    def first(self):
        return self.states[0]

    @property
    def last(self):
        return self.states[-1]

    @property
    def peak(self):
        return max(((point, states[0].mean * point.vcpus) for point, states in self.states),
                   key=lambda pair: (pair[1], -pair[0].axis_index))

    @property
    def kept(self):
        """Rate per vCPU at the end of the axis over that at its start: 1 = scales perfectly. None if two states."""
        if len(self.first[1]) != 1 or len(self.last[1]) != 1:
            return None
        return self.last[1][0].mean / self.first[1][0].mean

    @property
    def two_state(self):
        return [(point, states) for point, states in self.states if len(states) == 2]


def differing(study, one, other):
    """Names of the parameters in which two variants differ, over the axis values they share."""
    names = set()
    others = {point.axis_index: point for point in other.points}
    for point in one.points:
        mate = others.get(point.axis_index)
        if mate:
            for name in set(point.parameters) | set(mate.parameters):
                mine, theirs = point.parameters.get(name), mate.parameters.get(name)
                if (mine and mine.value) != (theirs and theirs.value):
                    names.add(name)
    return names


def parameter_of(variant, name):
    """The value that all points of a variant share, or None."""
    values = {point.parameters[name].value if name in point.parameters else None for point in variant.points}
    return values.pop() if len(values) == 1 else None


def nearest_variant(study, variant, name, value):
    """The other variant with parameter `name` at `value` that differs least from this one, or None."""
    candidates = [other for other in study.variants
                  if other is not variant and parameter_of(other, name) == value]
    return min(candidates, key=lambda other: (len(differing(study, variant, other)), other.id), default=None)


def scalings(study):
    """[Scaling] of the variants that have runs. The reference of a variant with the descriptor lock is its per-CPU one."""
    result = []
    for variant in study.variants:
        states = [(point, point_states(point)) for point in variant.points if point.runs]
        if not states:
            continue
        reference = None
        if parameter_of(variant, "kernel.irq_state") == "descriptor-lock":
            reference = nearest_variant(study, variant, "kernel.irq_state", "per-cpu")
        result.append(Scaling(variant, states, reference))
    return result


def ratio_to_reference(scaling, everything):
    """(point, per-vCPU rate over the reference's) at the largest point both have in one state, or None."""
    other = next((item for item in everything if item.variant is scaling.reference), None)
    if other is None:
        return None
    theirs = {point.axis_index: states for point, states in other.states}
    for point, states in reversed(scaling.states):
        mate = theirs.get(point.axis_index)
        if mate and len(mate) == 1 and len(states) == 1:
            return point, states[0].mean / mate[0].mean
    return None


def rate_text(states, vcpus=1):
    """'58,722', or '303,667 or 204,750' for two states."""
    return " or ".join(text.count(state.mean * vcpus) for state in states)


def stops_growing(scaling):
    """The point after which the aggregate falls and never comes back to the peak, or None if the last point is best."""
    point, _ = scaling.peak
    return None if point is scaling.last[0] else point


def _rates_compared(study, items):
    """Every variant at one and the same point: what they make there. Two states are both said."""
    place = text.esc(study.axis_label(items[0].first[0]))
    if len(items) <= FEW:
        return f"At {place} one vCPU makes " + text.listing(
            f"{rate_text(item.first[1])} {study.event}/s ({text.esc(item.variant.name)})" for item in items) + "."
    order = sorted(items, key=lambda item: (item.first[1][0].mean, item.variant.id))
    least, most = order[0], order[-1]
    return (f"At {place} one vCPU makes between {rate_text(least.first[1])} ({text.esc(least.variant.name)}) and "
            f"{rate_text(most.first[1])} {study.event}/s ({text.esc(most.variant.name)}); {len(items)} variants are compared.")


def _change(item):
    """('falls by 12.0 %', 'name, highest at 1us'): the ends, and where a peak or a trough lies between them."""
    known = [(point, states[0].mean) for point, states in item.states if len(states) == 1]
    if item.kept is None or len(known) < 2:
        return "has two states at an end", text.esc(item.variant.name)
    change = item.kept - 1
    words = (f"rises by {text.percent(change)}" if change > SAME else f"falls by {text.percent(-change)}" if change < -SAME
             else "is the same at both ends")
    ends = item.first[1][0].mean, item.last[1][0].mean
    most, least = max(known, key=lambda pair: pair[1]), min(known, key=lambda pair: pair[1])
    inside = [f", {name} at {text.esc(point.axis_text)}" for name, (point, _), further in
              (("highest", most, most[1] > (1 + SAME) * max(ends)), ("lowest", least, least[1] < (1 - SAME) * min(ends)))
              if further]
    return words, text.esc(item.variant.name) + "".join(inside)


def _changes(items):
    """'falls by 12.0 % (a) and is the same at both ends (b; c)'."""
    said = {}
    for item in items:
        words, name = _change(item)
        said.setdefault(words, []).append(name)
    return text.listing(f"{words} ({'; '.join(names)})" for words, names in said.items())


def _along_the_axis(study, items):
    """How the rate of one vCPU changes along an axis that is no count of vCPUs; of choices there is no order to follow."""
    if not study.axis_numeric:
        parts = []
        for item in items:
            order = sorted(item.states, key=lambda pair: (pair[1][0].mean, pair[0].axis_index))
            (low, least), (high, most) = order[0], order[-1]
            parts.append(f"{rate_text(most)} at {text.esc(high.axis_text)} and {rate_text(least)} at {text.esc(low.axis_text)} "
                         f"({text.esc(item.variant.name)})")
        return f"Along {text.esc(study.axis_name)}, one vCPU makes most and fewest {study.event}/s: " + "; ".join(parts) + "."
    out = []
    ends = sorted({(item.first[0].axis_index, item.last[0].axis_index) for item in items})
    for first, last in ends:
        same = [item for item in items if (item.first[0].axis_index, item.last[0].axis_index) == (first, last)]
        out.append(f"From {text.esc(study.axis_label(same[0].first[0]))} to {text.esc(same[0].last[0].axis_text)} the rate of "
                   "one vCPU " + _changes(same) + ".")
    return " ".join(out)


def _along_vcpus(study, items):
    out = []
    bent = [item for item in items if stops_growing(item)]
    straight = [item for item in items if not stops_growing(item)]
    if bent:
        out.append("The sum over all vCPUs stops growing at " + text.listing(
            f"{text.esc(study.axis_label(stops_growing(item)))} ({text.esc(item.variant.name)})" for item in bent) + ".")
    if straight:
        out.append(f"{'The sum over all vCPUs' if not bent else 'It'} grows to the end of the axis for " + text.listing(
            text.esc(item.variant.name) for item in straight) + ".")
    return " ".join(out)


def summary(study, items):
    """One or two sentences for the top of the page, HTML without markup of its own but <strong>."""
    held = [(ratio_to_reference(item, items), item) for item in items]
    held = [(found, item) for found, item in held if found]
    out = []
    if held:
        # The first variant of the study leads: a study file puts its question first.
        (point, share), item = held[0]
        out.append(f"At {text.esc(study.axis_label(point))} <strong>{text.esc(item.variant.name)}</strong> makes "
                   f"<strong>{text.ratio(1 / share)} times fewer</strong> {study.event}/s than "
                   f"<strong>{text.esc(item.reference.name)}</strong>." if share < 0.98 else
                   f"At {text.esc(study.axis_label(point))} <strong>{text.esc(item.variant.name)}</strong> and "
                   f"<strong>{text.esc(item.reference.name)}</strong> differ by "
                   f"{text.signed_percent(share - 1)} in {study.event}.")
    # A curve has two points; variants of one point are compared place by place.
    curves = [item for item in items if len(item.states) > 1]
    if curves:
        out.append(_along_vcpus(study, curves) if study.axis == "workload.vcpus" else _along_the_axis(study, curves))
    single = [item for item in items if len(item.states) == 1]
    for place in sorted({item.first[0].axis_index for item in single}):
        out.append(_rates_compared(study, [item for item in single if item.first[0].axis_index == place]))
    return " ".join(out)


def two_state_text(study, items):
    """A sentence on the points in two states, or ''."""
    parts = []
    for item in items:
        for point, states in item.two_state:
            parts.append(f"{text.esc(item.variant.name)}, {text.esc(study.axis_label(point))}: "
                         + " and ".join(f"{state.count} of {len(point.runs)} replications near {text.count(state.mean)}"
                                        for state in states) + f" {study.event}/s per vCPU")
    changed = sum(1 for item in items for point, _ in item.states for run in point.runs if ended_at(run) is not None)
    note = (f" {text.plural(changed, 'replication')} changed state while being measured and "
            f"{'counts' if changed == 1 else 'count'} with the state {'it' if changed == 1 else 'they'} ended in."
            if changed else "")
    if not parts:
        return note.strip()
    return ("Two states: " + "; ".join(parts) + ". Both sustain themselves there, so both are drawn "
            "and no mean is formed." + note)
