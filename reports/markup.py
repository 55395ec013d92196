# SPDX-License-Identifier: Apache-2.0
"""Pieces of HTML that several parts of the page share. Arguments are HTML already (text.esc() what is foreign)."""


def cells(values, words=()):
    """Heads of columns; those in `words` hold words and stand to the left."""
    return "".join(f'<th scope="col"{" class=word" if value in words else ""}>{value}</th>' for value in values)


def table(label, caption, head, body, ident="", kind="numbers", box=""):
    """A table inside a box of its own that scrolls sideways, so that the page never has to.

    label: what a screen reader calls the box; head: rows of <thead>; body: rows of <tbody>.
    """
    name = f' id="{ident}"' if ident else ""
    return (f'<div class="scroll {box}" tabindex="0" role="region" aria-label="{label}">'
            f'<table class="{kind}"{name}><caption><span>{caption}</span></caption>\n'
            f"<thead>{head}</thead><tbody>{body}</tbody></table></div>")


def legend(entries, kind=""):
    """[(class or style attribute of the swatch, text)] as a list."""
    return (f'<ul class="legend {kind}">'
            + "".join(f"<li><i {attribute}></i>{words}</li>" for attribute, words in entries) + "</ul>")


def swatch(index):
    return f'<i class="swatch s{index}"></i>'
