# SPDX-License-Identifier: Apache-2.0
"""Part 1 of the page: how does it scale? The curve with its panel, one card a variant, the values as a table."""
import figures
import headline
import markup
import text


def curve_data(study, items):
    """What page.js draws: {axis, variants}. Rates are per vCPU; the page multiplies by vcpus for the aggregate."""
    variants = []
    for item in items:
        points = [[point.x, point.vcpus, [[round(s.mean, 1), None if s.half is None else round(s.half, 1), s.count,
                                           round(s.least, 1), round(s.most, 1)] for s in states]]
                  for point, states in item.states]
        measured = [[row.point.x, row.value, row.role] for row in measured_rates(study, item.variant)]
        variants.append({"name": item.variant.name, "points": points, "measured": measured,
                         "colour": colour_index(study, item.variant),
                         "dash": list(figures.DASHES[colour_index(study, item.variant) % len(figures.DASHES)])})
    labels = {point.x: point.axis_text for point in study.points()}
    return {"axis": axis_title(study), "event": study.event,
            "ticks": [[x, labels[x]] for x in sorted(labels)], "variants": variants}


def measured_rates(study, variant):
    """The diamonds. Beside a what-if they would look as if they belonged to it."""
    return [row for row in study.measured if row.point is not None and row.point.variant == variant.id
            and row.metric == "exits" and row.unit == "1/s/vcpu" and not row.what_if]


def colour_index(study, variant):
    return [item.id for item in study.variants].index(variant.id) % len(figures.SERIES)


def axis_title(study):
    return "vCPUs" if study.axis_name == "vcpus" else study.axis_name


def _static_curves(study, items):
    """For paper and for browsers without scripts."""
    series = [(colour_index(study, item.variant), [(point.x, states, point.vcpus) for point, states in item.states],
               [(row.point.x, row.value, row.point.vcpus) for row in measured_rates(study, item.variant)])
              for item in items]
    legend = "".join(f'<li><i class="swatch s{colour_index(study, item.variant)}"></i>{text.esc(item.variant.name)}</li>'
                     for item in items)
    return (f'<div class="static-curves"><ul class="legend">{legend}</ul>'
            + figures.curve(study, series, "curve-v", f"{study.event.capitalize()} per second and vCPU", True)
            + figures.curve(study, series, "curve-a", f"{study.event.capitalize()} per second, all vCPUs together", False)
            + "<p class=\"note\">Line and dots: simulated, with 95 % band. Diamonds: measured. "
              "Open squares: the two states of one point.</p></div>")


def _mark(shape, style="fill:none;stroke:var(--muted);stroke-width:2"):
    """A marker of the curve for its legend: a dot of that radius, or a path."""
    inside = f'<path d="{shape}"/>' if isinstance(shape, str) else f'<circle cx="8" cy="8" r="{shape}"/>'
    return f'<svg aria-hidden="true" width="16" height="16" style="{style}">{inside}</svg>'


def _panel(study, items):
    rows = []
    for number, item in enumerate(items):
        index = colour_index(study, item.variant)
        rows.append(f'<li><label><input type="checkbox" id="show-{number}" data-variant="{number}" checked>'
                    f'<svg class="key" aria-hidden="true" width="34" height="12" viewBox="0 0 34 12">'
                    f'<line x1="0" y1="6" x2="34" y2="6" stroke="var(--s{index})" stroke-width="2.5" '
                    f'stroke-dasharray="{" ".join(map(str, figures.DASHES[index])) or "none"}"/>'
                    f'<circle cx="17" cy="6" r="3.6" fill="var(--s{index})"/></svg>'
                    f'<span class="name">{text.esc(item.variant.name)}</span></label>'
                    f'<span class="value" data-value="{number}"></span></li>')
    return f"""<aside class="panel" aria-label="What the curve shows">
	<fieldset class="switch"><legend class="sr">Rate shown</legend>
		<label><input type="radio" name="mode" value="vcpu" checked><span>per vCPU</span></label>
		<label><input type="radio" name="mode" value="aggregate"><span>aggregate</span></label>
	</fieldset>
	<p class="at"><span id="at"></span> <span class="unit" id="unit">{study.event}/s per vCPU</span></p>
	<ul class="variants">{"".join(rows)}</ul>
	<ul class="legend marks">
		<li>{_mark(3.5, "fill:var(--muted)")}simulated, with 95 % band of the mean</li>
		<li>{_mark("M8 2l6 6-6 6-6-6z")}measured, as published</li>
		<li>{_mark("M3 3h10v10H3z")}one of two states of a point</li>
	</ul>
	<button type="button" class="quiet" id="reset">Whole range</button>
</aside>"""


def _by_index(item):
    return [(point.axis_index, states) for point, states in item.states]


def _card(study, item, items):
    index = colour_index(study, item.variant)
    first_point, first = item.first
    last_point, last = item.last
    peak_point, peak = item.peak
    upper = ", upper state" if len(dict(_by_index(item))[peak_point.axis_index]) > 1 else ""
    lines = [("per vCPU", f"{headline.rate_text(first)} <small>at {text.esc(study.axis_label(first_point))}</small>")]
    if last_point is not first_point:
        lines.append(("", f"{headline.rate_text(last)} <small>at {text.esc(study.axis_label(last_point))}"
                      + (f" · {text.percent(item.kept, 0)} kept" if item.kept is not None else "") + "</small>"))
    lines.append(("aggregate", f"{text.short(peak)} <small>at most, with {text.esc(study.axis_label(peak_point))}{upper}</small>"))
    if peak_point is not last_point:
        values = " or ".join(text.short(state.mean * last_point.vcpus) for state in last)
        lines.append(("", f"{values} <small>at {text.esc(study.axis_label(last_point))}</small>"))
    found = headline.ratio_to_reference(item, items)
    if found:
        lines.append(("against", f"× {text.ratio(found[1])} <small>of {text.esc(item.reference.name)}, at "
                                 f"{text.esc(study.axis_label(found[0]))}</small>"))
    body = "".join(f"<div><dt>{key}</dt><dd>{value}</dd></div>" for key, value in lines)
    return (f'<article class="card variant-card s{index}"><h3>{text.esc(item.variant.name)}</h3>'
            f'<p class="meaning">{text.esc(item.variant.meaning)}</p><dl>{body}</dl></article>')


def _table(study, items):
    head = "".join(f'<th scope="col">{text.esc(item.variant.name)}</th>' for item in items)
    rows = []
    by_index = [{point.axis_index: (point, states) for point, states in item.states} for item in items]
    axis = sorted({(point.axis_index, point.axis_text) for point in study.points()})
    for place, label in axis:
        cells = []
        for known in by_index:
            point, states = known.get(place, (None, []))
            cells.append("<td>" + ("<br>".join(
                text.count(s.mean) + ("" if s.half is None or len(states) > 1 else f" <small>± {text.count(s.half)}</small>")
                + (f" <small>({s.count} of {len(point.runs)})</small>" if len(states) > 1 else "") for s in states)
                or '<span class="none">no run</span>') + "</td>")
        rows.append(f'<tr><th scope="row">{text.esc(label)}</th>{"".join(cells)}</tr>')
    caption = (f"Simulated {study.event}/s per vCPU, mean ± half of the 95 % band; two values where the replications "
               "fall into two states.")
    return ("<details><summary>The values as a table</summary>"
            + markup.table("Simulated rates", caption,
                           f'<tr><th scope="col">{text.esc(axis_title(study))}</th>{head}</tr>', "".join(rows))
            + "</details>")


def _columns(number):
    """Cards in a row on a wide screen, so that the last row is not left with one."""
    return number if number <= 5 else 4 if number % 4 in (0, 3) else 3


def section(study, items):
    two = headline.two_state_text(study, items)
    label = (f"Curve of {study.event} per second against {text.esc(axis_title(study))}, one line a variant. "
             "Left and right arrow keys move through the points.")
    return f"""<section id="scale" aria-labelledby="scale-h">
	<h2 id="scale-h"><b>1</b> How does it scale?</h2>
	<div class="curve card">
		<div class="plot">
			<div id="chart" tabindex="0" role="group" aria-label="{label}"></div>
			<p class="note hint"><span class="fine">Point at the curve for its values. Drag to enlarge, double-click for the
			whole range; arrow keys step from point to point.</span><span class="coarse">Tap the curve for the values of a
			point.</span></p>
			<p class="sr" id="spoken" aria-live="polite"></p>
		</div>
		{_panel(study, items)}
		{_static_curves(study, items)}
	</div>
	{f'<p class="remark">{two}</p>' if two else ""}
	<div class="cards" style="--columns:{_columns(len(items))}">{"".join(_card(study, item, items) for item in items)}</div>
	{_table(study, items)}
</section>"""
