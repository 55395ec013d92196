# SPDX-License-Identifier: Apache-2.0
# Help of everything, each with an example; the version; what was mistyped.
expect 0 --help
same_as help.txt
for command in run show validate calibrate sensitivity report params hosts kernels workloads studies; do
	expect 0 "$command" --help
	same_as "help-$command.txt"
	says out "Example:"
	cp out long
	expect 0 help "$command"
	cmp -s out long || fail "help $command differs from $command --help"
	rm long
	expect 0 "$command" -h
done
expect 0 --version
[ "$(cat out)" = "convoy $(sed -n 's/^project(convoy VERSION \([0-9.]*\).*/\1/p' "$source/CMakeLists.txt")" ] || fail "version"

expect 2
says err "Commands:"
refuse "unknown command shwo: did you mean show?" shwo x.db
refuse "unknown option --lock: did you mean --locks?" show --lock x.db
refuse "unknown option -z" show -z x.db
refuse "--format: \"xml\" is not one of table, csv, json" show x.db --format xml
refuse "--output needs a value" run small -o
refuse "--quiet takes no value" run small --quiet=yes
refuse "--jobs is given twice" run small -j 2 -j 3
refuse "--jobs: \"0\" is not a whole number" run small -j 0
refuse "--jobs: \"-3\" is not a whole number" run small -j -3
refuse "--replications: \"2x\" is not" run small --replications 2x
refuse "one study is missing" run
refuse "one results file is missing" show
refuse "\"b.db\" is too much" show a.db b.db
only
