# SPDX-License-Identifier: Apache-2.0
# How far the answer moves with what is not known: against two studies run by hand.
sed -e '/^calibrate/,$d' -e '/measurement/d' "$small" >s.yaml
printf 'range: { workload.vmm_work: [1us, 2us], host.gic.vpt_scan: [1us, 2us] }\n' >>s.yaml
expect 0 sensitivity ./s.yaml --format csv
cp out moved
for work in 1us 2us; do
	expect 0 run ./s.yaml -o $work.db --set workload.vmm_work=$work --quiet --format csv
	cp out $work
done
/usr/bin/python3 - moved 1us 2us <<'P' || fail "sensitivity"
import csv, sys
moved, low, high = (list(csv.DictReader(open(name, encoding="utf-8"))) for name in sys.argv[1:])
assert [(r["variant"], r["parameter"]) for r in moved] == [
    (v, p) for v in ("before, in-kernel", "after, in-kernel") for p in ("", "workload.vmm_work", "host.gic.vpt_scan")], moved
def rate(rows, variant, n):
    return next(float(r["exits_per_s_per_vcpu"]) for r in rows if r["variant"] == variant and r["axis_value"] == n)
for r in moved:
    if r["parameter"] == "workload.vmm_work":
        assert (r["low"], r["high"]) == ("1us", "2us")
        for name, n in (("first", "1"), ("last", "8")):
            assert abs(float(r[name + "_low"]) - rate(low, r["variant"], n)) <= 1, (r, n, rate(low, r["variant"], n))
            assert abs(float(r[name + "_high"]) - rate(high, r["variant"], n)) <= 1, (r, n)
            if r["variant"] == "after, in-kernel":  # with the lock, less work can make the queue
                assert float(r[name + "_low"]) > float(r[name]) > float(r[name + "_high"]), r
    else:  # nothing moved, or a parameter of another interrupt controller
        assert r["first_low"] == r["first_high"] == r["first"] and r["last_low"] == r["last_high"] == r["last"]
P
expect 0 sensitivity ./s.yaml --points 1,8 --variants "after, in-kernel" --replications 1 --quiet
says out "1 pairs of variant and parameter that move nothing"
says_not out "before, in-kernel"
[ ! -s err ] || fail "--quiet is not quiet"
expect 0 sensitivity ./s.yaml --replications 1 --format json
/usr/bin/python3 -m json.tool <out >/dev/null || fail "not JSON"
refuse "range: missing; name the parameters" sensitivity "$small"
refuse "no study called" sensitivity smal
sed -i 's/^range.*/range: { host.cpus: [4, 16] }/' s.yaml
refuse "workload.vcpus: 8 vCPUs, but the host has 4 CPUs" sensitivity ./s.yaml
