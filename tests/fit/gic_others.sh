# SPDX-License-Identifier: Apache-2.0
# Shapes that follow from steps, not from costs: what a poll step costs a load on GICv4.1, and what twice as many takes of a lock cost on a GICv5.
set -euo pipefail
convoy=$(realpath "$1")
source "$(dirname "$(realpath "$0")")/expect.sh"
folder=$(mktemp -d "${TMPDIR:-/tmp}/convoy-gic-XXXXXX")
trap 'rm -rf "$folder"' EXIT
cd "$folder"

# ns VARIANT AXIS: one exit of the whole machine.
ns() {
	"$convoy" show "$study.db" --format csv 2>/dev/null | awk -F, -v variant="$1" -v at="$2" '$1 == variant && $3 == at { print $15 }'
}
minus() { awk "BEGIN { print $1 - $2 }"; }
over() { awk "BEGIN { print $1 / $2 }"; }

study=vpe-residency-poll
"$convoy" run $study -o $study.db --quiet >/dev/null
none=$(ns "before the entry" 300ns)  # the scan is over long before
for scan in 300ns 1us; do
	expect "10 us step, scan $scan, more ns" 'v > 9500 && v < 11000' "$(minus "$(ns "10 us step" $scan)" "$none")"
	expect "1 us step, scan $scan, more ns" 'v > 900 && v < 2200' "$(minus "$(ns "1 us step" $scan)" "$none")"
done
expect "before the entry, scan 500ns, more ns" 'v > -1 && v < 100' "$(minus "$(ns "before the entry" 500ns)" "$none")"
# What 1.0 us of waiting costs when the work between load and entry is shorter than the scan: one step.
expect "before the entry, scan 1us, more ns" 'v > 500 && v < 1300' "$(minus "$(ns "before the entry" 1us)" "$none")"
expect "exits in the kernel, any scan" 'v == 0' "$(minus "$(ns "exits in the kernel" 2us)" "$(ns "exits in the kernel" 300ns)")"

study=gicv5-guests
"$convoy" run $study --set run.replications=1 -o $study.db --quiet >/dev/null
expect "64 vCPUs: GICv5 over GICv3 guests, ns per exit" 'v > 1.8 && v < 2.3' "$(over "$(ns "GICv5 guests" 64)" "$(ns "GICv3 guests" 64)")"
expect "64 vCPUs: slow over fast registers, ns per exit" 'v > 0.9 && v < 1.1' \
	"$(over "$(ns "GICv5 guests slow registers" 64)" "$(ns "GICv5 guests" 64)")"
expect "64 over 1 vCPUs without the lock, exits" 'v > 63 && v < 65' "$(over "$(ns "GICv5 guests per CPU" 1)" "$(ns "GICv5 guests per CPU" 64)")"
exit $failed
