# SPDX-License-Identifier: Apache-2.0
# Every row of the measurement is printed, answered or not.
rows=$source/configs/measurements/altra-exits.csv
count=$(tail -n +2 "$rows" | wc -l)

expect 0 validate "$small" --format csv --quiet
[ "$(head -1 out)" = "measurement,point,metric,unit,measured,predicted,error_pct,role" ] || fail "columns"
[ "$(tail -n +2 out | wc -l)" = "$count" ] || fail "not all rows"
only
cp out first
/usr/bin/python3 - out "$rows" <<'P' || fail "rows"
import csv, sys
printed = list(csv.DictReader(open(sys.argv[1], encoding="utf-8")))
published = list(csv.DictReader(open(sys.argv[2], encoding="utf-8")))
answered = 0
for p, m in zip(printed, published):
    assert p["measured"] == m["value"] and p["metric"] == m["metric"] and p["role"] == m["role"]
    assert f'kernel={m["kernel"]}' in p["point"] and p["point"].endswith(f'vcpus={m["vcpus"]}')
    expected = m["irqchip"] == "in-kernel" and m["vcpus"] in ("1", "8")
    assert (p["predicted"] != "") == expected and (p["error_pct"] != "") == expected, p
    if expected:
        error = (float(p["predicted"]) / float(p["measured"]) - 1) * 100
        assert abs(error - float(p["error_pct"])) < 0.02, p
        answered += 1
assert answered == 5
P

# Only the points that answer a row are simulated; the runs can be kept and used again.
expect 0 validate "$small" -o kept.db --format csv
says err "4 points, 12 runs"
cmp -s out first || fail "-o changes the result"
expect 0 validate --from kept.db --format csv
cmp -s out first || fail "--from changes the result"
[ ! -s err ] || fail "--from says something"
expect 0 validate --from kept.db --format json
/usr/bin/python3 -m json.tool <out >/dev/null || fail "not JSON"

# For people: the arithmetic beside the model, and the rows that nothing explains.
expect 0 validate --from kept.db
says out "arithmetic"
says out "unexplained"
says out "239886"
refuse "leave out" validate small --from kept.db
refuse "have no meaning with it" validate --from kept.db --replications 3
refuse "No such file" validate --from nothing.db

# A measurement that no study names still has its rows.
mkdir -p configs
cp -r "$source"/configs/{hosts,kernels,workloads,measurements} configs/
mkdir configs/studies
cp "$small" configs/studies/small.yaml
find configs/measurements -name '*.csv' ! -name altra-exits.csv -delete
printf 'host,vcpus,metric,unit,value,role\nother,4,exits,1/s/vcpu,1000,held\n' >configs/measurements/other.csv
CONVOY_CONFIGS=$PWD/configs expect 0 validate --format csv --quiet
[ "$(tail -n +2 out | wc -l)" = "$((count + 1))" ] || fail "rows of all measurements"
says out "other,host=other vcpus=4,exits,1/s/vcpu,1000,,,held"
grep -v '^other' out | cmp -s - first || fail "all studies give other results than one"
only kept.db first configs
