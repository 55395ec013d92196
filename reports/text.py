# SPDX-License-Identifier: Apache-2.0
"""Numbers and words as the page writes them. Every function returns text ready for HTML, with nothing to escape,
except esc(), which is what makes foreign text so."""
import html

GAP = "\u00a0"  # a number and its unit stay on one line


def esc(text):
    return html.escape(str(text), quote=True)


def count(value):
    """1234567 -> '1,234,567'."""
    return f"{value:,.0f}"


def short(value):
    """Three significant digits with a suffix: 2228632 -> '2.23 M'."""
    for limit, suffix in ((999.5e6, "G"), (999.5e3, "M"), (999.5, "k")):
        if abs(value) >= limit:
            scaled = value / {"G": 1e9, "M": 1e6, "k": 1e3}[suffix]
            return f"{_three(scaled)}{GAP}{suffix}"
    return _three(value)


def _three(value):
    if value == 0:
        return "0"
    digits = 2 if abs(value) < 9.995 else 1 if abs(value) < 99.95 else 0
    return f"{value:.{digits}f}"


def time(ps):
    """Picoseconds, three significant digits, in the unit that fits."""
    for size, unit in ((1e12, "s"), (1e9, "ms"), (1e6, "µs"), (1e3, "ns")):
        if ps >= 0.9995 * size:
            return f"{_three(ps / size)}{GAP}{unit}"
    return "0" if ps == 0 else f"{_three(ps)}{GAP}ps"


def percent(share, digits=1):
    return f"{100 * share:.{digits}f}{GAP}%"


def signed_percent(share):
    """With a real minus sign; zero has none."""
    value = round(100 * share, 1)
    return f"{'+' if value > 0 else '−' if value < 0 else '±'}{abs(value):.1f}{GAP}%"


def ratio(value):
    return f"{value:.2f}" if value < 9.995 else f"{value:.1f}"


def plural(number, one, many=None):
    return f"{number} {one if number == 1 else many or one + 's'}"


def listing(parts):
    """'a', 'a and b', 'a, b and c'."""
    parts = list(parts)
    return parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + " and " + parts[-1] if parts else ""
