# SPDX-License-Identifier: Apache-2.0
"""Part 3 of the page: how far to trust it. Predicted beside measured, the baseline, and where every parameter comes from."""
import comparison
import figures
import markup
import text
from point_stats import accounted_share

CLASSES = (("spec", "read in a specification"), ("measured", "measured by somebody on such hardware"),
           ("paper", "from a publication"), ("estimated", "a guess with a reason"),
           ("fitted", "moved by calibration to meet the fit rows"), ("chosen", "set by the study: the question, not a fact"))


def _row_label(study, row):
    """A short name: the variant and the axis value where the row has a point, else the text of the row."""
    if row.point is None:
        return row.text
    names = {variant.id: variant.name for variant in study.variants}
    less = f" − {names[row.minus.variant]}" if row.minus else ""
    return f"{names[row.point.variant]}{less}, {row.point.axis_text}"


def _number(value, metric):
    whole = metric in ("exits", "lock-queue-entries") or abs(value) >= 1000
    return text.count(value) if whole else f"{value:.4g}"


def _error_cell(error, extra=""):
    if error is None:
        return '<td class="none">–</td>'
    size = "far" if abs(error) > 0.08 else "off" if abs(error) > 0.04 else "near"
    return f'<td class="error {extra or size}">{text.signed_percent(error)}</td>'


def _comparison_row(study, row, has_baseline):
    measured = row.measured
    if row.predictions:
        value = "<br>".join(_number(v, measured.metric)
                            + (f" <small>({n} of {len(measured.point.runs)})</small>" if len(row.predictions) > 1 else "")
                            for v, n in row.predictions)
        predicted = f"<td>{value}</td>"
    else:
        predicted = f'<td class="none">{text.esc(row.why_not)}</td>'
    if measured.metric == "lock-queue-entries" and row.predictions and measured.value and not measured.what_if:
        ratio = row.predictions[0][0] / measured.value
        error = f'<td class="error {"near" if 0.5 <= ratio <= 2 else "far"}">× {text.ratio(ratio)}</td>'
    else:
        error = _error_cell(row.error, "open" if row.unexplained else "")
    cells = ""
    if has_baseline:
        cells = ('<td class="none">–</td><td class="none">–</td>' if row.baseline is None else
                 f'<td>{_number(row.baseline, measured.metric)}</td>'
                 + ('<td class="none">input</td>' if row.baseline_used else
                    _error_cell(row.baseline_error, "open" if row.unexplained else "")))
    note = f"<br><small>{comparison.UNEXPLAINED_TEXT}</small>" if row.unexplained else ""
    note += f"<br><small>{comparison.WHAT_IF_TEXT}</small>" if measured.what_if else ""
    plain = measured.metric == "exits" and measured.unit == "1/s/vcpu"
    what = "" if plain else f"<br><small>{text.esc(measured.metric)}, {text.esc(measured.unit)}</small>"
    return (f'<tr class="{"unexplained" if row.unexplained else text.esc(measured.role)}">'
            f'<th scope="row">{text.esc(_row_label(study, measured))}{what}{note}</th>'
            f"<td>{_number(measured.value, measured.metric)}</td>{predicted}{error}"
            f'<td class="word"><span class="role {text.esc(measured.role)}">{text.esc(measured.role)}</span></td>'
            f"{cells}</tr>")


def _scores(rows, baseline):
    """Mean absolute errors as a small table; each says over how many rows."""
    lines = []
    lots = [("convoy, exit rates", "error", False), ("convoy, times of operations", "error", True),
            ("three lines of arithmetic", "baseline_error", False)]
    for label, which, times in lots:
        every = [comparison.mean_absolute_error(rows, role, which, times=times) for role in ("held", "fit")]
        if (which == "baseline_error" and not baseline.ready) or not any(every):
            continue
        cells = ""
        for found in every:
            cells += (f'<td>{text.percent(found[0])}</td><td>{text.percent(found[1])}</td><td>{found[2]}</td>' if found
                      else '<td class="none" colspan="3">no row</td>')
        lines.append(f'<tr><th scope="row">{label}</th>{cells}</tr>')
    if not lines:
        return ""
    groups = "".join(f'<th scope="colgroup" colspan="3">{name}</th>'
                     for name in ("held: never seen by calibration", "fit: calibrated to"))
    return markup.table(
        "Mean absolute errors", "Absolute errors; unexplained rows and the baseline's own inputs left out.",
        f'<tr><td rowspan="2"></td>{groups}</tr><tr>{markup.cells(("mean", "largest", "rows") * 2)}</tr>',
        "".join(lines), "scores", "numbers scores", "fit")


def _baseline_text(baseline):
    if not baseline.ready:
        return ""
    ns = 1e9
    return f"""<p class="note"><b>Three lines of arithmetic</b>, to see what a simulator adds. From <i>fit</i> rows alone: one
loop takes Z = {baseline.loop["in-kernel"] * ns:.0f} ns (in-kernel irqchip) or {baseline.loop["userspace"] * ns:.0f} ns
(userspace) when nobody is in the way; the saturated row at {baseline.size} vCPUs says that the busiest lock, the virtual
timer's, is taken for S = {baseline.service * ns:.0f} ns each time; an idle lock costs {baseline.idle_lock * ns:.0f} ns an
operation. N vCPUs that never meet do N / Z exits a second, that lock lets 1 / (visits × S) through, with 1 visit an exit
in-kernel, 2 with a userspace irqchip, none with the per-CPU call. The smaller of the two, divided by N, is the prediction.
It cannot know a lock that is faster while nobody queues, nor a decline after the knee.</p>"""


def _comparison(study):
    rows, baseline = comparison.compare(study)
    if not rows:
        return "<p>This study names no measurement: nothing here was compared with a real machine.</p>"
    head = ("row", "measured", "predicted", "error", "role") + (
        ("three lines", "their error") if baseline.ready else ())
    body = "".join(_comparison_row(study, row, baseline.ready) for row in rows)
    dots = [(_row_label(study, row.measured), row.error, row.measured.role,
             None if row.baseline_used else row.baseline_error, row.unexplained)
            for row in rows if row.measured.metric == "exits" and row.error is not None]
    figure = ""
    if dots:
        legend = ('<li><i class="dot s0"></i>convoy, held</li><li><i class="dot square s1"></i>convoy, fit</li>'
                  '<li><i class="dot hollow s0"></i>convoy, unexplained row</li>'
                  + ("<li>× three lines of arithmetic</li>" if baseline.ready else ""))
        figure = (f'<figure class="card"><figcaption>Error of each exit rate</figcaption><ul class="legend">{legend}</ul>'
                  + figures.residuals(dots, "residuals", "Error of each predicted exit rate in per cent")
                  + '<p class="note">Shaded: within 4 % and 8 %.</p></figure>')
    unexplained = [row for row in rows if row.unexplained]
    remark = (f'<p class="remark">{text.plural(len(unexplained), "row")} (userspace irqchip with the per-CPU call, '
              + text.listing(row.measured.columns["vcpus"] for row in unexplained)
              + f" vCPUs): {comparison.UNEXPLAINED_TEXT}. No term was added to meet them.</p>" if unexplained else "")
    caption = (f"Exits/s per vCPU, where nothing else is said, predicted beside measured "
               f"({text.esc(comparison.measurement_name(study))}). Error = predicted / measured − 1; two values are the two "
               "states of a point, the error is that of the one most replications took; queue entries are compared as a "
               "ratio.")
    table = markup.table("Predicted and measured values", caption, f'<tr>{markup.cells(head, ("role",))}</tr>', body,
                         "compared")
    return f"""<h3>Predicted beside measured</h3>
{_scores(rows, baseline)}
{remark}
{table}
<div class="split">{figure}<div>{_baseline_text(baseline)}</div></div>"""


def _parameter_rows(study):
    """(name, value, who, Parameter): one row a distinct value; `who` names the variants where not all have it."""
    grouped = {}
    for point_id, parameter in study.parameters:
        key = (parameter.name, parameter.value, parameter.source_class, parameter.source, parameter.place)
        grouped.setdefault(key, (parameter, []))[1].append(point_id)
    owner = {point.id: variant for variant in study.variants for point in variant.points}
    axis_text = [point.axis_text for point in study.variants[0].points]
    rows, axis_done = [], False
    for parameter, ids in grouped.values():
        if parameter.name == study.axis:
            if axis_done:
                continue
            axis_done = True
            rows.append((parameter.name, ", ".join(axis_text), "the axis", parameter))
        elif -1 in ids:
            rows.append((parameter.name, parameter.value, "", parameter))
        else:
            variants = sorted({owner[i].id for i in ids if i in owner})
            everyone = len(variants) == len(study.variants)
            names = {variant.id: variant.name for variant in study.variants}
            rows.append((parameter.name, parameter.value, "" if everyone else "; ".join(names[v] for v in variants),
                         parameter))
    return rows


def _parameters(study):
    rows = _parameter_rows(study)
    counts = {}
    for name, source_class in {(name, parameter.source_class) for name, _, _, parameter in rows}:
        counts[source_class] = counts.get(source_class, 0) + 1
    known = [(name, meaning) for name, meaning in CLASSES] + [(name, "") for name in sorted(set(counts) - dict(CLASSES).keys())]
    tiles = "".join(f'<li><label><input type="checkbox" class="class-filter" value="{text.esc(name)}" checked>'
                    f'<span class="badge {text.esc(name)}">{text.esc(name)}</span> <b>{counts[name]}</b> '
                    f"<small>{meaning}</small></label></li>" for name, meaning in known if counts.get(name))
    total, estimated = sum(counts.values()), counts.get("estimated", 0)
    body = "".join(
        f'<tr data-class="{text.esc(p.source_class)}"><th scope="row"><code>{text.esc(name)}</code></th>'
        f'<td class="word">{text.esc(value)}{f"<br><small>{text.esc(who)}</small>" if who else ""}</td>'
        f'<td class="word"><span class="badge {text.esc(p.source_class)}">{text.esc(p.source_class)}</span></td>'
        f'<td class="word">{text.esc(p.source)}</td><td class="word"><small>{text.esc(p.place)}</small></td></tr>'
        for name, value, who, p in rows)
    table = markup.table("Parameters", "Every parameter, where its value comes from, and the place it was read.",
                         f'<tr>{markup.cells(("parameter", "value", "class", "source", "place"))}</tr>', body,
                         "parameters", "words", "tall")
    fitted = text.plural(counts.get("fitted", 0), "was", "were")
    return f"""<h3>What it rests on</h3>
<p>{total} parameters; <strong>{estimated}</strong> of them ({text.percent(estimated / total if total else 0, 0)}) are
estimated and {fitted} fitted.</p>
<ul class="classes" aria-label="Parameters by class of source">{tiles}</ul>
<p><label class="search">Find a parameter <input type="search" id="find" autocomplete="off" spellcheck="false"></label>
<span class="note" id="found" aria-live="polite"></span></p>
{table}"""


def _lead(study):
    rows, _ = comparison.compare(study)
    held = comparison.mean_absolute_error(rows, "held")
    if not held:
        held = comparison.mean_absolute_error(rows, "held", times=True)
        return (f"Over {text.plural(held[2], 'time of an operation', 'times of operations')} that calibration never saw the "
                f"mean absolute error is <strong>{text.percent(held[0])}</strong>, the largest {text.percent(held[1])}."
                if held else "No held measurement was compared with.")
    everything = comparison.mean_absolute_error(rows, "held", with_unexplained=True)
    also = (f" With the {everything[2] - held[2]} unexplained rows the mean is {text.percent(everything[0])}."
            if everything[2] > held[2] else "")
    base = comparison.mean_absolute_error(rows, "held", "baseline_error")
    return (f"Over {text.plural(held[2], 'exit rate')} that calibration never saw the mean absolute error is "
            f"<strong>{text.percent(held[0])}</strong>, the largest {text.percent(held[1])}"
            + (f"; three lines of arithmetic reach {text.percent(base[0])} and {text.percent(base[1])}." if base else ".") + also)


def _books(study):
    shares = [accounted_share(run) for point in study.points() for run in point.runs if run.account]
    if not shares:
        return ""
    low, high = min(shares), max(shares)
    exact = low == high == 1
    return ("<p class=\"note\">" + ("Every run accounts for exactly all of its CPU time." if exact else
            f"Runs account for {text.percent(low, 2)} to {text.percent(high, 2)} of their CPU time.") + "</p>")


def section(study, items):
    return f"""<section id="trust" aria-labelledby="trust-h">
	<h2 id="trust-h"><b>3</b> How far to trust it</h2>
	<p class="answer">{_lead(study)}</p>
	{_comparison(study)}
	{_parameters(study)}
	{_books(study)}
</section>"""
