#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The studies pmu-inject and pmu-inject-scaling against what was published and what the mechanism must show:
#   - every row is answered; remembering the level brings the cost without a PMU back within 0.5 %
#   - the injection costs something everywhere, and least where an SGI goes to another vCPU, whose entry alone lies on the way. Published: 405, 349
#     and 264 cycles. Two of the three come out at about half, the SGI's at a third (docs/pmu.md), so no bound on sizes
#   - with one lock for each VM the injection stops 48 vCPUs from scaling, without it or with locks apart they scale
set -euo pipefail

convoy=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
. "$(dirname "$0")/expect.sh"

"$convoy" validate pmu-inject --format csv --quiet > "$folder/rows.csv"
cycles() {  # pmu, metric
	awk -F, -v pmu="pmu=$1" -v metric="$2" 'index($2, pmu) && $3 == metric { print $6 }' "$folder/rows.csv"
}
difference() { awk -v a="$(cycles inject-every-entry "$1")" -v b="$(cycles none "$1")" 'BEGIN { print a - b }'; }

expect "rows" 'v == 9' "$(tail -n +2 "$folder/rows.csv" | awk -F, '$6 != ""' | wc -l)"
for metric in do_hvc do_sgi do_sysreg; do
	expect "$metric: the level remembered over no PMU, %" 'v >= 0 && v <= 0.5' \
		"$(awk -v a="$(cycles cached-level $metric)" -v b="$(cycles none $metric)" 'BEGIN { print 100 * (a / b - 1) }')"
	expect "$metric: what the injection costs, cycles" 'v > 30 && v < 450' "$(difference $metric)"
done
expect "the SGI's injection over the hypercall's" 'v < 0.9' "$(awk -v a="$(difference do_sgi)" -v b="$(difference do_hvc)" 'BEGIN { print a / b }')"
expect "the trapped register's over the hypercall's" 'v > 0.9 && v < 1.1' "$(awk -v a="$(difference do_sysreg)" -v b="$(difference do_hvc)" 'BEGIN { print a / b }')"

"$convoy" run pmu-inject-scaling -o "$folder/scaling.db" --quiet > "$folder/table"
"$convoy" show "$folder/scaling.db" --format csv > "$folder/curve.csv"
kept() {  # variant: rate at 48 vCPUs over that at one
	awk -F'"' -v name="$1" '$2 == name { split($3, cell, ","); rate[cell[3]] = cell[5] } END { print rate[48] / rate[1] }' "$folder/curve.csv"
}
expect "one lock, no PMU: rate at 48 over 1" 'v > 0.9' "$(kept "one lock, no PMU")"
expect "one lock, injected at every entry" 'v < 0.5' "$(kept "one lock, injected at every entry")"
expect "one lock, injected on change" 'v > 0.9' "$(kept "one lock, injected on change")"
expect "locks apart, injected at every entry" 'v > 0.95' "$(kept "locks apart, injected at every entry")"

exit $failed
