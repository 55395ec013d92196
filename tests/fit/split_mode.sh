#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The study split-mode: what everything at every exit costs on a GICv2 machine. Published: the save of the interrupt controller is half of a hypercall
# (X-Gene), and state at load and put makes a hypercall 8.5 and an exit to user space 1.3 times cheaper (Seattle). The order and the kind of change
# come out, not the sizes (docs/validation.md): bounds were set after a first run had shown 3.7 and 1.6.
set -euo pipefail

convoy=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
db=$folder/study.db
. "$(dirname "$0")/expect.sh"

"$convoy" run split-mode -o "$db" --quiet > "$folder/table"
"$convoy" show "$db" --format csv > "$folder/curve.csv"
"$convoy" show "$db" --format csv --time > "$folder/time.csv"

rate() {  # variant: exits a second at the only point
	awk -F'"' -v name="$1" '$2 == name { split($3, cell, ","); print cell[5] }' "$folder/curve.csv"
}
faster() {  # kind of exit
	awk -v a="$(rate "$1, everything at every exit")" -v b="$(rate "$1, at load and put")" 'BEGIN { print b / a }'
}
expect "hypercall, state at load and put, times cheaper" 'v > 3' "$(faster hypercall)"
expect "exit to user space, likewise" 'v > 1 && v < 2' "$(faster "user exit")"
expect "share of a hypercall that waits for the interrupt controller, %" 'v > 30 && v < 60' "$(awk -F'"' '
	$2 == "hypercall, everything at every exit" { split($3, cell, ","); if (cell[6] == "device") sum += cell[4] } END { print sum }' "$folder/time.csv")"

exit $failed
