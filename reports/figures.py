# SPDX-License-Identifier: Apache-2.0
"""Figures of the page, drawn by matplotlib as SVG fragments to be placed inside HTML.

The same data gives the same bytes: fixed salt for ids, no date, no user settings. Text stays text (small, readable by
a screen reader, in the page's font). Colours of the drawing's frame are placeholders that become CSS variables, so
that one drawing serves the light and the dark page. The interactive curves are not drawn here but by dygraphs.
"""
import io
import re

from results_db import ReportError

# Okabe and Ito's palette, safe for colour-blind readers; light page, dark page.
SERIES = (("#D55E00", "#F0803C"), ("#0072B2", "#4BA6DE"), ("#B87800", "#E69F00"), ("#2F9BD4", "#7CC8F2"),
          ("#A8437F", "#DB8FBA"), ("#009E73", "#2FC79B"), ("#6B6B6B", "#B0B0B0"), ("#8A7F00", "#F0E442"))
REASONS = {"guest": "#009E73", "run": "#56B4E9", "line transfer": "#E69F00", "spin": "#D55E00",
           "device": "#CC79A7", "idle": "#A9AEB4"}
DASHES = ((), (7, 3), (2, 2), (9, 3, 2, 3), (5, 2), (12, 4), (3, 5), (1, 3))

# Placeholders, and what they become. They are no colours of the palettes above.
_INK, _MUTED, _GRID, _PAPER = "#010101", "#020202", "#030303", "#040404"
_VARIABLES = {_INK: "var(--ink)", _MUTED: "var(--muted)", _GRID: "var(--grid)", _PAPER: "var(--card)"}


def _series_placeholder(index):
    return f"#0505{index % len(SERIES):02x}"


_VARIABLES.update({_series_placeholder(i): f"var(--s{i})" for i in range(len(SERIES))})


def load_matplotlib():
    """Imports and sets up matplotlib; called once before anything is drawn."""
    try:
        import matplotlib
        from matplotlib.backends import backend_svg  # noqa: F401  (both are needed below; fail here, in words)
    except ImportError as error:
        raise ReportError(f"cannot draw figures: {error}; install the Debian package python3-matplotlib "
                          "and run with /usr/bin/python3") from None
    matplotlib.rcdefaults()
    matplotlib.rcParams.update({
        "svg.hashsalt": "convoy", "svg.fonttype": "none", "font.size": 10, "axes.linewidth": 0.8,
        "text.color": _INK, "axes.labelcolor": _MUTED, "axes.edgecolor": _GRID, "xtick.color": _MUTED,
        "ytick.color": _MUTED, "axes.titlecolor": _INK, "grid.color": _GRID, "grid.linewidth": 0.6,
        "axes.spines.top": False, "axes.spines.right": False, "axes.axisbelow": True,
        "xtick.major.size": 3, "ytick.major.size": 0, "path.simplify": False})


def _figure(width, height, margins):
    """A figure in pixels of 1/96 inch; margins left, bottom, right, top in the same."""
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure
    figure = Figure(figsize=(width / 96, height / 96), dpi=96)
    FigureCanvasSVG(figure)
    left, bottom, right, top = margins
    axes = figure.add_axes([left / width, bottom / height, (width - left - right) / width,
                            (height - bottom - top) / height])
    axes.patch.set_visible(False)
    return figure, axes


def _svg(figure, name, title):
    """The figure as an <svg> element with its own ids, a title, and CSS variables for placeholders."""
    out = io.StringIO()
    figure.savefig(out, format="svg", transparent=True,
                   metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    text = out.getvalue()
    body = text[text.index(">", text.index("<svg")) + 1:]
    body = re.sub(r"\s*<metadata>.*?</metadata>", "", body, flags=re.DOTALL)
    body = re.sub(r"<!--.*?-->", "", body, flags=re.DOTALL)
    body = re.sub(r'\bid="([^"]+)"', rf'id="{name}-\1"', body)
    body = re.sub(r'(xlink:href="#|url\(#)', rf"\1{name}-", body)
    body = re.sub(r"font: [^;\"]*?(\d+(?:\.\d+)?)px [^;\"]*", r"font-size: \1px", body)
    for placeholder, variable in _VARIABLES.items():
        body = body.replace(placeholder, variable)
    body = re.sub(r"\n\s*", "\n", body)
    box = re.search(r'viewBox="([^"]+)"', text)[1]
    width, height = (float(number) for number in box.split()[2:])
    # matplotlib counts in points of 1/72 inch; the page shows the drawing at its size in CSS pixels.
    return (f'<svg class="figure" role="img" aria-labelledby="{name}-t" viewBox="{box}" '
            f'width="{width / 0.75:.0f}" height="{height / 0.75:.0f}"><title id="{name}-t">{title}</title>{body}')


def curve(study, series, name, title, per_vcpu, width=620):
    """Rates against the axis. series: [(colour index, [(x, State list, vcpus)], [(x, measured per vCPU, vcpus)])]."""
    figure, axes = _figure(width, 330, (72, 46, 12, 12))
    for index, points, measured in series:
        colour = _series_placeholder(index)
        xs, middle, low, high = [], [], [], []
        for x, states, vcpus in points:
            scale = 1 if per_vcpu else vcpus
            one = states[0] if len(states) == 1 else None
            xs.append(x)
            middle.append(one.mean * scale if one else float("nan"))
            half = (one.half or 0) if one else float("nan")
            low.append(middle[-1] - half * scale)
            high.append(middle[-1] + half * scale)
            if len(states) == 2:
                axes.plot([x, x], [state.mean * scale for state in states], linestyle="none", marker="s", markersize=4.5,
                          markerfacecolor=_PAPER, markeredgecolor=colour, zorder=4)
        axes.fill_between(xs, low, high, color=colour, alpha=0.2, linewidth=0)
        axes.plot(xs, middle, color=colour, linewidth=1.8, marker="o", markersize=3,
                  dashes=DASHES[index % len(DASHES)] or (None, None), zorder=3)
        axes.plot([m[0] for m in measured], [m[1] * (1 if per_vcpu else m[2]) for m in measured], linestyle="none",
                  marker="D", markersize=6, markerfacecolor="none", markeredgecolor=colour, markeredgewidth=1.6, zorder=5)
    _rate_axis(axes, study, f"{study.event}/s per vCPU" if per_vcpu else f"{study.event}/s, all vCPUs together")
    return _svg(figure, name, title)


def _rate_axis(axes, study, label):
    import text
    axes.set_ylim(bottom=0)
    axes.grid(axis="y")
    axes.yaxis.set_major_formatter(lambda value, _: text.short(value) if value else "0")
    xs = sorted({point.x for point in study.points()})
    named = {point.x: point.axis_text for point in study.points()}
    shown, last = [], None
    span = (xs[-1] - xs[0]) or 1
    for x in xs:
        if last is None or (x - last) / span > 0.048:
            shown.append(x)
            last = x
    axes.set_xticks(shown, [named[x] for x in shown])
    axes.set_xlabel("vCPUs" if study.axis_name == "vcpus" else study.axis_name)
    axes.set_ylabel(label)


def reason_bars(bars, name, title, axis_label):
    """Stacked shares. bars: [(label, {reason: share})], one a state of a point, in the order of the axis."""
    figure, axes = _figure(380, 216, (52, 44, 6, 8))
    # Two states of one point share the point's place, at half the width each.
    labels = list(dict.fromkeys(label for label, _ in bars))
    together = {label: [shares for other, shares in bars if other == label] for label in labels}
    for place, label in enumerate(labels):
        width = 0.82 / len(together[label])
        for part, shares in enumerate(together[label]):
            base = 0.0
            left = place - 0.41 + part * width
            for reason in _reason_order(shares):
                axes.bar(left, shares[reason], width - (0.05 if len(together[label]) > 1 else 0), bottom=base,
                         align="edge", color=REASONS.get(reason, "#777777"), linewidth=0)
                base += shares[reason]
    axes.set_xlim(-0.6, len(labels) - 0.4)
    axes.set_ylim(0, 1)
    axes.set_xticks(range(len(labels)), labels, fontsize=9)
    axes.set_yticks((0, 0.25, 0.5, 0.75, 1), ("0", "25", "50", "75", "100"), fontsize=9)
    axes.set_ylabel("% of CPU time")
    axes.set_xlabel(axis_label)
    axes.grid(axis="y")
    return _svg(figure, name, title)


def _reason_order(shares):
    """Known reasons in the order of REASONS from the bottom, then whatever else the database holds."""
    return [reason for reason in REASONS if reason in shares] + sorted(set(shares) - set(REASONS))


def residuals(rows, name, title):
    """Dots of error in per cent, one line a row. rows: [(label, error, role, baseline error or None, unexplained)]."""
    height = 22 * len(rows) + 70
    figure, axes = _figure(440, height, (150, 44, 12, 10))
    widest = max([0.12] + [abs(e) for _, e, _, _, _ in rows] + [abs(b) for *_, b, _ in rows if b is not None])
    for limit, strength in ((0.08, 0.35), (0.04, 0.6)):
        axes.axvspan(-limit, limit, color=_GRID, alpha=strength, linewidth=0)
    axes.axvline(0, color=_MUTED, linewidth=0.9)
    for place, (_, error, role, base, unexplained) in enumerate(rows):
        axes.plot([0, error], [place, place], color=_MUTED, linewidth=1, alpha=0.6,
                  linestyle=":" if unexplained else "-")
        if base is not None:
            axes.plot([base], [place], marker="x", markersize=6, color=_MUTED, markeredgewidth=1.4, linestyle="none")
        colour = _series_placeholder(1 if role == "fit" else 0)
        axes.plot([error], [place], marker="s" if role == "fit" else "o", markersize=7, linestyle="none",
                  markeredgecolor=colour, markerfacecolor=_PAPER if unexplained else colour, markeredgewidth=1.6)
    axes.set_yticks(range(len(rows)), [label for label, *_ in rows], fontsize=9)
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.set_xlim(-1.12 * widest, 1.12 * widest)
    axes.xaxis.set_major_formatter(lambda value, _: f"{100 * value:+.0f}".replace("-", "−") if value else "0")
    axes.set_xlabel("predicted over measured, error in %")
    return _svg(figure, name, title)
