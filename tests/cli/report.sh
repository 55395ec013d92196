# SPDX-License-Identifier: Apache-2.0
# The page is written, by a Python that can; what is missing is named. What is on the page is tested in tests/report.
expect 0 run "$small" --quiet
expect 0 report small.db
[ "$(cat out)" = small.html ] || fail "the page's name"
head -c 15 small.html | grep -qi '<!doctype html>' || fail "no page"
[ "$(stat -c %s small.html)" -le 2000000 ] || fail "more than 2 MB"
expect 0 report small.db -o "another page.html"
CONVOY_PYTHON=/bin/false refuse "CONVOY_PYTHON=/bin/false: cannot be started or has no matplotlib" report small.db
expect 2 report small.db -o /nothing/page.html
only small.db small.html "another page.html"
