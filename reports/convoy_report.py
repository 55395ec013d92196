#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""convoy_report.py FILE.db -o PAGE.html: writes one self-contained page about a study.

Reads a results database, never writes to it. Needs python3-matplotlib and libjs-dygraphs, both from Debian; no network. The
page is written beside its final name and renamed, so that a page that is present is whole. Exit code 0, or 2 with
one line on stderr.
"""
import sys

sys.dont_write_bytecode = True  # the folder may belong to somebody else

import argparse  # noqa: E402
import os  # noqa: E402
import tempfile  # noqa: E402

from results_db import ReportError, read_study  # noqa: E402

DYGRAPHS = "/usr/share/javascript/dygraphs"


def write_whole(path, content):
    """Writes `content` to `path` or leaves what was there."""
    folder = os.path.dirname(os.path.abspath(path))
    temporary = None
    try:
        handle, temporary = tempfile.mkstemp(prefix=".convoy-report-", suffix=".tmp", dir=folder)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(temporary, 0o666 & ~mask)
        os.replace(temporary, path)
        temporary = None
    except OSError as error:
        raise ReportError(f"cannot write {path}: {error.strerror}") from None
    finally:
        if temporary and os.path.exists(temporary):
            os.unlink(temporary)


def main():
    parser = argparse.ArgumentParser(
        prog="convoy_report.py", description="Writes one self-contained HTML page about a study's results database.",
        epilog="example: convoy_report.py timer-descriptor-lock.db -o timer-descriptor-lock.html")
    parser.add_argument("database", metavar="FILE.db", help="results database, as written by 'convoy run'")
    parser.add_argument("-o", "--output", metavar="PAGE.html", required=True, help="the page to write")
    parser.add_argument("--dygraphs", metavar="FOLDER", default=DYGRAPHS,
                        help="folder of dygraph.min.js and .css (default %(default)s, package libjs-dygraphs)")
    options = parser.parse_args()
    try:
        study = read_study(options.database)
        import page
        write_whole(options.output, page.build(study, options.dygraphs))
    except ReportError as error:
        print(f"convoy report: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
