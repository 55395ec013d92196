# SPDX-License-Identifier: Apache-2.0
"""Puts the page together: one HTML file with everything inside. The same study gives the same bytes."""
import json
import re
from pathlib import Path
from string import Template

import figures
import headline
import section_scale
import section_trust
import section_why
import text
from results_db import ReportError

HERE = Path(__file__).resolve().parent
LIMIT = 2_000_000          # bytes of a page
ROW_LIMITS = (12, 8, 5, 3)  # rows of the point-by-point tables: the most that fit are kept


def _dygraphs(folder):
    parts = []
    for name in ("dygraph.min.css", "dygraph.min.js"):
        try:
            content = (Path(folder) / name).read_text(encoding="utf-8")
        except OSError as error:
            raise ReportError(f"cannot read dygraphs: {Path(folder) / name}: {error.strerror}; "
                              "install the Debian package libjs-dygraphs") from None
        # The source map is not part of the page; a browser's developer tools would look for it.
        content = re.sub(r"//# sourceMappingURL=\S+|/\*# sourceMappingURL=\S+ \*/", "", content)
        if "</script" in content.lower() or "</style" in content.lower():
            raise ReportError(f"{Path(folder) / name} cannot be placed inside a page: it closes its own element")
        parts.append(content.strip())
    return parts


def _json(data):
    """JSON that can stand inside a <script> element."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"), sort_keys=True).replace("<", "\\u003c")


def _series_css():
    """Variables --s0, --s1 ... for both themes and a class for each."""
    light = "".join(f"--s{i}:{pair[0]};" for i, pair in enumerate(figures.SERIES))
    dark = "".join(f"--s{i}:{pair[1]};" for i, pair in enumerate(figures.SERIES))
    classes = "".join(f".s{i}{{--series:var(--s{i})}}" for i in range(len(figures.SERIES)))
    return (f":root{{{light}}}@media screen and (prefers-color-scheme:dark){{:root:not([data-theme=light]){{{dark}}}}}"
            f"@media screen{{:root[data-theme=dark]{{{dark}}}}}{classes}")


def _facts(study):
    runs = [run for point in study.points() for run in point.runs]
    done = sum(1 for point in study.points() if point.runs)
    everything = len(study.points())
    simulated = sum(run.warmup_ps + run.measured_ps for run in runs)
    host = sum(run.host_ns for run in runs)
    peak = max(run.host_peak_bytes for run in runs)
    pairs = [("variants", str(len(study.variants))),
             ("points", str(done) if done == everything else f"{done} of {everything}"), ("runs", text.count(len(runs))),
             ("simulated", text.time(simulated)), ("took", f"{text.time(host * 1000)} of CPU"),
             ("memory", f"{text.short(peak)}B at most")]
    unfinished = "" if done == everything else (
        f'<p class="remark">This study is not finished: {everything - done} of {everything} points have no run yet. '
        "Running it again does only what is missing.</p>")
    return ('<dl class="facts">' + "".join(f"<div><dt>{key}</dt><dd>{value}</dd></div>" for key, value in pairs)
            + "</dl>" + unfinished)


def _split_question(question):
    """The question itself, for the title, and what follows it."""
    match = re.match(r"(.*?[?.])\s+(?=\S)(.*)", question.strip(), re.DOTALL)
    return (match[1], match[2].strip()) if match else (question.strip() or "A study without a question", "")


def build(study, dygraphs_folder):
    """The page as bytes, at most LIMIT. Raises ReportError if something it needs is missing."""
    figures.load_matplotlib()
    dygraphs_css, dygraphs_js = _dygraphs(dygraphs_folder)
    items = headline.scalings(study)
    question, rest = _split_question(study.question)
    background = f'<p class="background">{text.esc(rest)}</p>' if rest else ""
    fields = {
        "version": text.esc(study.version), "name": text.esc(study.name),
        "question": text.esc(question), "background": background,
        "command": text.esc(study.command), "path": text.esc(study.path), "answer": headline.summary(study, items),
        "facts": _facts(study), "scale": section_scale.section(study, items), "why": section_why.section(study, items),
        "trust": section_trust.section(study, items), "dygraphs_css": dygraphs_css, "dygraphs_js": dygraphs_js,
        "css": (HERE / "page.css").read_text(encoding="utf-8"), "series_css": _series_css(),
        "js": (HERE / "page.js").read_text(encoding="utf-8")}
    template = Template((HERE / "page.html").read_text(encoding="utf-8"))
    curve = section_scale.curve_data(study, items)
    for limit in ROW_LIMITS:
        fields["data"] = _json({"curve": curve, "why": section_why.point_data(study, items, limit)})
        page = template.substitute(fields).encode("utf-8")
        if len(page) <= LIMIT:
            return page
    raise ReportError(f"the page would take {len(page):,} bytes, more than {LIMIT:,}; "
                      "split the study: fewer variants or fewer axis values")
