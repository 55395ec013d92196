#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The study sgi-target-lookup against what was reported of it: looking at all vCPUs makes an IPI dearer by the same 20 to 46 ns for each
# vCPU before the target (here: 15 to 46), a table makes it flat, a group starts anew every 16 vCPUs, and a VM of 4 vCPUs has next to
# nothing to gain.
set -euo pipefail

convoy=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
. "$(dirname "$0")/expect.sh"

"$convoy" run sgi-target-lookup -o "$folder/sgi.db" --quiet > "$folder/table"
"$convoy" show "$folder/sgi.db" --format csv > "$folder/sgi.csv"
ns() {  # variant, target
	awk -F, -v name="$1" -v n="$2" '$1 == name && $3 == n { print 1e9 / $5 }' "$folder/sgi.csv"
}
slope() {  # variant, target, target
	awk -v a="$(ns $1 $2)" -v b="$(ns $1 $3)" -v n=$(($3 - $2)) 'BEGIN { print (b - a) / n }'
}
ratio() {
	awk -v a="$1" -v b="$2" 'BEGIN { print a / b }'
}
expect "linear: ns for each vCPU, 1 to 63" 'v > 15 && v < 46' "$(slope linear 1 63)"
expect "linear: a straight line, second half over first" 'v > 0.8 && v < 1.2' "$(ratio "$(slope linear 31 63)" "$(slope linear 1 31)")"
expect "hash: ns for each vCPU" 'v > -0.7 && v < 0.7' "$(slope hash 1 63)"
expect "group: ns for each vCPU inside the first group" 'v > 15 && v < 46' "$(slope group 1 15)"
expect "group: first of the third group over first of all" 'v > 0.95 && v < 1.05' "$(ratio "$(ns group 32)" "$(ns group 1)")"
expect "the last of 64: hash over linear (reported: 0.68 and 0.46)" 'v > 0.4 && v < 0.75' "$(ratio "$(ns hash 63)" "$(ns linear 63)")"
expect "the last of 4: hash over linear" 'v > 0.9 && v < 1.02' "$(ratio "$(ns hash 3)" "$(ns linear 3)")"

exit $failed
