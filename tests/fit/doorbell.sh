#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A doorbell armed before or after halt polling (kvmarm list, April, May and September 2019): 4 to 10 % more throughput on a D06, -2 to +2 % on
# a D05, whose arming costs twice as much. What comes out: the D06's range where the vCPUs sleep often; less with the dear doorbell, but
# 4 to 7 % there; hardly anything where the vCPUs are busy, and there the dear one is in the D05's range. A D05's slower cores are not in it.
set -euo pipefail
convoy=$(realpath "$1")
source "$(dirname "$(realpath "$0")")/expect.sh"
folder=$(mktemp -d "${TMPDIR:-/tmp}/convoy-doorbell-XXXXXX")
trap 'rm -rf "$folder"' EXIT
cd "$folder"

"$convoy" run doorbell-before-poll -o d.db --quiet >/dev/null
"$convoy" show d.db --format csv | sed 's/^"\([a-z]*\), \([a-z]*\)"/\1 \2/' >curve
# gain VARIANT AXIS…: per cent of all packets, the mean over these points.
gain() {
	local name=$1
	shift
	awk -F, -v name="$name" -v points=" $* " '
		index(points, " " $3 " ") { rate[$1, $3] = $14; seen[$3] }
		END {
			for (n in seen) { sum += rate[name " before", n] / rate[name " after", n]; count++ }
			print 100 * (sum / count - 1)
		}' curve
}
often="500ns 700ns 1us" busy="1.5us 2us"
expect "cheap, vCPUs that sleep often: 4 to 10 % published for the D06" 'v > 4 && v < 10' "$(gain cheap $often)"
expect "dear, vCPUs that sleep often: -2 to +2 % published for the D05, too much here" 'v > 2 && v < 7' "$(gain dear $often)"
expect "dear, busy vCPUs: -2 to +2 %" 'v > -2 && v < 2' "$(gain dear $busy)"
expect "cheap, busy vCPUs" 'v > -1 && v < 4' "$(gain cheap $busy)"
expect "dear less cheap, all points" 'v < 0' "$(awk "BEGIN { print $(gain dear $often $busy) - $(gain cheap $often $busy) }")"
exit $failed
