# SPDX-License-Identifier: Apache-2.0
# A small study, and everything that can be shown of it.
expect 0 run "$small" -j 2
says err "6 points, 18 runs"
says err "coherence transactions"
says out "How does it scale?"
says out "Why?"
says out "How far can I trust it?"
only small.db

expect 0 show small.db
[ "$(grep -c '^  before, in-kernel  *[128] ' out)" -ge 3 ] || fail "the curve's rows are missing"
says out "irq_set_irqchip_state"
says out "Mean absolute error of the exit rates"
says out "unexplained"
says out "Made by: convoy run"

expect 0 show small.db --format csv
/usr/bin/python3 - out <<'P' || fail "curve"
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1], encoding="utf-8")))
assert [(r["variant"], r["axis_value"]) for r in rows] == [
    (v, n) for v in ("before, in-kernel", "after, in-kernel") for n in ("1", "2", "8")]
for r in rows:
    assert r["replications"] == "3" and float(r["aggregate_exits_per_s"]) > 0
    one = r["exits_per_s_per_vcpu"] != ""
    assert one != (r["low_state"] != ""), "either one value or two states"
    if one:
        assert abs(float(r["aggregate_exits_per_s"]) - float(r["exits_per_s_per_vcpu"]) * int(r["axis_value"])) <= int(r["axis_value"])
    assert abs(float(r["serialized_ns_per_exit"]) - 1e9 / float(r["aggregate_exits_per_s"])) < 0.2
    assert (r["measured"] != "") == (r["axis_value"] != "2")
P

# All CPU time has a reason: the parts of each point add up to its vCPUs × measured time × replications.
expect 0 show small.db --time --format csv
/usr/bin/python3 - out <<'P' || fail "accounting"
import csv, sys
from collections import Counter
time = Counter()
for r in csv.DictReader(open(sys.argv[1], encoding="utf-8")):
    time[r["variant"], int(r["axis_value"])] += int(r["ps"])
assert len(time) == 6
for (variant, vcpus), ps in time.items():
    assert ps == vcpus * 200_000_000 * 3, (variant, vcpus, ps)
P

expect 0 show small.db --locks --format csv
/usr/bin/python3 - out <<'P' || fail "locks"
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1], encoding="utf-8")))
assert any("timer" in r["lock"] and r["variant"] == "before, in-kernel" for r in rows)
for r in rows:
    acquired, contended, queued = int(r["acquired"]), int(r["contended"]), int(r["queued"])
    assert acquired >= contended >= queued >= 0
    assert int(r["wait_max_ps"]) <= int(r["wait_total_ps"])
    assert int(r["hold_max_ps"]) <= int(r["hold_total_ps"])
# The per-CPU call takes no descriptor lock.
assert not any(r["caller"] == "irq_set_irqchip_state" for r in rows if r["variant"] == "after, in-kernel")
P

# One row a variant. The knee and what follows from it stand there only where the curve bends.
expect 0 show small.db --limits --format csv
/usr/bin/python3 - out <<'P' || fail "limits"
import csv, sys
rows = {r["variant"]: r for r in csv.DictReader(open(sys.argv[1], encoding="utf-8"))}
assert list(rows) == ["before, in-kernel", "after, in-kernel"]
for r in rows.values():
    assert (r["first_axis_value"], r["last_axis_value"]) == ("1", "8") and 0 <= float(r["waits_pct"]) <= 100
    if r["knee_vcpus"]:
        most, first = float(r["aggregate_most"]), float(r["first_exits_per_s_per_vcpu"])
        assert 1 < float(r["knee_vcpus"]) < 8 and float(r["last_exits_per_s_per_vcpu"]) < 0.75 * first
        assert abs(float(r["serialized_pct"]) - 100 * first / most) < 0.1 and float(r["serialized_pct"]) <= 100
        assert abs(float(r["serialized_ns_per_exit"]) - 1e9 / 8 / float(r["last_exits_per_s_per_vcpu"])) < 1 and most > first
assert rows["after, in-kernel"]["knee_vcpus"] == "" and "irq_desc" not in rows["after, in-kernel"]["waits_for"]
assert all(r["waits_for"].startswith(("device in ", "irq_desc", "cache line in ", "nothing")) for r in rows.values())
P

for options in "" "--limits" "--kinds" "--locks" "--time" "--locks --time" "--point vcpus=8"; do
	expect 0 show small.db --format json $options
	/usr/bin/python3 -m json.tool <out >/dev/null || fail "not JSON: show $options"
done
expect 0 show small.db --point "variant=before, in-kernel vcpus=8"
says out "Locks at variant=before, in-kernel vcpus=8"
says_not out "Locks at variant=before, in-kernel vcpus=2"
expect 0 show small.db --point "variant=after, in-kernel" --format csv
[ "$(wc -l <out)" = 4 ] || fail "one variant has three points"
refuse 'has no point "vcpus=3"; a point is named like "variant=before, in-kernel vcpus=1"' show small.db --point vcpus=3
refuse "give --limits, --kinds, --locks or --time, not several" show small.db --format csv --locks --time

# Parts of a study: the rest is done later, and nothing is done twice.
expect 0 run "$small" -o part.db --points 1,8 --variants "before, in-kernel" --quiet --format csv
[ "$(wc -l <out)" = 3 ] || fail "two points"
[ ! -s err ] || fail "--quiet is not quiet"
expect 0 run "$small" -o part.db
says err "(the others were there already)"
expect 0 run "$small" -o part.db
says err "nothing to do: all 18 runs are in part.db already"
expect 0 show part.db --format csv
cp out part
expect 0 show small.db --format csv
cmp -s out part || fail "a study in parts gives other results"

# More replications are added; other parameters are not mixed in.
expect 0 run "$small" -o part.db --replications 5 --points 1 --quiet
expect 0 show part.db --format csv
grep -q '^"before, in-kernel",vcpus,1,5,' out || fail "two replications more"
refuse "holds other results: at \"before, in-kernel\", vcpus=1, host.line.base was" run "$small" -o part.db --set host.line.base=77ns
sed 's/question: A few/question: Some/' "$small" >small.yaml
refuse "has changed since (first at line 2)" run ./small.yaml -o part.db
expect 0 run ./small.yaml -o part.db --fresh --points 1 --quiet
expect 0 show part.db --format csv
[ "$(wc -l <out)" = 3 ] || fail "--fresh starts again"
only small.db part.db part small.yaml

# Only what is asked for has to make sense: a GICv5 host has no userspace irqchip, but that variant is not asked for.
sed 's/irqchip: in-kernel/irqchip: userspace/; s/kernel: after, irqchip: userspace/kernel: after, irqchip: in-kernel/' "$small" >mixed.yaml
sed -i '0,/irqchip: userspace/s//irqchip: in-kernel/; /measurement/d; /^calibrate/,$d' mixed.yaml
refuse "userspace on a GICv5 host" run ./mixed.yaml --set host.gic.version=v5 -o mixed.db
refuse "userspace on a GICv5 host" run ./mixed.yaml --set host.gic.version=v5 -o mixed.db --variants "after, in-kernel"
expect 0 run ./mixed.yaml --set host.gic.version=v5 -o mixed.db --variants "before, in-kernel" --points 1 --quiet --format csv
[ "$(wc -l <out)" = 2 ] || fail "one point"
only small.db part.db part small.yaml mixed.yaml mixed.db

# What was measured on another machine is no error of a what-if; `validate` keeps its columns.
expect 0 run "$small" --set kernel.el2=nvhe -o whatif.db --points 1 --replications 1 --quiet --format csv
/usr/bin/python3 - out <<'P' || fail "measured beside a what-if"
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1], encoding="utf-8")))
assert len(rows) == 2 and all(r["measured"] == "" and r["error_pct"] == "" for r in rows)
P
expect 0 show whatif.db
says out "What-if: kernel.el2 is nvhe at 6 of 6 points, but kernel v7.1 has vhe"
[ "$(grep -c 'what-if: measured on another machine' out)" = 2 ] || fail "two rows are marked"
says_not out "Mean absolute error"
expect 0 validate --from whatif.db --format csv
/usr/bin/python3 - out <<'P' || fail "validate beside a what-if"
import csv, sys
rows = [r for r in csv.DictReader(open(sys.argv[1], encoding="utf-8")) if r["predicted"]]
assert len(rows) == 2 and all(r["measured"] and r["error_pct"] for r in rows), rows
P
expect 0 validate --from whatif.db
[ "$(grep -c 'what-if: measured on another machine' out)" = 2 ] || fail "two rows are marked"
only small.db part.db part small.yaml mixed.yaml mixed.db whatif.db

# Workloads without exits have rounds; for programs the column keeps its name.
expect 0 run one-lock -o loop.db --points 1 --replications 1 --quiet
says out "rounds/s/vCPU"
says_not out "exits/s/vCPU"
expect 0 show loop.db --format csv
says out "exits_per_s_per_vcpu"
expect 0 show small.db
says out "exits/s/vCPU"
only small.db part.db part small.yaml mixed.yaml mixed.db whatif.db loop.db
