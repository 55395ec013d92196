#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The studies of the timer's generations, against what was published and against what the mechanism must show:
#   timer-switch-policy   every row of timer-switch has a prediction. ThunderX: the fit row within 1 %, the other average within 1.5 %, the
#                         improvement within 25 %. Nothing varies in the model, so the minima are the averages; they lie 3 to 4 % off.
#                         Seattle: VHE emulation saves more than nVHE, and is within 40 %. Its nVHE row is far off and is only printed,
#                         so is the active state of every entry (docs/timers.md says why).
#   active-state-io       idle guests pay for a read only where clearing has one, active guests where setting has one; with the lock all four
#                         end at the same rate within 3 %
#   timer-trap            a whole put and load at each access collapses at the descriptor lock, the others do not
set -euo pipefail

convoy=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
. "$(dirname "$0")/expect.sh"

"$convoy" run timer-switch-policy -o "$folder/switch.db" --quiet > "$folder/table"
"$convoy" validate --from "$folder/switch.db" --format csv > "$folder/switch.csv"
"$convoy" show "$folder/switch.db" --format csv > "$folder/switch-curve.csv"
expect "header" 'v == 1' "$(head -1 "$folder/switch.csv" | grep -cx 'measurement,point,metric,unit,measured,predicted,error_pct,role')"
expect "rows" 'v == 7' "$(tail -n +2 "$folder/switch.csv" | wc -l)"
expect "rows without a prediction" 'v == 0' "$(awk -F, 'NR > 1 && $6 == ""' "$folder/switch.csv" | wc -l)"

row() {  # point, metric, column
	awk -F, -v p="$1" -v m="$2" -v c="$3" 'index($2, p) && $3 == m { print $c }' "$folder/switch.csv"
}
predicted=6 error=7
expect "ThunderX, every switch (fit), error %" 'v > -1 && v < 1' "$(row every-switch 'hypercall average' $error)"
expect "ThunderX, load and put (held), error %" 'v > -1.5 && v < 1.5' "$(row load-put 'hypercall average' $error)"
expect "ThunderX, improvement (held), error %" 'v > -25 && v < 25' "$(row difference 'hypercall improvement' $error)"
for policy in every-switch load-put; do
	expect "ThunderX, minimum, $policy (held), error %" 'v > 0 && v < 5' "$(row $policy 'hypercall minimum' $error)"
done
nvhe=$(row 'amd-seattle mode=nvhe' 'world switch improvement' $predicted)
vhe=$(row 'amd-seattle mode=vhe-emulated' 'world switch improvement' $predicted)
expect "Seattle at EL2, error %" 'v > -40 && v < 40' "$(row 'amd-seattle mode=vhe-emulated' 'world switch improvement' $error)"
expect "Seattle, cycles saved at EL2 over EL1" 'v > 1' "$(awk -v a="$vhe" -v b="$nvhe" 'BEGIN { print a / b }')"
printf 'note  Seattle without VHE: %s cycles saved, 100 measured\n' "$nvhe"

# Names with commas are quoted; columns from the end.
curve() {  # file, variant, axis value: exits per second and vCPU
	sed 's/^"\([^"]*\)"/\1/; :a; s/^\([a-z0-9 -]*\), /\1;/; s/^\([a-zA-Z0-9 -]*;[a-z-]*\), /\1;/' "$folder/$1.csv" |
		awk -F, -v name="$2" -v n="$3" '$1 == name && $3 == n { print $5 }'
}
cycles() {  # of one operation on a 2 GHz host
	awk -v rate="$(curve switch-curve "$1" 1)" 'BEGIN { print 2e9 / rate }'
}
every=$(cycles "active state at every entry;Seattle") cached=$(cycles "every-switch;Seattle")
expect "Seattle, cycles of the active state at every entry" 'v > 100' "$(awk -v a="$every" -v b="$cached" 'BEGIN { print a - b }')"
printf 'note  a commit reports about 700 on a 2 GHz GICv2 machine\n'

"$convoy" run active-state-io -o "$folder/io.db" --quiet > "$folder/table"
"$convoy" show "$folder/io.db" --format csv > "$folder/io.csv"
for state in idle active; do
	for call in lock per-cpu; do
		for n in 1 31; do
			a=$(curve io "read-back-set;$state;$call" $n)
			b=$(curve io "$([ $state = idle ] && echo write || echo ctlr-read);$state;$call" $n)
			expect "$state, $call, $n vCPUs: read-back over $([ $state = idle ] && echo no read || echo a read each time)" 'v > 0.999 && v < 1.001' \
				"$(awk -v a="$a" -v b="$b" 'BEGIN { print a / b }')"
		done
	done
done
expect "one vCPU, a read each time over none" 'v < 0.96' \
	"$(awk -v a="$(curve io 'ctlr-read;idle;per-cpu' 1)" -v b="$(curve io 'write;idle;per-cpu' 1)" 'BEGIN { print a / b }')"
expect "31 vCPUs at the lock, a read each time over none" 'v > 0.97 && v < 1' \
	"$(awk -v a="$(curve io 'ctlr-read;idle;lock' 31)" -v b="$(curve io 'write;idle;lock' 31)" 'BEGIN { print a / b }')"

"$convoy" run timer-trap -o "$folder/trap.db" --quiet > "$folder/table"
"$convoy" show "$folder/trap.db" --format csv > "$folder/trap.csv"
for variant in memory one-timer "put-load;per-cpu"; do
	expect "$variant: rate of each of 48 vCPUs over one's" 'v > 0.99 && v < 1.01' \
		"$(awk -v a="$(curve trap "$variant" 48)" -v b="$(curve trap "$variant" 1)" 'BEGIN { print a / b }')"
done
expect "put-load: rate of each of 48 vCPUs over one's" 'v < 0.6' \
	"$(awk -v a="$(curve trap put-load 48)" -v b="$(curve trap put-load 1)" 'BEGIN { print a / b }')"
expect "put-load over one-timer, one vCPU" 'v > 0.5 && v < 0.95' \
	"$(awk -v a="$(curve trap put-load 1)" -v b="$(curve trap one-timer 1)" 'BEGIN { print a / b }')"

exit $failed
