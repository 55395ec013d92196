#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A doorbell armed before or after halt polling (kvmarm list, April, May and September 2019): 4 to 10 % more throughput on a D06, -2 to +2 % on
# a D05, whose arming costs twice as much. What must hold of a model of it: with the cheap doorbell before is better; with the dear one
# the gain is smaller on the whole; and it is neither the same everywhere nor always positive.
set -euo pipefail
convoy=$(realpath "$1")
source "$(dirname "$(realpath "$0")")/expect.sh"
folder=$(mktemp -d "${TMPDIR:-/tmp}/convoy-doorbell-XXXXXX")
trap 'rm -rf "$folder"' EXIT
cd "$folder"

"$convoy" run doorbell-before-poll --set run.replications=3 --set run.measure=50ms -o d.db --quiet >/dev/null
"$convoy" show d.db --format csv | sed 's/^"\([a-z]*\), \([a-z]*\)"/\1 \2/' >curve
# gain VARIANT [AXIS]: per cent, the mean over the axis or at one point.
gain() {
	awk -F, -v name="$1" -v at="${2:-}" '
		$1 == name " after" && (at == "" || $3 == at) { after[$3] = $5 }
		$1 == name " before" && (at == "" || $3 == at) { before[$3] = $5 }
		END { for (n in after) { sum += before[n] / after[n]; count++ }; print 100 * (sum / count - 1) }' curve
}
