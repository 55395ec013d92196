# SPDX-License-Identifier: Apache-2.0
# A VM whose interrupts come directly sleeps and wakes on every kernel that blocks in a way of its own, with GICv4.0 and v4.1, polled or not: no doorbell is lost.
cat >wakes.yaml <<'Y'
study: wakes
question: Does every packet arrive?
host: hip-gicv41
workload: passthrough-net
axis: { workload.net.interval: [20us] }
set: { workload.net.window: 16, workload.variation: constant, workload.vcpus: 4 }
run: { replications: 1, warmup: 1ms, measure: 10ms, batch: 1ms }
variants:
  - { name: v4.19 after, meaning: "-", kernel: v4.19, set: { host.gic.version: v4.0 } }
  - { name: v4.19 before, meaning: "-", kernel: v4.19, set: { host.gic.version: v4.0, kernel.doorbell: before-poll } }
  - { name: v4.19 unpolled, meaning: "-", kernel: v4.19, set: { host.gic.version: v4.0, kernel.halt_poll: 0ns } }
  - { name: v5.4, meaning: "-", kernel: v5.4, set: { host.gic.version: v4.0 } }
  - { name: v5.10 v4.0, meaning: "-", kernel: v5.10, set: { host.gic.version: v4.0, kernel.wfi_trap: always } }
  - { name: v5.10 v4.0 unpolled, meaning: "-", kernel: v5.10, set: { host.gic.version: v4.0, kernel.wfi_trap: always, kernel.halt_poll: 0ns } }
  - { name: v5.10, meaning: "-", kernel: v5.10, set: { kernel.wfi_trap: always } }
  - { name: v5.10 unpolled, meaning: "-", kernel: v5.10, set: { kernel.wfi_trap: always, kernel.halt_poll: 0ns } }
  - { name: v7.1 v4.0, meaning: "-", kernel: v7.1, set: { host.gic.version: v4.0, kernel.wfi_trap: always } }
  - { name: v7.1, meaning: "-", kernel: v7.1, set: { kernel.wfi_trap: always } }
  - { name: v7.1 unpolled, meaning: "-", kernel: v7.1, set: { kernel.wfi_trap: always, kernel.halt_poll: 0ns } }
  - { name: v7.1 not trapped, meaning: "-", kernel: v7.1 }
  - { name: nvhe, meaning: "-", kernel: v7.1, set: { kernel.el2: nvhe, kernel.wfi_trap: always } }
Y
expect 0 run ./wakes.yaml --quiet
expect 0 show wakes.db --format csv
# One packet each 20 us. A doorbell armed after polling may keep a full window waiting while the poll lasts; nothing else may.
/usr/bin/python3 - out <<'P' || fail "packets"
import csv, sys
rows = {r["variant"]: float(r["exits_per_s_per_vcpu"] or 0) for r in csv.DictReader(open(sys.argv[1], encoding="utf-8"))}
assert len(rows) == 13, rows
for variant, rate in rows.items():
    assert rate >= (25000 if variant == "v4.19 after" else 49000) and rate <= 51500, (variant, rate)
assert rows["v4.19 after"] < rows["v4.19 before"], rows
P
refuse "passthrough-net is about interrupts that reach the guest directly" run ./wakes.yaml -o x.db --set workload.direct_msi=no
refuse "the device of passthrough-net needs a CPU beside those of the vCPUs" run ./wakes.yaml -o x.db --set host.cpus=4
refuse "passthrough-net needs pairs" run ./wakes.yaml -o x.db --set workload.vcpus=3
refuse "how a vPE moves is not modelled" run ./wakes.yaml -o x.db --set workload.pinned=no
only wakes.yaml wakes.db
