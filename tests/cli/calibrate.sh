# SPDX-License-Identifier: Apache-2.0
# Calibration: writes into the host file only what it fitted, and looks at fit rows only.
cp -r "$source/configs" configs
export CONVOY_CONFIGS=$PWD/configs
host=configs/hosts/ampere-altra-32.yaml
cp $host before.yaml

expect 0 calibrate "$small" --dry-run --budget 12 --replications 1
says out "held rows not looked at"
says out "host.line.base"
says out "root mean square error"
cmp -s $host before.yaml || fail "--dry-run changes the host file"
cp out first

# The same with other held values: not a byte may change.
sed -i '/,held$/s/,[0-9]*,held$/,4242,held/' configs/measurements/altra-exits.csv
cmp -s configs/measurements/altra-exits.csv "$source/configs/measurements/altra-exits.csv" && fail "the test changes nothing"
expect 0 calibrate "$small" --dry-run --budget 12 --replications 1
cmp -s out first || fail "held rows have an influence"
expect 0 calibrate "$small" --dry-run --budget 12 --replications 1 -j 1
cmp -s out first || fail "the number of workers has an influence"

expect 0 calibrate "$small" --budget 12 --replications 1 --quiet
says out "Written to"
[ ! -s err ] || fail "--quiet is not quiet"
expect 0 hosts ampere-altra-32 --format csv
grep -q '^host.line.base,.*,fitted,.*study small, 3 fit rows of altra-exits, rms error' out || fail "class and source"
grep -q '^workload.vmm_work,.*,fitted,' out || fail "the second parameter"
diff before.yaml $host | grep '^[<>]' | grep -vE '^[<>] +(value|class|source):|^[<>] +[^:]*$' && fail "something else changed"
# Fitted values are what the next run uses.
expect 0 run "$small" --points 1 --quiet --format json
cp before.yaml copy.yaml
cp $host after.yaml
expect 0 calibrate "$small" --host-file copy.yaml --budget 4 --replications 1 --quiet
cmp -s $host after.yaml || fail "--host-file writes the study's host file"
cmp -s copy.yaml before.yaml && fail "--host-file does not write"
cp "$small" nothing.yaml
sed -i '/^calibrate:/,$d' nothing.yaml
refuse "no free parameters" calibrate ./nothing.yaml
only configs before.yaml after.yaml copy.yaml first small.db nothing.yaml
