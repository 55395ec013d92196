# SPDX-License-Identifier: Apache-2.0
# What there is: hosts, kernels, workloads, studies, parameters, in every format, with a source for every value.
for what in hosts kernels workloads studies; do
	expect 0 $what
	cp out table
	expect 0 $what --format csv
	[ "$(head -1 out)" = "name,title,path" ] || fail "columns of $what"
	tail -n +2 out | cut -d, -f1 >names
	[ -s names ] || fail "no $what"
	while read -r name; do
		says table "$name"
		expect 0 $what "$name"
		[ -s out ] || fail "$what $name says nothing"
		expect 0 $what "$name" --format json
		/usr/bin/python3 -m json.tool <out >/dev/null || fail "$what $name: not JSON"
		[ $what = studies ] && continue
		expect 0 $what "$name" --format csv
		# name, value, class and source of every value
		/usr/bin/python3 - out <<'P' || fail "$what $name: a value without class or source"
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1], encoding="utf-8")))
assert rows and all(r["value"] and r["class"] and r["source"] for r in rows), rows
P
	done <names
done
rm table names
# Versions in their order, and what differs between two.
expect 0 kernels --format csv
tail -n +2 out | cut -d, -f1 | sed 's/-.*//' >names
sort -V -c names || fail "kernels are not in the order of their versions"
expect 0 kernels v4.14 v4.19 --diff --format csv
/usr/bin/python3 - out <<'P' || fail "difference"
import csv, sys
rows = {r["name"]: r for r in csv.DictReader(open(sys.argv[1], encoding="utf-8"))}
assert (rows["kernel.spinlock"]["first"], rows["kernel.spinlock"]["second"]) == ("ticket", "qspinlock")
assert rows["kernel.spinlock"]["first_source"] and "kernel.irq_state" not in rows
assert all(r["first"] != r["second"] and r["meaning"] for r in rows.values())
P
expect 0 kernels --diff v4.14 v4.19
says out "kernel.timer_regs"
expect 0 kernels --diff v7.1 v7.1
says out "v7.1 and v7.1 have the same values."
refuse "two names with --diff" kernels --diff v7.1
refuse "nearest: v4.14" kernels --diff v4.15 v4.19
refuse "one name" kernels v4.14 v4.19
refuse "unknown option --diff" studies --diff one-lock el2-mode
expect 0 studies el2-mode
grep -qE '^  nVHE, per-CPU call +v7.1-percpu-state +v3 +nvhe ' out || fail "gic and mode of a variant"
rm names
refuse "nearest: ampere-altra-32" hosts ampere-altra-3

expect 0 params
says out "host.line.base"
says out "workload.vcpus"
expect 0 params host.line --format csv
[ "$(head -1 out)" = "name,default,allowed,meaning" ] || fail "columns of params"
says out "host.line.hit"
says_not out "workload.vcpus"
expect 0 params --format md
says out "| name | default | allowed | meaning |"
refuse "nearest known name: host.line.base" params host.line.bsae

# No terminal, no colour: not one escape.
expect 0 params
! grep -q $'\033' out || fail "colour although there is no terminal"

# A reader that goes away and a disk that is full.
"$convoy" params 2>err | head -1 >out
[ "${PIPESTATUS[0]}" = 0 ] && [ ! -s err ] || fail "a closed pipe is no error"
"$convoy" params >/dev/full 2>err
[ $? = 2 ] || fail "exit code when stdout is full"
says err "cannot write the output: No space left on device"
only
