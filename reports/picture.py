#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""picture.py FILE.db -o PICTURE.svg: the curve of a study as one SVG file that stands alone, for documents and mails.

Shows the variants that were measured, or all if none was. The same database gives the same bytes. Colours are those of
the light page, written out: not every viewer of SVG knows variables.
"""
import sys

sys.dont_write_bytecode = True

import argparse  # noqa: E402
import re  # noqa: E402

import figures  # noqa: E402
import headline  # noqa: E402
import section_scale  # noqa: E402
import text  # noqa: E402
from convoy_report import write_whole  # noqa: E402
from results_db import ReportError, read_study  # noqa: E402

FRAME = {"ink": "#16191d", "muted": "#565d66", "grid": "#d9dcdf", "card": "#ffffff"}
WIDTH, ROW, MARGIN = 720, 20, 12


def _legend(study, shown, width, top):
    """One row a variant, then what the marks mean; in the units of the drawing (1/72 inch)."""
    rows = []
    for place, item in enumerate(shown):
        index = section_scale.colour_index(study, item.variant)
        y = top + place * ROW * 0.75
        dashes = " ".join(map(str, figures.DASHES[index % len(figures.DASHES)])) or "none"
        rows.append(f'<line x1="40" x2="70" y1="{y}" y2="{y}" stroke="var(--s{index})" stroke-width="2" '
                    f'stroke-dasharray="{dashes}"/><text x="78" y="{y + 3}" fill="var(--ink)">'
                    f"<tspan font-weight=\"bold\">{text.esc(item.variant.name)}</tspan>: "
                    f"{text.esc(item.variant.meaning)}</text>")
    marks = "line and dots: simulated, with the 95 % band; diamonds: measured; open squares: two states of one point"
    rows.append(f'<text x="40" y="{top + len(shown) * ROW * 0.75 + 4}" fill="var(--muted)">{marks}</text>')
    return f'<g font-size="8.5">{"".join(rows)}</g>'


def build(study):
    items = headline.scalings(study)
    shown = [item for item in items if section_scale.measured_rates(study, item.variant)] or items
    series = [(section_scale.colour_index(study, item.variant),
               [(point.x, states, point.vcpus) for point, states in item.states],
               [(row.point.x, row.value, row.point.vcpus) for row in section_scale.measured_rates(study, item.variant)])
              for item in shown]
    drawing = figures.curve(study, series, "curve", f"{study.event.capitalize()} per second and vCPU", True, width=WIDTH)
    width, height = (float(number) for number in re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', drawing).groups())
    whole = height + (len(shown) + 1) * ROW * 0.75 + MARGIN
    picture = re.sub(r"^<svg [^>]*>", (
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" role="img" '
        f'viewBox="0 0 {width:g} {whole:g}" width="{width / 0.75:.0f}" height="{whole / 0.75:.0f}" font-family="sans-serif">'
        f'<rect width="100%" height="100%" fill="var(--card)"/>'), drawing, count=1)
    end = picture.rindex("</svg>")
    picture = picture[:end] + _legend(study, shown, width, height + MARGIN / 2) + "\n</svg>\n"
    for index, (light, _) in enumerate(figures.SERIES):
        picture = picture.replace(f"var(--s{index})", light)
    for name, colour in FRAME.items():
        picture = picture.replace(f"var(--{name})", colour)
    return picture.encode()


def main():
    parser = argparse.ArgumentParser(prog="picture.py", description="Draws the curve of a study as one SVG file.")
    parser.add_argument("database", metavar="FILE.db", help="results database, as written by 'convoy run'")
    parser.add_argument("-o", "--output", metavar="PICTURE.svg", required=True, help="the file to write")
    options = parser.parse_args()
    try:
        study = read_study(options.database)
        figures.load_matplotlib()
        write_whole(options.output, build(study))
    except ReportError as error:
        print(f"picture.py: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
