# SPDX-License-Identifier: Apache-2.0
# Exits of several kinds at given rates: as many as asked for while there is time, in the same proportions when there is not.
cat >mix.yaml <<'Y'
study: mixed
question: Is what is asked for done?
host: ampere-altra-32
workload: mix
axis: { workload.mix.mmio_user: [2000, 20000, 400000] }
set: { workload.vcpus: 4, workload.mix.hypercall: 30000, workload.mix.mmio_kernel: 10000, workload.mix.sysreg: 5000 }
run: { replications: 3, warmup: 1ms, measure: 20ms, batch: 1ms }
variants:
  - { name: poisson, meaning: exponential intervals, kernel: v7.1 }
  - { name: regular, meaning: constant intervals, kernel: v7.1, set: { workload.variation: constant } }
Y
expect 0 run ./mix.yaml --quiet
expect 0 show mixed.db --kinds --format csv
cp out kinds
expect 0 show mixed.db --format csv
cp out curve
expect 0 show mixed.db --time --format csv
/usr/bin/python3 - kinds curve out <<'P' || fail "rates"
import csv, sys
from collections import defaultdict
kinds, curve, time = (list(csv.DictReader(open(name, encoding="utf-8"))) for name in sys.argv[1:])
rate, host = defaultdict(dict), defaultdict(dict)
for r in kinds:
    place = r["variant"], r["axis_value"]
    rate[place][r["kind"]], host[place][r["kind"]] = float(r["exits_per_s_per_vcpu"]), float(r["host_pct"])
    asked = {"hypercall": 30000, "mmio_kernel": 10000, "sysreg": 5000, "mmio_user": int(r["axis_value"])}[r["kind"]]
    assert float(r["asked_per_s_per_vcpu"]) == asked
    if r["axis_value"] != "400000":
        # 3 × 4 × 20 ms: regular ones to within one exit a run, Poisson ones to within four standard deviations
        most = 1 / 0.020 if r["variant"] == "regular" else 4 * (asked / 0.24) ** 0.5
        assert abs(rate[place][r["kind"]] - asked) <= most + 1, r
        # an exit to the VMM costs far more than one that the kernel answers
        if r["kind"] == "mmio_user":
            assert float(r["host_ns_per_exit"]) > 1500, r
        else:
            assert 100 < float(r["host_ns_per_exit"]) < 700, r
assert len(rate) == 6 and all(len(r) == 4 for r in rate.values())
for variant in "poisson", "regular":
    full = rate[variant, "400000"]
    assert full["mmio_user"] < 390000, "more than a CPU can do"
    assert abs(full["mmio_user"] / full["hypercall"] - 400 / 30) < 0.6, full
# All kinds together are the exits; guest and host are the CPU's whole time.
for r in curve:
    assert abs(sum(rate[r["variant"], r["axis_value"]].values()) - float(r["exits_per_s_per_vcpu"])) < 4, r
guest, whole = defaultdict(int), defaultdict(int)
for r in time:
    whole[r["variant"], r["axis_value"]] += int(r["ps"])
    guest[r["variant"], r["axis_value"]] += int(r["ps"]) * (r["reason"] == "guest")
for place in rate:
    assert abs(100 * guest[place] / whole[place] + sum(host[place].values()) - 100) < 0.3, (place, host[place])
P
# A share of the hypercalls goes to the VMM: that was asked for, too.
sed 's/^study: mixed/study: shared/; s/workload.mix.hypercall: 30000/workload.mix.hypercall: 30000, workload.mix.user_share: 0.25/' mix.yaml >shared.yaml
expect 0 run ./shared.yaml --quiet --points 2000 --replications 1 --variants regular
expect 0 show shared.db --kinds --format csv
/usr/bin/python3 - out <<'P' || fail "asked with a share"
import csv, sys
asked = {r["kind"]: float(r["asked_per_s_per_vcpu"]) for r in csv.DictReader(open(sys.argv[1], encoding="utf-8"))}
assert asked == {"hypercall": 22500, "mmio_user": 9500, "mmio_kernel": 10000, "sysreg": 5000}, asked
P
rm shared.yaml shared.db

expect 0 show mixed.db
says out "What do the kinds of exits cost the host?"
refuse "workload.mix.sgi: 7, but the VM has no other vCPU to send to" run ./mix.yaml -o x.db --set workload.mix.sgi=7 --set workload.vcpus=1
refuse "SGIs of a GICv5 guest are LPIs" run ./mix.yaml -o x.db --set workload.mix.sgi=7 --set host.gic.version=v5 --set workload.mix.mmio_kernel=0
refuse "blocking is modelled for kernels that switch timers at load and put only" run ./mix.yaml -o x.db --set workload.mix.wfi=7 \
	--set kernel.timer_regs=host-every-loop --set kernel.active_state=cached-clear --set kernel.ptimer=hrtimer-always
refuse "the device is the vGIC" run ./mix.yaml -o x.db --set workload.irqchip=userspace
refuse "the least time in the guest between two exits" run ./mix.yaml -o x.db --set workload.guest_work=0ns
refuse "workload.mix.hypercall: \"1kHz\"" run ./mix.yaml -o x.db --set workload.mix.hypercall=1kHz
sed -e '/^set/d' -e 's/workload.mix.mmio_user: .*/workload.vcpus: [1] }/' mix.yaml >none.yaml
refuse "mix, but no kind of exit has a rate" run ./none.yaml

# Kinds that need the scheduler: as many as asked for, on kernels that block in different ways and on GICs of all kinds. A host interrupt
# that falls in another exit ends no guest, so of those there are fewer.
cat >sleep.yaml <<'Y'
study: sleep
question: Do guests that sleep and wake one another do what is asked?
host: ampere-altra-32
workload: mix
axis: { workload.mix.wfi: [4000] }
set: { host.cpus: 8, workload.vcpus: 4, workload.mix.sgi: 5000, workload.mix.hypercall: 2000, workload.mix.irq: 3000, workload.variation: constant }
run: { replications: 1, warmup: 1ms, measure: 20ms, batch: 1ms }
variants:
  - { name: v7.1, meaning: "-", kernel: v7.1 }
  - { name: sleeps, meaning: "-", kernel: v7.1, set: { kernel.halt_poll: 0ns } }
  - { name: long, meaning: "-", kernel: v7.1, set: { workload.mix.sleep: 100us } }
  - { name: v5.10, meaning: "-", kernel: v5.10 }
  - { name: v4.19, meaning: "-", kernel: v4.19 }
  - { name: nvhe, meaning: "-", kernel: v7.1, set: { kernel.el2: nvhe } }
  - { name: gicv2, meaning: "-", kernel: v7.1, set: { host.gic.version: v2 } }
  - { name: gicv5, meaning: "-", kernel: v7.1, set: { host.gic.version: v5, workload.vgic: v3 } }
  - { name: gicv5 native, meaning: "-", kernel: v7.1, set: { host.gic.version: v5, workload.mix.sgi: 0 } }
  - { name: aic, meaning: "-", kernel: v7.1, set: { host.gic.version: aic } }
Y
expect 0 run ./sleep.yaml --quiet
expect 0 show sleep.db --kinds --format csv
/usr/bin/python3 - out <<'P' || fail "kinds that sleep"
import csv, sys
from collections import defaultdict
asked = {"sgi": 5000, "hypercall": 2000, "wfi": 4000}
rate, host = defaultdict(dict), defaultdict(dict)
for r in csv.DictReader(open(sys.argv[1], encoding="utf-8")):
    rate[r["variant"]][r["kind"]], host[r["variant"]][r["kind"]] = float(r["exits_per_s_per_vcpu"]), float(r["host_ns_per_exit"])
assert len(rate) == 10, rate
for variant, of in rate.items():
    for kind, n in asked.items():
        if kind == "sgi" and variant == "gicv5 native":
            continue
        # regular: one more or less in 20 ms for each vCPU
        assert abs(of[kind] - n) <= 1 / 0.020 + 1, (variant, kind, of)
    assert 0.4 * 3000 < of["irq"] <= 3000 + 51, (variant, of)
    # an SGI wakes or kicks another vCPU: dearer than a hypercall; a host interrupt costs at least the hypercall's world switch
    assert host[variant]["irq"] > 0.8 * host[variant]["hypercall"], (variant, host[variant])
# Sleeping adds schedule, put, load, wake-up and the way out of the idle loop; how long it sleeps is not in it.
assert host["sleeps"]["wfi"] > host["v7.1"]["wfi"] + 1500, host
assert abs(host["long"]["wfi"] - host["v7.1"]["wfi"]) < 600, host
P
cat >timer.yaml <<'Y'
study: timer
question: Does the virtual timer's interrupt reach guests of GICv5 hosts?
host: gicv5-reference
workload: microbench
axis: { workload.vcpus: [2] }
set: { workload.exit: timer_10ms }
run: { replications: 1, warmup: 1ms, measure: 100ms, batch: 10ms }
variants:
  - { name: compat, meaning: GICv3 guests, kernel: v7.1, set: { workload.vgic: v3 } }
  - { name: native, meaning: GICv5 guests, kernel: v7.1 }
Y
expect 0 run ./timer.yaml --quiet
expect 0 show timer.db --format csv
[ "$(awk -F, 'NR > 1 { print $5 }' out | tr '\n' ' ')" = "100 100 " ] || fail "a timer of 10 ms fires 100 times a second"
only kinds curve mix.yaml none.yaml sleep.yaml timer.yaml mixed.db sleep.db timer.db
