# SPDX-License-Identifier: Apache-2.0
# Same bytes with one or several workers, in another folder, with another environment.
tables() {
	"$convoy" show "$1" --format csv && "$convoy" show "$1" --format csv --locks && "$convoy" show "$1" --format csv --time
}

expect 0 run "$small" -o one.db -j 1 --quiet
expect 0 run "$small" -o two.db -j 2 --quiet
expect 0 run "$small" -o five.db -j 5 --quiet
mkdir "a folder"
(cd "a folder" && env -i CONVOY_CONFIGS="$CONVOY_CONFIGS" HOME=/ LANG=de_DE.UTF-8 "$convoy" run "$small" -o other.db --quiet >/dev/null) ||
	fail "another folder"
tables one.db >one
for file in two.db five.db "a folder/other.db"; do
	tables "$file" >other || fail "show $file"
	cmp one other || fail "other bytes in $file"
done
# Another seed is another result: the comparison above can fail.
expect 0 run "$small" -o seed.db --set run.seed=2 --quiet
tables seed.db >other
cmp -s one other && fail "the seed has no effect"
only one.db two.db five.db seed.db "a folder" one other
