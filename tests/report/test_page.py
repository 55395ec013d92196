# SPDX-License-Identifier: Apache-2.0
"""Is the page whole, small, closed to the network and the same every time? And what if something is wrong?"""
import html.parser
import os
import re
import sqlite3
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
REPORT = HERE.parents[1] / "reports" / "convoy_report.py"
sys.path.insert(0, str(HERE))

import make_sample_db  # noqa: E402


def report(*arguments, flags=(), **more):
    return subprocess.run([sys.executable, *flags, str(REPORT), *map(str, arguments)], capture_output=True, text=True,
                          timeout=120, **more)


class InFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.db = self.folder / "sample.db"
        self.page = self.folder / "page.html"

    def change(self, *statements):
        database = sqlite3.connect(self.db)
        for statement in statements:
            database.execute(statement)
        database.commit()
        database.close()


class Structure(html.parser.HTMLParser):
    """Collects what a test asks: addresses a browser would load, ids, unclosed elements."""
    VOID = {"meta", "input", "br", "link", "img", "hr"}
    LOADING = {"src", "href", "xlink:href", "action", "data", "poster", "srcset"}

    def __init__(self):
        super().__init__()
        self.addresses, self.ids, self.open, self.tables, self.captions, self.labelled = [], [], [], 0, 0, set()

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.addresses += [value for name, value in attributes.items() if name in self.LOADING and value]
        if "id" in attributes:
            self.ids.append(attributes["id"])
        for name in ("aria-labelledby", "aria-describedby"):
            self.labelled.update(attributes.get(name, "").split())
        self.tables += tag == "table"
        self.captions += tag == "caption"
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in self.VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            raise AssertionError(f"</{tag}> at {self.getpos()} closes something else")


class Bytes(InFolder):
    def setUp(self):
        super().setUp()
        make_sample_db.write(self.db)

    def test_size_and_no_network(self):
        result = report(self.db, "-o", self.page)
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))
        content = self.page.read_bytes()
        self.assertLessEqual(len(content), 2_000_000)
        text = content.decode("utf-8")
        structure = Structure()
        structure.feed(text)
        self.assertEqual(structure.open, [])
        self.assertEqual([a for a in structure.addresses if not a.startswith("#")], [])
        self.assertEqual(len(structure.ids), len(set(structure.ids)), "every id once")
        self.assertLessEqual(structure.labelled, set(structure.ids))
        self.assertTrue({a[1:] for a in structure.addresses} <= set(structure.ids))
        self.assertEqual(structure.tables, structure.captions)
        for pattern in (r"@import", r"url\((?!#)", r"sourceMappingURL", r"fetch\(", r"<link", r"<base", r"<iframe"):
            self.assertIsNone(re.search(pattern, text), pattern)
        # The one address in the page is the licence of dygraphs, inside a comment.
        self.assertEqual(len(re.findall(r"https?://", text)), len(re.findall(r"@license https?://", text)))
        self.assertIn("default-src 'none'", text)
        self.assertEqual(os.listdir(self.folder).count("page.html"), 1)
        self.assertEqual(len(os.listdir(self.folder)), 2, "nothing else is left behind")

    def test_same_bytes(self):
        pages = []
        for number, zone in enumerate(("UTC", "Asia/Tokyo")):
            folder = self.folder / str(number)
            folder.mkdir()
            (folder / "copy.db").write_bytes(self.db.read_bytes())
            # A reader's own settings of matplotlib, of the language and of the zone change nothing.
            (folder / "matplotlibrc").write_text("axes.facecolor: red\nsvg.fonttype: path\n" if number else "")
            environment = dict(os.environ, TZ=zone, PYTHONHASHSEED=str(number), LC_ALL=("C", "C.UTF-8")[number],
                               MATPLOTLIBRC=str(folder / "matplotlibrc"))
            self.assertEqual(report("copy.db", "-o", "p.html", cwd=folder, env=environment).returncode, 0)
            pages.append((folder / "p.html").read_bytes())
        self.assertTrue(pages[0] == pages[1], "the same database gives the same page")

    def test_what_the_page_says(self):
        self.assertEqual(report(self.db, "-o", self.page).returncode, 0)
        page = self.page.read_text(encoding="utf-8")
        for words in ("unexplained by any mechanism modelled; reported as it comes", "How does it scale?", "Why?",
                      "How far to trust it", "Ticket lock against qspinlock", "Two states: before, in-kernel, 9 vCPUs",
                      "perf lock contention", "make_sample_db.py sample.db", "convoy 0.1.0", "Three lines of arithmetic"):
            self.assertIn(words, page)
        self.assertEqual(page.count('class="unexplained"'), 2)
        body = page[page.index('id="compared"'):]
        self.assertEqual(body[:body.index("</table>")].count("<tr"), 1 + 17)

    def test_foreign_text_stays_text(self):
        self.change("UPDATE study SET question = '<script>alert(1)</script>', command = 'a && b </pre>'",
                    "UPDATE variant SET name = 'x</script><b>' WHERE id = 0",
                    "UPDATE name SET text = 'f</script><i>' WHERE text = 'irq_set_irqchip_state'")
        self.assertEqual(report(self.db, "-o", self.page).returncode, 0)
        page = self.page.read_text(encoding="utf-8")
        self.assertNotIn("<script>alert", page)
        self.assertNotIn("x</script><b>", page)
        self.assertNotIn("f</script><i>", page)
        Structure().feed(page)

    def test_unfinished_study(self):
        for table in ("metric", "account", "lock", "batch", "cpu_exits"):
            self.change(f"DELETE FROM {table} WHERE run IN (SELECT id FROM run WHERE point IN (3, 13, 60))")
        self.change("DELETE FROM run WHERE point IN (3, 13, 60)")
        result = report(self.db, "-o", self.page)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertIn("3 of 84 points have no run yet", self.page.read_text(encoding="utf-8"))

    def test_one_replication_and_no_measurement(self):
        make_sample_db.write(self.db, replications=1, axis=(1, 8))
        self.change("DELETE FROM measured", "DELETE FROM variant_match", "UPDATE study SET measurement = ''")
        result = report(self.db, "-o", self.page)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        page = self.page.read_text(encoding="utf-8")
        self.assertIn("nothing here was compared with a real machine", page)
        self.assertNotIn("three lines of arithmetic", page.lower())

    def test_too_large_a_page_keeps_fewer_rows_or_is_refused(self):
        script = ("import sys; sys.path.insert(0, sys.argv[1]); import page, results_db, section_why as w\n"
                  "study = results_db.read_study(sys.argv[2]); page.ROW_LIMITS = (2, 1)\n"
                  "folder = '/usr/share/javascript/dygraphs'; full = page.build(study, folder)\n"
                  "page.LIMIT = len(full) - 1; less = page.build(study, folder)\n"
                  "assert len(less) < len(full) and b'more that waited less' in less\n"
                  "page.LIMIT = 1000\n"
                  "try: page.build(study, folder)\n"
                  "except results_db.ReportError as error: print(error)\n")
        result = subprocess.run([sys.executable, "-B", "-c", script, str(REPORT.parent), str(self.db)],
                                capture_output=True, text=True, timeout=120)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertRegex(result.stdout, r"the page would take [0-9,]+ bytes, more than 1,000; split the study")


class Refusals(InFolder):
    def refused(self, result, *words):
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertEqual(result.stderr.count("\n"), 1, f"one line, not: {result.stderr}")
        for word in words:
            self.assertIn(word, result.stderr)
        self.assertFalse(self.page.exists())
        self.assertEqual([name for name in os.listdir(self.folder) if name.endswith(".tmp")], [])

    def test_missing_file(self):
        self.refused(report(self.db, "-o", self.page), "sample.db: no such file")

    def test_no_database(self):
        self.db.write_text("hello " * 1000)
        self.refused(report(self.db, "-o", self.page), "not a convoy results database")
        self.db.write_text("")
        self.refused(report(self.db, "-o", self.page), "not a convoy results database")

    def test_foreign_and_newer_database(self):
        make_sample_db.write(self.db)
        self.change("PRAGMA user_version = 2")
        self.refused(report(self.db, "-o", self.page), "written by a newer convoy (layout 2")
        self.change("PRAGMA user_version = 1", "PRAGMA application_id = 7")
        self.refused(report(self.db, "-o", self.page), "not a convoy results database", "0x7")

    def test_no_runs(self):
        make_sample_db.write(self.db, replications=0)
        self.refused(report(self.db, "-o", self.page), "no finished run")

    def test_damaged(self):
        make_sample_db.write(self.db)
        self.change("DROP TABLE account")
        self.refused(report(self.db, "-o", self.page), "damaged results database")

    def test_missing_dygraphs(self):
        make_sample_db.write(self.db, replications=1, axis=(1, 2))
        self.refused(report(self.db, "-o", self.page, "--dygraphs", self.folder / "none"), "libjs-dygraphs")

    def test_missing_matplotlib(self):
        make_sample_db.write(self.db, replications=1, axis=(1, 2))
        # Isolated and without site: only the standard library can be found, as on a system without the package.
        self.refused(report(self.db, "-o", self.page, flags=("-S", "-E", "-s")), "python3-matplotlib")

    def test_unwritable_place(self):
        make_sample_db.write(self.db, replications=1, axis=(1, 2))
        self.refused(report(self.db, "-o", self.folder / "no" / "such" / "page.html"), "cannot write", "page.html")

    def test_an_older_page_survives_a_failure(self):
        self.page.write_text("older")
        self.assertEqual(report(self.db, "-o", self.page).returncode, 2)
        self.assertEqual(self.page.read_text(), "older")


if __name__ == "__main__":
    unittest.main()
