#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The studies n1-microbench, altra-microbench and kunpeng920-microbench against what was published:
#   - every row is printed; that of an operation that is not modelled (lpi) without a prediction
#   - fit rows within 1 %, so that the shipped host file is what `calibrate` wrote
#   - the held read of the emulated distributor on the N1 within 15 %
#   - the Altra, with nothing fitted to it: every row within 20 %, all in the right order
#   - the Kunpeng 920, two rows fitted: the other two within 20 %
#   - interrupts between and to guests, with nothing fitted to them: within 50 %, an IPI dearer than an exit with everything in the kernel
#   - exits that the kernel handles share nothing: the time is the same with 1 vCPU and with 16
set -euo pipefail

convoy=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
. "$(dirname "$0")/expect.sh"

for study in n1-microbench altra-microbench kunpeng920-microbench; do
	"$convoy" validate $study --format csv --quiet > "$folder/$study.csv"
	expect "$study: rows" 'v == 7' "$(tail -n +2 "$folder/$study.csv" | wc -l)"
	expect "$study: rows without a prediction" 'v == 1' "$(awk -F, 'NR > 1 && $6 == "" && $7 == ""' "$folder/$study.csv" | grep -c ',lpi,ns,')"
done

column() {  # study, metric, column
	awk -F, -v m="$2" -v c="$3" '$3 == m { print $c }' "$folder/$1-microbench.csv"
}
predicted=6 error=7
for metric in hyp_call mmio_read_user eoi; do
	expect "N1: error of $metric (fit), %" 'v > -1 && v < 1' "$(column n1 $metric $error)"
done
expect "N1: error of mmio_read_vgic (held), %" 'v > -15 && v < 15' "$(column n1 mmio_read_vgic $error)"
for metric in hyp_call mmio_read_vgic mmio_read_user eoi; do
	expect "Altra: error of $metric (held), %" 'v > -20 && v < 20' "$(column altra $metric $error)"
done
for metric in hyp_call mmio_read_user; do
	expect "Kunpeng 920: error of $metric (fit), %" 'v > -1 && v < 1' "$(column kunpeng920 $metric $error)"
done
for metric in mmio_read_vgic eoi; do
	expect "Kunpeng 920: error of $metric (held), %" 'v > -20 && v < 20' "$(column kunpeng920 $metric $error)"
done
for host in n1 altra kunpeng920; do
	for metric in ipi timer_10ms; do
		expect "$host: error of $metric (held), %" 'v > -50 && v < 50' "$(column $host $metric $error)"
	done
	expect "$host: an IPI over a read of the distributor" 'v > 2' "$(awk -v a="$(column $host ipi $predicted)" -v b="$(column $host mmio_read_vgic $predicted)" 'BEGIN { print a / b }')"
done
expect "Altra: eoi < hyp_call < mmio_read_vgic < mmio_read_user" 'v == 1' "$(awk -v e="$(column altra eoi $predicted)" -v h="$(column altra hyp_call $predicted)" \
	-v g="$(column altra mmio_read_vgic $predicted)" -v u="$(column altra mmio_read_user $predicted)" 'BEGIN { print (e < h && h < g && g < u) }')"

sed 's/workload.ipi_target: \[1\]/workload.vcpus: [1, 16]/; s/, workload.vcpus: 1 }/ }/; /^measurement:/d; /^    measurement:/d; /name: ipi/,$d' \
	"$CONVOY_CONFIGS/studies/n1-microbench.yaml" > "$folder/many.yaml"
"$convoy" run "$folder/many.yaml" -o "$folder/many.db" --quiet > "$folder/table"
"$convoy" show "$folder/many.db" --format csv > "$folder/many.csv"
rate() {  # variant, vcpus
	awk -F, -v name="$1" -v n="$2" '$1 == name && $3 == n { print $5 }' "$folder/many.csv"
}
for name in hyp_call mmio_read_vgic eoi; do
	expect "$name: rate of each of 16 vCPUs over one's" 'v > 0.999 && v < 1.001' "$(awk -v a="$(rate $name 16)" -v b="$(rate $name 1)" 'BEGIN { print a / b }')"
done
expect "mmio_read_user: 16 vCPUs meet at the descriptor locks, rate over one's" 'v < 0.6' \
	"$(awk -v a="$(rate mmio_read_user 16)" -v b="$(rate mmio_read_user 1)" 'BEGIN { print a / b }')"

exit $failed
