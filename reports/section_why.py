# SPDX-License-Identifier: Apache-2.0
"""Part 2 of the page: why? Where CPU time goes, the spinlock's algorithm, locks and function stacks point by point.

Every cell of the point-by-point tables is formatted here; page.js only puts the chosen point's cells into the table.
"""
import figures
import headline
import markup
import text
from point_stats import lock_totals, main_state, reason_shares, waiting_stacks
from section_scale import axis_title, colour_index


def _state_note(states, state):
    if len(states) == 1:
        return ""
    return f", {'upper' if state is states[0] else 'lower'} state"


def _multiples(study, items):
    parts = []
    for number, item in enumerate(items):
        bars = [(point.axis_text, reason_shares(state.runs)) for point, states in item.states for state in states]
        bars = [(label, shares) for label, shares in bars if shares]
        if not bars:
            continue
        name = text.esc(item.variant.name)
        reasons = [reason for reason in figures.REASONS if any(shares.get(reason) for _, shares in bars)]
        rows = "".join(f'<tr><th scope="row">{text.esc(label)}</th>'
                       + "".join(f"<td>{100 * shares.get(reason, 0):.1f}</td>" for reason in reasons) + "</tr>"
                       for label, shares in bars)
        parts.append(f'<figure class="card"><figcaption><i class="swatch s{colour_index(study, item.variant)}"></i>'
                     f'{name}</figcaption>'
                     + figures.reason_bars(bars, f"time{number}", f"Where CPU time goes, {name}", axis_title(study))
                     + "<details><summary>As a table</summary>"
                     + markup.table(f"CPU time of {name}", f"% of CPU time, {name}",
                                    f"<tr>{markup.cells([text.esc(axis_title(study)), *map(text.esc, reasons)])}</tr>",
                                    rows)
                     + "</details></figure>")
    meanings = {"guest": "in the guest", "run": "private work of kernel and VMM", "line transfer": "waiting for a cache line",
                "spin": "waiting for a lock", "device": "waiting for a device (GIC)", "idle": "idle"}
    legend = markup.legend([(f'class="swatch" style="background:{colour}"', f"<b>{reason}</b> {meanings[reason]}")
                            for reason, colour in figures.REASONS.items()], "reasons")
    return f"""<h3>Where CPU time goes</h3>
<p>Every picosecond of every CPU that runs a vCPU belongs to exactly one reason. Two narrow bars at one place are the two
states of that point.</p>
{legend}
<div class="multiples">{"".join(parts)}</div>"""


def _after_knee(study, queued, ticket):
    """How both aggregates change over about the last doubling of the axis; '' where a point has two states."""
    last = ticket.last[0]
    starts = [point for point, _ in ticket.states if 0 < point.x <= 0.55 * last.x]
    ends = {}
    for item in (queued, ticket):
        states = {point.axis_index: (point, found) for point, found in item.states}
        pair = [states.get(point.axis_index) for point in (starts[-1] if starts else last, last)]
        if not starts or None in pair or any(len(found) != 1 for _, found in pair):
            return ""
        first, final = (found[0].mean * point.vcpus for point, found in pair)
        ends[item.variant.id] = text.signed_percent(final / first - 1)
    return (f"From {starts[-1].axis_text} to {text.esc(study.axis_label(last))} the sum over all vCPUs changes by "
            f"<strong>{ends[ticket.variant.id]}</strong> with ticket locks and by "
            f"<strong>{ends[queued.variant.id]}</strong> with qspinlock.")


def _pair(study, number, ticket, queued):
    """One ticket variant beside its qspinlock partner: figure and words."""
    series = [(colour_index(study, item.variant), [(point.x, states, point.vcpus) for point, states in item.states], [])
              for item in (queued, ticket)]
    sentences = [_after_knee(study, queued, ticket)]
    for item, word in ((ticket, "ticket locks"), (queued, "qspinlock")):
        point, peak = item.peak
        last, states = item.last
        end = " or ".join(text.short(state.mean * last.vcpus) for state in states)
        upper = len(dict((p.axis_index, s) for p, s in item.states)[point.axis_index]) > 1
        sentences.append(f"With {word} it is at most {text.short(peak)} {study.event}/s, at "
                         f"{text.esc(study.axis_label(point))}{' (upper state)' if upper else ''}"
                         + (f", and {end} at {text.esc(study.axis_label(last))}." if last is not point else "."))
    extra = headline.differing(study, ticket.variant, queued.variant) - {"kernel.spinlock"}
    if extra:
        sentences.append("The two variants also differ in " + text.listing(text.esc(name) for name in sorted(extra)) + ".")
    title = f"Aggregate {study.event} per second: {text.esc(ticket.variant.name)}, {text.esc(queued.variant.name)}"
    names = " ".join(f"<span>{markup.swatch(colour_index(study, item.variant))} {text.esc(item.variant.name)}</span>"
                     for item in (ticket, queued))
    return f"""<figure class="card spinlock"><figcaption>{names}</figcaption>
{figures.curve(study, series, f"spin{number}", title, False, 500)}<p class="note">{" ".join(sentences)}</p></figure>"""


def _spinlock(study, items):
    """What-ifs with ticket locks beside the variants that differ from them only in that; '' without such variants."""
    parts = []
    for ticket in items:
        if headline.parameter_of(ticket.variant, "kernel.spinlock") != "ticket":
            continue
        partner = headline.nearest_variant(study, ticket.variant, "kernel.spinlock", "qspinlock")
        queued = next((item for item in items if item.variant is partner), None)
        if queued:
            parts.append(_pair(study, len(parts), ticket, queued))
    if not parts:
        return ""
    return f"""<h3>Ticket lock against qspinlock</h3>
<p>With a ticket lock all waiters poll one cache line. Each release makes them all fetch it again, one after another, so a
handover costs more the more CPUs wait, and the longer handover makes more of them wait. With qspinlock each waiter polls
a line of its own and a handover costs the same however many wait. Neither shape is programmed into the model: both follow
from the lines.</p>
<div class="pairs">{"".join(parts)}</div>"""


LOCK_HEAD = ("contended", "total wait", "max wait", "avg wait", "type", "caller", "lock", "acquisitions", "contended %",
             "queued", "avg hold", "max hold")
WORDS = ("type", "caller", "lock", "function stack")
STACK_HEAD = ("waiting", "function stack", "spin", "line transfer")


def _point_tables(states, point, limit, intern):
    """{'state label': [lock rows, hidden locks, stack rows, hidden stacks]} of one point."""
    result = []
    for state in states:
        locks = lock_totals(state.runs)
        rows = []
        for lock, caller, t in locks[:limit]:
            rows.append([text.count(t["contended"]), text.time(t["wait_total"]), text.time(t["wait_max"]),
                         text.time(t["wait_total"] / t["contended"]) if t["contended"] else "0", "spinlock",
                         intern(caller), intern(lock), text.count(t["acquisitions"]),
                         text.percent(t["contended"] / t["acquisitions"]) if t["acquisitions"] else "0 %",
                         text.count(t["queued"]),
                         text.time(t["hold_total"] / t["acquisitions"]) if t["acquisitions"] else "0",
                         text.time(t["hold_max"])])
        stacks = waiting_stacks(state.runs)
        cpu_time = sum(run.cpus * run.measured_ps for run in state.runs)
        lines = [[text.percent((spin + transfer) / cpu_time), intern(stack), text.percent(spin / cpu_time),
                  text.percent(transfer / cpu_time)] for stack, spin, transfer in stacks[:limit]]
        measured = sum(run.measured_ps for run in state.runs)
        result.append({"label": f"{text.plural(state.count, 'replication')}, {text.time(measured)} measured"
                                + _state_note(states, state),
                       "locks": rows, "moreLocks": max(0, len(locks) - limit),
                       "stacks": lines, "moreStacks": max(0, len(stacks) - limit)})
    return result


def point_data(study, items, limit):
    """What page.js shows point by point: {names, points: {variant number: {axis index: [...]}}}."""
    names, known = [], {}

    def intern(name):
        if name not in known:
            known[name] = len(names)
            names.append(name)
        return known[name]

    points = {str(number): {str(point.axis_index): _point_tables(states, point, limit, intern)
                            for point, states in item.states} for number, item in enumerate(items)}
    return {"names": names, "points": points}


def _default_point(items):
    """The first variant where it hurts: the last point of the axis."""
    return 0, items[0].last[0]


def _picker(study, items):
    number, chosen = _default_point(items)
    variants = "".join(f'<option value="{i}"{" selected" if i == number else ""}>{text.esc(item.variant.name)}</option>'
                       for i, item in enumerate(items))
    axis = sorted({(point.axis_index, point.axis_text) for point in study.points()})
    points = "".join(f'<option value="{index}"{" selected" if index == chosen.axis_index else ""}>{text.esc(label)}</option>'
                     for index, label in axis)
    locks = markup.table(
        "Locks", "Locks, in the layout of <code>perf lock contention</code>, summed over vCPUs and replications. Waits are "
        "those of contended acquisitions; <i>queued</i> ones entered qspinlock's MCS queue, where the kernel's "
        "contention_begin event sits.", f"<tr>{markup.cells(LOCK_HEAD, WORDS)}</tr>", "", "locks", "numbers locks")
    stacks = markup.table(
        "Function stacks", "Kernel function stacks by time spent waiting for a lock or a cache line, as a share of all CPU "
        "time; innermost function in bold.", f"<tr>{markup.cells(STACK_HEAD, WORDS)}</tr>", "", "stacks", "numbers stacks")
    return f"""<h3>Which lock, which function</h3>
<div class="picker" role="group" aria-label="Point shown in the two tables">
	<label>Variant <select id="pick-variant">{variants}</select></label>
	<label>{text.esc(axis_title(study))} <select id="pick-point">{points}</select></label>
	<span class="note" id="pick-note" aria-live="polite"></span>
</div>
<noscript><p class="remark">The tables are filled by a script; without one, 'convoy show' prints the same.</p></noscript>
{locks}
{stacks}"""


def _lead(study, items):
    """The largest waiting reason of the first variant at its last point, in words."""
    point, states = items[0].last
    shares = reason_shares(main_state(states).runs)
    waiting = shares.get("spin", 0) + shares.get("line transfer", 0)
    first = reason_shares(main_state(items[0].first[1]).runs)
    before = first.get("spin", 0) + first.get("line transfer", 0)
    sentence = (f"<strong>{text.esc(items[0].variant.name)}</strong> spends {text.percent(waiting, 0)} of its CPU time at "
                f"{text.esc(study.axis_label(point))} waiting for locks and cache lines"
                + ("." if len(items[0].states) == 1 else
                   f" ({text.percent(before, 0)} at {text.esc(study.axis_label(items[0].first[0]))})."))
    contended = [row for row in lock_totals(main_state(states).runs) if row[2]["contended"]]
    total = sum(row[2]["wait_total"] for row in contended)
    if total:
        per_lock = {}
        for lock, _, values in contended:
            per_lock[lock] = per_lock.get(lock, 0) + values["wait_total"]
        lock, wait = max(per_lock.items(), key=lambda pair: (pair[1], pair[0]))
        sentence += f" <code>{text.esc(lock)}</code> accounts for {text.percent(wait / total, 0)} of all time waited for locks."
    return sentence


def section(study, items):
    return f"""<section id="why" aria-labelledby="why-h">
	<h2 id="why-h"><b>2</b> Why?</h2>
	<p class="answer">{_lead(study, items)}</p>
	{_multiples(study, items)}
	{_spinlock(study, items)}
	{_picker(study, items)}
</section>"""
